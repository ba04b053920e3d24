# SPDX-License-Identifier: MIT
"""Who is measured."""

from pathlib import Path

from measuring import Way

PEERS = Path(__file__).parent / "Peers"


def python(options, *arguments):
    return [options.tools / "venv/bin/python", PEERS / "peer.py", *arguments]


def bench(options, *arguments):
    return [options.tools / "Bench", *arguments]


def baseline(options, *arguments):
    return [options.tools / "baseline", *arguments]


def others(options, tail=()):
    """Those that are not Swift."""
    return [
        Way("Go, net/http", [options.tools / "peer-go"], tail=tail),
        Way("Python, pycurl", python(options, "pycurl"), 0.5, tail),
        Way("Python, aiohttp", python(options, "aiohttp"), 0.1, tail),
        Way("Python, httpx", python(options, "httpx"), 0.025, tail),
        Way("Python, requests", python(options, "requests"), 0.05, tail),
    ]


def everyone(options):
    """Small GETs over plain connections."""
    wide = range(65, 1 << 20)
    return [
        Way("C, libcurl", baseline(options)),
        Way("C, libcurl, again", baseline(options)),
        Way("C, libcurl, 64 connections", baseline(options, "-m", "64"), widths=wide),
        Way("Duet `CurlTransport`", bench(options, "transport")),
        Way("Duet `API.request`", bench(options, "api")),
        Way("Duet `Endpoint.load`", bench(options, "endpoint")),
        Way("Swift, URLSession", bench(options, "urlsession"), 0.1),
        Way("`curl`, the tool", python(options, "curl"), 0.25),
        *others(options),
    ]
