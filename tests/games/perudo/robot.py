"""Robots that play Perudo: see tests/games/robots.py."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from games.core.contract import Fact
from games.perudo import rules
from games.perudo.rules.bids import Bid
from games.perudo.rules.events import BidMade, CalzaClaimed, Revealed, RevealSeen
from games.perudo.rules.state import State
from tests.client import View
from tests.games.robots import Deed

TABLE: Final[Mapping[str, object]] = {"preset": "asmodee_fr", "lost_dice_visible": "on"}
SEATS: Final = 2
BOT: Final = "steady"
ROUNDS: Final = (
    "SELECT r.number, r.quantity, r.face, r.call, r.count, r.seq FROM games_round r "
    "JOIN games_game g ON g.id = r.game_id WHERE g.code = ? AND r.seq <= ? ORDER BY r.number"
)


def careless(view: View, luck: random.Random) -> Deed | None:
    """Some action the screen offers; None where it offers nothing."""
    if view.must_confirm:
        return {"do": "confirm"}
    if view.can_calza and luck.random() < 0.15:
        return {"do": "calza"}
    if not view.my_turn:
        return None
    if view.can_dudo and (not view.faces or luck.random() < 0.35):
        return {"do": "dudo"}
    if not view.faces:  # a bot holds the seat
        return None
    face = luck.choice(sorted(view.faces))
    return {"do": "bid", "face": face, "quantity": view.faces[face][0]}


def is_made(deed: Deed, seat: int, fact: Fact) -> bool:
    """Whether this fact is what the player at this seat asked for."""
    match deed["do"], fact:
        case "bid", BidMade(bidder, bid):
            asked = Bid(deed["quantity"], deed["face"])  # type: ignore[arg-type]
            return (bidder, bid) == (seat, asked)
        case "dudo", Revealed("dudo", caller, _, _):
            return caller == seat
        case "calza", CalzaClaimed(claimant):
            return claimant == seat
        case "calza", Revealed("calza", caller, _, _):
            return caller == seat
        case "confirm", RevealSeen(reader):
            return reader == seat
    return False


def needs_asking(fact: Fact) -> int | None:
    """The seat whose person must have asked for this fact; None: anybody, or the clock."""
    match fact:
        case BidMade(seat, _) | Revealed("dudo", seat, _, _):
            return seat
    return None


def divides(fact: Fact) -> bool:
    """The dice are revealed: until then nobody does the same twice."""
    return isinstance(fact, Revealed)


def round_row(state: State, seq: int) -> tuple[object, ...]:
    """What `ROUNDS` finds of the round that this fact has ended."""
    done = state.result
    assert done is not None
    return done.number, done.bid.quantity, done.bid.face, done.call, done.count, seq


def check(state: State, fact: Fact) -> None:
    """AssertionError unless the rules allow this fact in this state."""
    match fact:
        case BidMade(seat, bid):
            assert seat == state.turn and state.phase in ("turn", "claims")
            assert bid in rules.legal_moves(state, seat)
        case Revealed("dudo", caller, _, _):
            assert caller == state.turn and state.bids
        case Revealed("calza", caller, _, _):
            assert caller == state.turn or caller in state.claims
        case CalzaClaimed(seat):
            assert seat in rules.to_act(state)
        case RevealSeen(seat):
            assert state.phase == "reveal" and seat not in state.confirmed
