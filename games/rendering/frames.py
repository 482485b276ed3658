"""The HTML of a table for each viewer: a pure function of (game, viewer, seq, language)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from accounts.requests import AnyUser
from games import catalogue, metrics
from games.game_values import Look
from games.models import Game
from games.rendering import fragment_cache, highlights, quick_room, table_list, waiting_room
from games.rendering.common import look_at
from games.store import event_log, row_cache
from games.store.versioned_lru import VersionedLRU

# The number of a viewer's seat, None for a spectator, and the language of their page.
Viewer = tuple[int | None, str]


# The lobby is rendered once in so many seconds for each language and game, however many look at it.
LOBBY_SECONDS = 1.0
# The lobby by language and game; the version is when the rendering began, by time.monotonic.
_lobby: VersionedLRU[str] = VersionedLRU(most=100, name="lobby")

_SEQ = "@seq@"  # a placeholder for the game's `seq` in a cached fragment


def table(game: Game, *, look: Look | None = None) -> str:
    """The fragment `#table`, the same for all viewers of a game."""
    return fragment_cache.shared("table", game, game.seq, lambda: _render_table(game, look))


def own(
    game: Game,
    number: int | None,
    *,
    user: AnyUser | None,
    known: Any = None,
    look: Look | None = None,
) -> str:
    """The fragment `#own`: what the seat `number` holds and may do; None is a spectator.

    `known` is the state as this seat knows it, and `look` what everybody's frame is made of, if the
    caller has read them already.
    """
    if game.status == Game.Status.OPEN:
        assert user is not None  # noqa: S101  # only games that have begun are rendered for many
        if game.origin == Game.Origin.QUICK:
            values = quick_room.own(game, number, user=user)
            return render_to_string("games/_quick_own.html", values)
        return render_to_string("games/_room_own.html", waiting_room.own(game, number, user=user))
    if game.status == Game.Status.CLOSED:
        return render_to_string("games/_closed_own.html", {"game": game})
    if game.paused_at is not None:
        context = {"game": game, "number": number}
        return render_to_string("games/_paused_own.html", context)
    if number is None:
        return fragment_cache.shared(
            "watching", game, game.seq, lambda: _render_own(game, None, look)
        )
    with metrics.render_seconds.labels("seat").time():
        return _render_own(game, number, look, known=known)


def story(game: Game) -> str:
    """The rounds already played, the same for all viewers.

    They grow with the game, so no frame contains them: a move costs the same in the last round.
    """

    presenter = catalogue.of(game.kind_key).presenter

    def render() -> str:
        values = {"rounds": presenter.earlier_rounds(game)}
        return fragment_cache.plain(f"{game.kind_key}/_story.html", values)

    return fragment_cache.shared("story", game, presenter.last_earlier_round(game), render)


@dataclass(frozen=True)
class Frame:
    """The fragments that change during a game: the same for everybody, and one viewer's own.

    A thousand spectators may be sent the same one.
    """

    shared: str
    own: str = field(repr=False)
    encoded: tuple[bytes, bytes] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "encoded", (self.shared.encode(), self.own.encode()))

    @property
    def html(self) -> str:
        return self.shared + self.own

    @property
    def size(self) -> int:
        """In bytes, before it is compressed."""
        return sum(map(len, self.encoded))


def frame(
    game: Game,
    number: int | None,
    *,
    user: AnyUser | None,
    known: Any = None,
    look: Look | None = None,
) -> Frame:
    """What a socket is sent of a game; see `own`."""
    shared = table(game, look=look)
    return Frame(shared, own(game, number, user=user, known=known, look=look))


@dataclass(frozen=True, slots=True)
class Rendered:
    """One version of a game for several viewers: the frame of each, the sealed facts by seat."""

    seq: int
    frames: dict[Viewer, Frame] = field(repr=False)
    own: dict[int, event_log.Own] = field(repr=False)


def render_for(code: str, viewers: Mapping[Viewer, event_log.Own | None], *, seq: int) -> Rendered:
    """Render a game that has begun, at `seq` or later, for these viewers.

    The value of a viewer is what `Rendered.own` had for their seat last time, or None. Where that
    is older than the game's last sealed fact it is read again, for all seats in one query. Each
    frame is built from the sealed facts of its own viewer alone.
    """
    game = row_cache.game_at(code, seq)
    given = {number: own for (number, _), own in viewers.items() if number is not None}
    own = {number: old for number, old in given.items() if old and old.seq == game.sealed_seq}
    if behind := given.keys() - own.keys():
        own |= event_log.own_of(game, behind)
    own = {number: event_log.with_state(game, facts) for number, facts in own.items()}
    frames: dict[Viewer, Frame] = {}
    looks: dict[str, Look] = {}
    for number, language in viewers:
        with translation.override(language):
            if language not in looks:
                looks[language] = look_at(game)
            known, look = None if number is None else own[number].state, looks[language]
            frames[number, language] = frame(game, number, user=None, known=known, look=look)
    return Rendered(game.seq, frames, own)


def recent_lobby(kind_key: str = "") -> str:
    """The fragment `#tables` for a page, at most `LOBBY_SECONDS` old; its socket sends a newer."""
    return lobby(kind_key, since=monotonic() - LOBBY_SECONDS)


def seconds_until_lobby(kind_key: str, *, since: float) -> float:
    """How long until `lobby` may render again; 0 when it may, or has one begun after `since`."""
    began, _ = _lobby.get((get_language() or "", kind_key)) or (-inf, None)
    return 0.0 if began >= since else max(0.0, began + LOBBY_SECONDS - monotonic())


def lobby(kind_key: str = "", *, since: float = inf) -> str:
    """The fragment `#tables`: the public tables of one game, or "" for all, alike for all viewers.

    A rendering that began after `since`, in seconds of `time.monotonic`, is taken from the cache;
    by default none is.
    """
    key = (get_language() or "", kind_key)
    began, shown = _lobby.get(key) or (-inf, None)
    if shown is None or began < since:
        began = monotonic()
        with metrics.render_seconds.labels("lobby").time():
            shown = render_to_string("games/_tables.html", table_list.tables(kind_key))
        _lobby.keep(key, began, shown)
    return shown


def _render_table(game: Game, look: Look | None) -> str:
    if game.status == Game.Status.OPEN and game.origin == Game.Origin.QUICK:
        values = _named(t=quick_room.table(game))
        return render_to_string("games/_quick_room.html", values)
    if game.status == Game.Status.OPEN:
        return render_to_string("games/_room.html", _named(t=waiting_room.table(game), game=game))
    if game.status == Game.Status.CLOSED:
        return render_to_string("games/_closed.html", _named(game=game))
    view = catalogue.of(game.kind_key).presenter.table(look or look_at(game))
    values = _named(t=view, highlights=highlights.shown(game))
    return fragment_cache.plain(f"{game.kind_key}/_table.html", values)


def _render_own(game: Game, number: int | None, look: Look | None, *, known: Any = None) -> str:
    """A seat's own fragment. While a player waits, only its `seq` changes from move to move."""
    presenter = catalogue.of(game.kind_key).presenter
    view = presenter.own(look or look_at(game), number, known=known) | {"seq": _SEQ}
    view["key_moment"] = highlights.key_moment(game, number)
    # What the player has half chosen is kept as long as it is the same turn (keep.js).
    turn = game.turn_seq if view.get("my_turn") else None
    values = _named(o=view, code=game.code, turn_seconds=game.turn_seconds, turn=turn)
    html = fragment_cache.rendered(f"{game.kind_key}/_own.html", values)
    return SafeString(html.replace(_SEQ, str(game.seq)))


def _named(**values: Any) -> dict[str, Any]:
    """The context of a fragment that sets the page's title."""
    return {"SITE_NAME": settings.SITE_NAME, **values}
