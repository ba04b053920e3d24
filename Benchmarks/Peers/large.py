# SPDX-License-Identifier: MIT
"""Python's clients, each as its documentation shows one large body.

    large.py <download|upload|form|encode> <requests|httpx|aiohttp> <url> [file]

prints seconds and CPU seconds, the imports left out. `encode` makes the form and sends it nowhere.
"""

import asyncio
import sys
import time

what, library, url, *files = sys.argv[1:]
path = files[0] if files else None


def with_requests():
    import requests
    from requests_toolbelt import MultipartEncoder

    def form(file):
        return MultipartEncoder({"title": "Benchmark", "file": ("file", file, "application/octet-stream")})

    def download():
        with requests.get(url, stream=True) as answer:
            answer.raise_for_status()
            for _ in answer.iter_content(65536):
                pass

    def upload(file):
        requests.put(url, data=file).raise_for_status()

    def send(file):
        whole = form(file)
        requests.post(url, data=whole, headers={"Content-Type": whole.content_type}).raise_for_status()

    def encode(file):
        whole = form(file)
        while whole.read(65536):
            pass

    return {"download": download, "upload": upload, "form": send, "encode": encode}


def with_httpx():
    import httpx

    def download():
        with httpx.stream("GET", url) as answer:
            answer.raise_for_status()
            for _ in answer.iter_bytes():
                pass

    def upload(file):
        httpx.put(url, content=file, timeout=60).raise_for_status()

    def send(file):
        httpx.post(url, data={"title": "Benchmark"}, files={"file": file}, timeout=60).raise_for_status()

    def encode(file):
        for _ in httpx.Request("POST", url, data={"title": "Benchmark"}, files={"file": file}).stream:
            pass

    return {"download": download, "upload": upload, "form": send, "encode": encode}


def with_aiohttp():
    import aiohttp

    async def download():
        async with aiohttp.ClientSession(raise_for_status=True) as session:
            async with session.get(url) as answer:
                async for _ in answer.content.iter_chunked(65536):
                    pass

    async def upload(method, data):
        async with aiohttp.ClientSession(raise_for_status=True) as session:
            async with session.request(method, url, data=data) as answer:
                await answer.read()

    def send(file):
        form = aiohttp.FormData({"title": "Benchmark"})
        form.add_field("file", file)
        asyncio.run(upload("POST", form))

    return {
        "download": lambda: asyncio.run(download()),
        "upload": lambda file: asyncio.run(upload("PUT", file)),
        "form": send,
    }


work = {"requests": with_requests, "httpx": with_httpx, "aiohttp": with_aiohttp}[library]()[what]
wall, cpu = time.perf_counter(), time.process_time()
if path:
    with open(path, "rb") as file:
        work(file)
else:
    work()
print(f"{time.perf_counter() - wall:.6f} {time.process_time() - cpu:.6f}")
