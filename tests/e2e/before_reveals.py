"""Tables just before the viewer makes a reveal come: of every outcome, and the last of a game."""

from __future__ import annotations

from tests.e2e import arranged
from tests.support.game_driver import LEAVE, bid


def doubt_after_leaving(seats: int) -> arranged.ArrangedGame:
    """The viewer's turn to doubt, in the round after somebody has left."""
    game = arranged.ArrangedGame(seats, opener=seats - 1)
    game.move(2, LEAVE)
    game.bid_and_doubt(seats - 1, 5 * seats)
    game.all_continue()
    game.move(seats - 1, bid("3x2"))
    return game


if __name__ == "__main__":
    shown = (arranged.doubt, arranged.too_high, doubt_after_leaving)
    last = (arranged.last_doubt_no, arranged.last_doubt_re)
    exact = {arranged.exact: (5, 6)}  # a table can be played on once
    arranged.main(dict.fromkeys(shown, (6,)) | exact | dict.fromkeys(last, (2,)))
