"""Choices for the odds trainer: dudo or a higher bid, in rounds whose right answer is clear.

They come from a set of their own, of which no question of the day is ever taken: the same
numbers ask the same on every day, and nothing of a day is given away.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from functools import cache
from random import Random

from django.utils.translation import gettext

from games.contract.game_values import OddsQuestion
from games.models import Seat
from games.perudo import words
from games.perudo.judgement import PRACTICE, known_of
from games.perudo.rules.state import State
from games.perudo.words import review


def question(seed: int, number: int) -> OddsQuestion:
    """The choice `number`, from 1, of `seed`: each of a seed is another, while there are so many.

    The right answer is dudo half the time.
    """
    chance = Random(f"{seed}/choices")  # noqa: S311  # everybody may know what is asked
    shuffled = [chance.sample(rounds, len(rounds)) for rounds in rounds_of_practice()]
    rounds = [chance.choice(shuffled) for _ in range(number)][-1]
    made = json.loads(rounds[(number - 1) % len(rounds)])
    return _question(known_of(made["told"]), made["seat"], made["judgement"]["values"])


@cache
def rounds_of_practice() -> tuple[Sequence[bytes], Sequence[bytes]]:
    """Those in which dudo is right, and the others: each a line of JSON with the `seat`, what it
    was `told`, and the `judgement`.
    """
    found: tuple[list[bytes], list[bytes]] = [], []
    for line in gzip.decompress(PRACTICE.read_bytes()).splitlines():
        best = next(iter(json.loads(line)["judgement"]["values"]))
        found[json.loads(best)["kind"] != "dudo"].append(line)
    return found


def _question(known: State, seat: int, values: dict[str, float]) -> OddsQuestion:
    last = known.last_bid
    assert last is not None  # noqa: S101  # nobody could call
    by_kind: dict[str, str] = {}
    for name in values:  # the best first
        by_kind.setdefault(json.loads(name)["kind"], name)
    dudo, raised = by_kind["dudo"], by_kind["bid"]
    is_dudo = values[dudo] > values[raised]
    return OddsQuestion(
        is_likely=is_dudo,
        values={
            "hand": known.hand(seat),
            "hidden": sum(known.dice) - known.dice[seat],
            "quantity": last.quantity,
            "face": last.face,
            "bid": words.bid(last),
            "palifico": known.palifico is not None,
            "players": _players(known, seat),
        },
        ask=gettext("%(bid)s: dudo or raise?") % {"bid": words.bid(last)},
        short=words.bid(last),
        reason=gettext(
            "On average dudo is worth %(dudo)s dice, and the best raise, %(bid)s, %(raised)s."
        )
        % {
            "dudo": review.value(values[dudo]),
            "bid": review.move(raised),
            "raised": review.value(values[raised]),
        },
        answers=(gettext("Dudo!"), gettext("Raise")),
        verdict=gettext("Dudo is better.") if is_dudo else gettext("Raising is better."),
    )


def _players(known: State, seat: int) -> list[dict[str, object]]:
    """Everybody with dice from the seat on the left on, the reader last."""
    order = [(seat + step) % known.seats for step in range(1, known.seats + 1)]
    return [
        {
            "name": gettext("You") if each == seat else Seat(number=each).name,
            "dice": known.dice[each],
            "bids": [words.bid(bid) for bidder, bid in known.bids if bidder == each],
        }
        for each in order
        if known.dice[each]
    ]
