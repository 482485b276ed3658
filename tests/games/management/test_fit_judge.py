"""`manage.py fit_judge`: people are judged by how they bid here, once there is enough of it."""

from __future__ import annotations

import os
import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Game, Habits
from games.study.review import habits, reviews
from tests.support import fast_games

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _as_nice_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "nice", lambda by: by)


@pytest.fixture
def few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(habits, "FEWEST_GAMES", 2)
    monkeypatch.setattr("games.perudo.review.analysis.FEWEST", 5)


@pytest.fixture
def games(alice: User, bob: User) -> list[Game]:
    return [fast_games.played_game(alice, bob, "steady", seed=seed) for seed in (1, 2)]


def said(**options: Any) -> str:
    out = StringIO()
    call_command("fit_judge", stdout=out, stderr=out, **options)
    return out.getvalue()


def said_of_reviews(**options: Any) -> str:
    out = StringIO()
    call_command("review_games", stdout=out, stderr=out, game="perudo", **options)
    return out.getvalue()


def judged_as(game: Game) -> Any:
    reviews.make(game, now=fast_games.START)
    found = reviews.of_game(game)
    assert found is not None
    return found.content["game"]["habits"]


def test_too_few_games_of_people_change_nothing(games: list[Game]) -> None:
    assert said() == "perudo: 2 games of people, of 500 that it takes. Nothing is changed.\n"
    assert not Habits.objects.exists()
    assert habits.latest("perudo") is None
    assert judged_as(games[0]) is None


def test_games_of_one_person_and_bots_do_not_count(alice: User) -> None:
    fast_games.played_game(alice, "steady", "steady", seed=1)
    assert "perudo: 0 games" in said()


@pytest.mark.usefixtures("few_are_enough")
def test_reviews_made_after_a_fit_judge_people_by_it_and_older_ones_stay(
    games: list[Game],
) -> None:
    older, newer = games
    assert judged_as(older) is None
    before = reviews.of_game(older)
    assert said(game="perudo").startswith("perudo: version 1, by ")
    found = judged_as(newer)
    assert found["version"] == 1 and found["decisions"] > 10
    assert reviews.of_game(older) == before
    said()
    assert judged_as(newer)["version"] == 2
    assert Habits.objects.count() == 2


@pytest.mark.usefixtures("few_are_enough")
def test_reviews_older_than_a_fit_are_made_anew_by_the_command_alone(games: list[Game]) -> None:
    older, newer = games
    assert judged_as(older) is None
    assert "Games reviewed: 0" in said_of_reviews(fitted=True)  # nothing was fitted
    said()
    reviews.make(newer, now=timezone.now())
    assert "Games reviewed: 1, of which failed: 0." in said_of_reviews(fitted=True)
    for each in games:
        found = reviews.of_game(each)
        assert found is not None and found.content["game"]["habits"]["version"] == 1
    assert "Games reviewed: 0" in said_of_reviews(fitted=True)


def test_fewer_bids_than_it_takes_leave_people_judged_as_bots(
    games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(habits, "FEWEST_GAMES", 2)
    monkeypatch.setattr("games.perudo.review.analysis.FEWEST", 100_000)
    said()
    assert judged_as(games[0]) is None


def test_calibration_says_how_often_the_judge_is_right_about_people_and_fits_nothing(
    games: list[Game],
) -> None:
    text = said(game="perudo", calibration=True)
    assert "perudo: 2 games of people, judged by version 0." in text
    assert not Habits.objects.exists()
    for about in ("bids", "dudo"):
        [table] = re.findall(rf"\n{about}\n\n((?:\|.*\n)+)", text)
        rows = [line.split(" | ") for line in table.splitlines()[2:]]
        counted = sum(int(count) for _span, count, *_rates in rows)
        assert counted > 20
        assert all(rate.rstrip(" |").endswith("%") for row in rows for rate in row[2:])
    assert "perudo: 1 games of people" in said(game="perudo", calibration=True, limit=1)


def test_a_game_that_cannot_be_fitted_is_named() -> None:
    with pytest.raises(CommandError, match="those of these can: perudo"):
        said(game="peco_peco")


@pytest.mark.usefixtures("few_are_enough")
def test_the_page_says_by_whose_habits_people_were_judged(
    games: list[Game], alice: User, client: Client
) -> None:
    reviews.make(games[0], now=fast_games.START)
    address = f"/games/{games[0].code}/replay/review"
    as_bots = "Bids of people are judged as bots bid."
    assert as_bots in client.get(address).content.decode()
    said()
    reviews.make(games[0], now=fast_games.START)
    text = client.get(address).content.decode()
    assert as_bots not in text and "judged as people here bid" in text
    alone = fast_games.played_game(alice, "steady", "steady", seed=3)
    reviews.make(alone, now=fast_games.START)
    assert "Bids of people" not in client.get(f"/games/{alone.code}/replay/review").content.decode()
