"""The worker: one niced process beside this one, for what computes long.

A thread that computes takes the interpreter from the event loop and from moves; a process does not.
It is given plain facts and returns plain results, so it opens no database: results are written by
`Results`, a job on the games thread. It starts when it is first asked, so that a site where nobody
asks has one process.
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

# Requests that wait for the worker; one more is refused.
MOST_WAITING: Final = 8
# A request that takes longer is given up, and the worker is started anew.
MOST_SECONDS: Final = 10.0
# The process is given this much longer to end by itself, by an alarm of its own.
_GRACE_SECONDS: Final = 1.0
# How long the end of this process waits for the request in hand.
STOP_SECONDS: Final = 1.0
# How often a request is tried whose worker dies: it may have been another one that killed it.
_TRIES: Final = 2

logger = logging.getLogger(__name__)


class Busy(Exception):
    """Too much waits for the worker, or this process ends: ask again later."""


class Failed(Exception):
    """The worker could not compute it: the function raised, took too long or killed the worker."""


class Died(Exception):
    """The process has ended in the middle of a request."""


class _Request(NamedTuple):
    task: str
    args: list[Any]
    seconds: float
    future: Future[Any]


class Worker:
    """A process, started when first needed, and the thread that feeds it."""

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
        """The process that runs now; None: it was not needed yet, or has ended."""
        process = self._process
        return process.pid if process and process.poll() is None else None

    @property
    def is_idle(self) -> bool:
        """Whether nothing is computed and nothing waits."""
        return not self._in_hand and self._requests.empty()

    def ask(
        self, task: Callable[..., Any], *args: Any, seconds: float | None = None
    ) -> Future[Any]:
        """Have a function of a module computed; its arguments and result are as JSON, or bytes.

        It may take so many `seconds`, if others than usual. Raises Busy. The future raises Failed,
        or Busy where this process ends before its turn.
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
        """Finish the request in hand within so many seconds, refuse the others, end the process."""
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

    def _computed(self, task: str, args: list[Any], seconds: float) -> Any:
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
        """What the process answers; None: nothing in time. Died: it has ended."""
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
        """The pipe to the process, which is started if there is none."""
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
        """End the process, whatever it does; the next request starts another."""
        connection, process = self._connection, self._process
        self._connection = None
        if connection is not None:
            connection.close()
        if process is not None:
            process.kill()
            process.wait()


class Results:
    """What is done on the games thread with results of the worker: `run` is a job of it."""

    def __init__(self) -> None:
        self._ready: deque[tuple[Future[Any], Callable[[Any, datetime], None]]] = deque()

    def add(self, future: Future[Any], write: Callable[[Any, datetime], None]) -> None:
        """Call `write(result, now)` once there is a result; what failed is asked again by others.

        A result that was not written when the process ended is lost: whoever asks finds out by the
        database what is missing, and asks again.
        """
        future.add_done_callback(lambda done: self._ready.append((done, write)))

    def run(self, now: datetime, share: float) -> bool:
        """Write for about `share` seconds; whether more is to be written."""
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
