"""The site's settings, with the page of a table as an older version served it (cookie `old_page`).

`old_table_page.zip` holds that page as recorded, with CODE and TOKEN for what differs, and the
files it loads, by their addresses.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token

from perudo_site.settings import *  # noqa: F403
from perudo_site.settings import MIDDLEWARE

MIDDLEWARE = [
    "tests.upgrade.settings.serve_files",  # before a missing file is answered
    *MIDDLEWARE,
    "tests.upgrade.settings.serve_page",
]
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

with ZipFile(Path(__file__).parent / "old_table_page.zip") as recorded:
    FILES = {f"/{name}": recorded.read(name) for name in recorded.namelist()}


Answer = Callable[[HttpRequest], HttpResponse]


def serve_files(answer: Answer) -> Answer:
    def middleware(request: HttpRequest) -> HttpResponse:
        path = request.path_info
        if path in FILES:
            return HttpResponse(FILES[path], content_type=TYPES[Path(path).suffix])
        return answer(request)

    return middleware


def serve_page(answer: Answer) -> Answer:
    page = FILES["/page.html"].decode()

    def middleware(request: HttpRequest) -> HttpResponse:
        path = request.path_info
        if "old_page" in request.COOKIES and path.startswith("/games/"):
            code = path.rpartition("/")[2]
            return HttpResponse(page.replace("TOKEN", get_token(request)).replace("CODE", code))
        return answer(request)

    return middleware
