"""A few highlights of the latest public games, for a lobby in which nobody waits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from games.contract.shown import ShownHighlight
from games.models import Game
from games.table import highlights

SHOWN: Final = 3


def shown(games: Iterable[Game]) -> list[ShownHighlight]:
    """A few highlights, as `highlights.shown` returns them, from different games if possible.

    To find a game's highlights, each process folds its whole log once. One call folds one log at
    most; the next call folds the next one.
    """
    found: list[list[ShownHighlight]] = []
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
