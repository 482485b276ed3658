"""The highlights of a finished game: computed once from its log, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.urls import reverse

from games.contract import catalogue
from games.contract.game_values import Highlight
from games.contract.shown import Frame, ShownHighlight
from games.models import Game
from games.store.versioned_lru import VersionedLRU
from games.table import common

# A finished game never changes, so its highlights need no invalidation.
_SHORT: Final = 12  # letters of a name in a frame
_found: VersionedLRU[Sequence[Highlight]] = VersionedLRU(most=500, name="highlights")


def are_known(game: Game) -> bool:
    """Whether the highlights of this game are cached, so that `shown` reads no log."""
    return _found.get(game.code) is not None


def shown(game: Game) -> list[ShownHighlight]:
    """Each highlight as a sentence, with its seat and the address of its moment in the replay.

    Empty while the game runs, because only its end reveals what they tell.
    """
    found = _of(game)
    kind, seats = catalogue.of(game.kind_key), common.seats_of(game)
    names = [seat.name for seat in seats]
    return [
        ShownHighlight(
            words=kind.words.highlight(each, names),
            seat=each.seat,
            avatar=seats[each.seat].avatar,
            url=_address(game, each),
            is_key=each.is_key,
        )
        for each in found
    ]


def frames(game: Game, reader: int | None) -> list[Frame]:
    """The game in three frames at most, each a title and a few words.

    They address the player at seat `reader` as "you". Empty while the game runs, and for a game
    without highlights.
    """
    found = _of(game)
    if not found:
        return []
    first = sorted(found[:-1], key=lambda each: not each.is_key)[:2]
    shown = [each for each in found if each in first or each is found[-1]]
    words, seats = catalogue.of(game.kind_key).words, common.seats_of(game)
    names = [_shortened(seat.name) for seat in seats]
    return [
        Frame(
            title=words.highlight_title(each.code),
            words=words.key_moment(each, names, reader),
            url=_address(game, each),
            seat=each.seat,
            avatar=seats[each.seat].avatar,
            is_key=each.is_key,
        )
        for each in shown
    ]


def _shortened(name: str) -> str:
    return name if len(name) <= _SHORT else f"{name[: _SHORT - 1].rstrip()}…"


def _of(game: Game) -> Sequence[Highlight]:
    if game.status != Game.Status.FINISHED:
        return []
    kept = _found.get(game.code)
    if kept is not None:
        return kept[1]
    found = catalogue.of(game.kind_key).replay.highlights(game)
    _found.keep(game.code, game.seq, found)
    return found


def _address(game: Game, highlight: Highlight) -> str:
    return reverse("games:moment", args=[game.code, highlight.moment])
