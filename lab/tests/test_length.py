"""The length of games: moves are made when the deadlines of the site say."""

from __future__ import annotations

from datetime import timedelta

import pytest

from lab import length

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("game", ["perudo", "peco_peco"])
def test_a_game_lasts_as_long_as_its_deadlines(game: str) -> None:
    quick, slow = (
        length.minutes(game, 4, thinks, 3)
        for thinks in (timedelta(seconds=2), timedelta(seconds=8))
    )
    longest = length.minutes(game, 4, None, 3)
    assert 1 < quick < slow < longest < 60


def test_the_command_prints_a_line_for_each_number_of_seats(
    capsys: pytest.CaptureFixture[str],
) -> None:
    length.main("peco_peco --seats 4 5 --games 2 --workers 1".split())
    lines = capsys.readouterr().out.splitlines()
    assert [line[:7] for line in lines] == ["4 seats", "5 seats"]
    assert all("median" in line for line in lines)
