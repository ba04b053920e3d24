# SPDX-License-Identifier: MIT
"""What it costs as the work grows: larger bodies, more observers."""

from contestants import baseline, bench, others, python
from measuring import Runs, Way, interleave, output, table_growth
from plotting import curves

SIZES = {
    1_000: "1 KB", 10_000: "10 KB", 100_000: "100 KB",
    1_000_000: "1 MB", 10_000_000: "10 MB", 100_000_000: "100 MB",
}
BYTES = 400_000_000
"""How many a turn moves, where the bodies are large."""

OBSERVERS = [1, 10, 100, 1_000, 10_000, 100_000]
TOLD = {
    "main": "Duet `StatefulEndpoint`, on the main actor",
    "queue": "Duet `StatefulEndpoint`, on a queue",
    "closures": "a closure for each, put on a queue",
    "notifications": "NotificationCenter, called where it is posted",
}


def payload(options):
    """Everyone has the body in memory at the end, but the two that say otherwise."""
    ways = [
        Way("C, libcurl", baseline(options)),
        Way("C, libcurl, again", baseline(options)),
        Way("Duet `API.request`", bench(options, "api")),
        Way("Duet `CurlTransport`, piece by piece", bench(options, "pieces")),
        Way("Swift, URLSession", bench(options, "urlsession"), 0.25),
        Way("`curl` to `/dev/null`", python(options, "curl")),
        *others(options),
    ]
    for way in ways:
        way.share = max(way.share, 0.25)
    steps = {}
    for size in SIZES:
        requests = max(4, min(2_000, BYTES // size))
        steps[size] = interleave(options, ways, f"http://127.0.0.1:{options.http}/{size}", requests, 1)
    heads = {SIZES[size]: runs for size, runs in steps.items()}
    milliseconds = {size: {name: 1000 * own.wall for name, own in runs.items()} for size, runs in steps.items()}
    lines = curves(
        options.plots / "benchmark-payload", "Milliseconds for one GET, from a body of 1 KB to one of 100 MB",
        "body", "milliseconds", milliseconds, list(heads),
    )
    return lines + table_growth(
        "GET by the size of the body, 1 at once: milliseconds (× the first)",
        heads,
        lambda own, first: f"{1000 * own.wall:,.{2 if own.wall < 0.1 else 0}f} ({own.wall / first.wall:.2f})",
    )


def observers(options):
    """How long until all have been told of a new state, and what it takes to add one."""
    telling = {count: {name: Runs() for name in TOLD.values()} for count in OBSERVERS}
    adding = {count: {name: Runs() for name in TOLD.values()} for count in OBSERVERS}
    for _ in range(options.rounds):
        for count in OBSERVERS:
            for line in output(options, bench(options, "observers", count))[0].split("\n"):
                name, told, added = line.split()
                telling[count][TOLD[name]].walls.append(float(told))
                adding[count][TOLD[name]].walls.append(float(added))
    lines = []
    for title, steps in {
        "Telling observers of a new state, until the last has been called: µs by how many there are": telling,
        "Adding an observer: µs each, by how many are added": adding,
    }.items():
        heads = {f"{count:,}": runs for count, runs in steps.items()}
        lines += table_growth(title, heads, lambda own, _: f"{own.wall:,.{2 if own.wall < 10 else 0}f}")
    medians = {count: {name: own.wall for name, own in runs.items()} for count, runs in telling.items()}
    return lines + curves(
        options.plots / "benchmark-observers",
        "Microseconds until all observers are told, from one observer to 100,000",
        "observers", "µs until all are told", medians,
    )
