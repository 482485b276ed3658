"""The worker: one niced subprocess for long computations.

A computing thread would block the event loop and moves with the interpreter lock; a process does
not. It receives plain facts and returns plain results without opening the database: `Results`, a
job on the games thread, writes them. It starts with the first request, so that a site without
requests runs one process.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime
from multiprocessing.connection import Connection, Pipe
from queue import Full, Queue
from threading import Lock, Thread
from time import monotonic
from typing import Any, Final, NamedTuple

from games import metrics
from games.play import worker_process
from games.play.worker_process import BYTES, ERROR

# The most requests that may wait for the worker; further ones are refused.
MOST_WAITING: Final = 8
# A request that takes longer is cancelled, and the worker is restarted.
MOST_SECONDS: Final = 10.0
# The process has this much longer to end by itself, by its own alarm signal.
_GRACE_SECONDS: Final = 1.0
# How long the shutdown of this process waits for the current request.
STOP_SECONDS: Final = 1.0
# How often a request is tried if the worker dies, since another request may have killed it.
_TRIES: Final = 2

logger = logging.getLogger(__name__)


class Busy(Exception):
    """The queue of the worker is full, or this process shuts down: ask again later."""


class Failed(Exception):
    """The request failed: the function raised, took too long or killed the worker."""


class Died(Exception):
    """The process ended during a request."""


class _Request(NamedTuple):
    task: str
    args: list[object]
    seconds: float
    future: Future[Any]


class Worker:
    """A subprocess, started when first needed, and the thread that sends requests to it."""

    def __init__(self, *, waiting: int = MOST_WAITING, seconds: float = MOST_SECONDS) -> None:
        self._requests: Queue[_Request | None] = Queue(waiting)
        self._seconds = seconds
        self._in_hand = False
        self._lock = Lock()
        self._thread: Thread | None = None
        self._stopping = False
        self._connection: Connection | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The id of the running process; None: it was not needed yet, or has ended."""
        process = self._process
        return process.pid if process and process.poll() is None else None

    @property
    def is_idle(self) -> bool:
        """Whether no request is computed or waits."""
        return not self._in_hand and self._requests.empty()

    def ask(
        self, task: Callable[..., Any], *args: Any, seconds: float | None = None
    ) -> Future[Any]:
        """Queue a call of a module-level function; arguments are JSON, the result JSON or bytes.

        `seconds`: its time limit, if not the usual one. Raises Busy. The future raises Failed, or
        Busy if this process shuts down before the request's turn.
        """
        future: Future[Any] = Future()
        with self._lock:
            if self._stopping:
                raise Busy
            try:
                name = f"{task.__module__}:{task.__qualname__}"
                most = self._seconds if seconds is None else seconds
                self._requests.put_nowait(_Request(name, list(args), most, future))
            except Full:
                metrics.worker_requests.labels("refused").inc()
                raise Busy from None
            if self._thread is None:
                self._thread = Thread(target=self._run, name="worker", daemon=True)
                self._thread.start()
        return future

    def stop(self, seconds: float) -> None:
        """Refuse waiting requests, give the current one this many seconds, then end the process."""
        with self._lock:
            self._stopping = True
            while not self._requests.empty():
                self._refuse(self._requests.get_nowait())
            self._requests.put_nowait(None)
        if self._thread is not None:
            self._thread.join(seconds)
            if self._thread.is_alive() and self._process is not None:
                logger.error("worker did not finish in time seconds=%.1f", seconds)
                self._process.kill()  # which its thread notices
                self._thread.join(seconds)
        self._end()

    def _refuse(self, request: _Request | None) -> None:
        if request is not None:
            request.future.set_exception(Busy())

    def _run(self) -> None:
        while request := self._requests.get():
            self._in_hand = True
            self._answer(request)
            self._in_hand = False

    def _answer(self, request: _Request) -> None:
        task, args, seconds, future = request
        if not future.set_running_or_notify_cancel():
            return
        try:
            result = self._computed(task, args, seconds)
        except Failed as error:
            metrics.worker_requests.labels("failed").inc()
            future.set_exception(error)
        except Exception as error:
            logger.exception("asking the worker failed task=%s", task)
            future.set_exception(Failed(type(error).__name__))
        else:
            metrics.worker_requests.labels("done").inc()
            future.set_result(result)

    def _computed(self, task: str, args: list[object], seconds: float) -> object:
        request = json.dumps([task, args, seconds]).encode()
        for _ in range(_TRIES):
            try:
                reply = self._replied(request, seconds)
            except Died:
                self._end()
                logger.error("worker died task=%s", task)
                if self._stopping:
                    break
                continue
            if reply is None:
                self._end()
                logger.error("worker took too long task=%s seconds=%.1f", task, seconds)
                raise Failed("too long")
            kind, content = reply[:1], reply[1:]
            if kind == ERROR:
                logger.error("worker failed task=%s error=%s", task, content.decode())
                raise Failed("error")
            return content if kind == BYTES else json.loads(content)
        raise Failed("died")

    def _replied(self, request: bytes, seconds: float) -> bytes | None:
        """Return the reply of the process, or None if it takes too long. Raises Died."""
        began = monotonic()
        try:
            connection = self._connected()
            connection.send_bytes(request)
            if connection.poll(seconds + _GRACE_SECONDS):
                return connection.recv_bytes()
        except (EOFError, OSError):
            if monotonic() - began < seconds:
                raise Died from None
        return None

    def _connected(self) -> Connection:
        """Return the pipe to the process, starting the process if there is none."""
        if self._connection is not None:
            return self._connection
        self._connection, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603  our own module
                [sys.executable, "-m", worker_process.__name__, str(theirs.fileno())],
                env={
                    "PATH": os.environ.get("PATH", os.defpath),
                    "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                },
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        return self._connection

    def _end(self) -> None:
        """Kill the process; the next request starts another."""
        connection, process = self._connection, self._process
        self._connection = None
        if connection is not None:
            connection.close()
        if process is not None:
            process.kill()
            process.wait()


class Results:
    """Queue of worker results to be written on the games thread, by the job `run`."""

    def __init__(self) -> None:
        self._ready: deque[tuple[Future[object], Callable[[object, datetime], None]]] = deque()

    def add(self, future: Future[Any], write: Callable[[Any, datetime], None]) -> None:
        """Call `write(result, now)` once there is a result; failures are ignored.

        A result that was not written before the process ended is lost. The code that made the
        request finds out from the database what is missing, and asks again.
        """
        future.add_done_callback(lambda done: self._ready.append((done, write)))

    def run(self, now: datetime, share: float) -> bool:
        """Write results for about `share` seconds; return whether more are left."""
        until = monotonic() + share
        while self._ready:
            future, write = self._ready.popleft()
            if not future.cancelled() and future.exception() is None:
                write(future.result(), now)
            if monotonic() >= until:
                break
        return bool(self._ready)


_worker: Final = Worker()
ask: Final = _worker.ask
stop: Final = _worker.stop
results: Final = Results()


def is_idle() -> bool:
    """Whether the worker of this process has nothing to do."""
    return _worker.is_idle
