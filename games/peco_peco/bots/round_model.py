"""Who wins the round: probabilities for each seat, from what one seat can foresee.

Either nobody answers the top card and its owner wins, or the round goes on. For the second case
each seat has a strength, a sum of weights, and its share is that of exp(strength) (a conditional
logit). The weights were fitted on games between bots; see docs/bots.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from typing import Final

from games.peco_peco.bots.counting import beater, none_of
from games.peco_peco.bots.outlook import Outlook
from games.peco_peco.bots.weights import ROUND
from games.peco_peco.rules.cards import BOMB, DRAW, STEAL, Animal, animal, icon

WILLING: Final = 0.9  # how often a seat that can answer the top card does
MOST_CARDS: Final = 6  # hands of more cards are weighed as this many


def win_shares(outlook: Outlook) -> dict[int, float]:
    """The probability of each seat to win the round; they add up to 1 once a card was played.

    Before that the rest is the probability of a general defeat (Q25).
    """
    holds = nobody_answers(outlook)
    strengths = {seat: exp(strength(outlook, seat)) for seat in outlook.active}
    total = sum(strengths.values())
    shares = {seat: (1 - holds) * one / total for seat, one in strengths.items()} if total else {}
    if outlook.owner is not None:
        shares[outlook.owner] = shares.get(outlook.owner, 0.0) + holds
    return shares


def nobody_answers(outlook: Outlook) -> float:
    """The probability that the top card stays: each seat judged by the number of its cards."""
    result = 1.0
    for seat in outlook.pending:
        if seat != outlook.seat:
            result *= 1 - WILLING * (1 - outlook.none_beats(seat, outlook.top))
    return result


def strength(outlook: Outlook, seat: int) -> float:
    return sum(ROUND[name] * value for name, value in traits(outlook, seat))


def traits(outlook: Outlook, seat: int) -> Iterator[tuple[str, float]]:
    """What makes up the strength of a seat, by the names of its weights."""
    owner = "owner_" if seat == outlook.owner else ""
    cards = min(outlook.sizes[seat], MOST_CARDS)
    if seat == outlook.seat:
        yield f"my_{owner}cards_{cards}", 1.0
        yield from _own_traits(outlook, f"my_{owner}")
        return
    yield f"{owner}cards_{cards}", 1.0
    if not owner and seat not in outlook.pending:
        yield "passed", 1.0
        yield "passed_cards", float(cards)
    if seat == next(outlook.in_order(), None):
        yield "next", 1.0


def _own_traits(outlook: Outlook, prefix: str) -> Iterator[tuple[str, float]]:
    """Which cards it holds for what comes: without bombs the animals follow in a fixed order."""
    first = beater(outlook.top, inverse=outlook.inverse)
    second = beater(first, inverse=outlook.inverse)
    third = animal(outlook.top)
    counts: dict[Animal, int] = {first: 0, second: 0, third: 0}
    bombs = gifts = 0
    for card in outlook.hand:
        mark = icon(card)
        if mark == BOMB:
            bombs += 1
        else:
            counts[animal(card)] += 1
            gifts += mark in (DRAW, STEAL)
    cards = outlook.unseen
    blind = min(outlook.blind, cards.total)
    for name, kind in (("first", first), ("second", second), ("third", third)):
        held = 1.0 if counts[kind] else 1 - none_of(cards.others[kind], cards.total, blind)
        yield prefix + name, held
    yield prefix + "two_second", float(counts[second] > 1)
    yield prefix + "bombs", bombs + (blind * cards.bombs / cards.total if blind else 0.0)
    yield prefix + "gifts", float(gifts)
    yield prefix + "others", float(len(outlook.active) - 1)
