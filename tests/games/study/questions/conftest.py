"""A worker that answers at once, in this process: on a busy machine the real one starts late."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

from games.play import worker


@pytest.fixture(autouse=True)
def _worker_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(task: Callable[..., Any], *args: Any, seconds: float = 0.0) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(task(*args))
        return future

    monkeypatch.setattr(worker, "ask", ask)
