"""Streamed downloads, generated chunk by chunk on a separate thread.

A chunk is generated when the client has read the chunks before it (see `backpressure`). So a
download of any length needs the memory of a few chunks, and a stalled download holds neither a
thread nor a database connection.
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
from django.utils.http import content_disposition_header

CHUNK_CHARACTERS: Final = 32_768  # one element may be longer
# One worker: concurrent downloads take turns, and nothing else waits for it.
_executor: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="downloads")


def shut_executor() -> None:
    """Cancel queued work, at the end of the process."""
    _executor.shutdown(wait=False, cancel_futures=True)


def json_file(
    request: HttpRequest, content: Mapping[str, Any], *, name: str
) -> StreamingHttpResponse:
    """Stream a JSON object as the file `name`; iterators become arrays, one element per line."""
    chunks = _chunked(_json_object(content))
    streamed: Any = chunks
    if isinstance(request, ASGIRequest):  # WSGI, as in tests, reads a plain iterator
        streamed = _on_executor(chunks, language=translation.get_language())
    response = StreamingHttpResponse(streamed, content_type="application/json")
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response


async def _on_executor(chunks: Iterator[str], *, language: str) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    while chunk := await loop.run_in_executor(_executor, _next, chunks, language):
        yield chunk


def _next(chunks: Iterator[str], language: str) -> str:
    """Return the next chunk; "" at the end."""
    try:
        with translation.override(language):
            return next(chunks, "")
    finally:
        close_old_connections()


def _chunked(parts: Iterator[str]) -> Iterator[str]:
    """Join parts into chunks that are long enough to be worth a thread switch."""
    buffer, length = [], 0
    for part in parts:
        buffer.append(part)
        length += len(part)
        if length >= CHUNK_CHARACTERS:
            yield "".join(buffer)
            buffer, length = [], 0
    if buffer:
        yield "".join(buffer)


def _json_object(content: Mapping[str, object]) -> Iterator[str]:
    before = "{\n"
    for key, value in content.items():
        yield f"{before}  {_dumps(key)}: "
        before = ",\n"
        if isinstance(value, Iterator):
            yield from _json_array(value)
        else:
            yield _dumps(value)
    yield "\n}\n"


def _json_array(values: Iterator[object]) -> Iterator[str]:
    before = "[\n"
    for value in values:
        yield f"{before}    {_dumps(value)}"
        before = ",\n"
    yield "[]" if before == "[\n" else "\n  ]"


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, cls=DjangoJSONEncoder)
