"""The review of a finished game of Peco Peco by counts: see `optional_parts.Judge`.

It says what is certain: who bluffed, how likely each declaration was true by what each seat knew,
and which cards a seat had not seen. Nobody has computed what moves are worth, so no move has a
value. It is made in the worker, so nothing here imports Django.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Any, Final

from games.core.codec import key_of
from games.peco_peco import rules
from games.peco_peco.bots.counting import truth_of_declaration, unseen
from games.peco_peco.moments import Moment, from_log
from games.peco_peco.replay_moves import Views
from games.peco_peco.rules.cards import ANIMALS
from games.peco_peco.rules.events import BluffAdmitted
from games.peco_peco.rules.evolve import evolve
from games.peco_peco.rules.moves import Accuse, Declare, Move
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import is_bluff, is_playable, why_no_accusation
from games.study.review import log, totals
from games.study.review.log import By, Log

JUDGE: Final = "counts 3"
LIKELY: Final = 0.5  # a bluff that was likelier to be true is one that has to be read


def analyse(record: Any) -> dict[str, Any]:
    """The review of a whole log. Of its `game`:

    `declarations`: each with its moment (`number`), its `seat`, whether it was a `bluff`, how many
    cards of the hand `fit`, and how likely it was `true` by what each seat knew (None: that of a
    seat which is out). `unseen`: [moment, [a row or None by seat]], where a row counts the cards
    that the seat had not seen when the moment was shown: bombs, elephants, cats, mice.
    `highlights`: the boldest bluff that held and the best accusation, as those of the replay.
    """
    found = log.read(rules.FACTS, record)
    steps = sorted(_steps(found, from_log(found.facts)), key=attrgetter("number"))
    made = [(each, each.made[1]) for each in steps if each.made is not None]
    decisions = [_decision(each, found) for each, _move in made]
    declarations = [_declaration(each) for each, move in made if isinstance(move, Declare)]
    return {
        "judge": JUDGE,
        "decisions": decisions,
        "chances": [],
        "lucky": [],
        "accounts": [
            each
            | {
                "boldest": _biggest(steps, declarations, found, each["seat"]),
                "read": _best_read(decisions, steps, each["seat"]),
            }
            for each in totals.of_seats(found, decisions)
        ],
        "game": {
            "declarations": declarations,
            "unseen": [
                [each.number, [_row(known, seat) for seat, known in enumerate(each.after)]]
                for each in steps
            ],
            "highlights": _highlights(steps, declarations),
        },
    }


# A decision of the review that is a declaration, as JSON.
Declaration = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Step:
    """A moment, and the game as each seat knew it, before what happened in it and after.

    None stands for a seat without a hand; `made` is the move that brought the moment about.
    """

    number: int
    shown: Moment
    made: tuple[int, Move] | None
    before: Sequence[State | None]
    after: Sequence[State | None]


def _steps(found: Log, shown: Sequence[Moment]) -> Iterator[_Step]:
    """The moments in order. What a replay leaves out was known nevertheless."""
    facts = [each.fact for each in found.facts]
    numbers = {id(fact): n for n, each in enumerate(shown, start=1) for fact in each.facts}
    of_facts = [numbers.get(id(fact)) for fact in facts]
    last = {number: place for place, number in enumerate(of_facts)}
    state: State | None = None
    views, made, before = Views(), None, tuple[State | None, ...]()
    begun = 0  # the moment that its facts are told of
    for place, each in enumerate(found.facts):
        number = of_facts[place]
        if number is not None and number != begun:
            begun, made, before = number, None, _known(views, state)
            if state is not None and shown[number - 1].move is not None:
                made = rules.cause(state, facts, place)
        state = evolve(state, each.fact)
        views.add(each)
        if number is not None and last[number] == place:
            yield _Step(number, shown[number - 1], made, before, _known(views, state))


def _known(views: Views, state: State | None) -> tuple[State | None, ...]:
    """The game as each seat knows it; nothing before the first deal."""
    if state is None or state.number == 0:
        return ()
    known = map(views.of, range(state.seats))
    return tuple(None if each.hands[seat] is None else each for seat, each in enumerate(known))


# --- what a seat decided --------------------------------------------------------------------------


def _decision(step: _Step, found: Log) -> dict[str, object]:
    """A card, a declaration or an accusation beside everything else the seat could do."""
    assert step.made is not None  # noqa: S101
    seat, move = step.made
    known = step.before[seat]
    assert known is not None  # noqa: S101  # who moves holds cards
    options = [
        {"move": key_of(each), "value": None, "chance": None, "odds": _odds(known, seat, each)}
        for each in rules.legal_moves(known, seat)
    ]
    return {
        "number": step.number,
        "seat": seat,
        "by": _by(step, found),
        "played": key_of(move),
        "options": options,
        "best": None,
        "regret": None,
        "cost": None,
        "label": None,
        "forced": len(options) == 1,
    }


def _by(step: _Step, found: Log) -> By:
    assert step.shown.move is not None  # noqa: S101
    return found.by(step.shown.move.seat, automatic=step.shown.move.automatic)


def _odds(known: State, seat: int, move: Move) -> float | None:
    """How likely the move is right by what the seat knows: that a declaration of its own is true,
    which it sees, or that it accuses a bluff.
    """
    match move:
        case Declare():
            return 0.0 if is_bluff(known, seat) else 1.0
        case Accuse():
            return 1 - truth_of_declaration(known, seat)
    return None


# --- declarations ---------------------------------------------------------------------------------


def _declaration(step: _Step) -> dict[str, object]:
    assert step.made is not None  # noqa: S101
    declarer, _move = step.made
    own = step.before[declarer]
    assert own is not None  # noqa: S101
    fit = sum(is_playable(own, card) for card in own.hand(declarer))
    return {
        "number": step.number,
        "seat": declarer,
        "bluff": fit > 0,
        "fit": fit,
        "true": [
            float(fit == 0) if seat == declarer else known and _truth(known, seat, declarer)
            for seat, known in enumerate(step.before)
        ],
    }


def _truth(known: State, seat: int, declarer: int) -> float:
    """How likely it is by what a seat knows that the hand of another has no card to play."""
    assert known.top is not None  # noqa: S101
    cards = unseen(known, seat)
    return cards.none_beats(known.top, known.sizes[declarer], inverse=known.inverse)


def _row(known: State | None, seat: int) -> list[int] | None:
    if known is None:
        return None
    cards = unseen(known, seat)
    return [cards.bombs, *(cards.others[animal] for animal in ANIMALS)]


# --- highlights -----------------------------------------------------------------------------------


def _highlights(steps: Sequence[_Step], declarations: Sequence[Declaration]) -> list[Any]:
    """The bluff that held though who could accuse held it least likely, and the accusation that was
    right though the declaration was most likely true; of equals the first.
    """
    caught = []
    for each in filter(itemgetter("bluff"), declarations):
        then = _next(steps, each)
        if then is not None and isinstance(then.shown.facts[0], BluffAdmitted):
            accuser = then.shown.facts[0].accuser
            values = _values(each["true"][accuser], each["seat"])
            caught.append((-each["true"][accuser], then.number, accuser, "keen_accusation", values))
    held = [
        (true, each["number"], each["seat"], "bold_bluff", _values(true, doubter))
        for true, doubter, each in _held(steps, declarations)
    ]
    best = [min(kind, key=itemgetter(0, 1)) for kind in (held, caught) if kind]
    return [
        {"moment": moment, "seat": seat, "code": code, "values": values}
        for _worth, moment, seat, code, values in best
    ]


def _held(
    steps: Sequence[_Step], declarations: Sequence[Declaration]
) -> Iterator[tuple[float, int, dict[str, Any]]]:
    """The bluffs that held, each with how likely it was true for the seat that could accuse and
    held it least likely, and that seat.
    """
    for each in filter(itemgetter("bluff"), declarations):
        then = _next(steps, each)
        if then is not None and isinstance(then.shown.facts[0], BluffAdmitted):
            continue
        state = steps[each["number"] - 1].shown.state
        doubts = [
            (true, seat)
            for seat, true in enumerate(each["true"])
            if true is not None and why_no_accusation(state, seat) is None
        ]
        if doubts:
            yield (*min(doubts), each)


def _next(steps: Sequence[_Step], declaration: Declaration) -> _Step | None:
    number = declaration["number"]
    return steps[number] if number < len(steps) else None


def _biggest(
    steps: Sequence[_Step], declarations: Sequence[Declaration], found: Log, seat: int
) -> dict[str, object] | None:
    """The bluff of a person that held though it was least likely; of equals the first."""
    bluffs = [
        (true, each["number"], each["fit"])
        for true, _doubter, each in _held(steps, declarations)
        if each["seat"] == seat and _by(steps[each["number"] - 1], found) == "person"
    ]
    if not bluffs:
        return None
    true, number, fit = min(bluffs)
    values = {"fit": fit, "percent": round(100 * true)}
    return {"moment": number, "chance": true, "code": "held_bluff", "values": values}


def _best_read(
    decisions: Sequence[dict[str, Any]], steps: Sequence[_Step], seat: int
) -> dict[str, object] | None:
    """The bluff that a person caught though it was likeliest to be true by what they knew; of
    equals the first. It was likelier to be true than not.
    """
    accuse, reads = key_of(Accuse()), []
    for each in decisions:
        if each["seat"] != seat or each["by"] != "person" or each["played"] != accuse:
            continue
        caught = isinstance(steps[each["number"] - 1].shown.facts[0], BluffAdmitted)
        odds = next(option["odds"] for option in each["options"] if option["move"] == accuse)
        if caught and odds < 1 - LIKELY:
            reads.append((odds, each["number"]))
    if not reads:
        return None
    odds, number = min(reads)
    values = {"percent": round(100 * (1 - odds))}
    return {"moment": number, "chance": odds, "code": "best_read", "values": values}


def _values(true: float, other: int) -> dict[str, int]:
    return {"other": other, "percent": round(100 * true)}
