"""The tournament of bots: what each seat is told, what is counted, and that it repeats."""

from __future__ import annotations

from math import isclose

import pytest

from benchmarks import tournament
from benchmarks.tournament import Knowledge, Match, Score, options_of, play_games, rules_of
from tests.games.contract.arenas import ARENAS
from tests.games.contract.random_games import Arena, Viewers, seeded, steps

every_game = pytest.mark.parametrize("arena", ARENAS.values(), ids=list(ARENAS))


@every_game
def test_a_seat_is_told_what_it_may_know(arena: Arena) -> None:
    for seed in range(3):
        game = list(steps(arena, seeded(seed), leaving=0.01))
        knowledge, viewers = (kind(arena.rules, game[0].seats) for kind in (Knowledge, Viewers))
        for number, step in enumerate(game):
            viewers.learn(step.facts)
            knowledge.learn(step.facts)
            for seat in range(number % 2, step.seats, 2):
                assert knowledge.of(seat) == viewers.known[seat]


@pytest.mark.parametrize(
    "match",
    [Match("perudo", "sharp", "beginner", 3, 8), Match("peco_peco", "medium", "easy", 5, 6)],
    ids=lambda match: match.game,
)
def test_a_tournament_repeats(match: Match) -> None:
    numbers = range(match.games)
    whole, parts = play_games(match, numbers), [play_games(match, [n]) for n in numbers]
    added = sum(parts, Score())
    assert (whole.games, whole.decisions, whole.longest) == (
        match.games,
        added.decisions,
        added.longest,
    )
    assert isclose(whole.won, added.won)


def test_partners_win_together() -> None:
    """In teams the hero's side are bots of its kind, so an equal one wins one game in three."""
    options = options_of("peco_peco", "peco_teams")
    score = play_games(Match("peco_peco", "medium", "medium", 6, 4, options=options), range(4))
    assert isclose(score.fair_rate, 1 / 3)
    assert score.rate in (0, 0.25, 0.5, 0.75, 1)


def test_the_error_is_that_of_a_mean() -> None:
    assert isclose(Score(games=100, won=50, squares=50).error, 0.05)
    assert isclose(Score(games=100, won=50, squares=25).error, 0)


def test_the_options_are_those_of_a_preset_with_changes() -> None:
    changed = options_of("peco_peco", "peco_teams", ["peco_call=on"])
    assert (changed.teams, changed.peco_call) == ("on", "on")
    assert options_of("perudo").lost_dice_visible
    with pytest.raises(SystemExit, match="peco_teams"):
        options_of("peco_peco", "unknown")
    with pytest.raises(ValueError):
        options_of("peco_peco", changes=["peco_call=maybe"])


def test_a_game_that_does_not_end_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament, "STUCK", 20)
    with pytest.raises(tournament.DoesNotEnd):
        play_games(Match("peco_peco", "easy", "easy", 4, 1), [0])


@pytest.mark.parametrize("game", tournament.GAMES)
def test_the_standard_table_is_of_this_game(game: str) -> None:
    for hero, field, seats in tournament.standard(game):
        assert {hero, field} <= set(tournament.bots_of(game)) and hero != field
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
