"""Long downloads, made piece by piece on a thread of their own.

A piece is made when the client has read the ones before it (see `backpressure`), so a download
needs the memory of some pieces however long it is, and one that nobody reads on costs neither a
thread nor a connection to the database.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from django.core.handlers.asgi import ASGIRequest
from django.core.serializers.json import DjangoJSONEncoder
from django.db import close_old_connections
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import translation

PIECE: Final = 32_768  # characters; one element may be longer
# One worker: several downloads take turns, and nobody but them waits for it.
_thread: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="downloads")


def begin_nothing_more() -> None:
    """For the end of the process."""
    _thread.shutdown(wait=False, cancel_futures=True)


def json_file(request: HttpRequest, content: Mapping[str, Any], *, name: str) -> Any:
    """An object of JSON to download; values that are iterators become arrays, an element a line."""
    pieces = _joined(_as_json(content))
    streamed: Any = pieces
    if isinstance(request, ASGIRequest):  # WSGI, as in tests, reads an iterator as it is
        streamed = _on_the_thread(pieces, language=translation.get_language())
    response = StreamingHttpResponse(streamed, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


async def _on_the_thread(pieces: Iterator[str], *, language: str) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    while piece := await loop.run_in_executor(_thread, _next, pieces, language):
        yield piece


def _next(pieces: Iterator[str], language: str) -> str:
    """One more piece, "" at the end. A pooled connection goes back until the next one."""
    try:
        with translation.override(language):
            return next(pieces, "")
    finally:
        close_old_connections()


def _joined(parts: Iterator[str]) -> Iterator[str]:
    """The same text in pieces that are worth a change of threads each."""
    waiting, length = [], 0
    for part in parts:
        waiting.append(part)
        length += len(part)
        if length >= PIECE:
            yield "".join(waiting)
            waiting, length = [], 0
    if waiting:
        yield "".join(waiting)


def _as_json(content: Mapping[str, Any]) -> Iterator[str]:
    before = "{\n"
    for key, value in content.items():
        yield f"{before}  {_dumps(key)}: "
        before = ",\n"
        if isinstance(value, Iterator):
            yield from _as_array(value)
        else:
            yield _dumps(value)
    yield "\n}\n"


def _as_array(values: Iterator[Any]) -> Iterator[str]:
    before = "[\n"
    for value in values:
        yield f"{before}    {_dumps(value)}"
        before = ",\n"
    yield "[]" if before == "[\n" else "\n  ]"


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, cls=DjangoJSONEncoder)
