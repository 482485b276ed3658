"""`compiled`: numba's decorator, or the plain function where numba is not installed (in tests)."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


def _compiler() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    try:
        numba: Any = import_module("numba")
    except ImportError:
        return _plain
    made: Callable[..., Any] = numba.njit(
        fastmath=True, nogil=True, cache=True, error_model="numpy"
    )
    return made


compiled: Final = _compiler()
IS_COMPILED: Final = compiled is not _plain
