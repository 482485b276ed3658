"""Firefox, driven over WebDriver BiDi, which it speaks itself.

Playwright supports only its own build of Firefox, not the one that people install. The commands and
events are described in https://w3c.github.io/webdriver-bidi/.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.e2e.driven_player import BrowserRefused
from tests.e2e.player import PATIENCE

# No first-run pages, nothing sent home; a proxy that does not exist refuses all but this machine.
# At fifteen frames a second a reveal takes half the processor time that it takes at sixty.
PREFERENCES: dict[str, bool | int | str] = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.ipc.processPrelaunch.enabled": False,
    "layout.frame_rate": 15,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.type": 1,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
EVENTS = ("log.entryAdded", "network.responseCompleted", "network.fetchError")

Hear = Callable[[str, Any], None]  # takes an event and its parameters


def program() -> str | None:
    """Where this machine's Firefox is."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """A session with one browser process."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._number = 0
        self.listeners: dict[str, Hear] = {}  # by browsing context, while a command is under way
        self.command("session.new", capabilities={})
        self.command("session.subscribe", events=[*EVENTS])

    def command(self, method: str, *, within: float = PATIENCE, **params: Any) -> Any:
        """Send a command and return its result; raise Refused with the browser's reason."""
        deadline = time.monotonic() + within
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        self._socket.send(json.dumps(message))
        while True:
            try:
                answer = json.loads(self._socket.recv(timeout=deadline - time.monotonic()))
            except TimeoutError:
                raise BrowserRefused(f"{method}: no answer within {within} s") from None
            if answer["type"] == "event":
                self._hear(answer["method"], answer["params"])
            elif answer["id"] == self._number:
                if answer["type"] == "error":
                    raise BrowserRefused(f"{method}: {answer['error']}: {answer['message']}")
                return answer["result"]

    def _hear(self, event: str, params: Any) -> None:
        context = params.get("context") or params.get("source", {}).get("context")
        if context in self.listeners:
            self.listeners[context](event, params)


@contextmanager
def launched(executable: str, folder: Path) -> Iterator[Firefox]:
    """Start Firefox with an empty profile in an empty folder; in the end all its processes go."""
    lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in PREFERENCES.items()]
    (folder / "user.js").write_text("".join(lines))
    words = [executable, "--headless", "--no-remote", "--profile", str(folder)]
    words.append("--remote-debugging-port=0")
    log = folder / "stderr"
    with log.open("wb") as told:
        process = subprocess.Popen(
            words,
            env=os.environ | {"HOME": str(folder)},
            stdout=told,
            stderr=told,
            start_new_session=True,
        )
    try:
        with connect(_address(process, log), max_size=None) as socket:
            yield Firefox(socket)
    finally:
        with suppress(ProcessLookupError):  # it ended by itself
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Where the session is, as soon as Firefox says so."""
    deadline = time.monotonic() + PATIENCE
    while not (said := re.search(r"WebDriver BiDi listening on (\S+)", log.read_text())):
        assert process.poll() is None, f"Firefox ended: {log.read_text()}"
        assert time.monotonic() < deadline, f"Firefox does not listen: {log.read_text()}"
        time.sleep(0.04)
    return f"{said[1]}/session"
