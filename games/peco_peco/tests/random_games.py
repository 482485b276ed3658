"""Random games of Peco Peco, and what the tests of the contract need to know about it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any, Final

from games.core.moves import Confirm
from games.core.values import changed
from games.peco_peco import rules
from games.peco_peco.rules.cards import CARDS, DECK, Card
from games.peco_peco.rules.moves import Accuse, Declare, JoinTeam, Move, Play, Waive
from games.peco_peco.rules.options import CHOICES, PRESETS
from games.peco_peco.rules.state import State
from games.peco_peco.tests.tables import after, choosing_a_team, table
from tests.games.contract import random_games
from tests.games.contract.random_games import Arena


def universe(state: State) -> list[Move]:
    """Every move of play that could be thought of at this table, and some that cannot be."""
    seats = [None, *range(-1, state.seats + 1)]
    plays = [Play(*play) for play in product(CARDS, seats, (False, True))]
    joins = [JoinTeam(seat) for seat in range(state.seats + 1)]
    return [*plays, *joins, Declare(), Accuse(), Waive(), Confirm()]


def choose(legal: list[Any], generator: random.Random) -> Any:
    kind = generator.choice(sorted({move.kind for move in legal}))
    return generator.choice([move for move in legal if move.kind == kind])


def with_other_secrets(state: State, seat: int, generator: random.Random) -> State:
    """The draw pile and the other hands are dealt again; what lies under the discard stays."""
    if state.pile is None or state.phase in ("reveal", "over"):
        return state
    others = [other for other in range(state.seats) if other != seat and state.hands[other]]
    cards: list[Card] = [*state.pile]
    for other in others:
        cards += state.hands[other] or ()
    generator.shuffle(cards)
    hands = list(state.hands)
    for other in others:
        hands[other] = tuple(sorted(cards.pop() for _ in range(state.sizes[other])))
    return changed(state, hands=tuple(hands), pile=tuple(cards))


def as_known(state: State, viewer: int | None) -> State:
    """Without the piles and the hands of others; of the buried cards only the number."""
    hands = tuple(hand if owner == viewer else None for owner, hand in enumerate(state.hands))
    return changed(state, hands=hands, pile=None, food=None, under=())


def secrets(state: State, viewer: int | None) -> list[Any]:
    others = [hand for owner, hand in enumerate(state.hands) if owner != viewer and hand]
    return others + [pile for pile in (state.pile, state.food) if pile is not None]


def is_whole(state: State) -> bool:
    """Whether all 72 cards are somewhere, each once; before the first round none is."""
    if not state.number:
        return True
    top = () if state.top is None else (state.top,)
    total = sum(state.sizes) + state.pile_size + state.under_size + len(top)
    if state.pile is None or total != len(DECK):
        return total == len(DECK)
    cards = Counter(card for hand in state.hands for card in hand or ())
    return cards + Counter((*state.pile, *state.under, *top)) == Counter(DECK)


def rare_positions() -> Iterator[State]:
    yield choosing_a_team()
    text = "hands A[E] B[C,M] C[C] D[M]; top C; draw empty; turn A; clockwise; rule slap"
    yield after(table(text), (0, Play("E")), (1, Declare()))  # nobody slaps without a card


ARENA: Final = Arena(
    rules=rules,
    presets=PRESETS,
    choices=CHOICES,
    universe=universe,
    choose=choose,
    due_share=0.1,
    sampled=0.015,
    is_whole=is_whole,
    as_known=as_known,
    secrets=secrets,
    with_other_secrets=with_other_secrets,
    positions=rare_positions,
    unmet_reasons=frozenset({"malformed", "nothing_to_settle"}),
    rare_kinds=frozenset({"discard_reshuffled", "join_team", "started_midway", "laid_under"}),
)

# Random games from the first fact to the end, with options of these tests or drawn at random.
steps = partial(random_games.steps, ARENA, leaving=0.002)
