# SPDX-License-Identifier: MIT
"""Python's clients, each as its documentation shows it.

peer.py <httpx|aiohttp|pycurl> <url> <requests> <concurrency> prints seconds and CPU seconds.
"""

import asyncio
import io
import sys
import time


def shares(requests, width):
    return [requests // width + (worker < requests % width) for worker in range(width)]


async def measured(get, requests, width):
    async def work(share):
        for _ in range(share):
            await get()

    await get()
    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(work(share) for share in shares(requests, width)))
    report(wall, cpu)


def report(wall, cpu):
    print(f"{time.perf_counter() - wall:.4f} {time.process_time() - cpu:.4f}")


async def with_httpx(url, requests, width):
    import httpx

    limits = httpx.Limits(max_connections=width, max_keepalive_connections=width)
    async with httpx.AsyncClient(limits=limits) as client:

        async def get():
            response = await client.get(url)
            response.raise_for_status()
            return response.content

        await measured(get, requests, width)


async def with_aiohttp(url, requests, width):
    import aiohttp

    connector = aiohttp.TCPConnector(limit=width)
    async with aiohttp.ClientSession(connector=connector, raise_for_status=True) as session:

        async def get():
            async with session.get(url) as response:
                return await response.read()

        await measured(get, requests, width)


def with_pycurl(url, requests, width):
    import pycurl

    multi = pycurl.CurlMulti()
    wall, cpu = time.perf_counter(), time.process_time()

    def start(handle):
        handle.body = io.BytesIO()
        handle.setopt(pycurl.URL, url)
        handle.setopt(pycurl.WRITEFUNCTION, handle.body.write)
        multi.add_handle(handle)

    started = min(width, requests)
    ended = 0
    handles = [pycurl.Curl() for _ in range(started)]
    for handle in handles:
        start(handle)
    while ended < requests:
        multi.perform()
        _, good, bad = multi.info_read()
        assert not bad, bad
        for handle in good:
            ended += 1
            multi.remove_handle(handle)
            if started < requests:
                started += 1
                start(handle)
        if ended < requests:
            multi.select(1.0)
    report(wall, cpu)


def main():
    name, url, requests, width = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    if name == "pycurl":
        with_pycurl(url, requests, width)
    else:
        way = {"httpx": with_httpx, "aiohttp": with_aiohttp}[name]
        asyncio.run(way(url, requests, width))


main()
