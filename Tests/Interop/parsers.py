# SPDX-License-Identifier: MIT
"""A server that reads a form with one of the parsers of Python's web frameworks and says what it saw.

    parsers.py werkzeug|django|starlette|aiohttp

It prints its port, and answers each POST with a JSON array of the parts: name, file name and type (null
where there is none), and the content in Base64.
"""

import base64
import json
import socket
import sys


def part(name, filename, content_type, content):
    if isinstance(content, str):
        content = content.encode()
    content = base64.b64encode(content).decode()
    return {"name": name, "filename": filename, "type": content_type, "content": content}


def listening():
    """A socket that listens before its port is told."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    print(listener.getsockname()[1], flush=True)
    return listener


def serve_wsgi(application):
    from werkzeug.serving import make_server

    listener = listening()
    make_server("127.0.0.1", 0, application, threaded=True, fd=listener.fileno()).serve_forever()


def werkzeug():
    from werkzeug.wrappers import Request, Response

    class Unlimited(Request):
        max_form_memory_size = None

    @Unlimited.application
    def application(request):
        parts = [part(name, None, None, value) for name, value in request.form.items(multi=True)]
        parts += [
            part(name, file.filename, file.content_type, file.stream.read())
            for name, file in request.files.items(multi=True)
        ]
        return Response(json.dumps(parts), mimetype="application/json")

    serve_wsgi(application)


def django():
    import django.http
    from django.conf import settings
    from django.core.handlers.wsgi import WSGIHandler
    from django.urls import path

    def view(request):
        parts = [part(name, None, None, value) for name, values in request.POST.lists() for value in values]
        parts += [
            part(name, file.name, file.content_type, file.read())
            for name, files in request.FILES.lists()
            for file in files
        ]
        return django.http.JsonResponse(parts, safe=False)

    settings.configure(
        ALLOWED_HOSTS=["*"],
        ROOT_URLCONF=(path("", view),),
        DATA_UPLOAD_MAX_MEMORY_SIZE=None,
        DATA_UPLOAD_MAX_NUMBER_FIELDS=None,
        DATA_UPLOAD_MAX_NUMBER_FILES=None,
    )
    django.setup()
    serve_wsgi(WSGIHandler())


def starlette():
    import uvicorn
    from starlette.applications import Starlette
    from starlette.datastructures import UploadFile
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    async def view(request):
        parts = []
        async with request.form(max_part_size=1 << 24) as form:
            for name, value in form.multi_items():
                if isinstance(value, UploadFile):
                    parts.append(part(name, value.filename, value.content_type, await value.read()))
                else:
                    parts.append(part(name, None, None, value))
        return JSONResponse(parts)

    application = Starlette(routes=[Route("/", view, methods=["POST"])])
    uvicorn.Server(uvicorn.Config(application, log_level="warning")).run([listening()])


def aiohttp():
    from aiohttp import web

    async def view(request):
        parts = []
        for name, value in (await request.post()).items():
            if isinstance(value, web.FileField):
                parts.append(part(name, value.filename, value.content_type, value.file.read()))
            else:
                parts.append(part(name, None, None, value))
        return web.json_response(parts)

    application = web.Application(client_max_size=1 << 24)
    application.router.add_post("/", view)
    web.run_app(application, sock=listening(), print=None)


{"werkzeug": werkzeug, "django": django, "starlette": starlette, "aiohttp": aiohttp}[sys.argv[1]]()
