"""Games for the ratings, the likeliest strengths, and accounts that are rated."""

from __future__ import annotations

import random
from dataclasses import replace
from math import log
from pathlib import Path

import pytest

from games.contract.rating_scale import POINTS_OF_TWO, RatingScale
from games.play.ratings.maths import Strength
from lab import check_ratings, rating_farming, rating_games, tune_ratings
from lab.rating_accounts import Accounts, Pairs, Played, elo_losses, equal_losses, rate
from lab.rating_games import Result, Seating, mixed, play, results, sides_of
from lab.rating_likelihood import luck_of_winners, strengths
from lab.rating_proofs import TEN
from lab.tournament import GAMES
from tests.support.bot_games import Knowledge, measured, rules_of

SCALE = RatingScale(1500, 200, 3, {"2": POINTS_OF_TWO, "4": 220}, {})
ALONE = ((0,), (1,), (2,), (3,))


def drawn(points: dict[str, float], luck: dict[int, float], games: int) -> list[Result]:
    """Games whose orders of finish follow the model."""
    chance = random.Random(5)  # noqa: S311
    found = []
    for number in range(games):
        seats = list(luck)[number % len(luck)]
        players = tuple(chance.sample(list(points), seats))
        lots = [points[name] / luck[seats] - log(-log(chance.random())) for name in players]
        places = tuple(1 + sum(lot < other for other in lots) for lot in lots)
        found.append(Result(players, tuple((seat,) for seat in range(seats)), places))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_tables_are_mixed_and_fit_the_game(game: str) -> None:
    players = tune_ratings.players_of(game)
    tables = mixed(game, players, 200, "test")
    assert tables == mixed(game, players, 200, "test") != mixed(game, players, 200, "other")
    assert {len(table.players) for table in tables} == set(rules_of(game).SEATS)
    assert {name for table in tables for name in table.players} == set(players)
    for table in tables:
        assert len(set(table.players)) == len(table.players)
        assert len({len(side) for side in sides_of(game, table)}) == 1
    of_one = mixed(game, players, 20, "test", with_one=players[0])
    assert all(table.players.count(players[0]) == 1 for table in of_one)


@pytest.mark.parametrize("game", GAMES)
def test_the_ten_are_ten_and_can_all_play(game: str) -> None:
    assert len(set(TEN[game])) == 10
    seats = rules_of(game).SEATS.start
    for start in range(0, 10, seats):
        players = (TEN[game] * 2)[start : start + seats]
        places = play(game, "test", Seating(players))
        assert sorted(places)[0] == 1 and len(places) == seats


def test_partners_share_their_place() -> None:
    seating = Seating(("easy", "medium", "easy~0.4", "medium"), 1)
    assert sides_of("peco_peco", seating) == ((0, 2), (1, 3))
    assert play("peco_peco", "test", seating) in {(1, 3), (3, 1), (1, 1)}


def test_who_slips_makes_legal_moves_that_are_not_its_own() -> None:
    rules = rules_of("perudo")
    table = rating_games.Table(
        "perudo", 3, rating_games.rated_options("perudo", 0), rating_games.SeededChance(1)
    )
    knowledge = Knowledge(rules, 3)
    knowledge.learn(
        rules.start(3, rating_games.rated_options("perudo", 0), rating_games.SeededChance(1))
    )
    seat = table.state.turn
    known = knowledge.of(seat)
    own, slips = measured("perudo")["steady"], rating_games.bots_at("perudo", ["steady~1"])[0]
    moves = {slips(known, seat, rating_games.SeededChance(n)) for n in range(30)}
    assert moves <= set(rules.legal_moves(known, seat))
    assert moves - {own(known, seat, rating_games.SeededChance(n)) for n in range(30)}


def test_nothing_is_played_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = mixed("perudo", ["beginner", "steady"], 4, "test")
    first = results("perudo", "test", tables[:2], workers=1, kept=tmp_path)
    (file,) = tmp_path.iterdir()
    with file.open("a") as cut:
        cut.write('["test 2')  # the process was killed
    played = results("perudo", "test", tables, workers=1, kept=tmp_path)
    assert played[:2] == first
    assert len(rating_games._read(file)) == 4
    written = file.read_text()
    assert results("perudo", "test", tables, workers=1, kept=tmp_path) == played
    assert file.read_text() == written


def test_the_likeliest_strengths_are_those_of_the_games() -> None:
    true = {"a": 150.0, "b": 0.0, "c": -50.0, "d": -100.0}
    games = drawn(true, {2: POINTS_OF_TWO, 4: 250.0}, 3000)
    found = strengths(games, fixed={"2": POINTS_OF_TWO})
    assert sum(found.points.values()) == pytest.approx(0, abs=1e-6)
    for name, points in true.items():
        assert abs(found.points[name] - points) < 3 * found.errors[name] < 60
    assert abs(found.luck["4"] - 250) < 3 * found.luck_errors["4"] < 120
    assert 200 < luck_of_winners(found, games, "4") < 310
    anchored = strengths(games, anchor=["b"], fixed={"2": POINTS_OF_TWO})
    assert anchored.points["b"] == pytest.approx(0, abs=1e-6)
    assert anchored.points["a"] == pytest.approx(found.points["a"] - found.points["b"], abs=0.5)
    assert anchored.loss == pytest.approx(found.loss)


def test_accounts_keep_to_their_player_unless_they_learn() -> None:
    games = drawn({"a": 0.0, "b": 0.0, "c": 0.0, "d": 0.0}, {4: 200.0}, 200)
    still = Accounts("abcd", 3, "test")
    for game in still.playing(games):
        assert [still.now[account] for account in game.accounts] == list(game.players)
    assert still.now == [*"aaabbbcccddd"]
    learning = Accounts("abcd", 3, "test", learning=1, stays=10)
    was = {account: set[str]() for account in range(12)}
    for game in learning.playing(games):
        for account, player in zip(game.accounts, game.players, strict=True):
            was[account].add(player)
    assert any(len(players) > 1 for players in was.values())


def test_losses_are_small_where_the_order_is_always_the_same() -> None:
    games = [Played((0, 1, 2, 3), tuple("abcd"), ALONE, (1, 2, 3, 4)) for _ in range(40)]
    known: dict[int, Strength] = {}
    ours = rate(SCALE, games, known)
    elo = elo_losses(games, 40)
    assert ours[0] == elo[0] == equal_losses(games)[0] == log(4)
    assert ours[-1] < elo[-1] < 0.7
    assert known[0].mu > known[1].mu > known[2].mu > known[3].mu


def test_constants_keep_their_strength() -> None:
    known = {1: Strength(1400, 1)}
    rate(SCALE, [Played((0, 1), ("", ""), ((0,), (1,)), (1, 2))], known, constant=[1])
    assert known[1] == Strength(1400, 1)
    assert known[0].mu > 1500


def test_pairs_count_lately_and_apart() -> None:
    asked: list[tuple[int, int]] = []

    def counts(lately: int, apart: int) -> float:
        asked.append((lately, apart))
        return 0.5

    pairs = Pairs(counts)
    assert pairs.weights([0, 1], 0) == {0: 0.5, 1: 0.5}
    pairs.weights([1, 2], 10)
    asked.clear()
    pairs.weights([0, 1], 31)
    assert asked == [(0, 1), (0, 0)]
    asked.clear()
    pairs.weights([0, 1], 32)
    assert asked == [(1, 1), (1, 0)]


def test_somebody_far_from_the_mean_is_found_the_sooner_the_greater_the_doubt() -> None:
    few, many = (
        tune_ratings.found_after(replace(SCALE, doubt=doubt), 300, 10, 20) for doubt in (60, 200)
    )
    assert SCALE.start + 100 > few.mu
    assert few.mu + 50 < many.mu < SCALE.start + 400


def test_given_up_games_are_lost_by_the_second_account() -> None:
    for seats in (2, 4):
        games = list(rating_farming._given_up(seats, 20))
        assert len({game.accounts[-1] for game in games}) == 20
        assert all(game.places[-1] == seats == len(game.accounts) for game in games)


def test_the_programs_measure_and_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On so few games that their proofs may fail."""
    monkeypatch.setattr(tune_ratings, "DOUBTS", (150.0,))
    monkeypatch.setattr(tune_ratings, "DRIFTS", (3.0,))
    monkeypatch.setattr(tune_ratings, "SOON", 3)
    monkeypatch.setattr(rating_farming, "FARMED", 8)
    file = tmp_path / "ratings.json"
    brief = ["perudo", "--workers", "1", "--kept", str(tmp_path / "kept"), "--games", "40"]
    tune_ratings.main([*brief, "--file", str(file)])
    scale = RatingScale.read(file)
    assert (scale.start, scale.doubt, scale.drift) == (1500, 150, 3)
    ladder = list(rating_games.bots_of("perudo"))
    assert sum(scale.bots[kind] for kind in ladder) / len(ladder) == pytest.approx(1500, abs=0.1)
    check_ratings.main([*brief, "--tuned", "40", "--few", "2"])
    said = capsys.readouterr().out
    for title in ("Order", "Predictions", "Twins", "Doubt", "Weak bots", "Second", "Honest"):
        assert f"## {title}" in said
