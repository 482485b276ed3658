"""A few good moments of the latest public games, for a lobby in which nobody waits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from games.models import Game
from games.rendering import highlights

SHOWN: Final = 3


def shown(games: Iterable[Game]) -> list[dict[str, Any]]:
    """The highlights to watch, as `highlights.shown` has them: of different games where possible.

    To find those of a game its whole log is folded, once in a process: one list does it for one
    game at most, and the next list for another.
    """
    found: list[list[dict[str, Any]]] = []
    may_fold = True
    for game in games:
        is_known = highlights.are_known(game)
        if is_known or may_fold:
            may_fold = may_fold and is_known
            found.append(highlights.shown(game))
        if sum(map(bool, found)) == SHOWN:
            break
    rest = [each for of_game in found for each in of_game[1:]]
    return [*(of_game[0] for of_game in found if of_game), *rest][:SHOWN]
