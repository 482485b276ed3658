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
    if game.status != Game.Status.FINISHED:
        return []
    kind = catalogue.of(game.kind_key)
    kept = _found.get(game.code)
    found = kept[1] if kept else kind.replay.highlights(game)
    if kept is None:
        _found.keep(game.code, game.seq, found)
    seats = common.seats_of(game)
    names = [seat.name for seat in seats]
    return [
        {
            "words": kind.words.highlight(each, names),
            "seat": each.seat,
            "avatar": seats[each.seat].avatar,
            "url": reverse("games:moment", args=[game.code, each.moment]),
        }
        for each in found
    ]
