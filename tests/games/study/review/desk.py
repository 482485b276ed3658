"""A worker that computes when a test says so, in this process."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from games.play import worker


class Desk:
    """What was asked for and not computed yet."""

    def __init__(self) -> None:
        self.asked: list[tuple[Callable[..., Any], tuple[Any, ...], Future[Any]]] = []

    def ask(self, task: Callable[..., Any], *args: Any, seconds: float = 0.0) -> Future[Any]:
        future: Future[Any] = Future()
        self.asked.append((task, args, future))
        return future

    @property
    def is_idle(self) -> bool:
        return not self.asked

    def compute(self) -> None:
        """Compute everything that was asked for."""
        for task, args, future in self.asked:
            future.set_result(task(*args))
        self.asked.clear()

    def fail(self, error: Exception | None = None) -> None:
        """Fail at everything that was asked for."""
        for _task, _args, future in self.asked:
            future.set_exception(error or worker.Failed("error"))
        self.asked.clear()
