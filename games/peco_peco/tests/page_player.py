"""Robots that play Peco Peco: see tests/support/page_players.py."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.core.contract import Fact
from games.peco_peco import rules
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CardPlayed,
    Declared,
    HonestyShown,
    RoundSeen,
    SlapWaived,
    SoloJoined,
)
from games.peco_peco.rules.moves import Accuse, Declare, Waive
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import is_bluff
from tests.support.http_client import View
from tests.support.page_players import Action

TABLE: Final[Mapping[str, object]] = {
    "game": rules.KEY,
    "preset": "peco_base",
    "slap_window_ms": "2000",
}
SEATS: Final = 4
BOT: Final = "medium"
ROUNDS: Final = (
    "SELECT r.number, r.stake, s.number, w.number FROM peco_peco_round r "
    "JOIN games_game g ON g.id = r.game_id JOIN games_seat s ON s.id = r.starter_id "
    "LEFT JOIN games_seat w ON w.id = r.winner_id "
    "WHERE g.code = ? AND r.seq <= ? ORDER BY r.number"
)

_CARD = re.compile(r'<input type="radio"\s+name="card"\s+value="(\w+)"([^>]*)>')
_SHOWN = re.compile(r'<li class="held" data-card="(\w+)">')
_BUTTON = re.compile(r'<button\b[^>]*\bname="(\w+)"\s+value="(\w+)"')


@dataclass(frozen=True)
class Controls:
    """The cards and buttons of a seat's own part of the page."""

    hand: tuple[str, ...]
    playable: tuple[str, ...]
    steals: frozenset[str]  # these need a victim
    victims: tuple[int, ...]
    partners: tuple[int, ...]  # the teams the single player may join
    can_call: bool  # "Peco Peco!" may be said with the card

    @classmethod
    def of(cls, view: View) -> Controls:
        radios = _CARD.findall(view.own)
        buttons = _BUTTON.findall(view.own)
        return cls(
            hand=tuple(card for card, _ in radios) or tuple(_SHOWN.findall(view.own)),
            playable=tuple(card for card, rest in radios if "disabled" not in rest),
            steals=frozenset(card for card, rest in radios if "data-steals" in rest),
            victims=tuple(int(value) for name, value in buttons if name == "target"),
            partners=tuple(int(value) for name, value in buttons if name == "partner"),
            can_call='name="call"' in view.own,
        )


def random_action(view: View, rng: random.Random) -> Action | None:
    """Some action the screen offers; None where it offers nothing."""
    controls = Controls.of(view)
    if view.must_confirm:
        return {"do": "confirm"}
    if controls.partners:
        return {"do": "join_team", "partner": rng.choice(controls.partners)}
    if "accuse" in view.moves and rng.random() < 0.3:
        return {"do": "accuse"}
    if "waive" in view.moves:
        return {"do": "waive"}
    if "declare" not in view.moves:
        return None
    if not controls.playable or rng.random() < 0.25:
        return {"do": "declare"}
    return play(controls, rng.choice(controls.playable), rng)


def play(controls: Controls, card: str, rng: random.Random) -> Action:
    """The form of this card, with some victim where it needs one, and the call now and then."""
    action: Action = {"do": "play", "card": card}
    if card in controls.steals:
        action["target"] = rng.choice(controls.victims)
    if controls.can_call and rng.random() < 0.8:
        action["call"] = "on"
    return action


def fixed_action(view: View, made: int) -> Action | None:
    """The first card that can be played, else the declaration; nobody accuses."""
    controls = Controls.of(view)
    if view.must_confirm:
        return {"do": "confirm"}
    if controls.partners:
        return {"do": "join_team", "partner": controls.partners[0]}
    if "waive" in view.moves:
        return {"do": "waive"}
    if not view.my_turn:
        return None
    if not controls.playable:
        return {"do": "declare"}
    card = controls.playable[0]
    return {"do": "play", "card": card} | (
        {"target": controls.victims[0]} if card in controls.steals else {}
    )


def is_result_of(action: Action, seat: int, fact: Fact) -> bool:
    """Whether this fact is what the player at this seat asked for."""
    match action["do"], fact:
        case "play", CardPlayed(player, card, called):
            return (player, card, called) == (seat, action["card"], "call" in action)
        case "join_team", SoloJoined(player, partner):
            return (player, partner) == (seat, action["partner"])
        case "declare", Declared(player):
            return player == seat
        case "accuse", BluffAdmitted(player, _) | HonestyShown(player, _, _):
            return player == seat
        case "waive", SlapWaived(player):
            return player == seat
        case "confirm", RoundSeen(player):
            return player == seat
    return False


def requesting_seat(fact: Fact) -> int | None:
    """The seat whose person must have asked for this fact; None: anybody, or the clock."""
    match fact:
        case CardPlayed(seat, _, _) | Declared(seat):
            return seat
        case BluffAdmitted(seat, _) | HonestyShown(seat, _, _) | SlapWaived(seat):
            return seat
    return None


def allows_repeat(fact: Fact) -> bool:
    """A card, a declaration or an accusation: a player may do the same again in one round."""
    return isinstance(fact, CardPlayed | Declared | BluffAdmitted | HonestyShown)


def round_row(state: State, seq: int) -> tuple[object, ...]:
    """What `ROUNDS` finds of the round that this fact has ended."""
    done = state.result
    assert done is not None
    return done.number, done.stake, done.starter, done.winner


def check(state: State, fact: Fact) -> None:
    """AssertionError unless the rules allow this fact in this state, which has no secrets."""

    def legal(seat: int) -> list[Any]:
        return rules.legal_moves(state, seat)

    match fact:
        case CardPlayed(seat, card, called):
            plays = [move for move in legal(seat) if move.kind == "play"]
            assert (card, called) in [(move.card, move.call) for move in plays]
        case Declared(seat):
            assert Declare() in legal(seat)
        case BluffAdmitted(accuser, accused):
            assert Accuse() in legal(accuser) and accused == state.declarer
            assert is_bluff(state, accused)
        case HonestyShown(accuser, accused, hand):
            assert Accuse() in legal(accuser) and accused == state.declarer
            assert hand == state.hand(accused) and not is_bluff(state, accused)
        case SlapWaived(seat):
            assert Waive() in legal(seat)
        case RoundSeen(seat):
            assert state.phase == "reveal" and seat not in state.confirmed
