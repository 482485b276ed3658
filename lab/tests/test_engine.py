"""The benchmarks of the rules and of the frames play whole games of every kind."""

from __future__ import annotations

from importlib import import_module

import pytest

from games.contract import catalogue
from lab import engine, frames


@pytest.mark.parametrize("game", engine.GAMES)
def test_a_random_game_of_each_kind_is_played_to_its_end(game: str) -> None:
    rules = import_module(f"games.{game}.rules")
    moves, _ = engine.play_through_the_engine(rules, engine.standard_options(game), 1)
    assert moves > 20


def test_every_frame_of_a_game_is_weighed(db: None) -> None:
    key = catalogue.default().key
    own, watching = frames.played(key, 3)
    assert len(own) == len(watching) > 20
    assert all('id="table"' in each.shared and 'id="own"' in each.own for each in (*own, *watching))
    label, count, *sizes = frames.shown("sizes", own).replace(",", "").split()
    median, largest, all_of_them = map(int, sizes)
    assert int(count) == len(own)
    assert median <= largest < 1000 * all_of_them
    name, _, _, size, cost, *memory = frames.packed("a", own, 6, sockets=3, plays=True).split()
    assert float(size.replace(",", "")) < 0.3 * all_of_them and float(cost) > 0
    assert all(50 < float(each) < 500 for each in memory)
