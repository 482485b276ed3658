"""Games between bots: what each seat is told, what is counted, and that they repeat."""

from __future__ import annotations

from math import isclose

import pytest

from tests.games.contract.arenas import ARENAS
from tests.games.contract.random_games import Arena, Viewers, seeded, steps
from tests.support import bot_games
from tests.support.bot_games import Knowledge, Match, Score, options_of, play_games

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
def test_a_match_repeats(match: Match) -> None:
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
    monkeypatch.setattr(bot_games, "STUCK", 20)
    with pytest.raises(bot_games.DoesNotEnd):
        play_games(Match("peco_peco", "easy", "easy", 4, 1), [0])
