"""Who wins the round: probabilities for each seat, from what one seat can foresee.

Either nobody answers the top card and its owner wins, or the round goes on. For the second case
each seat has a strength, a sum of weights, and its share is that of exp(strength) (a conditional
logit). The weights were fitted on games between bots; see docs/bots.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import exp
from typing import Final, NamedTuple

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
    weights = _weights(outlook)
    total = sum(weights.values())
    shares = {seat: (1 - holds) * one / total for seat, one in weights.items()} if total else {}
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


def _weights(outlook: Outlook) -> dict[int, float]:
    """exp(strength) of each seat in the round."""
    following = next(outlook.in_order(), None)
    return {
        seat: _own_weight(outlook)
        if seat == outlook.seat
        else _weight_of_other(_role(outlook, seat, following))
        for seat in outlook.active
    }


def traits(outlook: Outlook, seat: int) -> Iterator[tuple[str, float]]:
    """What makes up the strength of a seat, by the names of its weights."""
    if seat == outlook.seat:
        return _own_traits(outlook)
    return _traits_of_other(_role(outlook, seat, next(outlook.in_order(), None)))


class _Role(NamedTuple):
    """All that counts of another seat; `cards` is not above `MOST_CARDS`."""

    cards: int
    owner: bool
    pending: bool
    next: bool


def _role(outlook: Outlook, seat: int, following: int | None) -> _Role:
    return _Role(
        cards=min(outlook.sizes[seat], MOST_CARDS),
        owner=seat == outlook.owner,
        pending=seat in outlook.pending,
        next=seat == following,
    )


def _own_weight(outlook: Outlook) -> float:
    return exp(sum(ROUND[name] * value for name, value in _own_traits(outlook)))


@cache
def _weight_of_other(role: _Role) -> float:
    return exp(sum(ROUND[name] * value for name, value in _traits_of_other(role)))


def _traits_of_other(role: _Role) -> Iterator[tuple[str, float]]:
    yield f"{'owner_' if role.owner else ''}cards_{role.cards}", 1.0
    if not role.owner and not role.pending:
        yield "passed", 1.0
        yield "passed_cards", float(role.cards)
    if role.next:
        yield "next", 1.0


def _own_traits(outlook: Outlook) -> Iterator[tuple[str, float]]:
    """Of its own hand it counts the cards for what comes: without bombs the animals follow in a
    fixed order.
    """
    prefix = "my_owner_" if outlook.seat == outlook.owner else "my_"
    yield f"{prefix}cards_{min(outlook.sizes[outlook.seat], MOST_CARDS)}", 1.0
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
