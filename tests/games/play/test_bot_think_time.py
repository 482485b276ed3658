"""How long bots think, from turn to turn and at each tempo."""

from __future__ import annotations

from statistics import mean, stdev

import pytest

from games.models import Game
from games.play import bot_think_time, tempo
from games.play.tempo import TEMPOS


def thinks(key: str, *, code: str = "abc", seqs: range = range(2000)) -> list[float]:
    games = (Game(code=code, seq=seq, tempo=key) for seq in seqs)
    return [bot_think_time.seconds(game, 1.0) for game in games]


def test_bots_vary_around_the_tempo_and_never_wait_long() -> None:
    for key, of_tempo in TEMPOS.items():
        times = thinks(key)
        assert mean(times) == pytest.approx(of_tempo.bot, rel=0.1)
        assert 0.2 < stdev(times) / mean(times) < 0.5
        assert min(times) >= 0.5 * of_tempo.bot
        assert max(times) <= 2.2 * of_tempo.bot
    assert thinks("normal") != thinks("normal", code="abd")


def test_a_table_from_before_there_was_a_tempo_keeps_its_times() -> None:
    assert set(thinks("")) == {1.0}
    assert tempo.of(Game()) == TEMPOS["normal"]
