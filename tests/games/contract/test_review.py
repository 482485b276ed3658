"""The review of every game that has a judge: its shape, and that the worker can make it."""

from __future__ import annotations

import json
from math import isclose
from typing import Any

import pytest
from django.utils.translation import override

from accounts.models import User
from games.contract import catalogue
from games.contract.game_values import Highlight
from games.contract.optional_parts import Judge
from games.models import Game
from games.play.worker import Worker
from games.study.review import review_page, reviews, totals
from tests.games.contract.test_replay import GAMES

pytestmark = pytest.mark.django_db

REVIEWED = sorted(reviews.judges())
LABELS = {None, *totals.LABELS}
Content = dict[str, Any]


@pytest.fixture(params=REVIEWED)
def game(request: pytest.FixtureRequest, alice: User, bob: User, charlie: User) -> Game:
    games, bots = GAMES[request.param]
    finished: Game = games.played_game(alice, bob, charlie, *bots)
    return finished


@pytest.fixture
def judge(game: Game) -> Judge:
    return reviews.judge_of(game.kind_key)


@pytest.fixture
def content(game: Game, judge: Judge) -> Content:
    return judge.analyse(json.loads(json.dumps(reviews.log_of(game))))


def is_chance(value: Any, *, least: float = 0.0) -> bool:
    return value is None or (isinstance(value, float) and least <= value <= 1.0)


def is_alike(one: Any, other: Any) -> bool:
    """The same but for the last places of what is reckoned with numbers of 32 bits: they depend on
    which are reckoned together.
    """
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(is_alike(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(is_alike, one, other))
    if isinstance(one, float):
        return isinstance(other, float) and isclose(one, other, abs_tol=2e-4)
    return bool(one == other)


def test_some_games_have_a_judge_whose_name_fits_its_column() -> None:
    assert REVIEWED
    assert all(0 < len(judge) <= 40 for judge in reviews.judges().values())


def test_the_worker_makes_the_same_review_from_the_same_log(
    game: Game, judge: Judge, content: Content
) -> None:
    worker = Worker(seconds=60.0)
    try:
        assert is_alike(worker.ask(judge.analyse, reviews.log_of(game)).result(60), content)
    finally:
        worker.stop(0.0)


def test_a_review_has_every_part(content: Content, judge: Judge) -> None:
    assert set(content) == {"judge", "decisions", "chances", "lucky", "accounts", "game"}
    assert content["judge"] == judge.JUDGE
    assert json.loads(json.dumps(content)) == content


def test_every_move_of_the_replay_is_judged_once(game: Game, content: Content) -> None:
    moments = catalogue.of(game.kind_key).replay.moments(game)
    moves = [(n, each.move.seat) for n, each in enumerate(moments, start=1) if each.move]
    assert [(each["number"], each["seat"]) for each in content["decisions"]] == moves


def test_a_decision_is_among_its_options_and_says_who_made_it(game: Game, content: Content) -> None:
    moments = catalogue.of(game.kind_key).replay.moments(game)
    bots = {seat.number for seat in game.seat_set.all() if seat.bot}
    for each in content["decisions"]:
        assert each.keys() - {"game"} == {
            *("number", "seat", "by", "played", "options", "best"),
            *("regret", "cost", "label", "forced"),
        }
        moves = [option["move"] for option in each["options"]]
        assert each["played"] in moves and len(set(moves)) == len(moves)
        assert each["best"] is None or each["best"] in moves
        assert each["forced"] == (len(moves) == 1)
        assert each["label"] in LABELS
        assert each["regret"] is None or each["regret"] >= 0
        assert is_chance(each["cost"])
        for option in each["options"]:
            assert set(option) - {"after"} == {"move", "value", "chance", "odds"}
            assert is_chance(option.get("after"))
            assert is_chance(option["chance"]) and is_chance(option["odds"])
        made = moments[each["number"] - 1].move
        assert made is not None
        if each["seat"] in bots:
            assert each["by"] == "bot"
        else:
            assert each["by"] == ("clock" if made.automatic else "person")


def test_accounts_add_up(game: Game, content: Content) -> None:
    assert [each["seat"] for each in content["accounts"]] == list(range(game.size))
    own = [each for each in content["decisions"] if each["by"] != "clock" and not each["forced"]]
    for each in content["accounts"]:
        mine = [one for one in own if one["seat"] == each["seat"]]
        assert each["decisions"] == len(mine)
        for label, counted in totals.LABELS.items():
            assert each[counted] == sum(one["label"] == label for one in mine)
        assert is_chance(each["accuracy"])
        parts = [each[name] for name in ("own", "gifts", "luck", "residual")]
        if each["first"] is None:
            assert parts == [None] * 4 and each["last"] is None
        else:
            change = sum(parts) + each.get("machine", 0.0)
            assert each["last"] - each["first"] == pytest.approx(change, abs=1e-9)


def test_a_bluff_is_a_move_of_its_person_and_told_in_every_language(
    game: Game, content: Content
) -> None:
    kind = catalogue.of(game.kind_key)
    for each in content["accounts"]:
        bluff = each["boldest"]
        if bluff is None:
            continue
        [decision] = [one for one in content["decisions"] if one["number"] == bluff["moment"]]
        assert (decision["seat"], decision["by"]) == (each["seat"], "person")
        assert is_chance(bluff["chance"])
        for language in ("en", "fr", "it", "es"):
            with override(language):
                told = Highlight(bluff["moment"], each["seat"], bluff["code"], bluff["values"])
                assert "%(" not in kind.words.highlight(told, ())
    assert any(each["boldest"] for each in content["accounts"])


def test_a_read_is_a_move_of_its_person_and_told_in_every_language(
    game: Game, content: Content
) -> None:
    kind = catalogue.of(game.kind_key)
    for each in content["accounts"]:
        read = each["read"]
        if read is None:
            continue
        [decision] = [one for one in content["decisions"] if one["number"] == read["moment"]]
        assert (decision["seat"], decision["by"]) == (each["seat"], "person")
        assert is_chance(read["chance"])
        for language in ("en", "fr", "it", "es"):
            with override(language):
                told = Highlight(read["moment"], each["seat"], read["code"], read["values"])
                assert "%(" not in kind.words.highlight(told, ())


def test_chances_are_of_moments_in_order_and_of_every_seat(game: Game, content: Content) -> None:
    count = len(catalogue.of(game.kind_key).replay.moments(game))
    for rows, least in ((content["chances"], 0.0), (content["lucky"], -1.0)):
        numbers = [number for number, _row in rows]
        assert numbers == sorted(set(numbers)) and set(numbers) <= set(range(1, count + 1))
        for _number, row in rows:
            assert len(row) == game.size and all(is_chance(each, least=least) for each in row)


def test_highlights_are_told_in_every_language(
    game: Game, content: Content, subtests: pytest.Subtests
) -> None:
    reviews.write(game.pk, content["judge"], content, now=game.finished_at or game.created_at)
    found = reviews.of_game(game)
    assert found is not None
    for language in ["en", "fr", "it", "es"]:
        with subtests.test(language=language):
            with override(language):
                told = review_page.of_game(game, found, address=str)
            assert len(told["highlights"]) == len(content["game"].get("highlights", ()))
            assert all(each.words and "%(" not in each.words for each in told["highlights"])
