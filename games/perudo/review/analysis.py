"""A review as plain JSON: decisions, chances, luck and accounts of every seat."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from statistics import mean
from typing import Any, Final

import numpy as np

from games.core.codec import key_of
from games.perudo import rules
from games.perudo.bots.features import SEATS, Array, Choice
from games.perudo.moments import from_log
from games.perudo.review import bluffs, chances, reads
from games.perudo.review.judge import Judged, needed
from games.perudo.review.ledger import Decision, Ledger, accuracy, label, ledger_of
from games.perudo.review.styles import Bidders, mixture
from games.perudo.rules.bids import DICE_EACH, Bid
from games.study.review import log, totals

JUDGE: Final = "expert 2.5"  # the bot whose network judges, its version, and that of the review
MOST_OPTIONS: Final = 12  # of each decision; what was played and every call are among them
FEWEST: Final = 200  # bids of people, for people to be judged by them
LEAST: Final = 0.0001  # the least odds of what is possible, and the most below certainty
_NOTHING: Final = 1e-9  # odds of less are those of what is impossible
LUCKY: Final = 0.05  # a reveal that changed a chance so much more than expected is marked


def analyse(record: Any) -> dict[str, Any]:
    """The review of a whole log: see `optional_parts.Judge`. Values are in dice.

    In `accounts`, `machine` is what bots, the clock and people who left changed, and `luck` is the
    sum of `rolls`, `bids` and `reveals` (see `ledger.Ledger`). `game` of a decision: of the
    `last` bid, the `best` and the `played` one, how many dice its seat could not see, and how many
    of them the bid needs; `loses`: how likely its seat and the next one lose a die after the `best`
    and the `played` move; `regains`: how likely its seat wins one back after each; `die`: what a
    lost die takes from its seat's chance now, and what it takes where everybody has all dice.
    `after` of an option: how likely it is true or right, by the bids too.
    `game` of the whole: `rolls`, the luck of each, as [moment, [chance, …]], and the `habits` by
    which the bids of people were read: None for those of bots.
    """
    found = log.read(rules.FACTS, record)
    moments = from_log(found.facts)
    habits = habits_of(record)
    ledger = ledger_of(moments, found.by, bidders_of(found, habits))
    held, read = bluffs.held(moments, found.by), reads.best(moments, found.by)
    decisions = [_decision(each) for each in ledger.decisions]
    return {
        "judge": JUDGE,
        "decisions": decisions,
        "chances": [[number, _rounded(each)] for number, each in ledger.chances],
        "lucky": [
            [number, _rounded(each)]
            for number, each in ledger.reveals
            if np.abs(each).max() >= LUCKY
        ],
        "accounts": [
            each
            | _figures(ledger, each["seat"])
            | {"boldest": held.get(each["seat"]), "read": read.get(each["seat"])}
            for each in totals.of_seats(found, decisions)
        ],
        "game": {
            "rolls": [[number, _rounded(each)] for number, each in ledger.rolls],
            "people": found.seats - len(found.bots),
            "habits": habits and {name: habits[name] for name in ("version", "decisions")},
        },
    }


def habits_of(record: Any) -> Mapping[str, Any] | None:
    """How people here bid (see `fitting`), if that rests on enough of their bids."""
    habits: Mapping[str, Any] | None = record.get("habits")
    return habits if habits and habits["decisions"] >= FEWEST else None


def bidders_of(found: log.Log, habits: Mapping[str, Any] | None) -> Bidders:
    if habits is None:
        return {}
    people = mixture(habits["shares"])
    return {seat: people for seat in range(found.seats) if seat not in found.bots}


def _decision(decision: Decision) -> dict[str, object]:
    judged = decision.judged
    best = judged.moves[judged.best]
    return {
        "number": decision.number,
        "seat": judged.seat,
        "by": decision.by,
        "played": name_of(judged.moves[judged.played]),
        "options": [_option(judged, index) for index in _shown(judged)],
        "best": name_of(best),
        "regret": _round(judged.regret),
        "cost": _round(judged.cost),
        "label": _label(decision),
        "forced": judged.forced,
        "game": _why(decision),
    }


def _label(decision: Decision) -> str | None:
    """What to call the regret. Only people make errors, and what costs no chance to win is none."""
    judged = decision.judged
    if judged.forced or decision.by != "person" or _round(judged.cost) == 0:
        return None
    return label(judged.regret)


def _why(decision: Decision) -> dict[str, object]:
    """What explains a decision: unknown dice and how many are needed, for the bids it is about."""
    state, judged = decision.before, decision.judged
    bids = {"last": state.last_bid}
    for name, index in (("best", judged.best), ("played", judged.played)):
        move = judged.moves[index]
        bids[name] = move if isinstance(move, Bid) else None
    asked = {
        name: [*needed(state, judged.seat, bid)] for name, bid in bids.items() if bid is not None
    }
    loses = {
        name: _rounded(judged.ends[index, :2])
        for name, index in (("best", judged.best), ("played", judged.played))
    }
    everything = tuple(DICE_EACH for _ in state.dice)
    return {
        **asked,
        "loses": loses,
        "regains": _rounded(judged.ends[[judged.best, judged.played], SEATS]),
        "die": [_round(_die(each, judged.seat)) for each in (state.dice, everything)],
    }


def _die(dice: tuple[int, ...], seat: int) -> float:
    """What a lost die takes from the chance of a seat, by the dice that everybody has."""
    fewer = tuple(left - (each == seat) for each, left in enumerate(dice))
    return float(chances.of_dice(dice)[seat] - chances.of_dice(fewer)[seat])


@cache
def name_of(move: Choice) -> str:
    """A move as reviews write it; not to call calza out of turn is "pass"."""
    return "pass" if move is None else key_of(move)


def _shown(judged: Judged) -> list[int]:
    """The moves that are kept, the best first."""
    order = sorted(range(len(judged.moves)), key=lambda index: -judged.values[index])
    kept = {judged.played, *order[:MOST_OPTIONS]}
    kept |= {index for index in order if not isinstance(judged.moves[index], Bid)}
    return [index for index in order if index in kept]


def _option(judged: Judged, index: int) -> dict[str, object]:
    odds, after = judged.odds[index], judged.after[index]
    return {
        "move": name_of(judged.moves[index]),
        "value": _round(float(judged.values[index])),
        "chance": _round(float(judged.chances[index, judged.seat])),
        "odds": None if odds is None else _rounded_odds(odds),
        **({} if after is None else {"after": _rounded_odds(after)}),
    }


def _figures(ledger: Ledger, seat: int) -> dict[str, object]:
    """What the ledger says of a seat, in place of the figures that nobody has computed."""
    regrets = [
        each.judged.regret
        for each in ledger.decisions
        if each.judged.seat == seat and each.by != "clock" and not each.judged.forced
    ]
    return {
        "first": float(ledger.chances[0][1][seat]),
        "last": float(ledger.chances[-1][1][seat]),
        **{name: float(each[seat]) for name, each in ledger.parts.items()},
        "luck": float(ledger.luck[seat]),
        "accuracy": mean(map(accuracy, regrets)) if regrets else None,
    }


def _rounded(vector: Array) -> list[float]:
    return [_round(float(each)) for each in vector]


def _rounded_odds(odds: float) -> float:
    """Rounded odds; 0 and 1 only for what is certain."""
    if min(odds, 1 - odds) < _NOTHING:
        return float(round(odds))
    return min(max(_round(odds), LEAST), 1 - LEAST)


def _round(value: float) -> float:
    return round(value, 4)
