"""The dice of a game are counted by face and seat: each that was rolled, once."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from games.core.chance import SeededChance
from games.core.contract import Draw, Fact, may_know
from games.perudo import throws
from games.perudo.rules import midway
from games.perudo.rules.events import RoundStarted, StarterRolled
from games.perudo.rules.options import PRESETS
from tests.games.contract import random_games
from tests.games.contract.arenas import ARENAS
from tests.games.contract.random_games import Step, seeded, steps

SEATS = range(2, 7)


class CountedChance(SeededChance):
    """It keeps what it rolled."""

    rolled: Counter[str] = Counter()

    def dice(self, count: int, at: Draw | None = None) -> tuple[int, ...]:
        hand = super().dice(count)
        self.rolled.update(map(str, hand))
        return hand


@pytest.fixture
def rolled(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each face was rolled in random games from now on."""
    monkeypatch.setattr(CountedChance, "rolled", Counter())
    monkeypatch.setattr(random_games, "SeededChance", CountedChance)
    return CountedChance.rolled


def play(seats: int, *, seed: int, leaving: float = 0.0, **settings: Any) -> list[Step]:
    options = replace(PRESETS["asmodee_fr"], **settings)
    game = steps(ARENAS["perudo"], seeded(seed), leaving=leaving, seats=seats, options=options)
    return list(game)


def facts_of(game: list[Step]) -> list[Fact]:
    return [fact for step in game for fact in step.facts]


def dice_of(game: list[Step], seat: int) -> int:
    """How many dice this seat rolled, by what everybody saw: its dice at the start of each round,
    and those for who opens."""
    rounds = [step.after.dice[seat] for step in game for fact in step.facts if is_deal(fact)]
    first = [fact for fact in facts_of(game) if isinstance(fact, StarterRolled)]
    return sum(rounds) + sum(len(dice) for fact in first for who, dice in fact.rolls if who == seat)


def is_deal(fact: Fact) -> bool:
    return isinstance(fact, RoundStarted)


@pytest.mark.parametrize("visible", [True, False])
@pytest.mark.parametrize("starter", ["random", "one_die", "two_dice"])
def test_every_die_that_was_rolled_is_counted_for_its_seat(
    rolled: Counter[str], visible: bool, starter: str
) -> None:
    palificos = 0
    for seats in SEATS:
        rolled.clear()
        game = play(seats, seed=seats, lost_dice_visible=visible, starter=starter, calza="on")
        thrown = throws.thrown(facts_of(game))
        assert set(thrown) == set(range(seats))
        assert sum(map(Counter, thrown.values()), Counter()) == rolled
        for seat in range(seats):
            assert sum(thrown[seat].values()) == dice_of(game, seat)
        deals = [fact for fact in facts_of(game) if isinstance(fact, RoundStarted)]
        palificos += sum(fact.palifico is not None for fact in deals)
    assert palificos > 0


def test_the_dice_of_a_round_that_nobody_revealed_are_counted(rolled: Counter[str]) -> None:
    games = [play(3, seed=seed, leaving=0.2) for seed in range(10)]
    assert any(not step.after.result for game in games for step in game[-1:]), "none ends so"
    thrown = [throws.thrown(facts_of(game)) for game in games]
    together = sum((Counter(one) for each in thrown for one in each.values()), Counter[str]())
    assert together == rolled


def test_a_game_that_begins_in_the_middle_counts_nothing() -> None:
    """There the hand of one seat is given."""
    game = play(3, seed=1)
    step = next(step for step in game if step.after.phase == "turn" and step.after.bids)
    told = facts_of(game[: game.index(step) + 1])
    seat = step.after.turn
    begun = midway.beginning([each for each in told if may_know(each, seat)], seat, SeededChance(1))
    assert begun is not None and throws.thrown(told)
    assert throws.thrown(begun[0]) == {}


def test_the_faces_are_those_of_a_die() -> None:
    thrown = throws.thrown(facts_of(play(6, seed=2)))
    assert {face for each in thrown.values() for face in each} == set(throws.OUTCOMES)
