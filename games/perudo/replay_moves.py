"""The bids and calls of a finished game, each with the odds its player had by their own dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.contract.game_values import RecordedFact, ReplayMove
from games.perudo.rules.bids import Bid, matching
from games.perudo.rules.events import BidMade, Call, CalzaClaimed, Revealed
from games.perudo.rules.odds import odds
from games.perudo.rules.state import State


def move_of(
    state: State, before: Sequence[RecordedFact], step: Sequence[RecordedFact]
) -> ReplayMove | None:
    """The bid or call that `step` begins with; None when nobody made one.

    `state` is the one before it with every hand, `before` are the facts of the step that led to it.
    """
    made = step[0]
    match made.fact:
        case BidMade(seat, bid):
            return _move(state, seat, "bid", bid, before, made)
        case Revealed(call, caller) if state.last_bid is not None:
            claims = [each for each in before if each.fact == CalzaClaimed(caller)]
            # A calza out of turn was called when it was claimed, and its window ended later.
            said = claims[-1] if call == "calza" and claims else made
            return _move(state, caller, call, state.last_bid, before, said)
    return None


def _move(
    state: State,
    seat: int,
    code: Call | str,
    bid: Bid,
    before: Sequence[RecordedFact],
    said: RecordedFact,
) -> ReplayMove:
    since = [each.at for each in before if not each.fact.aside]
    return replace(
        judged(state, seat, code, bid),
        seconds=(said.at - since[-1]).total_seconds() if since else 0.0,
        automatic=said.automatic,
    )


def judged(state: State, seat: int, code: Call | str, bid: Bid) -> ReplayMove:
    """A bid, or a call on it, with its odds by the dice of this seat; `state` has every hand."""
    palifico, hand, dice = state.palifico is not None, state.hand(seat), sum(state.dice)
    found = odds(bid, dice=dice, hand=hand, palifico=palifico)
    held = matching(hand, bid.face, palifico=palifico)
    return ReplayMove(
        seat=seat,
        code=code,
        values={
            "quantity": bid.quantity,
            "face": bid.face,
            "held": held,
            "needed": bid.quantity - held,
            "hidden": dice - len(hand),
            "count": sum(matching(each or (), bid.face, palifico=palifico) for each in state.hands),
        },
        seconds=0.0,
        automatic=False,
        chance={"bid": found.true, "dudo": 1 - found.true, "calza": found.exact}[code],
    )
