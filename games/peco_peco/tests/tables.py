"""Positions of Peco Peco written as text, and moves played on them without randomness."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar, cast

from games.core.contract import Fact, IllegalMove, fold
from games.core.values import changed
from games.peco_peco import rules
from games.peco_peco.rules.cards import CARDS, Card, Hand
from games.peco_peco.rules.events import GameStarted, RoundEnded
from games.peco_peco.rules.evolve import evolve
from games.peco_peco.rules.moves import Move
from games.peco_peco.rules.options import Options
from games.peco_peco.rules.scoring import Buffet, Laid
from games.peco_peco.rules.stakes import STAKES
from games.peco_peco.rules.state import State

T = TypeVar("T")
SEATS = "ABCDEFGH"
STAKE_OF_RULE = {stake.rule: stake.id for stake in reversed(STAKES.values())}


class FirstOfAll:
    """Chance that is not random: shuffles change nothing, and the first card is picked."""

    def dice(self, count: int, at: object = None) -> tuple[int, ...]:
        raise AssertionError("no dice are rolled in Peco Peco")

    def below(self, bound: int, at: object = None) -> int:
        return 0

    def shuffled(self, items: Sequence[T], at: object = None) -> tuple[T, ...]:
        return tuple(items)

    def pick(self, items: Sequence[T], at: object = None) -> T:
        return items[0]


def hand(text: str) -> Hand:
    """`E,Mb` as cards; an `x` in the cases stands for no icon."""
    cards = [card.strip().replace("x", "") for card in text.split(",") if card.strip()]
    assert all(card in CARDS for card in cards), text
    return tuple(sorted(cast("list[Card]", cards)))


def table(
    text: str,
    *,
    options: Options | None = None,
    buffets: tuple[Buffet, ...] | None = None,
) -> State:
    """The position of a worked case, as the server knows it.

    `hands A[E,M] B[C]; top C+under M,E; draw E,C; turn A; clockwise; rule none`, and where it
    matters `top card owned by D; still to answer C`.
    """
    parts = [part.strip() for part in text.split(";")]
    hands = tuple(hand(cards) for _, cards in re.findall(r"([A-H])\[([^]]*)\]", parts[0]))
    seats = len(hands)
    said = dict(part.split(" ", 1) for part in parts[1:] if " " in part and "owned" not in part)
    top, _, under = said["top"].partition("+under ")
    pile = () if said["draw"] == "empty" else tuple(said["draw"].split(","))
    owner = re.search(r"owned by ([A-H])", text)
    pending = re.search(r"still to answer ([A-H])", text)
    stake = STAKE_OF_RULE[said["rule"]]
    direction = 1 if "clockwise" in parts else -1
    turn = SEATS.index(said["turn"])
    begun = evolve(None, GameStarted(seats, options or Options()))
    return changed(
        begun,
        food=("F01", "F02"),
        food_left=2,
        number=3,
        stake_id=stake,
        direction=direction,
        hands=hands,
        sizes=tuple(map(len, hands)),
        pile=cast("Hand", pile),
        pile_size=len(pile),
        top=hand(top)[0],
        owner=SEATS.index(owner[1]) if owner else None,
        under=cast("Hand", tuple(under.split(",")) if under else ()),
        under_size=len(under.split(",")) if under else 0,
        starter=turn,
        last_actor=(turn - direction) % seats,
        pending=frozenset({SEATS.index(pending[1])} if pending else range(seats)),
        buffets=buffets or ((),) * seats,
    )


def facts_of(state: State, seat: int, move: Move) -> list[Fact]:
    return rules.decide(state, seat, move, FirstOfAll())


def after(state: State, *moves: tuple[int, Move]) -> State:
    """The position after these moves of these seats."""
    for seat, move in moves:
        state = fold(rules, facts_of(state, seat, move), state)
    return state


def refusal(state: State, seat: int, move: Move) -> str | None:
    """The reason code with which a move is refused; None when it is accepted."""
    try:
        facts_of(state, seat, move)
    except IllegalMove as illegal:
        return illegal.code
    return None


def buffet(*stakes: str) -> Buffet:
    """`F06` lies face up, `F06~` is tilted, `F06_` lies face down."""
    facing = {"~": "tilted", "_": "down"}
    return tuple(Laid(one[:3], facing.get(one[3:], "up")) for one in stakes)  # type: ignore[arg-type]


def before_the_last_stake(*buffets: tuple[str, ...]) -> State:
    """Five in teams: seat 0 alone, 1 with 3, 2 with 4; one stake is left."""
    begun = evolve(None, GameStarted(5, Options(teams="on")))
    laid = tuple(buffet(*one) for one in buffets)
    state = changed(begun, food=("F14",), food_left=1, buffets=laid, number=7, stake_id="F01")
    return evolve(state, RoundEnded(None))


def choosing_a_team() -> State:
    """The same, where both sides are worth as much: the single player has to choose (Q42)."""
    state = before_the_last_stake((), ("F05",), ("F11",), (), ())
    return after(state, *rules.due_moves(state))
