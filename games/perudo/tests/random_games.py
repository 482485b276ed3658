"""Random games of Perudo, and what the tests of the contract need to know about it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, Final

from games.core.chance import SeededChance
from games.core.moves import Confirm
from games.perudo import rules
from games.perudo.rules.bids import DICE_EACH, Bid
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.rules.options import CHOICES, PRESETS, Options
from games.perudo.rules.state import State
from tests.games.contract import random_games
from tests.games.contract.random_games import Arena, seeded


def universe(state: State) -> list[Any]:
    """Every move of play that could be thought of at this table, and some that cannot be."""
    bids = [Bid(n, face) for n, face in product(range(state.most + 2), range(8))]
    return [*bids, Bid(-1, 2), Dudo(), Calza(), Confirm()]


def choose(legal: list[Any], generator: random.Random) -> Any:
    """One of these moves; mostly a low bid, so that rounds are not over at once."""
    kinds = Counter(move.kind for move in legal)
    common, others = max(kinds, key=lambda kind: kinds[kind]), sorted(kinds)
    kind = common if generator.random() < 0.5 else generator.choice(others)
    moves = [move for move in legal if move.kind == kind]
    moves.sort(key=lambda move: move.quantity if isinstance(move, Bid) else 0)
    few = moves[:8] if generator.random() < 0.8 else moves  # long rounds are worth testing too
    return generator.choice(few)


def hides_dice(state: State) -> bool:
    """Whether there are hidden dice."""
    return state.phase in ("turn", "claims") or state.result is None


def as_known(state: State, viewer: int | None) -> State:
    """Without the hidden dice of others."""
    if not hides_dice(state):
        return state
    hands = tuple(
        hand if owner == viewer or not hand else None for owner, hand in enumerate(state.hands)
    )
    return replace(state, hands=hands)


def secrets(state: State, viewer: int | None) -> list[Any]:
    others = [hand for owner, hand in enumerate(state.hands) if owner != viewer and hand]
    return others if hides_dice(state) else []


def with_other_secrets(state: State, seat: int, generator: random.Random) -> State:
    """With other hidden dice for the other seats."""
    chance = SeededChance(generator)
    hands = tuple(
        hand if owner == seat or hand is None or not hides_dice(state) else chance.dice(len(hand))
        for owner, hand in enumerate(state.hands)
    )
    return replace(state, hands=hands)


def is_whole(state: State) -> bool:
    """Whether nobody has fewer than no dice or more than five (P2, P42)."""
    return all(0 <= dice <= DICE_EACH for dice in state.dice)


ARENA: Final = Arena(
    rules=rules,
    presets=PRESETS,
    choices=CHOICES,
    universe=universe,
    choose=choose,
    due_share=0.2,
    rare_kinds=frozenset({"started_midway"}),  # games that begin at their beginning
    sampled=0.06,
    is_whole=is_whole,
    as_known=as_known,
    secrets=secrets,
    with_other_secrets=with_other_secrets,
    unmet_reasons=frozenset({"malformed", "nothing_to_settle"}),
)

# Random games from the first fact to the end, with options of these tests or drawn at random.
steps = partial(random_games.steps, ARENA, leaving=0.02)


def decisions(games: int) -> Iterator[tuple[State, int]]:
    """Positions of random games under any settings, and the seats that decide there."""
    generator = seeded(7)
    for number in range(games):
        options = Options(**{name: generator.choice(each) for name, each in CHOICES.items()})
        for step in steps(seeded(number), options=options):
            state = step.after
            if state.phase == "turn" and not state.gone:
                yield from ((state, seat) for seat in rules.to_act(state))
