"""Robots that play Perudo: see tests/support/page_players.py."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games.core.contract import Fact
from games.perudo import rules
from games.perudo.rules.bids import Bid
from games.perudo.rules.events import BidMade, CalzaClaimed, Revealed, RevealSeen
from games.perudo.rules.state import State
from tests.support.http_client import View, attribute
from tests.support.page_players import Action

TABLE: Final[Mapping[str, object]] = {"preset": "asmodee_fr", "lost_dice_visible": "on"}
SEATS: Final = 2
BOT: Final = "steady"
ROUNDS: Final = (
    "SELECT r.number, r.quantity, r.face, r.call, r.count, r.seq FROM games_round r "
    "JOIN games_game g ON g.id = r.game_id WHERE g.code = ? AND r.seq <= ? ORDER BY r.number"
)
_RADIO = re.compile(r'<input\b[^>]*\bname="face"[^>]*>')
_HAND = re.compile(r'class="my-dice".*?</p>', re.DOTALL)
_BID = ("value", "data-min", "data-max")
_BIDS = 8  # made in a round before a steady player calls dudo


@dataclass(frozen=True)
class Controls:
    """The dice and the bids of a seat's own part of the page."""

    hand: tuple[int, ...]
    faces: Mapping[int, range]  # that may be bid, each with its quantities

    @classmethod
    def of(cls, view: View) -> Controls:
        shown = _HAND.search(view.own)
        radios = [radio for radio in _RADIO.findall(view.own) if attribute(radio, "data-min")]
        numbers = ([int(attribute(radio, name)) for name in _BID] for radio in radios)
        return cls(
            hand=tuple(int(die) for die in re.findall(r"#die-(\d)", shown[0] if shown else "")),
            faces={face: range(least, most + 1) for face, least, most in numbers},
        )

    @property
    def lowest_bid(self) -> Action | None:
        """The least that may be bid, of ones only where nothing else is; None: no bid at all."""
        offers = [(counts[0], face) for face, counts in self.faces.items()]
        if not offers:
            return None
        quantity, face = min([offer for offer in offers if offer[1] != 1] or offers)
        return {"do": "bid", "quantity": quantity, "face": face}


def random_action(view: View, rng: random.Random) -> Action | None:
    """Some action the screen offers; None where it offers nothing."""
    if view.must_confirm:
        return {"do": "confirm"}
    if "calza" in view.moves and rng.random() < 0.15:
        return {"do": "calza"}
    if not view.my_turn:
        return None
    faces = Controls.of(view).faces
    if "dudo" in view.moves and (not faces or rng.random() < 0.35):
        return {"do": "dudo"}
    if not faces:  # a bot holds the seat
        return None
    face = rng.choice(sorted(faces))
    return {"do": "bid", "face": face, "quantity": faces[face][0]}


def fixed_action(view: View, made: int) -> Action | None:
    """Bids that rise by the least, then dudo, then everybody continues."""
    if view.must_confirm:
        return {"do": "confirm"}
    if not view.my_turn:
        return None
    bid = Controls.of(view).lowest_bid
    doubts = bid is None or ("dudo" in view.moves and made >= _BIDS)
    return {"do": "dudo"} if doubts else bid


def is_result_of(action: Action, seat: int, fact: Fact) -> bool:
    """Whether this fact is what the player at this seat asked for."""
    match action["do"], fact:
        case "bid", BidMade(bidder, bid):
            asked = Bid(action["quantity"], action["face"])  # type: ignore[arg-type]
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


def requesting_seat(fact: Fact) -> int | None:
    """The seat whose person must have asked for this fact; None: anybody, or the clock."""
    match fact:
        case BidMade(seat, _) | Revealed("dudo", seat, _, _):
            return seat
    return None


def allows_repeat(fact: Fact) -> bool:
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
