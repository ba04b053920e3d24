# SPDX-License-Identifier: MIT
"""One large body: down, up, in a form, and the form alone."""

import subprocess
import tempfile
from contextlib import contextmanager

from contestants import PEERS, bench
from measuring import interleave_large, table_large

CURL = ["curl", "-sSf", "-w", "%{time_total}", "-o"]
AWAY = [*CURL, "/dev/null"]


@contextmanager
def sink(options):
    """The URL of a server that throws away what it gets, and answers when it has all of it."""
    server = subprocess.Popen([options.tools / "sink"], stdout=subprocess.PIPE, text=True)
    try:
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}/"
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


def python(options, what, *arguments, libraries=("requests", "httpx", "aiohttp")):
    command = [options.tools / "venv/bin/python", PEERS / "large.py", what]
    return {f"Python, {library}": [*command, library, *arguments] for library in libraries}


def transfers(options):
    go, file = options.tools / "peer-go", options.large
    url = f"http://127.0.0.1:{options.http}/{file.name}"
    down = {
        "`curl`": [*AWAY, url],
        "Duet, streamed": bench(options, "download", url),
        "Swift, URLSession": bench(options, "urlsession-download", url),
        "Go, net/http": [go, "download", url],
        **python(options, "download", url),
    }
    lines = table_large(f"{options.large_name}, down, to nowhere", interleave_large(options, down))
    with tempfile.TemporaryDirectory(dir=options.tools) as folder:
        saved = {
            "`curl -o`": [*CURL, f"{folder}/curl", url],
            "Duet, `API.download`": bench(options, "save", url, f"{folder}/duet"),
        }
        lines += table_large(f"{options.large_name}, down, to a file", interleave_large(options, saved))
    with sink(options) as url:
        up = {
            "`curl -T`": [*AWAY, "-T", file, url],
            "Duet, from a file": bench(options, "upload", url, file),
            "Swift, URLSession": bench(options, "urlsession-upload", url, file),
            "Go, net/http": [go, "upload", url, file],
            **python(options, "upload", url, file),
        }
        return lines + table_large(f"{options.large_name}, up, from a file", interleave_large(options, up))


def forms(options):
    """A form with a large file: made to nowhere, and sent."""
    go, file = options.tools / "peer-go", options.large
    made = {
        "C, read and written in 64 KiB blocks": [options.tools / "copy", file],
        "Duet, `MultipartForm`": bench(options, "encode", file),
        "Go, mime/multipart": [go, "encode", file],
        **python(options, "encode", "-", file, libraries=("requests", "httpx")),
    }
    title = f"A form with a file of {options.large_name}"
    lines = table_large(f"{title}, made to nowhere", interleave_large(options, made))
    with sink(options) as url:
        sent = {
            "`curl -F`": [*AWAY, "-F", "title=Benchmark", "-F", f"file=@{file}", url],
            "Duet, `API.upload`": bench(options, "form", url, file),
            "Go, mime/multipart": [go, "form", url, file],
            **python(options, "form", url, file),
        }
        return lines + table_large(f"{title}, uploaded", interleave_large(options, sent))
