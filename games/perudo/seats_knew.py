"""What each seat could say of a bid of the replay by its own dice: see `SeatsKnew`."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext

from games.contract.game_values import ReplayMove
from games.perudo.replay_moves import judged
from games.perudo.rules.bids import Bid
from games.perudo.rules.state import State
from games.perudo.words.dice import dice
from games.words import percent


def title(move: ReplayMove) -> str:
    bid = dice(move.values["quantity"], move.values["face"])
    return gettext("%(bid)s: how likely it was true by each player's own dice") % {"bid": bid}


def headings() -> Sequence[str]:
    return [gettext("Held"), gettext("Odds")]


def rows(before: State, move: ReplayMove) -> list[tuple[int, Sequence[str]]]:
    """How many dice of the bid a seat held, pacos with them, and the odds; without who moved."""
    bid = Bid(move.values["quantity"], move.values["face"])
    seats = [each for each, hand in enumerate(before.hands) if hand and each != move.seat]
    return [(seat, _row(before, seat, bid)) for seat in seats]


def _row(before: State, seat: int, bid: Bid) -> Sequence[str]:
    seen = judged(before, seat, "bid", bid)
    held = {"held": seen.values["held"], "dice": before.dice[seat]}
    assert seen.chance is not None  # noqa: S101  # of a bid there are odds
    return [gettext("%(held)d of %(dice)d") % held, percent(seen.chance)]
