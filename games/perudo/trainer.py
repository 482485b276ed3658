"""Questions of the odds trainer: is a bid more likely true than not, for who holds these dice?

The last ones ask what is better, dudo or raising: see `practice`.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from games.contract.game_values import OddsQuestion
from games.perudo import practice, words
from games.perudo.rules.bids import FACES, Bid, matching
from games.perudo.rules.odds import odds, pacos_wild

STYLES: Final = ("perudo/dice.css",)
PLAYERS: Final = range(2, 7)
MOST_DICE: Final = 5
LEAST_HIDDEN: Final = 2
# Later questions ask for a choice.
ODDS: Final = 7
# How far the odds are from one half, at least: of the first question and of the last.
CLEAR, CLOSE = 0.25, 0.05
# What is certain, or as good as, asks nothing.
LEAST, MOST = 0.03, 0.97
PALIFICO_ROUNDS: Final = 1 / 8


def odds_question(seed: int, number: int) -> OddsQuestion:
    """The question `number` of `seed`: see `optional_parts.Trainer`."""
    if number > ODDS:
        return practice.question(seed, number - ODDS)
    chance = Random(f"{seed}/{number}")  # noqa: S311  # everybody may know what is asked
    is_likely = chance.random() < 0.5
    while True:
        dice = [chance.randint(1, MOST_DICE) for _ in range(chance.choice(PLAYERS))]
        hand = sorted(chance.choices(FACES, k=dice[0]))
        palifico = chance.random() < PALIFICO_ROUNDS
        face = chance.choice(FACES)
        if sum(dice) - dice[0] < LEAST_HIDDEN:
            continue
        fitting = list(_bids(hand, sum(dice), face, number, palifico=palifico, likely=is_likely))
        if fitting:
            return _question(chance.choice(fitting), hand, sum(dice), palifico=palifico)


def _bids(
    hand: list[int], dice: int, face: int, number: int, *, palifico: bool, likely: bool
) -> Iterator[Bid]:
    """The bids on `face` whose odds ask something, with the answer that is wanted.

    Those a player would think about: one more is not enough to be certain.
    """
    gap = CLEAR + (CLOSE - CLEAR) * (number - 1) / (ODDS - 1)
    held = matching(hand, face, palifico=palifico)
    for quantity in range(held + 1, dice + 1):
        bid = Bid(quantity, face)
        true = odds(bid, dice=dice, hand=hand, palifico=palifico).true
        if LEAST <= true <= MOST and abs(true - 0.5) >= gap and (true > 0.5) == likely:
            yield bid


def _question(bid: Bid, hand: list[int], dice: int, *, palifico: bool) -> OddsQuestion:
    true = odds(bid, dice=dice, hand=hand, palifico=palifico).true
    return OddsQuestion(
        is_likely=true > 0.5,
        values={
            "hand": hand,
            "hidden": dice - len(hand),
            "quantity": bid.quantity,
            "face": bid.face,
            "bid": words.bid(bid),
            "palifico": palifico,
        },
        ask=gettext("Is this bid more likely true than not?"),
        short=words.bid(bid),
        reason=_reason(bid, hand, dice - len(hand), true, palifico=palifico),
    )


def _reason(bid: Bid, hand: list[int], hidden: int, true: float, *, palifico: bool) -> str:
    held = matching(hand, bid.face, palifico=palifico)
    sides = 3 if pacos_wild(bid.face, palifico=palifico) else 6
    needed, whole = bid.quantity - held, hidden % sides == 0
    return ngettext(
        "You hold %(held)d, so it takes %(needed)d of the %(hidden)d hidden dice; one in %(sides)d "
        "fits, %(expected)s on average: the bid is true %(chance)s of the time.",
        "You hold %(held)d, so it takes %(needed)d of the %(hidden)d hidden dice; one in %(sides)d "
        "fits, %(expected)s on average: the bid is true %(chance)s of the time.",
        needed,
    ) % {
        "held": held,
        "needed": needed,
        "sides": sides,
        "expected": number_format(round(hidden / sides, 1), decimal_pos=0 if whole else 1),
        "hidden": hidden,
        "chance": words.chance(true),
    }
