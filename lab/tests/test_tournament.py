"""The tournament of bots: the table it plays, and its command."""

from __future__ import annotations

import pytest

from lab import tournament
from tests.support.bot_games import bots_of, rules_of


@pytest.mark.parametrize("game", tournament.GAMES)
def test_the_standard_table_is_of_this_game(game: str) -> None:
    for hero, field, seats in tournament.standard(game):
        assert {hero, field} <= set(bots_of(game)) and hero != field
        assert set(seats) <= set(rules_of(game).SEATS)


def test_the_command_prints_a_line_for_each_number_of_seats(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = "peco_peco --hero easy --field medium --seats 4 5 --games 2 --workers 1"
    tournament.main([*arguments.split(), "--set", "peco_call=on"])
    lines = capsys.readouterr().out.splitlines()
    assert ["4 seats" in lines[0], "5 seats" in lines[1], len(lines)] == [True, True, 2]


@pytest.mark.parametrize(
    "arguments", ["perudo --hero hard", "peco_peco --seats 3", "peco_peco --set peco_call=maybe"]
)
def test_the_command_refuses_what_the_game_does_not_have(
    arguments: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        tournament.main(arguments.split())
    assert capsys.readouterr().err
