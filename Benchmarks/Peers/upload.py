# SPDX-License-Identifier: MIT
"""Python's clients, each as its documentation shows the upload of a large file in a form.

upload.py <toolbelt|httpx|aiohttp> <url> <file> prints seconds and CPU seconds, the imports left out.
"""

import asyncio
import sys
import time


def with_toolbelt():
    import requests
    from requests_toolbelt import MultipartEncoder

    def upload(url, path):
        with open(path, "rb") as file:
            form = MultipartEncoder({"title": "Benchmark", "file": ("file", file, "application/octet-stream")})
            requests.post(url, data=form, headers={"Content-Type": form.content_type}).raise_for_status()

    return upload


def with_httpx():
    import httpx

    def upload(url, path):
        with open(path, "rb") as file:
            answer = httpx.post(url, data={"title": "Benchmark"}, files={"file": file}, timeout=60)
            answer.raise_for_status()

    return upload


def with_aiohttp():
    import aiohttp

    async def post(url, path):
        async with aiohttp.ClientSession(raise_for_status=True) as session:
            with open(path, "rb") as file:
                form = aiohttp.FormData({"title": "Benchmark"})
                form.add_field("file", file)
                async with session.post(url, data=form) as answer:
                    await answer.read()

    return lambda url, path: asyncio.run(post(url, path))


upload = {"toolbelt": with_toolbelt, "httpx": with_httpx, "aiohttp": with_aiohttp}[sys.argv[1]]()
wall, cpu = time.perf_counter(), time.process_time()
upload(*sys.argv[2:4])
print(f"{time.perf_counter() - wall:.4f} {time.process_time() - cpu:.4f}")
