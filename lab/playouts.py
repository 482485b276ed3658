"""The options of a seat in Peco Peco, and what each comes to when bots play the round to its end.

`lab/misjudged.py` says what the values and the worlds are.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from games.core.chance import SeededChance
from games.core.contract import Chance, Fact, fold
from games.core.values import changed, with_item
from games.peco_peco.bots import BOTS
from games.peco_peco.bots.answer import plays
from games.peco_peco.bots.game_model import chances
from games.peco_peco.bots.hard import weigh, weigh_accusation
from games.peco_peco.bots.outlook import present
from games.peco_peco.rules.cards import Card, icon
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CardPlayed,
    Declared,
    HonestyShown,
    RoundStarted,
)
from games.peco_peco.rules.moves import Accuse, Declare, Move, Play
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import is_bluff, why_no_accusation
from tests.support.bot_games import Knowledge, rules_of

RULES: Final = rules_of("peco_peco")
KEPT: Final = 20  # of 100 hands for who declared that could have been played; the others go back
ICONS: Final = {"": "plain", "r": "reverse", "d": "draw", "s": "steal", "b": "bomb"}


# --- the options of a decision --------------------------------------------------------------------


def options(known: State, seat: int) -> dict[Move | None, float | None]:
    """What a seat can do now, with what the bot expects of it; None is to let a slap pass.

    Nothing when it has no choice.
    """
    if known.phase not in ("turn", "claims") or known.choices:
        return {}
    worths = chances(known, seat)
    accuses = why_no_accusation(known, seat) is None
    found: dict[Move | None, float | None] = {}
    if accuses:
        accusing, leaving = weigh_accusation(known, seat, worths)
        found[Accuse()] = accusing
        if known.phase == "claims" or seat != known.turn:
            return {**found, None: leaving}
    if known.phase == "turn" and seat == known.turn:
        found |= dict(weigh(known, present(known, seat), worths))
    return found if len(found) > 1 else {}


def kind_of(known: State, seat: int, move: Move | None) -> str:
    match move:
        case Play():
            return ICONS[icon(move.card)]
        case Declare():
            return "bluff" if is_bluff(known, seat) else "truth"
        case Accuse():
            return "accuse" if known.phase == "turn" and seat == known.turn else "slap"
    return "silent"


# --- worlds ---------------------------------------------------------------------------------------


def declarers(facts: Iterable[Fact], before: frozenset[int]) -> frozenset[int]:
    """The seats that declared on the top card and were not accused, after these facts."""
    found = set(before)
    for fact in facts:
        match fact:
            case Declared():
                found.add(fact.seat)
            case BluffAdmitted() | HonestyShown():
                found.discard(fact.accused)
            case CardPlayed() | RoundStarted():
                found.clear()
    return frozenset(found)


def drawn_world(
    whole: State, known: State, seat: int, declared: Container[int], chance: Chance
) -> State:
    """What the seat has not seen, dealt again as its players may hold it."""
    buried = list(whole.under)
    for card in known.under:
        buried.remove(card)
    others = [other for other in range(whole.seats) if other != seat]
    unseen = [
        *(whole.pile or ()),
        *buried,
        *(card for other in others for card in whole.hand(other)),
    ]
    cards: list[Card] = list(chance.shuffled(unseen))
    hands = {seat: whole.hand(seat)}
    for other in sorted(others, key=lambda one: one not in declared):
        size = whole.sizes[other]
        while other in declared and _could_play(whole, other, cards[:size]):
            if chance.below(100) < KEPT:
                break
            cards = list(chance.shuffled(cards))
        hands[other], cards = tuple(sorted(cards[:size])), cards[size:]
    return changed(
        whole,
        hands=tuple(hands[number] for number in range(whole.seats)),
        under=(*known.under, *cards[: len(buried)]),
        pile=tuple(cards[len(buried) :]),
    )


def _could_play(whole: State, seat: int, hand: Iterable[Card]) -> bool:
    return is_bluff(changed(whole, hands=with_item(whole.hands, seat, tuple(hand))), seat)


def played_out(
    world: State,
    views: Sequence[State],
    bots: Sequence[str],
    first: tuple[int, Move | None],
    chance: Chance,
) -> State:
    """The end of the round, or of the game, after this move of a seat."""
    knowledge = Knowledge(RULES, world.seats, views)
    state, (seat, move) = world, first
    silent = seat if move is None else None
    while True:
        if move is not None:
            facts = RULES.decide(state, seat, move, chance)
            knowledge.learn(facts)
            state = fold(RULES, facts, state)
            if state.phase in ("reveal", "over"):
                return state
            silent = silent if move.kind == "close_window" else None
        waiting = RULES.waiting(state)
        on_turn = () if waiting.on_turn is None else (waiting.on_turn,)
        seat, move = RULES.due_moves(state)[0]
        for one in (*waiting.may_interrupt, *on_turn):
            if one == silent and one not in on_turn:
                continue
            made = BOTS[bots[one]](knowledge.of(one), one, chance)
            if made is not None:
                seat, move = one, made
                break


def value(end: State, seat: int, worths: Sequence[float]) -> float:
    """The chance of the seat's side to win the game, when the round is over."""
    if end.phase == "over":
        winners = RULES.outcome(end).winners
        return len(set(winners) & set(end.side_of(seat))) / len(winners)
    winner = end.result.winner if end.result else None
    return worths[-1 if winner is None else winner]


@dataclass(frozen=True, slots=True)
class Case:
    """A decision: what its seat knows and everybody knows, the bots of the table, and a seed."""

    known: State
    seat: int
    public: State
    bots: Sequence[str]
    seed: str

    def values(self, move: Move | None, worlds: Sequence[State]) -> list[float]:
        worths = chances(self.known, self.seat)
        result = []
        for number, world in enumerate(worlds):
            views = [self._view(world, seat) for seat in range(world.seats)]
            chance = SeededChance(f"{self.seed}/{number}")
            end = played_out(world, views, self.bots, (self.seat, move), chance)
            result.append(value(end, self.seat, worths))
        return result

    def _view(self, world: State, seat: int) -> State:
        """The world as a seat knows it; of what the others buried only what everybody saw."""
        if seat == self.seat:
            return self.known
        hands = tuple(hand if seat == owner else None for owner, hand in enumerate(world.hands))
        return changed(self.public, hands=hands)


def row(
    case: Case,
    choices: dict[Move | None, float | None],
    chosen: Move | None,
    drawn: Sequence[State],
    true: Sequence[State],
) -> dict[str, Any]:
    """What is kept of a decision."""
    known, seat = case.known, case.seat
    return {
        "seats": known.seats,
        "cards": known.sizes[seat],
        "pending": len(known.pending - {seat}),
        "opening": known.owner is None,
        "rule": known.stake.rule,
        "left": known.food_left,
        "playable": len(plays(known, seat)) if known.turn == seat else 0,
        "chosen": list(choices).index(chosen),
        "options": [
            {
                "kind": kind_of(known, seat, move),
                "foreseen": foreseen,
                "drawn": float(np.mean(case.values(move, drawn))),
                "true": float(np.mean(case.values(move, true))),
            }
            for move, foreseen in choices.items()
        ],
    }
