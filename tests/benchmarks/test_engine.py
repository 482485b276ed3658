"""The benchmarks of the rules and of the frames play whole games of every kind."""

from __future__ import annotations

from importlib import import_module

import pytest

from benchmarks import engine, frames
from games import catalogue


@pytest.mark.parametrize("game", engine.GAMES)
def test_a_random_game_of_each_kind_is_played_to_its_end(game: str) -> None:
    rules = import_module(f"games.{game}.rules")
    moves, _ = engine.play_through_the_engine(rules, engine.standard_options(game), 1)
    assert moves > 20


def test_every_frame_of_a_game_is_weighed(db: None) -> None:
    key = catalogue.default().key
    own, watching = frames.played(key, 3)
    assert len(own) == len(watching) > 20
    assert all('id="table"' in frame and 'id="own"' in frame for frame in (*own, *watching))
    label, count, *sizes = frames.shown("sizes", own).split()
    median, largest, packed, largest_packed = map(int, sizes)
    assert int(count) == len(own)
    assert packed <= largest_packed < median <= largest
