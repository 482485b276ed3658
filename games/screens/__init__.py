"""What each viewer sees of a table, as HTML: a pure function of (game, viewer, seq, language)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games import log, metrics, recent
from games.models import Game
from games.newest import Newest
from games.screens import hall, parts, perudo, room, told

# Who looks: the number of a seat, None for a spectator, and the language he reads.
Viewer = tuple[int | None, str]

# The parts every viewer shares, rendered once per process, number and language. The code in the
# key cannot be guessed, and no hidden die is ever in these.
_shared: Newest[tuple[float, str]] = Newest(most=6_000)

_NUMBER = "@seq@"  # stands where the number of a screen goes

# The lobby by language: when its rendering began, and what came of it.
_lobby: dict[str, tuple[float, str]] = {}


def table(game: Game) -> str:
    """The fragment `#table`: the same for everybody who looks at this game."""
    return _once("table", game, game.seq, lambda: _render_table(game))


def own(game: Game, number: int | None, *, user: Any, known: Any = None) -> str:
    """The fragment `#own`: what seat `number` holds and may do; None is a spectator.

    `known`: the state as this seat was told it, when that has been read already.
    """
    if game.status == Game.Status.OPEN:
        return render_to_string("games/_room_own.html", room.own(game, number, user=user))
    if game.status == Game.Status.CLOSED:
        return render_to_string("games/_closed_own.html", {"game": game})
    if number is None:
        return _once("watching", game, game.seq, lambda: _render_own(game, None))
    with metrics.render_seconds.labels("seat").time():
        return _render_own(game, number, known=known)


def story(game: Game) -> str:
    """The rounds already played, the same for everybody: for a page, and for whoever opens them.

    They grow with the game, so no frame has them: a move costs the same in the last round.
    """

    def render() -> str:
        return parts.plain("perudo/_story.html", {"rounds": perudo.earlier_rounds(game)})

    return _once("story", game, perudo.last_earlier_round(game), render)


def frame(game: Game, number: int | None, *, user: Any, known: Any = None) -> str:
    """Everything that changes on the page, for one push or one page load."""
    return table(game) + own(game, number, user=user, known=known)


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look at a game gave many viewers: its number, the frame and the own of each."""

    seq: int
    frames: dict[Viewer, str] = field(repr=False)
    own: dict[int, log.Own] = field(repr=False)


def look(code: str, viewers: Mapping[Viewer, log.Own | None], *, seq: int) -> Seen:
    """One look at a game that has begun, at `seq` or later.

    Each viewer brings what he alone was told, as he got it from an earlier look. What is older
    than the last sealed fact is read anew, for all of them at once. Each frame is built from its
    own viewer's part alone.
    """
    game = recent.game_at(code, seq)
    brought = {number: own for (number, _), own in viewers.items() if number is not None}
    own = {number: old for number, old in brought.items() if old and old.seq == game.sealed_seq}
    if behind := brought.keys() - own.keys():
        own |= log.own_of(game, behind)
    frames = {}
    for number, language in viewers:
        with translation.override(language):
            known = None if number is None else log.with_own(game, own[number])
            frames[number, language] = frame(game, number, user=None, known=known)
    return Seen(game.seq, frames, own)


def lobby_tables(*, since: float = inf) -> str:
    """The fragment `#tables`: the public tables, the same for everybody.

    What was rendered after `since`, in seconds of `time.monotonic`, will do; by default nothing.
    """
    language = get_language() or ""
    began, html = _lobby.get(language, (-inf, ""))
    if began < since:
        began = monotonic()
        with metrics.render_seconds.labels("lobby").time():
            html = render_to_string("games/_tables.html", hall.tables())
        _lobby[language] = (began, html)
    return html


def _render_table(game: Game) -> str:
    if game.status == Game.Status.OPEN:
        return render_to_string("games/_room.html", _named(t=room.table(game), game=game))
    if game.status == Game.Status.CLOSED:
        return render_to_string("games/_closed.html", _named(game=game))
    return parts.plain("perudo/_table.html", _named(t=perudo.table(game), game=game))


def _render_own(game: Game, number: int | None, *, known: Any = None) -> str:
    """A seat's own part. Who waits sees the same from bid to bid, but for the number."""
    view = perudo.own(game, number, known=known) | {"seq": _NUMBER}
    html = parts.rendered(
        "perudo/_own.html", _named(o=view, code=game.code, turn_seconds=game.turn_seconds)
    )
    return SafeString(html.replace(_NUMBER, str(game.seq)))


def _named(**values: Any) -> dict[str, Any]:
    """The context of a fragment that renames the tab."""
    return {"SITE_NAME": settings.SITE_NAME, **values}


def _once(part: str, game: Game, number: int, render: Callable[[], str]) -> str:
    """A shared part as of `number`, rendered now or lately by this process."""
    key = (part, game.code, get_language() or "")
    now = monotonic()
    kept, (began, html) = _shared.get(key) or (-1, (0.0, ""))
    if kept == number and now - began < told.FRESH_SECONDS:
        return html
    with metrics.render_seconds.labels(part).time():
        html = render()
    _shared.keep(key, number, (now, html))
    return html
