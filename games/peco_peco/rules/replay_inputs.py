"""What replaying a recorded game needs: its beginning, its randomness, and what caused a fact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from games.core.contract import VERSION, Chance, Fact
from games.core.moves import Confirm, Leave
from games.peco_peco.rules import midway
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CallForgotten,
    CardPassed,
    CardPlayed,
    CardsBuried,
    CardStolen,
    Declared,
    FoodShuffled,
    GameEnded,
    GameStarted,
    HonestyShown,
    Left,
    PileShuffled,
    RoundSeen,
    RoundStarted,
    SlapWaived,
    SlapWindowClosed,
    SoloJoined,
)
from games.peco_peco.rules.evolve import evolve
from games.peco_peco.rules.midway_facts import StartedMidway
from games.peco_peco.rules.moves import Accuse, CloseWindow, Declare, JoinTeam, Move, Play, Waive
from games.peco_peco.rules.rounds import has_won_by_set, start
from games.peco_peco.rules.state import State


def restart(facts: Sequence[Fact], chance: Chance) -> list[Fact]:
    """The beginning of a recorded game, whose first player is taken as recorded (Q8), or in the
    middle of another.
    """
    started = facts[0]
    first = next((fact for fact in facts if isinstance(fact, RoundStarted)), None)
    if not isinstance(started, GameStarted) or first is None:
        raise ValueError("a game begins with game_started and a round")
    if not 0 <= first.starter < started.seats:
        raise ValueError(f"there is no seat {first.starter}")
    for fact in facts[2:5]:
        if isinstance(fact, StartedMidway):
            return midway.start(started, first, fact, chance)
    return start(started.seats, started.options, chance, starter=first.starter)


def recorded_chance(facts: Iterable[Fact]) -> Iterator[object]:
    """The shuffled piles and the cards that were taken, in their order."""
    stolen = False
    begun = False
    for fact in facts:
        match fact:
            case RoundStarted():
                begun = True
            case FoodShuffled() if not begun:  # later ones repeat what is left of the pile
                yield fact.stakes
            case PileShuffled():
                yield fact.cards
            case CardPassed():
                yield fact.card
            case CardsBuried() if stolen:
                yield from fact.cards[:1]
        stolen = isinstance(fact, CardStolen)


def cause(state: State, facts: Sequence[Fact], at: int) -> tuple[int, Move]:
    """Which seat made which move that the fact at this place is the first consequence of;
    ValueError when no move begins with it.
    """
    fact = facts[at]
    match fact:
        case CardPlayed():
            return fact.seat, Play(fact.card, target(facts, at), fact.called)
        case Declared():
            return fact.seat, Declare()
        case BluffAdmitted() | HonestyShown():
            return fact.accuser, Accuse()
        case SlapWaived():
            return fact.seat, Waive()
        case SlapWindowClosed() if state.declarer is not None:
            return state.declarer, CloseWindow()
        case SoloJoined():
            return fact.seat, JoinTeam(fact.partner)
        case RoundSeen():
            return fact.seat, Confirm()
        case Left():
            return fact.seat, Leave()
    raise ValueError(f"{fact.kind} does not follow by itself")


def judged_by(facts: Sequence[Fact]) -> int:
    """Version 1 of the rules if the game ended by a set that needed the buffet of a player who had
    left (B10, 33), else the present one: nothing else distinguishes them.
    """
    if facts[-1] != GameEnded("set") or not any(isinstance(fact, Left) for fact in facts):
        return VERSION
    state: State | None = None
    for fact in facts:
        state = evolve(state, fact)
    assert state is not None and state.result is not None  # noqa: S101
    return VERSION if has_won_by_set(state, state.result.winner) else 1


def target(facts: Sequence[Fact], at: int) -> int | None:
    """The victim of the steal icon on the card that was played here; None when nobody was."""
    for fact in facts[at + 1 : at + 4]:
        if isinstance(fact, CardStolen):
            return fact.victim
        if not isinstance(fact, CallForgotten | CardsBuried):
            return None
    return None
