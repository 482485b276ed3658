"""The last moves of the round in words, and what came of an accusation, from public facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from django.utils.translation import get_language

from games.core.contract import Fact
from games.peco_peco import words
from games.peco_peco.last_step import Step
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CardPlayed,
    Declared,
    HonestyShown,
    RoundEnded,
)
from games.peco_peco.rules.state import State
from games.peco_peco.shown import Consequence, ToldMove, ToldResult, ToldSeat

MOST: Final = 3
LETTERS: Final = 12  # of a name, where a line has little room


def last_moves(state: State, steps: Sequence[Step], names: Sequence[str]) -> list[ToldMove]:
    """The last moves of the round, the newest first.

    Of a declaration they say that nobody accused once play has gone on.
    """
    found: list[ToldMove] = []
    later: Step | None = None
    for step in reversed(steps):
        seat = _actor(step.facts)
        if seat is not None:
            spared = later is not None and _has_been_spared(state, step, later)
            text, you = _told(tuple(step.facts), tuple(names), get_language(), spared)
            found.append(ToldMove(seat=seat, text=text, you=you))
            if len(found) == MOST:
                break
        later = step
    return found


def consequence(news: Iterable[Fact], names: Sequence[str]) -> Consequence | None:
    """What came of the accusation among the facts of the last move; None: nobody has accused."""
    facts = list(news)
    for fact in facts:
        if isinstance(fact, BluffAdmitted | HonestyShown):
            accuser, accused = (
                ToldSeat(seat=seat, text=words.consequence(facts, names, reader=seat))
                for seat in (fact.accuser, fact.accused)
            )
            text = words.consequence(facts, names)
            return Consequence(text=text, accuser=accuser, accused=accused)
    return None


def moves_for(
    state: State, steps: Sequence[Step], names: Sequence[str], reader: int | None
) -> list[str]:
    """The last moves as told to the player at the seat `reader`, long names shortened."""
    moves = last_moves(state, steps, _short(names))
    return [each.you if each.seat == reader else each.text for each in moves]


def consequence_for(news: Iterable[Fact], names: Sequence[str], reader: int) -> ToldResult | None:
    """What came of an accusation as told to the player at the seat `reader`."""
    facts = list(news)
    told = consequence(facts, _short(names))
    if told is None:
        return None
    caught = any(isinstance(fact, BluffAdmitted) for fact in facts)
    for to, wins in ((told.accuser, caught), (told.accused, not caught)):
        if to.seat == reader:
            return ToldResult(text=to.text, effect="good" if wins else "bad")
    return ToldResult(text=told.text, effect="neutral")


@lru_cache(maxsize=5_000)  # a move is told again with the two that follow
def _told(
    facts: Sequence[Fact], names: Sequence[str], language: str | None, spared: bool
) -> tuple[str, str]:
    """A move in the language that is active, for everybody and for who made it."""
    return (
        words.last_move(facts, names, nobody_accused=spared),
        words.last_move_of_yours(facts, names, nobody_accused=spared),
    )


def _short(names: Iterable[str]) -> list[str]:
    return [name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…" for name in names]


def _actor(facts: Iterable[Fact]) -> int | None:
    """Whose move these facts are; None: they are no move of a round, such as a deal."""
    for fact in facts:
        match fact:
            case CardPlayed(seat) | Declared(seat):
                return seat
            case BluffAdmitted(accuser) | HonestyShown(accuser):
                return accuser
    return None


def _has_been_spared(state: State, step: Step, later: Step) -> bool:
    """Whether this was a declaration that `later` went on from, though somebody might have accused
    it (Q17, Q32, Q33).
    """
    declared = [fact.seat for fact in step.facts if isinstance(fact, Declared)]
    if not declared or state.stake.rule == "no_accuse":
        return False
    follower = _actor(later.facts)
    if follower is None:  # a slap window that nobody used, at the end of the round
        return any(isinstance(fact, RoundEnded) for fact in later.facts)
    if any(isinstance(fact, BluffAdmitted | HonestyShown) for fact in later.facts):
        return False
    may_accuse = state.options.team_accuse_partner or state.stake.rule == "slap"
    return may_accuse or follower not in state.side_of(declared[0])
