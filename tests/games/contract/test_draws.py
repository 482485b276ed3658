"""Every draw of the rules has an address of its own, and a proven game follows from its secret."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from games.core import proof
from games.core.chance import SeededChance
from games.core.contract import Draw
from games.core.game_record import replay
from tests.games.contract.arenas import ARENAS
from tests.games.contract.random_games import Arena, facts_of, record_of, seeded, steps

every_game = pytest.mark.parametrize("arena", ARENAS.values(), ids=list(ARENAS))
PROVEN = proof.ProvenChance(bytes(32), bytes(range(32)))


class Noted:
    """Notes the address of each draw, and lets another chance draw."""

    def __init__(self, chance: Any) -> None:
        self.chance, self.drawn = chance, list[Draw | None]()

    def dice(self, count: int, at: Draw | None = None) -> tuple[int, ...]:
        self.drawn.append(at)
        return self.chance.dice(count, at)

    def below(self, bound: int, at: Draw | None = None) -> int:
        self.drawn.append(at)
        return self.chance.below(bound, at)

    def shuffled(self, items: Sequence[Any], at: Draw | None = None) -> tuple[Any, ...]:
        self.drawn.append(at)
        return self.chance.shuffled(items, at)

    def pick(self, items: Sequence[Any], at: Draw | None = None) -> Any:
        self.drawn.append(at)
        return self.chance.pick(items, at)


@every_game
def test_no_draw_is_without_an_address_and_no_address_occurs_twice(arena: Arena) -> None:
    purposes: Counter[str] = Counter()
    for seed in range(60):
        noted = Noted(SeededChance(seeded(seed)))
        for _ in steps(arena, seeded(seed), leaving=0.01, chance=noted):
            pass
        assert None not in noted.drawn
        assert len(set(noted.drawn)) == len(noted.drawn)
        purposes.update(at.purpose for at in noted.drawn if at is not None)
    assert min(purposes.values()) >= 10, purposes


@every_game
def test_a_proven_game_follows_from_its_secret_and_replays(arena: Arena) -> None:
    for seed in range(20):
        game = list(steps(arena, seeded(seed), leaving=0.01, chance=PROVEN))
        assert facts_of(steps(arena, seeded(seed), leaving=0.01, chance=PROVEN)) == facts_of(game)
        replay(arena.rules, record_of(arena, game))
    other = proof.ProvenChance(bytes(32), bytes(32))
    again = facts_of(steps(arena, seeded(0), leaving=0, chance=other))
    assert again != facts_of(steps(arena, seeded(0), leaving=0, chance=PROVEN))
