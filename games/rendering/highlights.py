"""The highlights of a finished game: found once in its log, told in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from games import catalogue
from games.game_values import Highlight
from games.models import Game
from games.rendering import common
from games.store.versioned_lru import VersionedLRU

# A finished game does not change, so neither do these.
_found: VersionedLRU[Sequence[Highlight]] = VersionedLRU(most=500, name="highlights")


def are_known(game: Game) -> bool:
    """Whether `shown` has found those of this game before, so that it reads no log."""
    return _found.get(game.code) is not None


def shown(game: Game) -> list[dict[str, Any]]:
    """Each highlight as a sentence, with its seat and the address of its moment in the replay.

    Empty while the game runs: only its end uncovers what they tell.
    """
    found = _of(game)
    kind, seats = catalogue.of(game.kind_key), common.seats_of(game)
    names = [seat.name for seat in seats]
    return [
        {
            "words": kind.words.highlight(each, names),
            "seat": each.seat,
            "avatar": seats[each.seat].avatar,
            "url": _address(game, each),
        }
        for each in found
    ]


def key_moment(game: Game, reader: int | None) -> dict[str, str] | None:
    """The highlight that mattered most to who won, in a few `words`, and its address (`url`).

    To the player at seat `reader` it says "you". None while the game runs, and for a game without
    highlights.
    """
    key = next((each for each in _of(game) if each.is_key), None)
    if key is None:
        return None
    names = [seat.name for seat in common.seats_of(game)]
    words = catalogue.of(game.kind_key).words.key_moment(key, names, reader)
    return {"words": words, "url": _address(game, key)}


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
