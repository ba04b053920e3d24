# SPDX-License-Identifier: MIT
"""Runs every measurement of Docs/Benchmarks.md in one interleaved run and writes tables and plots.

Called by Scripts/bench, which builds what is measured and starts the server:

    bench.py --tools DIRECTORY --http PORT --https PORT --once PORT --roots PEM --docs DIRECTORY [--rounds 9] [--only get,json]

In each round every contestant has one turn, so that what disturbs the machine disturbs all of them. What is
kept are medians, and ratios to the C program of the same run: absolute times say nothing about another machine.
"""

import argparse
import multiprocessing
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

GET_WIDTHS = [1, 16, 64]
SIZE = 1 << 30


class Contestant:
    """A program that is run with a URL, a number of requests and a number of them at once."""

    def __init__(self, name, command, requests, url=None):
        self.name, self.command, self.requests, self.url = name, command, requests, url
        self.walls, self.cpus, self.peaks = [], [], []

    def turn(self, url, width, extra=()):
        command = [*self.command, self.url or url, str(self.requests), str(width), *extra]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        wall, cpu = (float(number) for number in output.split()[:2])
        self.walls.append(wall / self.requests)
        self.cpus.append(cpu / self.requests)


def timed(command):
    """Runs a program and returns its seconds, its CPU seconds and its peak memory in MiB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status:
        sys.exit(f"{command} failed: {process.stderr.read().decode()}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def spread(values):
    """Half the distance from the first quartile to the third, as part of the median."""
    if len(values) < 4:
        return 0
    first, _, third = statistics.quantiles(values, n=4)
    return (third - first) / 2 / statistics.median(values)


def interleave(contestants, rounds, url, width, extra=()):
    for contestant in contestants:
        contestant.walls, contestant.cpus = [], []
    for _ in range(rounds):
        for contestant in contestants:
            contestant.turn(url, width, extra)


def table(title, contestants):
    """One table, each row as a ratio to the first contestant."""
    floor = contestants[0]
    wall, cpu = statistics.median(floor.walls), statistics.median(floor.cpus)
    lines = [f"### {title}", "", "| | requests/s | of the C program | CPU, × the C program | spread |"]
    lines.append("|---|---:|---:|---:|---:|")
    rows = []
    for contestant in contestants:
        own, own_cpu = statistics.median(contestant.walls), statistics.median(contestant.cpus)
        rows.append((contestant.name, wall / own, own_cpu / cpu))
        lines.append(
            f"| {contestant.name} | {1 / own:,.0f} | {wall / own:.2f} | {own_cpu / cpu:.2f} "
            f"| ± {spread(contestant.walls):.0%} |"
        )
    print("\n".join(lines), flush=True)
    return "\n".join(lines), rows


def contestants(tools, https=False, roots=None):
    python = [str(tools / "venv/bin/python"), str(Path(__file__).parent / "Peers/peer.py")]
    bench, c, go = str(tools / "Bench"), str(tools / "baseline"), str(tools / "peer-go")
    return [
        Contestant("C, libcurl", [c], 20_000),
        Contestant("C, libcurl, again", [c], 20_000),
        Contestant("Duet `Endpoint.load`", [bench, "endpoint"], 20_000),
        Contestant("Duet `API.request`", [bench, "api"], 20_000),
        Contestant("Duet `CurlTransport`", [bench, "transport"], 20_000),
        Contestant("Go, net/http", [go], 20_000),
        Contestant("Python, pycurl", [*python, "pycurl"], 10_000),
        Contestant("Python, aiohttp", [*python, "aiohttp"], 2_000),
        Contestant("Python, httpx", [*python, "httpx"], 500),
        Contestant("Swift, URLSession", [bench, "urlsession"], 2_000),
    ]


def get(options):
    tables, bars = [], {}
    for width in GET_WIDTHS:
        all_of_them = contestants(options.tools)
        if width == 1:
            for contestant in all_of_them:
                contestant.requests //= 4
        interleave(all_of_them, options.rounds, f"http://127.0.0.1:{options.http}/small", width)
        text, bars[width] = table(f"Small GET, {width} at once", all_of_them)
        tables.append(text)
    # In a process of its own: what is measured later would count this one's memory as its own.
    arguments = options.docs / "benchmark-get", "Small GET, of the C program's speed", bars
    plotting = multiprocessing.Process(target=plot, args=arguments)
    plotting.start()
    plotting.join()
    return tables


def json(options):
    c, _, _, _, _, go, *_ = contestants(options.tools)
    bench = str(options.tools / "Bench")
    rows = [
        c,
        Contestant("Duet, `Endpoint<[Todo]>.load`", [bench, "json"], 10_000),
        Contestant("Swift, URLSession and JSONDecoder", [bench, "urlsession-json"], 1_000),
    ]
    interleave(rows, options.rounds, f"http://127.0.0.1:{options.http}/todos.json", 16)
    return [table("GET of 20 todos, decoded (the C program does not decode), 16 at once", rows)[0]]


def h2(options):
    bench, c = str(options.tools / "Bench"), str(options.tools / "baseline")
    rows = [
        Contestant("C, libcurl", [c], 20_000),
        Contestant("C, libcurl, again", [c], 20_000),
        Contestant("Duet `Endpoint.load`", [bench, "endpoint"], 20_000),
        Contestant("Duet `CurlTransport`", [bench, "transport"], 20_000),
    ]
    url = f"https://localhost:{options.https}/small"
    interleave(rows, options.rounds, url, 64, [str(options.roots)])
    return [table("Small GET over HTTP/2 and TLS, 64 at once", rows)[0]]


def tls(options):
    """A new connection for each request: what TLS costs beside a request over one that is there."""
    bench = str(options.tools / "Bench")
    plain = Contestant("one connection", [bench, "transport"], 2_000)
    secure = Contestant("TLS, roots added to the system's", [bench, "transport-added"], 300)
    for _ in range(options.rounds):
        plain.turn(f"http://127.0.0.1:{options.http}/small", 1)
        secure.turn(f"https://localhost:{options.once}/small", 1, [str(options.roots)])
    own = [1000 * (b - a) for a, b in zip(plain.cpus, secure.cpus)]
    line = (
        f"A new TLS connection, the system's CAs and one more trusted: "
        f"{statistics.median(own):.2f} ms of CPU more than a request over a plain one that is there."
    )
    print(line, flush=True)
    return ["### A new TLS connection", "", line]


def transfers(options):
    base = f"http://127.0.0.1:{options.http}"
    file = options.tools / "www/gigabyte"
    bench = str(options.tools / "Bench")
    ways = {
        "Down": [
            ("curl", ["curl", "-s", "-o", "/dev/null", f"{base}/gigabyte"]),
            ("Duet, streamed", [bench, "download", f"{base}/gigabyte", "1", "1"]),
        ],
        "Up": [
            ("curl", ["curl", "-s", "-o", "/dev/null", "-T", str(file), f"{base}/discard/x"]),
            ("Duet, from a file", [bench, "upload", f"{base}/discard/x", "1", "1", str(file)]),
        ],
    }
    lines = ["### 1 GiB", "", "| | seconds | of curl's time | CPU seconds | peak memory, MiB |"]
    lines.append("|---|---:|---:|---:|---:|")
    for direction, pair in ways.items():
        results = {name: [] for name, _ in pair}
        for _ in range(options.rounds):
            for name, command in pair:
                results[name].append(timed(command))
        floor = statistics.median(wall for wall, _, _ in results["curl"])
        for name, runs in results.items():
            wall, cpu, peak = (statistics.median(column) for column in zip(*runs))
            lines.append(
                f"| {direction}, {name} | {wall:.2f} | {wall / floor:.2f} | {cpu:.2f} | {peak:.0f} |"
            )
    print("\n".join(lines), flush=True)
    return lines


def forms(options):
    """A form with a file of 1 GiB: made to nowhere, and sent to a server that discards it. Python's start,
    its imports and a program's own start are left out of the seconds, not of the memory."""
    sink = subprocess.Popen([str(options.tools / "sink")], stdout=subprocess.PIPE, text=True)
    url = f"http://127.0.0.1:{sink.stdout.readline().strip()}/"
    bench, file = str(options.tools / "Bench"), str(options.tools / "www/gigabyte")
    python = [str(options.tools / "venv/bin/python"), str(Path(__file__).parent / "Peers/upload.py")]
    curl = ["curl", "-s", "-o", "/dev/null", "-w", "%{time_total}", "-F", "title=Benchmark", "-F"]
    ways = {
        "A form with a file of 1 GiB, made to nowhere": {
            "C, read and written in 64 KiB blocks": [str(options.tools / "copy"), file],
            "Duet, `MultipartForm`": [bench, "encode", file],
        },
        "A form with a file of 1 GiB, uploaded": {
            "`curl -F`": [*curl, f"file=@{file}", url],
            "Duet, `API.upload`": [bench, "form", url, file],
            "Python, requests-toolbelt": [*python, "toolbelt", url, file],
            "Python, httpx": [*python, "httpx", url, file],
            "Python, aiohttp": [*python, "aiohttp", url, file],
        },
    }
    lines = []
    for title, commands in ways.items():
        lines += ["", f"### {title}", "", "| | seconds | of the first | spread | CPU seconds | peak memory, MiB |"]
        lines.append("|---|---:|---:|---:|---:|---:|")
        runs = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
                    said = process.stdout.read()
                    _, status, usage = os.wait4(process.pid, 0)
                    process.returncode = status
                if status:
                    sys.exit(f"{command} failed")
                cpu = usage.ru_utime + usage.ru_stime
                runs[name].append((float(said.split()[0]), cpu, usage.ru_maxrss / 1024))
        floor = statistics.median(wall for wall, _, _ in next(iter(runs.values())))
        for name, own in runs.items():
            walls, cpus, peaks = zip(*own)
            wall = statistics.median(walls)
            lines.append(
                f"| {name} | {wall:.2f} | {wall / floor:.2f} | ± {spread(walls):.0%} "
                f"| {statistics.median(cpus):.2f} | {max(peaks):.0f} |"
            )
    sink.kill()
    sink.wait()
    print("\n".join(lines), flush=True)
    return lines[1:]


def plot(path, title, bars):
    """Grouped bars as SVG, for a light page and for a dark one."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as pyplot

    names = [name.replace("`", "") for name, _, _ in next(iter(bars.values()))]
    for suffix, ink in {"light": "#1f2328", "dark": "#e6edf3"}.items():
        with pyplot.rc_context({"text.color": ink, "axes.labelcolor": ink, "xtick.color": ink,
                                "ytick.color": ink, "axes.edgecolor": ink, "svg.hashsalt": "duet"}):
            figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
            height = 0.8 / len(bars)
            for index, (width, rows) in enumerate(bars.items()):
                places = [place + index * height for place in range(len(rows))]
                axes.barh(places, [share for _, share, _ in rows], height, label=f"{width} at once")
            axes.set_yticks([place + 0.4 - height / 2 for place in range(len(names))], names)
            axes.invert_yaxis()
            axes.set_xlabel(title)
            axes.legend(frameon=False)
            figure.savefig(f"{path}-{suffix}.svg", transparent=True, metadata={"Date": None})
            pyplot.close(figure)


def machine():
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if "model name" in line), "unknown")
    curl = subprocess.run(["curl", "--version"], capture_output=True, text=True).stdout.split()[1]
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    words = swift.split("\n")[0].strip()
    return f"{model}, {os.cpu_count()} cores; {platform.freedesktop_os_release()['PRETTY_NAME']}; {words}; libcurl {curl}"


def keep(page, text):
    """Replaces what was measured before, between the two markers of the page."""
    start, end = "<!-- measured -->\n", "<!-- end of what is measured -->"
    before, _, rest = page.read_text().partition(start)
    page.write_text(before + start + "\n" + text + "\n\n" + end + rest.partition(end)[2])


def told(title, options, way, path, count, width):
    """A section of the one line that the Swift driver says."""
    url = f"http://127.0.0.1:{options.http}/{path}"
    command = [str(options.tools / "Bench"), way, url, str(count), str(width)]
    line = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    print(line, flush=True)
    return [f"### {title}", "", line]


def cancels(options):
    """How long a cancelled download takes to return, in the middle of its fastest."""
    return told("Cancelling inside a fast download", options, "cancel", "gigabyte", 100, 1)


def race(options):
    """Cancels that race the end of their request: each has one end, and none stalls."""
    return told("Cancels that race the end", options, "race", "small", 100_000, 64)


def flat(options):
    """A million requests: what the process has grown by since the first hundred thousand."""
    return told("One million requests", options, "flat", "small", 1_000_000, 64)


SECTIONS = {"get": get, "json": json, "h2": h2, "tls": tls, "transfers": transfers, "forms": forms,
            "cancels": cancels, "race": race, "flat": flat}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--http", type=int, required=True)
    parser.add_argument("--https", type=int, required=True)
    parser.add_argument("--once", type=int, required=True)
    parser.add_argument("--roots", type=Path, required=True)
    parser.add_argument("--docs", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default=",".join(SECTIONS))
    options = parser.parse_args()
    text = [f"Measured on {time.strftime('%Y-%m-%d')}: {machine()}; {options.rounds} rounds, medians."]
    for name in options.only.split(","):
        text += ["", *SECTIONS[name](options)]
    keep(options.docs / "Benchmarks.md", "\n".join(text))


main()
