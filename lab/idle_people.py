"""What a thousand pages that wait to be told something cost: memory a socket, and processor.

`python -m lab.idle_people` opens them at a site of its own on SQLite, each of another
person, and at the floor: daphne and Channels as they come, with as many members of groups of their
own. It prints how much memory a socket takes at each, and what a second of waiting costs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.load.targets import Floor
from tests.support.live_site import PATIENCE, LiveSite, prepare

AT_ONCE = 20
_PEOPLE = """
import json
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from accounts.models import User
store = import_module(settings.SESSION_ENGINE).SessionStore
keys = []
for number in range({count}):
    person = User.objects.create_user(f"idle{{number}}")
    session = store()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.create()
    keys.append(session.session_key)
print(json.dumps(keys))
"""


def resident_kb(site: LiveSite) -> int:
    """The memory of the server's process."""
    lines = Path(f"/proc/{site.process.pid}/status").read_text().splitlines()  # type: ignore[union-attr]
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def processor_seconds(site: LiveSite) -> float:
    """What the server's process has used."""
    fields = Path(f"/proc/{site.process.pid}/stat").read_text().rpartition(")")[2].split()  # type: ignore[union-attr]
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(
    site: LiveSite, paths: Sequence[str], sessions: Sequence[str], *, seconds: float
) -> tuple[float, float]:
    """KB of memory a socket, and ms of processor a second for all of them."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def opened(path: str, session: str) -> ClientConnection:
        async with gate:
            socket = await connect(
                site.ws_url + path,
                origin=site.url,
                additional_headers={"Cookie": f"sessionid={session}"} if session else {},
                open_timeout=PATIENCE,
                compression=None,
            )
            await asyncio.wait_for(socket.recv(), PATIENCE)
            return socket

    async with AsyncExitStack() as held:

        async def hold(count: int, start: int) -> None:
            pages = zip(paths[start : start + count], sessions[start : start + count], strict=True)
            for socket in await asyncio.gather(*(opened(*page) for page in pages)):
                held.push_async_callback(socket.close)

        await hold(50, 0)  # what the first ones bring about is no cost of a socket
        before = resident_kb(site)
        await hold(len(paths) - 50, 50)
        await asyncio.sleep(1)
        memory = resident_kb(site) - before
        used, began = processor_seconds(site), time.monotonic()
        await asyncio.sleep(seconds)
        used, passed = processor_seconds(site) - used, time.monotonic() - began
    return memory / (len(paths) - 50), 1000 * used / passed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        prepare(Path(folder) / "prepared")
        site = LiveSite.of(Path(folder) / "prepared", Path(folder) / "site")
        site.start()
        try:
            printed = site.manage("shell", "--command", _PEOPLE.format(count=given.people))
            sessions = json.loads(printed.splitlines()[-1])
            paths = ["/ws/person?lang=en&told=0"] * given.people
            memory, used = asyncio.run(measure(site, paths, sessions, seconds=given.seconds))
        finally:
            site.kill()
        print(f"site:  {memory:5.1f} KB a socket, {used:5.1f} ms of processor a second")
        floor = Floor(Path(folder) / "site", FLOOR="stock")
        floor.start()
        try:
            paths = [f"/ws/idle/{number}" for number in range(given.people)]
            nobody = [""] * given.people
            memory, used = asyncio.run(measure(floor, paths, nobody, seconds=given.seconds))
        finally:
            floor.kill()
        print(f"floor: {memory:5.1f} KB a socket, {used:5.1f} ms of processor a second")


if __name__ == "__main__":
    main()
