"""Processes of manage.py, forked from one that has imported the libraries, which is quicker.

`python -m tests.support.forked` imports libraries and, of the site, whose settings are read from
the environment at import, only the rules and the bots of the games, which know no settings. It
forks for every request it gets. The fork takes on environment, output and arguments, and then runs
manage.py as a fresh interpreter would; it ends as one too, and with the process that has asked for
it at the latest: whatever stops a run of tests leaves no server behind.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import IO, Any

from django.conf import settings

ROOT = Path(__file__).resolve().parents[2]
# What takes longest to import and works without settings. No event loop and no reactor may be
# made before the fork: `daphne.server` installs one.
LIBRARIES = (
    *("allauth.mfa.webauthn.internal", "argon2", "autobahn.twisted.websocket", "babel.dates"),
    *("babel.numbers", "channels.auth", "channels.generic.websocket", "channels.layers"),
    *("channels.routing", "cryptography.x509", "csp.middleware", "daphne.http_protocol"),
    *("daphne.ws_protocol", "django.contrib.admin", "django.contrib.staticfiles.storage"),
    *("django.core.management", "django.core.serializers", "django.db.backends.sqlite3.base"),
    *("django.db.migrations.executor", "django.db.models", "django.forms", "django.template"),
    *("django.template.defaulttags", "django.template.loader", "django.test", "django.urls"),
    *("django.views.generic", "django.views.i18n", "django_htmx.middleware", "environs"),
    *("fido2.server", "OpenSSL.SSL", "prometheus_client"),
    *("pythonjsonlogger.json", "qrcode.image.svg", "qrcode.main", "redis.asyncio", "throttled"),
    *("twisted.internet.asyncioreactor", "whitenoise.storage"),
)
RULES_AND_BOTS = tuple(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for part in ("rules", "bots")
    for path in sorted(ROOT.glob(f"games/*/{part}"))
)
PR_SET_PDEATHSIG = 1  # of prctl(2)
# What only a fresh interpreter looks at.
AT_ITS_START = {"LD_PRELOAD", "PYTHONPATH"}


class Forked:
    """A process as `subprocess.Popen` shows one, as far as the tests look at it."""

    def __init__(self, words: list[str], env: dict[str, str], out: IO[bytes], err: IO[bytes]):
        self._report, theirs = os.pipe()
        job = json.dumps({"words": words, "env": env}).encode()
        _process, line = _forker()
        socket.send_fds(line, [job], [out.fileno(), err.fileno(), theirs])
        os.close(theirs)
        self.args = words
        self.pid = int(self._read())
        self.returncode: int | None = None

    def _read(self) -> str:
        """The next line of the report: the process's number, and at last how it ended."""
        line = b""
        while not line.endswith(b"\n"):
            more = os.read(self._report, 1)
            if not more:
                raise ChildProcessError("the process from which others are forked has ended")
            line += more
        return line.decode()

    def poll(self) -> int | None:
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return code

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._report], [], [], timeout)[0]:
            self.returncode = int(self._read())
            os.close(self._report)
        return self.returncode

    def send_signal(self, which: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, which)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def begin(
    words: list[str], env: dict[str, str], out: IO[bytes], err: IO[bytes]
) -> Forked | subprocess.Popen[bytes]:
    """Start `manage.py` with these words in this environment, and in no other."""
    other = {name for name in AT_ITS_START if env.get(name) != os.environ.get(name)}
    if sys.platform == "linux" and not other:
        return Forked(words, env, out, err)
    command = [sys.executable, "manage.py", *words]
    return subprocess.Popen(command, cwd=ROOT, env=env, stdout=out, stderr=err)


@cache
def _forker() -> tuple[subprocess.Popen[bytes], socket.socket]:
    """The process that forks, and the line to it; it ends with the line, and so with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.forked"], cwd=ROOT, stdin=theirs
        )
    return process, ours


# --- the process that forks ----------------------------------------------------------------------


def main() -> None:
    for module in (*LIBRARIES, *RULES_AND_BOTS):
        importlib.import_module(module)
    assert not settings.configured
    assert "twisted.internet.reactor" not in sys.modules
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody has to wait for those that watch
    job = forks(socket.socket(fileno=os.dup(0)))
    if job is not None:
        become(job)


def forks(line: socket.socket) -> dict[str, Any] | None:
    """What to become, in a fork; None in the process that forks, once nobody asks any more."""
    forker = os.getpid()
    while True:
        job, files, _flags, _address = socket.recv_fds(line, 1 << 20, 3)
        if not job:
            return None
        if os.fork() == 0:
            end_with(forker)
            line.close()
            out, err, report = files
            if watched(report):
                return json.loads(job) | {"out": out, "err": err}
        for file in files:
            os.close(file)


def watched(report: int) -> bool:
    """Whether this is the process to be; the other one watches it and reports how it ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    watcher = os.getpid()
    pid = os.fork()
    if pid == 0:
        end_with(watcher)
        os.close(report)
        return True
    os.write(report, f"{pid}\n".encode())
    _pid, status = os.waitpid(pid, 0)
    os.write(report, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def end_with(parent: int) -> None:
    """Have this process killed when the one that has forked it ends, in whatever way."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL) != 0:
        raise OSError(ctypes.get_errno(), "prctl failed")
    if os.getppid() != parent:  # it has ended before
        os._exit(1)


def become(job: dict[str, Any]) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for file, number in ((nothing, 0), (job["out"], 1), (job["err"], 2)):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(job["env"])
    time.tzset()
    sys.argv = ["manage.py", *job["words"]]
    runpy.run_path("manage.py", run_name="__main__")


if __name__ == "__main__":
    main()
