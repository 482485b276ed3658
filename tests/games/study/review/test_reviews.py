"""Reviews: asked of the worker once, never of a running game, and kept until the judge changes."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.contract import catalogue
from games.models import Game, GameReview, ReviewedPlay
from games.peco_peco import review as peco_peco_review
from games.peco_peco.tests import fast_games
from games.play import worker
from games.store import archive
from games.study.review import reviews
from perudo_site import data_export, deletion
from tests.games.study.review.desk import Desk

pytestmark = pytest.mark.django_db

NOW = fast_games.START + timedelta(days=1)


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    return fast_games.played_game(alice, bob, charlie, "easy")


def test_a_review_is_asked_for_computed_and_kept(game: Game, desk: Desk) -> None:
    assert reviews.of_game(game) is None
    assert reviews.ask(game)
    assert reviews.is_under_way(game) and reviews.of_game(game) is None
    desk.compute()
    assert reviews.of_game(game) is None  # it is written on the games thread
    assert not worker.results.run(NOW, 1.0)
    assert not reviews.is_under_way(game)
    found = reviews.of_game(game)
    assert found is not None
    assert (found.judge, found.made_at) == (peco_peco_review.JUDGE, NOW)
    assert found.content == peco_peco_review.analyse(reviews.log_of(game))


def test_nobody_asks_twice_at_once(game: Game, desk: Desk) -> None:
    assert reviews.ask(game)
    assert not reviews.ask(Game.objects.get(pk=game.pk))
    assert len(desk.asked) == 1
    desk.compute()
    assert not reviews.ask(game)  # computed, but not written yet
    worker.results.run(NOW, 1.0)
    assert reviews.ask(game)


def test_another_process_that_asks_is_waited_for(
    game: Game, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert reviews.ask(game)
    with monkeypatch.context() as another_process:
        another_process.setattr(reviews, "_under_way", set())
        assert reviews.is_under_way(game) and not reviews.any_under_way()
        assert not reviews.ask(game)
    assert len(desk.asked) == 1


@pytest.mark.parametrize("status", [Game.Status.OPEN, Game.Status.PLAYING, Game.Status.CLOSED])
def test_a_game_that_is_not_over_is_never_analysed(
    game: Game, desk: Desk, status: Game.Status
) -> None:
    game.status = status
    with pytest.raises(ValueError, match="running game"):
        reviews.ask(game)
    with pytest.raises(ValueError, match="sealed"):
        reviews.log_of(game)
    assert not desk.asked and not reviews.any_under_way()


def test_a_running_game_is_never_analysed(
    alice: User, bob: User, charlie: User, desk: Desk
) -> None:
    game = fast_games.running_game(alice, bob, charlie, "easy")
    with pytest.raises(ValueError, match="running game"):
        reviews.ask(game)
    with pytest.raises(ValueError, match="sealed"):
        reviews.log_of(game)
    reviews.write(game.pk, "counts 3", {"accounts": []}, now=NOW)
    assert not desk.asked and not GameReview.objects.exists()


def test_a_game_without_a_judge_is_not_reviewed(
    game: Game, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = {each.key: replace(each, review=None) for each in catalogue.every()}
    monkeypatch.setattr(catalogue, "_kinds", kinds)
    with pytest.raises(reviews.NoJudge):
        reviews.ask(game)
    assert reviews.of_game(game) is None


def test_one_that_fails_is_not_tried_again_for_an_hour(
    game: Game, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviews.ask(game)
    desk.fail()
    assert not reviews.is_under_way(game) and reviews.failed() == [game.pk]
    with pytest.raises(worker.Failed):
        reviews.ask(game)
    monkeypatch.setattr(reviews, "TRIED_AGAIN_AFTER", 0.0)
    assert reviews.failed() == [] and reviews.ask(game)


def test_one_that_the_worker_had_no_time_for_may_be_asked_for_again(game: Game, desk: Desk) -> None:
    reviews.ask(game)
    desk.fail(worker.Busy())
    assert reviews.failed() == [] and reviews.ask(game)


def test_when_the_worker_is_busy_nothing_is_under_way(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> Future[Any]:
        raise worker.Busy

    monkeypatch.setattr(worker, "ask", refuse)
    with pytest.raises(worker.Busy):
        reviews.ask(game)
    assert not reviews.is_under_way(game)


def test_only_so_many_are_asked_for_at_once(
    alice: User, bob: User, charlie: User, desk: Desk
) -> None:
    people = (alice, bob, charlie, "easy")
    games = [fast_games.played_game(*people) for _ in range(reviews.MOST_UNDER_WAY + 1)]
    *first, last = games
    assert all(map(reviews.ask, first))
    with pytest.raises(worker.Busy):
        reviews.ask(last)
    desk.compute()
    while worker.results.run(NOW, 0.0):
        pass
    assert GameReview.objects.count() == len(first) and reviews.ask(last)


def test_failures_are_forgotten_when_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch, desk: Desk
) -> None:
    monkeypatch.setattr(reviews, "_MOST_FAILED", 3)
    for pk in range(9):
        future: Future[Any] = Future()
        future.set_exception(worker.Failed("error"))
        reviews._note_failure(pk, future)
    assert reviews.failed() == [6, 7, 8]


def test_another_judge_makes_an_older_review_stale_and_replaces_it(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = peco_peco_review.analyse(reviews.log_of(game))
    reviews.write(game.pk, "counts 3", content, now=NOW)
    monkeypatch.setattr(peco_peco_review, "JUDGE", "counts of tomorrow")
    assert reviews.of_game(game) is None
    reviews.write(game.pk, "counts of tomorrow", content, now=NOW)
    assert reviews.of_game(game) is not None
    assert GameReview.objects.count() == 1
    assert set(ReviewedPlay.objects.values_list("judge", flat=True)) == {"counts of tomorrow"}


def test_each_person_has_one_row_of_a_game(
    game: Game, alice: User, bob: User, charlie: User
) -> None:
    content = peco_peco_review.analyse(reviews.log_of(game))
    content["accounts"][1] |= {"accuracy": 0.9, "luck": -0.25, "mistakes": 2}
    for _ in range(2):
        reviews.write(game.pk, "counts 3", content, now=NOW)
    rows = ReviewedPlay.objects.filter(game=game)
    assert {row.user_id for row in rows} == {alice.pk, bob.pk, charlie.pk}
    mine = rows.get(user=game.seat_set.get(number=1).user)
    assert (mine.judged, mine.accuracy, mine.luck, mine.mistakes) == (True, 0.9, -0.25, 2)
    assert mine.decisions == content["accounts"][1]["decisions"] > 0
    assert mine.finished_at == game.finished_at and mine.kind_key == "peco_peco"
    assert not any(row.judged for row in rows if row != mine)


def test_of_a_warm_up_nobody_keeps_figures(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(origin=Game.Origin.WARM_UP)
    content = peco_peco_review.analyse(reviews.log_of(game))
    reviews.write(game.pk, "counts 3", content, now=NOW)
    assert GameReview.objects.exists() and not ReviewedPlay.objects.exists()


def test_a_review_names_nobody(game: Game) -> None:
    record, content = reviews.log_of(game), peco_peco_review.analyse(reviews.log_of(game))
    for text in (str(record), str(content)):
        assert not any(name in text for name in ("alice", "bob", "charlie"))


def test_it_is_the_same_once_the_log_is_packed(game: Game) -> None:
    before = reviews.log_of(game)
    assert game.pack_at is not None
    archive.pack(game.code, now=game.pack_at)
    assert reviews.log_of(Game.objects.get(pk=game.pk)) == before


def test_my_data_has_what_reviews_say_of_me(game: Game, alice: User, outsider: User) -> None:
    reviews.write(game.pk, "counts 3", peco_peco_review.analyse(reviews.log_of(game)), now=NOW)
    [mine] = data_export.everything_about(alice)["reviews"]
    assert mine["game"] == game.code and mine["judge"] == "counts 3"
    assert mine["decisions"] > 0 and mine["accuracy"] is None
    assert list(data_export.everything_about(outsider)["reviews"]) == []


@pytest.fixture
def outsider() -> User:
    return User.objects.create_user("outsider")


def test_with_an_account_they_stay_without_a_name_as_results_do(game: Game, alice: User) -> None:
    reviews.write(game.pk, "counts 3", peco_peco_review.analyse(reviews.log_of(game)), now=NOW)
    deletion.delete_account(alice, now=NOW)
    assert ReviewedPlay.objects.get(user=alice).user.is_deleted
    assert reviews.of_game(game) is not None


def test_they_go_with_their_game(game: Game) -> None:
    reviews.write(game.pk, "counts 3", peco_peco_review.analyse(reviews.log_of(game)), now=NOW)
    number = game.pk
    Game.objects.filter(pk=number).delete()
    assert not GameReview.objects.exists() and not ReviewedPlay.objects.exists()
    reviews.write(number, "counts 3", {"accounts": []}, now=NOW)  # of a game that is no more
    assert not GameReview.objects.exists()
