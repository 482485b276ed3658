"""What each viewer sees of a table, as HTML: a pure function of (game, viewer, seq, language)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from math import inf
from threading import Lock
from time import monotonic
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import get_language

from games.models import Game
from games.screens import hall, perudo, room

# The parts every viewer shares, rendered once per process, number and language. The code in the
# key cannot be guessed, and no hidden die is ever in these.
_shared: OrderedDict[tuple[str, str, str], tuple[int, float, str]] = OrderedDict()
_shared_lock = Lock()
_SHARED_PARTS = 4_000
# A person's name may change, or go, without a move: no part is shown longer than this after it.
_FRESH_SECONDS = 30
_NOTHING = (-1, -inf, "")

# The lobby by language: when its rendering began, and what came of it.
_lobby: dict[str, tuple[float, str]] = {}


def table(game: Game) -> str:
    """The fragment `#table`: the same for everybody who looks at this game."""
    return _once("table", game, lambda: _render_table(game))


def own(game: Game, number: int | None, *, user: Any) -> str:
    """The fragment `#own`: what seat `number` holds and may do; None is a spectator."""
    if game.status == Game.Status.OPEN:
        return render_to_string("games/_room_own.html", room.own(game, number, user=user))
    if game.status == Game.Status.CLOSED:
        return render_to_string("games/_closed_own.html", {"game": game})
    if number is None:
        return _once("watching", game, lambda: _render_own(game, None))
    return _render_own(game, number)


def frame(game: Game, number: int | None, *, user: Any) -> str:
    """Everything that changes on the page, for one push or one page load."""
    return table(game) + own(game, number, user=user)


def at_hand(code: str, seq: int, *, language: str) -> tuple[int, str] | None:
    """A spectator's frame at `seq` or later, if this process has rendered it; asks no database."""
    table = _shared.get(("table", code, language), _NOTHING)
    watching = _shared.get(("watching", code, language), _NOTHING)
    if not table[0] == watching[0] >= seq:
        return None
    return table[0], table[2] + watching[2]


def lobby_tables(*, since: float = inf) -> str:
    """The fragment `#tables`: the public tables, the same for everybody.

    What was rendered after `since`, in seconds of `time.monotonic`, will do; by default nothing.
    """
    language = get_language() or ""
    began, html = _lobby.get(language, (-inf, ""))
    if began < since:
        began = monotonic()
        html = render_to_string("games/_tables.html", hall.tables())
        _lobby[language] = (began, html)
    return html


def _render_table(game: Game) -> str:
    if game.status == Game.Status.OPEN:
        return render_to_string("games/_room.html", {"t": room.table(game), "game": game})
    if game.status == Game.Status.CLOSED:
        return render_to_string("games/_closed.html", {"game": game})
    return render_to_string("perudo/_table.html", {"t": perudo.table(game), "game": game})


def _render_own(game: Game, number: int | None) -> str:
    return render_to_string("perudo/_own.html", {"o": perudo.own(game, number), "game": game})


def _once(part: str, game: Game, render: Callable[[], str]) -> str:
    key = (part, game.code, get_language() or "")
    now = monotonic()
    seq, began, html = _shared.get(key, _NOTHING)
    if seq == game.seq and now - began < _FRESH_SECONDS:
        return html
    html = render()
    with _shared_lock:
        if _shared.get(key, _NOTHING)[0] <= game.seq:
            _shared[key] = (game.seq, now, html)
            _shared.move_to_end(key)
        while len(_shared) > _SHARED_PARTS:
            _shared.popitem(last=False)
    return html
