# SPDX-License-Identifier: MIT
"""Runs every measurement of Docs/Benchmarks.md and writes tables and plots.

Called by Scripts/bench, which builds what is measured and starts the server. Each group has a place in the page,
between two comments with its name, and is written there as soon as it is done; `--only` leaves the others as they
are. `--short` makes a small part of the requests, to see that every group runs, and writes beside the tools.
"""

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import endings
import growth
import large
import small

GROUPS = {
    "get": small.get, "json": small.json, "h2": small.h2, "tls": small.tls, "parts": small.parts,
    "payload": growth.payload, "transfers": large.transfers, "forms": large.forms, "observers": growth.observers,
    "cancels": endings.cancels, "race": endings.race, "flat": endings.flat,
}


def first_line(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return (done.stdout or done.stderr).split("\n")[0].strip()


def machine(options):
    """What a reader has to know of where this was measured."""
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if "model name" in line), "unknown")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    release = platform.freedesktop_os_release()["PRETTY_NAME"]
    pycurl = first_line(options.tools / "venv/bin/python", "-c", "import pycurl; print(pycurl.version)").split()
    swift = re.search(r"Swift version \S+", first_line("swift", "--version"))
    libraries = ", ".join(f"{name} {version(name)}" for name in ["aiohttp", "httpx", "requests", "requests-toolbelt"])
    return (
        f"{model}, {os.cpu_count()} cores, {memory:.0f} GiB; {release}, Linux {platform.release().split('-')[0]}; "
        f"{swift[0] if swift else 'Swift'}; libcurl {first_line('curl', '--version').split()[1]}; "
        f"nginx {first_line('nginx', '-v').split('/')[-1]}; Go {first_line('go', 'version').split()[2][2:]}; "
        f"Python {platform.python_version()}, {libraries}, pycurl {pycurl[0].split('/')[1]} with a libcurl "
        f"{pycurl[1].split('/')[1]} of its own."
    )


def keep(page, name, lines):
    """Replaces what stands at this name's place in the page."""
    start, end = f"<!-- measured: {name} -->\n", f"<!-- end: {name} -->"
    before, found, rest = page.read_text().partition(start)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        sys.exit(f"bench: {page} has no place for {name}")
    page.write_text(before + start + "\n" + "\n".join(lines).strip() + "\n\n" + end + after)


def prepare(options):
    """Where it is written, and how much is measured."""
    options.scale, options.plots, page = 1, options.docs, options.docs / "Benchmarks.md"
    options.large, options.large_name = options.tools / "www/gigabyte", "1 GiB"
    if options.short:
        options.scale, options.plots = 0.01, options.tools / "short"
        options.large, options.large_name = options.tools / "www/10000000", "10 MB"
        options.plots.mkdir(exist_ok=True)
        page = shutil.copy(page, options.plots)
    return Path(page)


def main():
    parser = argparse.ArgumentParser(prog="Scripts/bench")
    for name in ["tools", "roots", "bundle", "docs"]:
        parser.add_argument(f"--{name}", type=Path, required=True, help=argparse.SUPPRESS)
    for name in ["http", "https", "once", "worker"]:
        parser.add_argument(f"--{name}", type=int, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default=",".join(GROUPS), help="groups, with commas: " + ", ".join(GROUPS))
    parser.add_argument("--short", action="store_true", help="a hundredth of it, to see that it runs")
    options = parser.parse_args()
    names = options.only.split(",")
    if unknown := [name for name in names if name not in GROUPS]:
        parser.error(f"no such group: {', '.join(unknown)}")
    page, here = prepare(options), machine(options)
    if len(names) == len(GROUPS):
        keep(page, "machine", [here])
    elif here not in page.read_text():
        print("bench: the page was measured elsewhere, or with other versions: run all groups", file=sys.stderr)
    for name in names:
        start = time.perf_counter()
        lines = GROUPS[name](options)
        print("\n".join(lines), flush=True)
        print(f"bench: {name} took {time.perf_counter() - start:.0f} s\n", file=sys.stderr, flush=True)
        once = name in ("cancels", "race", "flat")
        how = "once" if once else f"{options.rounds} rounds, medians"
        keep(page, name, [*lines, f"*Measured on {time.strftime('%Y-%m-%d')}: {how}.*"])


main()
