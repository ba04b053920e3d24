# SPDX-License-Identifier: MIT
"""Small requests: how many, over what, and where their time goes."""

import statistics

from contestants import baseline, bench, everyone, others, python
from measuring import Way, interleave, lines_of, output, table, table_growth
from plotting import bars, curves

REQUESTS = {1: 4_000, 4: 10_000, 16: 20_000, 64: 20_000, 256: 20_000, 1024: 20_000}
SHOWN = [1, 16, 64]


def get(options):
    url = f"http://127.0.0.1:{options.http}/small"
    steps = {}
    for width, requests in REQUESTS.items():
        steps[width] = interleave(options, everyone(options), url, requests, width)
    shares = {
        f"{width} at once": {name: steps[width]["C, libcurl"].wall / own.wall for name, own in steps[width].items()}
        for width in SHOWN
    }
    lines = bars(
        options.plots / "benchmark-get", "Requests a second as part of the C program's, with 1, 16 and 64 at once",
        "Small GET, of the C program's speed", shares,
    )
    speeds = {width: {name: 1 / own.wall for name, own in runs.items()} for width, runs in steps.items()}
    lines += curves(
        options.plots / "benchmark-concurrency", "Requests a second, from one request at once to 1,024",
        "requests at once", "requests/s", speeds,
    )
    heads = {f"{width:,}": runs for width, runs in steps.items()}
    lines += table_growth("Small GET, requests/s by how many are at once", heads, lambda own, _: f"{1 / own.wall:,.0f}")
    for width in SHOWN:
        lines += table(f"Small GET, {width} at once", steps[width])
    return lines


def json(options):
    """The C program does not decode."""
    ways = [
        Way("C, libcurl, nothing decoded", baseline(options)),
        Way("Duet, `API.request`", bench(options, "api-json")),
        Way("Duet, `Endpoint.load`", bench(options, "endpoint-json")),
        Way("Swift, URLSession and JSONDecoder", bench(options, "urlsession-json"), 0.1),
        *others(options, ("json",)),
    ]
    runs = interleave(options, ways, f"http://127.0.0.1:{options.http}/todos.json", 10_000, 16)
    return table("GET of 20 todos, decoded, 16 at once", runs)


def secure(options):
    """Those that can be told whom to trust, URLSession on Linux can't: all trust the system's CAs and one more."""
    return [
        Way("C, libcurl", baseline(options), tail=(options.bundle,)),
        Way("C, libcurl, again", baseline(options), tail=(options.bundle,)),
        Way("Duet `CurlTransport`", bench(options, "transport"), tail=(options.roots,)),
        Way("Duet `API.request`", bench(options, "api"), tail=(options.roots,)),
        Way("Duet `Endpoint.load`", bench(options, "endpoint"), tail=(options.roots,)),
    ]


def h2(options):
    ways = [
        *secure(options),
        Way("Go, net/http", [options.tools / "peer-go"]),
        Way("Python, pycurl", python(options, "pycurl"), 0.5),
        Way("Python, httpx", python(options, "httpx2"), 0.025),
    ]
    runs = interleave(options, ways, f"https://127.0.0.1:{options.https}/small", 20_000, 64)
    return table("Small GET over HTTP/2 and TLS, 64 at once", runs)


def tls(options):
    """A new connection for each request."""
    shares = {"Python, aiohttp": 1, "Python, httpx": 0.5, "Python, requests": 0.5, "Python, pycurl": 1}
    ways = [*secure(options), *others(options)]
    for way in ways:
        way.share = shares.get(way.name, 1)
    runs = interleave(options, ways, f"https://127.0.0.1:{options.once}/small", 300, 1)
    return table("A new TLS connection for each small GET, 1 at once", runs, "connections/s")


def parts(options):
    """Where the CPU time of a small GET goes, 64 at once."""
    ways = [
        Way("C", baseline(options)),
        Way("fresh", baseline(options, "-f")),
        Way("transport", bench(options, "transport")),
        Way("api", bench(options, "api")),
        Way("endpoint", bench(options, "endpoint")),
    ]
    runs = interleave(options, ways, f"http://127.0.0.1:{options.http}/small", 20_000, 64)
    count = max(1, round(200_000 * options.scale))
    heads = []
    for _ in range(options.rounds):
        heads.append(float(output(options, bench(options, "response", count))[0].split()[1]) / count)
    middle = statistics.median
    ours = {name: own for name, own in runs.items() if own.loops}
    rest = {name: middle(cpu - loop for cpu, loop in zip(own.cpus, own.loops)) for name, own in ours.items()}
    seconds = {
        "nginx, for the C program's": middle(runs["C"].servers),
        "C program": runs["C"].cpu,
        "C program, a fresh handle for each": runs["fresh"].cpu,
        "Duet, libcurl's thread": middle(runs["transport"].loops),
        "Duet `CurlTransport`, the caller's side": rest["transport"],
        "Duet `API.request`, the caller's side": rest["api"],
        "Duet `Endpoint.load`, the caller's side": rest["endpoint"],
        "of which Foundation makes an `HTTPURLResponse` of eight fields": middle(heads),
    }
    rows = [[name, f"{1e6 * value:.1f}"] for name, value in seconds.items()]
    return ["### Where the CPU time of a small GET goes, 64 at once", "", *lines_of(["", "CPU, µs each"], rows), ""]
