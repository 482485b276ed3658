"""WebKit, the engine of Safari, driven over WebDriver: Debian's driver and its MiniBrowser.

The commands are described in https://w3c.github.io/webdriver/. MiniBrowser needs an X server; Xvfb
draws into memory.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from tests.e2e.driven_player import BrowserRefused
from tests.e2e.player import PATIENCE
from tests.support.live_site import NO_TLS, free_port

# The buttons of its toolbar make a window 447 px wide at least, and a phone is narrower.
SMALL_TOOLBAR = """entry, button, image {
  min-width: 0; margin: 0; padding: 0; font-size: 1px; -gtk-icon-source: none;
}"""
SCREEN = "1600x1200x24"
BEGINNING = 120.0  # seconds: a browser starts slowly beside many others


def programs() -> list[str]:
    """What driving WebKit needs and this machine has not."""
    return [name for name in ("WebKitWebDriver", "Xvfb") if shutil.which(name) is None]


@contextmanager
def screen() -> Iterator[str]:
    """Start an X server; the name of its display."""
    words = ["Xvfb", "-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        assert process.stdout is not None
        try:
            yield f":{int(process.stdout.readline())}"
        finally:
            process.kill()


class WebKit:
    """A session with one browser process, and nothing that other sessions have stored."""

    def __init__(self, address: str, group: int) -> None:
        self._client = httpx.Client(base_url=address, timeout=PATIENCE, verify=NO_TLS)
        self._group = group
        self._session = ""
        begun = self.command("POST", "", within=BEGINNING, capabilities={})
        self._session = f"/session/{begun['sessionId']}"

    def command(self, method: str, path: str, *, within: float = PATIENCE, **params: Any) -> Any:
        """Send a command and return its value; raise Refused with the browser's reason."""
        json = params if method == "POST" else None
        path = (self._session or "/session") + path
        try:
            answer = self._client.request(method, path, json=json, timeout=within)
        except httpx.TimeoutException:
            raise BrowserRefused(f"{path}: no answer within {within} s") from None
        value = answer.json()["value"]
        if answer.is_error:
            raise BrowserRefused(f"{path}: {value['error']}: {value['message']}")
        return value

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Meanwhile none of its processes runs, as on a phone that sleeps."""
        os.killpg(self._group, signal.SIGSTOP)
        try:
            yield
        finally:
            os.killpg(self._group, signal.SIGCONT)

    def close(self) -> None:
        self._client.close()


@contextmanager
def launched(folder: Path, display: str, *, calm: bool = False) -> Iterator[WebKit]:
    """Start WebKit with an empty profile in an empty folder; in the end all its processes go.

    `calm`: its pages are told that the reader prefers reduced motion.
    """
    gtk = folder / ".config/gtk-3.0"
    gtk.mkdir(parents=True)
    (gtk / "gtk.css").write_text(SMALL_TOOLBAR)
    (gtk / "settings.ini").write_text(f"[Settings]\ngtk-enable-animations={int(not calm)}\n")
    port = free_port()
    words = ["WebKitWebDriver", f"--port={port}"]
    environment = {name: value for name, value in os.environ.items() if "XDG_" not in name}
    environment |= {"HOME": str(folder), "DISPLAY": display, "GDK_BACKEND": "x11"}
    # Its sandbox needs user namespaces, which a container may lack; the pages are our own.
    environment["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1"
    log = folder / "stderr"
    with log.open("wb") as told:
        process = subprocess.Popen(
            words, env=environment, stdout=told, stderr=told, start_new_session=True
        )
    try:
        with closing(WebKit(_address(process, port, log), process.pid)) as webkit:
            yield webkit
    finally:
        with suppress(ProcessLookupError):  # it ended by itself
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _address(process: subprocess.Popen[bytes], port: int, log: Path) -> str:
    """Where the driver listens, as soon as it does."""
    address = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            httpx.get(f"{address}/status", verify=NO_TLS).raise_for_status()
            return address
        except httpx.TransportError:
            assert process.poll() is None, f"WebKitWebDriver ended: {log.read_text()}"
            assert time.monotonic() < deadline, f"it does not listen: {log.read_text()}"
            time.sleep(0.02)
