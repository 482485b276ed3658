"""The text form of a record: a few header lines, then one line a round, for people to read.

    3. F09 sushi 2 severe, B starts <- | A ECMr B EbCC C MMs | top E | B -, A accuses: bluff, A takes C

A seat is a letter, `->` is clockwise, `-` is "I cannot play", and a `!` is the call of Q43.
Everything that happened can be read; the order of the piles cannot.
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import game_record
from games.core.contract import Fact
from games.core.game_record import Record
from games.core.game_record import seat_letter as _seat
from games.peco_peco import rules
from games.peco_peco.rules.cards import Hand
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CallForgotten,
    CardPassed,
    CardPlayed,
    CardsBuried,
    CardsDrawn,
    CardStolen,
    CardTurned,
    Declared,
    DiscardReshuffled,
    HandDiscarded,
    HandReceived,
    HonestyShown,
    Left,
    OutOfRound,
    Removed,
    RoundEnded,
    RoundStarted,
    SlapWaived,
    SlapWindowClosed,
    SoloJoined,
)
from games.peco_peco.rules.midway_facts import StartedMidway
from games.peco_peco.rules.stakes import STAKES


def to_text(record: Record) -> str:
    """The record for people; RecordError when it is not the record of a finished game."""
    return game_record.to_text(rules, record, title="Peco Peco", rounds=_rounds)


def _rounds(facts: Iterable[Fact]) -> Iterator[str]:
    """One line for each round, and one for those who are removed between two rounds."""
    line: list[str] = []
    hands: list[str] = []
    events: list[str] = []
    for fact in facts:
        match fact:
            case RoundStarted():
                if line:
                    yield _line(line, hands, events)
                line, hands, events = [_opening(fact)], [], []
            case HandReceived() if len(line) == 1:
                hands.append(f"{_seat(fact.seat)} {_cards(fact.cards)}")
            case CardTurned():
                line.append(f"top {fact.card}")
            case _:
                event = _event(fact)
                if event:
                    events.append(event)
    if line:
        yield _line(line, hands, events)


def _line(line: list[str], hands: list[str], events: list[str]) -> str:
    return " | ".join([line[0], " ".join(hands), *line[1:], ", ".join(events)])


def _opening(fact: RoundStarted) -> str:
    stake = STAKES[fact.stake]
    rule = "" if stake.rule == "none" else f" {stake.rule}"
    arrow = "->" if stake.direction == 1 else "<-"
    return (
        f"{fact.number}. {stake.id} {stake.food} {stake.dishes}{rule}, "
        f"{_seat(fact.starter)} starts {arrow}"
    )


def _event(fact: Fact) -> str | None:
    match fact:
        case StartedMidway():
            return f"starts in the middle, top {fact.top}, {_seat(fact.seat)} on turn"
        case CardPlayed():
            return f"{_seat(fact.seat)} {fact.card}{'!' if fact.called else ''}"
        case Declared():
            return f"{_seat(fact.seat)} -"
        case BluffAdmitted():
            return f"{_seat(fact.accuser)} accuses {_seat(fact.accused)}: bluff"
        case HonestyShown():
            hand = _cards(fact.hand)
            return f"{_seat(fact.accuser)} accuses {_seat(fact.accused)}: honest {hand}"
        case CardPassed():
            return f"{_seat(fact.taker)} takes {fact.card} of {_seat(fact.giver)}"
        case CardStolen():
            return f"{_seat(fact.thief)} steals of {_seat(fact.victim)}"
        case HandReceived():
            return f"{_seat(fact.seat)} gets {_cards(fact.cards)}"
        case CardsBuried():
            return f"{_seat(fact.seat)} buries {_cards(fact.cards)}"
        case RoundEnded():
            return "general defeat" if fact.winner is None else f"{_seat(fact.winner)} wins"
        case SoloJoined():
            return f"{_seat(fact.seat)} joins {_seat(fact.partner)}"
        case CardsDrawn():
            return f"{_seat(fact.seat)} draws {fact.count}"
        case DiscardReshuffled() | SlapWindowClosed():
            return {"discard_reshuffled": "reshuffle", "slap_window_closed": "window closes"}[
                fact.kind
            ]
    return _about_a_seat(fact)


def _about_a_seat(fact: Fact) -> str | None:
    match fact:
        case CallForgotten():
            return f"{_seat(fact.seat)} forgets the call"
        case HandDiscarded():
            return f"{_seat(fact.seat)} discards"
        case OutOfRound():
            return f"{_seat(fact.seat)} out"
        case SlapWaived():
            return f"{_seat(fact.seat)} waives"
        case Left():
            return f"{_seat(fact.seat)} leaves"
        case Removed():
            return f"{_seat(fact.seat)} removed"
    return None


def _cards(cards: Hand) -> str:
    return "".join(cards) or "-"
