# SPDX-License-Identifier: MIT
"""Python's clients, each as its documentation shows it, and curl, the tool.

    peer.py <requests|httpx|httpx2|aiohttp|pycurl|curl> <url> <requests> <concurrency> [json]

prints seconds and CPU seconds. With `json`, each body is decoded. httpx2 asks for HTTP/2. Whom to trust comes from
the environment: SSL_CERT_FILE, and REQUESTS_CA_BUNDLE for requests.
"""

import asyncio
import io
import json
import os
import resource
import subprocess
import sys
import time

name, url, requests, width = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
decode = json.loads if "json" in sys.argv[5:] else lambda body: body


def report(wall, cpu):
    print(f"{time.perf_counter() - wall:.6f} {time.process_time() - cpu:.6f}")


async def measured(get):
    async def work(share):
        for _ in range(share):
            decode(await get())

    await get()
    shares = [requests // width + (worker < requests % width) for worker in range(width)]
    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(work(share) for share in shares))
    report(wall, cpu)


async def with_httpx(http2=False):
    import httpx

    limits = httpx.Limits(max_connections=width, max_keepalive_connections=width)
    # Where many wait for a connection, some do so for longer than the five seconds of the default.
    async with httpx.AsyncClient(limits=limits, http2=http2, timeout=60) as client:

        async def get():
            response = await client.get(url)
            response.raise_for_status()
            return response.content

        await measured(get)


async def with_aiohttp():
    import aiohttp

    connector = aiohttp.TCPConnector(limit=width)
    async with aiohttp.ClientSession(connector=connector, raise_for_status=True) as session:

        async def get():
            async with session.get(url) as response:
                return await response.read()

        await measured(get)


def with_requests():
    """It blocks: at once means threads, over one session's connections."""
    from concurrent.futures import ThreadPoolExecutor

    from requests import Session
    from requests.adapters import HTTPAdapter

    session = Session()
    for scheme in "http://", "https://":
        session.mount(scheme, HTTPAdapter(pool_maxsize=width))

    def get(_):
        response = session.get(url)
        response.raise_for_status()
        return decode(response.content)

    get(0)
    wall, cpu = time.perf_counter(), time.process_time()
    if width == 1:
        for one in range(requests):
            get(one)
    else:
        with ThreadPoolExecutor(width) as pool:
            for _ in pool.map(get, range(requests)):
                pass
    report(wall, cpu)


def with_pycurl():
    import pycurl

    multi = pycurl.CurlMulti()
    roots = os.environ.get("SSL_CERT_FILE")

    def start(handle):
        handle.body = io.BytesIO()
        handle.setopt(pycurl.URL, url)
        handle.setopt(pycurl.WRITEFUNCTION, handle.body.write)
        handle.setopt(pycurl.PIPEWAIT, 1)
        if roots:
            handle.setopt(pycurl.CAINFO, roots)
        multi.add_handle(handle)

    def get(requests, width):
        started = min(width, requests)
        ended = 0
        for handle in [pycurl.Curl() for _ in range(started)]:
            start(handle)
        while ended < requests:
            multi.perform()
            _, good, bad = multi.info_read()
            assert not bad, bad
            for handle in good:
                ended += 1
                multi.remove_handle(handle)
                decode(handle.body.getvalue())
                if started < requests:
                    started += 1
                    start(handle)
            if ended < requests:
                multi.select(1.0)

    get(1, 1)
    wall, cpu = time.perf_counter(), time.process_time()
    get(requests, width)
    report(wall, cpu)


def with_curl():
    """One process, its start counted; at most 300 at once."""
    parallel = ["-Z", "--parallel-max", str(min(width, 300))] if width > 1 else []
    wall = time.perf_counter()
    subprocess.run(["curl", "-sSf", *parallel, "-o", "/dev/null", f"{url}?[1-{requests}]"], check=True)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{time.perf_counter() - wall:.6f} {usage.ru_utime + usage.ru_stime:.6f}")


ways = {
    "httpx": lambda: asyncio.run(with_httpx()),
    "httpx2": lambda: asyncio.run(with_httpx(http2=True)),
    "aiohttp": lambda: asyncio.run(with_aiohttp()),
    "requests": with_requests,
    "pycurl": with_pycurl,
    "curl": with_curl,
}
ways[name]()
