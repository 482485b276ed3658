"""The odds shown to a seat, if the table shows them: based only on what that seat knows."""

from __future__ import annotations

from games.models import Game
from games.perudo import words
from games.perudo.rules.bids import Bid
from games.perudo.rules.odds import informed_odds, odds
from games.perudo.rules.state import State
from games.perudo.shown import LastOdds


def are_shown(game: Game, state: State, number: int) -> bool:
    """Whether the seat reads odds now: it has dice under its cup, and nobody's number is hidden.

    Where lost dice are hidden odds would tell how many are left (P45), whatever the row says.
    """
    cups_down = state.phase in ("turn", "claims")
    return (
        game.show_odds and state.options.lost_dice_visible and cups_down and state.dice[number] > 0
    )


def of_last_bid(state: State, number: int) -> LastOdds:
    """How likely the last bid is true for seat `number`, as words."""
    bid = state.last_bid
    if bid is None:
        return LastOdds()
    plain = of_bid(state, number, bid)
    informed = words.chance(
        informed_odds(
            bid,
            dice=state.dice,
            seat=number,
            hand=state.hand(number),
            bids=state.bids,
            palifico=state.palifico is not None,
        ).true
    )
    return LastOdds(plain=plain, informed=None if informed == plain else informed)


def of_bid(state: State, number: int, bid: Bid) -> str:
    """How likely a bid is true for seat `number` by its own dice, as words."""
    palifico = state.palifico is not None
    hand = state.hand(number)
    return words.chance(odds(bid, dice=sum(state.dice), hand=hand, palifico=palifico).true)
