"""Making the bots' tables for two players left."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from games.perudo.bots import two_left_tables
from games.perudo.bots.two_left_graph import Floats, Round
from lab import solve_two_left, two_left_packing


@pytest.mark.long
def test_the_same_seed_makes_the_same_table_and_what_is_done_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("first", "second", "second"):
        words = ["solve_two_left", "--keep", str(tmp_path / folder), "--only", "1v1", "2v1"]
        monkeypatch.setattr("sys.argv", words)
        solve_two_left.main()
    said = capsys.readouterr().out
    assert re.findall(r"(\d) of 2 rounds to solve, about 0\.\d minutes", said) == ["2", "2", "0"]
    for name in ("1v1", "2v1"):
        first, second = (_kept(tmp_path / folder, name) for folder in ("first", "second"))
        assert len(first) == len(second) == 2
        assert all(np.array_equal(*tables) for tables in zip(first, second, strict=True))


def _kept(folder: Path, name: str) -> list[Floats]:
    with np.load(folder / "seed_1_share_1" / f"{name}.npz") as archive:
        return [archive[player] for player in archive.files]


def packed(probabilities: list[float]) -> list[tuple[int, float]]:
    """What a table of one die each plays as an opener if every hand averages to this."""
    round_ = Round(1, 1)
    drawn = two_left_tables.graph(2, False)
    moves = [int(drawn.first[to + 1] - drawn.first[to]) + 1 for to in drawn.target]
    uniform = [np.ones((count, 6)) for count in moves]
    opening = np.zeros((10, 6))
    opening[: len(probabilities)] = np.array(probabilities)[:, None]
    averages = [[*uniform, opening], [*uniform, np.ones((10, 6))]]
    side = two_left_tables.unpack(round_, two_left_packing.pack(round_, averages)).sides[0]
    few = slice(side.start[side.alone[0, 0]], side.start[side.alone[0, 0] + 1])
    chances = (side.units[few] / two_left_tables.LEVELS).tolist()
    return list(zip(side.move[few].tolist(), chances, strict=True))


def test_what_is_packed_comes_back_in_whole_units_without_what_is_tiny() -> None:
    assert packed([1.0]) == [(1, 1.0)]
    assert packed([0.5, 0.0, 0.495, 0.005]) == [(1, pytest.approx(0.5)), (3, pytest.approx(0.5))]
    thirds = packed([1.0, 1.0, 1.0])
    assert [move for move, _ in thirds] == [1, 2, 3]
    assert sum(chance for _, chance in thirds) == pytest.approx(1)
    assert all(abs(chance - 1 / 3) < 1 / two_left_tables.LEVELS for _, chance in thirds)
