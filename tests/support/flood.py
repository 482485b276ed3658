"""A client that asks for one page over and over, on many keep-alive connections."""

from __future__ import annotations

import asyncio
from collections import Counter
from time import perf_counter
from urllib.parse import urlsplit


async def flood(
    url: str, path: str, *, connections: int, seconds: float, source: str
) -> Counter[str]:
    """Ask for `path` from the address `source`, each connection again at once; answers by status.

    "closed" counts connections that ended otherwise.
    """
    at = urlsplit(url)
    request = f"GET {path} HTTP/1.1\r\nHost: {at.netloc}\r\n\r\n".encode()
    answers: Counter[str] = Counter()
    until = perf_counter() + seconds

    async def ask() -> None:
        reader, writer = await asyncio.open_connection(at.hostname, at.port, local_addr=(source, 0))
        try:
            while perf_counter() < until:
                writer.write(request)
                head = await reader.readuntil(b"\r\n\r\n")
                answers[head[9:12].decode()] += 1
                await _read_body(reader, head.lower())
        finally:
            writer.close()

    async def one() -> None:
        while perf_counter() < until:
            try:
                await ask()
            except (OSError, asyncio.IncompleteReadError):
                answers["closed"] += 1
                await asyncio.sleep(0.05)

    tasks = [asyncio.create_task(one()) for _ in range(connections)]
    _, late = await asyncio.wait(tasks, timeout=seconds + 1)
    for task in late:
        task.cancel()
    return answers


async def _read_body(reader: asyncio.StreamReader, head: bytes) -> None:
    if b"content-length: " in head:
        length = int(head.split(b"content-length: ")[1].split(b"\r\n")[0])
        await reader.readexactly(length)
        return
    while size := int(await reader.readline(), 16):
        await reader.readexactly(size + 2)
    await reader.readline()
