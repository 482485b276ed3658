"""What happened last at a table of Peco Peco, from its public facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from games.contract.game_values import RecordedFact
from games.core.contract import Fact
from games.peco_peco import words
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CallForgotten,
    CardPlayed,
    CardsDrawn,
    CardStolen,
    CardTaken,
    Declared,
    HandDiscarded,
    HandsDealt,
    HonestyShown,
    OutOfRound,
    RoundEnded,
    SlapWindowClosed,
)
from games.peco_peco.rules.midway_facts import StartedMidway
from games.peco_peco.rules.state import State


@dataclass(frozen=True, slots=True)
class Step:
    """The public facts of one move; `seq` is the number of the first."""

    seq: int
    facts: list[Fact]


def steps(events: Iterable[RecordedFact]) -> list[Step]:
    """The moves of these events, in order; without what changes nothing on the table.

    After a slap window that nobody used, the table still shows the declaration.
    """
    found: list[Step] = []
    last: datetime | None = None
    for event in events:
        if event.fact.aside or isinstance(event.fact, SlapWindowClosed):
            continue
        if event.at != last:
            found.append(Step(event.seq, []))
        found[-1].facts.append(event.fact)
        last = event.at
    return found


def kind(news: Iterable[Fact]) -> str:
    """What the last move was, for its animation: `deal`, `play`, `steal`, `pass`, `accuse`, `win`,
    `defeat`, or nothing.
    """
    found = ""
    for fact in news:
        match fact:
            case HandsDealt() | StartedMidway():
                found = "deal"
            case CardPlayed():
                found = "play"
            case CardStolen():
                found = "steal"
            case Declared():
                found = "pass"
            case BluffAdmitted() | HonestyShown():
                found = "accuse"
            case RoundEnded(winner):
                found = "defeat" if winner is None else "win"
    return found


def verdict(news: Iterable[Fact]) -> str:
    """What an accusation of the last move brought to light: `caught`, `true`, or nothing."""
    for fact in news:
        if isinstance(fact, BluffAdmitted | HonestyShown):
            return "caught" if isinstance(fact, BluffAdmitted) else "true"
    return ""


def shout(state: State, seat: int, news: Sequence[Fact]) -> str | None:
    """What stands over a seat: `pass`, `accuse`, `bluff`, `honest`, `peco` or nothing."""
    for fact in news:
        match fact:
            case BluffAdmitted(accuser, accused) | HonestyShown(accuser, accused):
                if seat == accuser:
                    return "accuse"
                if seat == accused:
                    return "bluff" if isinstance(fact, BluffAdmitted) else "honest"
            case CardPlayed(player, _, True) if player == seat:
                return "peco"
    return "pass" if state.declarer == seat else None


def mood(seat: int, news: Sequence[Fact]) -> str:
    """How a seat looks after the last move: `sure` or `caught` if it was right or wrong in an
    accusation, otherwise `calm`: no other move shows on a face.
    """
    for fact in news:
        match fact:
            case BluffAdmitted(right, wrong) | HonestyShown(wrong, right):
                return {right: "sure", wrong: "caught"}.get(seat, "calm")
    return "calm"


def change(seat: int, news: Sequence[Fact]) -> int:
    """How many cards the last move gave a seat or took from it, without a card it played."""
    by = 0
    for fact in news:
        match fact:
            case CardsDrawn(player, count) if player == seat:
                by += count
            case CardTaken(taker, giver):
                by += (seat == taker) - (seat == giver)
            case CardStolen(_, victim) if victim == seat:
                by -= 1
            case CallForgotten(player) if player == seat:
                by -= 1
            case HonestyShown(_, accused, hand) if accused == seat:
                by -= len(hand)
    return by


def sentences(news: Iterable[Fact], names: Sequence[str]) -> list[str]:
    """What the last move was, one sentence a fact; cards that lie open are not named."""
    return [text for fact in news if (text := _sentence(fact, names))]


def _sentence(fact: Fact, names: Sequence[str]) -> str:
    if not isinstance(fact, HonestyShown):
        return words.narrate(fact, names)
    form = gettext("%(accuser)s accuses %(accused)s, but it was true!")
    return form % {"accuser": names[fact.accuser], "accused": names[fact.accused]}


def why_out(events: Iterable[RecordedFact], seat: int) -> str:
    """Why a seat is out of the round: `severe`, `call`, `taken`, `stolen` or `covered` (Q15)."""
    why = "covered"
    for step in steps(events):
        for fact in step.facts:
            match fact:
                case HandDiscarded(player) if player == seat:
                    why = "severe"
                case CallForgotten(player) if player == seat:
                    why = "call"
                case CardTaken(_, giver) if giver == seat and why == "covered":
                    why = "taken"
                case CardStolen(_, victim) if victim == seat:
                    why = "stolen"
        if OutOfRound(seat) in step.facts:
            break
        if why in ("taken", "stolen"):
            why = "covered"  # cards were left
    return why


def narration_for(facts: Iterable[Fact], seat: int, names: Sequence[str]) -> str:
    """What happened last in sentences to the player at this seat; "" when not about them."""
    every = list(facts)
    if not any(words.narrate_to_you(fact, seat, names) for fact in every):
        return ""
    told = (words.narrate_to_you(fact, seat, names) or words.narrate(fact, names) for fact in every)
    return " ".join(filter(None, told))
