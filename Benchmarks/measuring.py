# SPDX-License-Identifier: MIT
"""Runs what is measured, turn by turn, and makes tables of it.

In each round every contestant has one turn, so that what disturbs the machine disturbs all of them. What is kept
are medians, and ratios to the first contestant of the same run: absolute times say nothing about another machine.
"""

import os
import statistics
import subprocess
import sys
from dataclasses import dataclass, field

LONGEST_TURN = 600
"""Seconds after which a turn hangs, and the run ends."""


@dataclass
class Way:
    """A program that takes a URL, a number of requests, a number of them at once, and then its `tail`."""

    name: str
    command: list
    share: float = 1
    """Of the requests that the fastest ones make: so no turn takes long."""
    tail: tuple = ()
    widths: range = range(1, 1 << 20)
    """How many at once it is measured with."""


@dataclass
class Runs:
    """What each turn of one contestant took: seconds and CPU seconds a request, of libcurl's thread and of the
    server too, and the peak of memory in MiB."""

    walls: list = field(default_factory=list)
    cpus: list = field(default_factory=list)
    loops: list = field(default_factory=list)
    servers: list = field(default_factory=list)
    peaks: list = field(default_factory=list)

    @property
    def wall(self):
        return statistics.median(self.walls)

    @property
    def cpu(self):
        return statistics.median(self.cpus)

    @property
    def spread(self):
        """Half the distance from the first quartile to the third, as part of the median; with fewer than four
        turns, half that from the least to the most."""
        ordered = sorted(self.walls)
        quartiles = statistics.quantiles(ordered, n=4) if len(ordered) > 3 else [ordered[0], 0, ordered[-1]]
        return (quartiles[2] - quartiles[0]) / 2 / self.wall


def output(options, command):
    """What a program says, and its last words on standard error."""
    environment = os.environ | {"SSL_CERT_FILE": str(options.bundle), "REQUESTS_CA_BUNDLE": str(options.bundle)}
    try:
        done = subprocess.run(
            [str(part) for part in command], env=environment, capture_output=True, text=True, timeout=LONGEST_TURN
        )
    except subprocess.TimeoutExpired:
        sys.exit(f"bench: more than {LONGEST_TURN} seconds: {command}")
    if done.returncode:
        sys.exit(f"bench: {command} failed: {done.stderr}")
    return done.stdout.strip(), done.stderr.strip().split("\n")[-1]


def server_seconds(options):
    """The CPU seconds that nginx's only worker has had."""
    with open(f"/proc/{options.worker}/schedstat") as file:
        return int(file.read().split()[0]) / 1e9


def interleave(options, ways, url, requests, width):
    """The runs of each way, by its name, over all rounds."""
    ways = [way for way in ways if width in way.widths]
    runs = {way.name: Runs() for way in ways}
    for _ in range(options.rounds):
        for way in ways:
            count = max(width, round(requests * way.share * options.scale), 1)
            before = server_seconds(options)
            said, _ = output(options, [*way.command, url, count, width, *way.tail])
            wall, cpu, *loop = (float(number) / count for number in said.split())
            own = runs[way.name]
            own.walls.append(wall)
            own.cpus.append(cpu)
            own.loops += loop
            own.servers.append((server_seconds(options) - before) / count)
    return runs


def interleave_large(options, commands):
    """The same for programs that move one large body and say their seconds."""
    runs = {name: Runs() for name in commands}
    for _ in range(options.rounds):
        for name, command in commands.items():
            said, measured = output(options, [options.tools / "run", *command])
            _, cpu, peak = measured.split()
            own, numbers = runs[name], said.split()
            own.walls.append(float(numbers[0]))
            own.cpus.append(float(numbers[1] if len(numbers) > 1 else cpu))
            own.peaks.append(float(peak) / 1024)
    return runs


def lines_of(head, rows):
    """A table in Markdown: the first column is a name, the others are numbers."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def table(title, runs, unit="requests/s"):
    """Small requests, each row as a ratio to the first contestant."""
    first = next(iter(runs.values()))
    rows = [
        [name, f"{1 / own.wall:,.0f}", f"{first.wall / own.wall:.2f}", f"{1e6 * own.cpu:,.0f}",
         f"{own.cpu / first.cpu:.2f}", f"± {own.spread:.0%}"]
        for name, own in runs.items()
    ]
    head = ["", unit, "of the first", "CPU, µs each", "CPU, × the first", "spread"]
    return [f"### {title}", "", *lines_of(head, rows), ""]


def table_large(title, runs):
    """One large body, each row as a ratio to the first contestant."""
    first = next(iter(runs.values()))
    rows = [
        [name, f"{own.wall:.2f}", f"{own.wall / first.wall:.2f}", f"± {own.spread:.0%}", f"{own.cpu:.2f}",
         f"{max(own.peaks):.0f}"]
        for name, own in runs.items()
    ]
    head = ["", "seconds", "× the first", "spread", "CPU seconds", "peak memory, MiB"]
    return [f"### {title}", "", *lines_of(head, rows), ""]


def table_growth(title, steps, cell):
    """How it goes as something grows: `steps` are runs by the head of their column, `cell` says what stands in it
    of a contestant's runs and the first contestant's."""
    names = dict.fromkeys(name for runs in reversed(steps.values()) for name in runs)
    rows = []
    for name in names:
        firsts = [next(iter(runs.values())) for runs in steps.values()]
        cells = [cell(runs[name], first) if name in runs else "" for runs, first in zip(steps.values(), firsts)]
        widest = max(runs[name].spread for runs in steps.values() if name in runs)
        rows.append([name, *cells, f"± {widest:.0%}"])
    return [f"### {title}", "", *lines_of(["", *steps, "widest spread"], rows), ""]
