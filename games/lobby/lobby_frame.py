"""The cached list of public tables, which is the same for all viewers of a language."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from threading import Lock
from time import monotonic

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language

from games import metrics
from games.contract.shown import context
from games.lobby import game_list, table_list
from games.store.versioned_lru import VersionedLRU

# The lobby is rendered at most once in this time, per language and game, for any number of viewers.
LOBBY_SECONDS = 1.0
# The lobby by language and game; its version is the time the rendering began, by time.monotonic.
_lobby: VersionedLRU[str] = VersionedLRU(most=100, name="lobby")
_lobby_lock = Lock()


def recent_lobby(kind_key: str = "") -> str:
    """The fragment `#tables` for a page load, up to `LOBBY_SECONDS` old; its socket updates it."""
    return lobby(kind_key, since=monotonic() - LOBBY_SECONDS)


def seconds_until_lobby(kind_key: str, *, since: float) -> float:
    """The seconds until `lobby` may render again; 0 if it may, or if the cache is new enough."""
    began, _ = _lobby.get((get_language() or "", kind_key)) or (-inf, None)
    return 0.0 if began >= since else max(0.0, began + LOBBY_SECONDS - monotonic())


def rendered_lobby(kind_key: str = "", *, since: float) -> str | None:
    """The cached lobby if its rendering began after `since`, else None; never queries."""
    began, shown = _lobby.get((get_language() or "", kind_key)) or (-inf, None)
    return shown if began >= since else None


def lobby(kind_key: str = "", *, since: float = inf) -> str:
    """The fragment `#tables`: the public tables of one game, or of all for "".

    A rendering that began after `since`, in seconds of `time.monotonic`, is taken from the cache;
    by default it is always rendered.
    """
    shown = rendered_lobby(kind_key, since=since)
    if shown is None:
        with _one_at_a_time():
            shown = rendered_lobby(kind_key, since=since) or _render_lobby(kind_key)
    return shown


def lobby_in_time(kind_key: str, *, since: float) -> str | None:
    """`lobby`, or None if it may not render yet: see `seconds_until_lobby`."""
    with _one_at_a_time():
        if seconds_until_lobby(kind_key, since=since):
            return None
        return rendered_lobby(kind_key, since=since) or _render_lobby(kind_key)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Lock the rendering of the lobby; a thread waits for the lock for `LOBBY_SECONDS` at most."""
    is_ours = _lobby_lock.acquire(timeout=LOBBY_SECONDS)
    try:
        yield
    finally:
        if is_ours:
            _lobby_lock.release()


def _render_lobby(kind_key: str) -> str:
    key, began = (get_language() or "", kind_key), monotonic()
    with metrics.render_seconds.labels("lobby").time():
        values = table_list.tables(kind_key, now=timezone.now())
        games = {"only_game": kind_key, "games": game_list.names()}
        shown = render_to_string("games/_tables.html", context(values) | games)
    _lobby.keep(key, began, shown)
    return shown
