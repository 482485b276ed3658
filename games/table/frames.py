"""The HTML of a table for each viewer: a pure function of (game, viewer, seq, language)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.safestring import SafeString

from accounts.requests import AnyUser
from games import metrics, words
from games.contract import catalogue
from games.contract.game_values import Look
from games.models import Game
from games.store import event_log, row_cache
from games.table import fragment_cache, highlights, quick_room, waiting_room
from games.table.common import look_at

# The number of a viewer's seat, None for a spectator, and the language of their page.
Viewer = tuple[int | None, str]


_SEQ = "@seq@"  # a placeholder for the game's `seq` in a cached fragment


def table(game: Game, *, look: Look | None = None) -> str:
    """The fragment `#table`, the same for all viewers of a game."""
    return fragment_cache.shared("table", game, game.seq, lambda: _render_table(game, look))


def own(
    game: Game,
    number: int | None,
    *,
    user: AnyUser | None,
    known: object = None,
    look: Look | None = None,
) -> str:
    """The fragment `#own`: what the seat `number` (None: a spectator) holds and may do.

    `known` is the state as this seat knows it, and `look` the values for all frames, if the caller
    has read them already.
    """
    if game.status == Game.Status.OPEN:
        assert user is not None  # noqa: S101  # only games that have begun are rendered for many
        if game.origin == Game.Origin.QUICK:
            quick = {"o": quick_room.own(game, number, user=user), "game": game}
            return render_to_string("games/_quick_own.html", quick)
        room = {"o": waiting_room.own(game, number, user=user), "game": game}
        return render_to_string("games/_room_own.html", room)
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
    """The fragments that change during a game: the shared one, and one viewer's own.

    One frame may be sent to a thousand spectators, so it is encoded once.
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
        """The size in bytes, before compression."""
        return sum(map(len, self.encoded))


def frame(
    game: Game,
    number: int | None,
    *,
    user: AnyUser | None,
    known: object = None,
    look: Look | None = None,
) -> Frame:
    """The frame of a game for one viewer; for the arguments see `own`."""
    shared = table(game, look=look)
    return Frame(shared, own(game, number, user=user, known=known, look=look))


@dataclass(frozen=True, slots=True)
class Rendered:
    """One version of a game: the frames by viewer, and the hidden facts by seat (`own`)."""

    seq: int
    frames: dict[Viewer, Frame] = field(repr=False)
    own: dict[int, event_log.Own] = field(repr=False)


def render_for(code: str, viewers: Mapping[Viewer, event_log.Own | None], *, seq: int) -> Rendered:
    """Render a game that has begun, at `seq` or later, for these viewers.

    The value of a viewer is what `Rendered.own` had for their seat last time, or None. Values older
    than the game's last hidden fact are read again, for all seats in one query. Each frame is built
    only from the hidden facts that its own viewer may know.
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


def _render_table(game: Game, look: Look | None) -> str:
    if game.status == Game.Status.OPEN and game.origin == Game.Origin.QUICK:
        values = _named(game, t=quick_room.table(game, now=timezone.now()))
        return render_to_string("games/_quick_room.html", values)
    if game.status == Game.Status.OPEN:
        return render_to_string(
            "games/_room.html", _named(game, t=waiting_room.table(game), game=game)
        )
    if game.status == Game.Status.CLOSED:
        return render_to_string("games/_closed.html", _named(game, game=game))
    view = catalogue.of(game.kind_key).presenter.table(look or look_at(game))
    values = _named(game, t=view, highlights=highlights.shown(game))
    return fragment_cache.plain(f"{game.kind_key}/_table.html", values)


def _render_own(game: Game, number: int | None, look: Look | None, *, known: object = None) -> str:
    """Render `#own`. Its cache key has no `seq`: that is all that changes for a waiting player."""
    kind = catalogue.of(game.kind_key)
    view = kind.presenter.own(look or look_at(game), number, known=known)
    after = replace(
        view.after, frames=highlights.frames(game, number), has_review=kind.review is not None
    )
    view = replace(view, seq=_SEQ, after=after)
    # keep.js keeps the player's unsent choices for as long as it is the same turn.
    turn = game.turn_seq if view.my_turn else None
    values = _named(game, o=view, code=game.code, turn_seconds=game.turn_seconds, turn=turn)
    html = fragment_cache.rendered(f"{game.kind_key}/_own.html", values)
    return SafeString(html.replace(_SEQ, str(game.seq)))


def _named(of: Game, /, **values: object) -> dict[str, object]:
    """The context of a fragment that sets the page's title."""
    return {"SITE_NAME": words.site_name(of.kind_key), **values}
