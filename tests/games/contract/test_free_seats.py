"""A game that began with seats left free: what is made of it counts those who played."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.contract import catalogue
from games.models import DailyRound, Game, Question
from games.study.questions import choosing, days, question_page
from games.study.review import reviews
from tests.games.contract.test_replay import GAMES

pytestmark = pytest.mark.django_db


@pytest.fixture(params=sorted(GAMES))
def game(request: pytest.FixtureRequest, alice: User, bob: User, charlie: User) -> Game:
    """Its table had room for one more."""
    games, bots = GAMES[request.param]
    finished: Game = games.played_game(alice, bob, charlie, *bots)
    finished.size = finished.seat_set.count() + 1
    finished.save(update_fields=["size"])
    return finished


def decision_of(game: Game) -> Any:
    kind = catalogue.of(game.kind_key)
    return next(choosing.undecided(kind.key, kind.replay.moments(game)))


def test_its_review_has_an_account_for_each_who_played(game: Game) -> None:
    content = reviews.judge_of(game.kind_key).analyse(reviews.log_of(game))
    assert [each["seat"] for each in content["accounts"]] == [*range(game.size - 1)]


@pytest.mark.parametrize("rest", ["/3", "/review"])
def test_nobody_sees_it_from_a_seat_that_was_free(
    game: Game, alice_client: Client, rest: str
) -> None:
    address = f"/games/{game.code}/replay{rest}"
    found = [alice_client.get(address, {"seat": seat}).status_code for seat in range(game.size)]
    assert found == [200] * (game.size - 1) + [404]


def test_a_question_without_names_shows_who_played(game: Game, alice: User) -> None:
    decision = decision_of(game)
    asked = Question(game=game, moment=decision.number, named=False)
    seats = question_page.seats_of(asked)
    assert len(seats) == game.size - 1
    assert question_page.asked(decision, seats)["t"]


def test_so_does_the_question_of_a_day(game: Game) -> None:
    User.objects.update(lends_decisions=True)
    now = timezone.now()
    assert choosing._made(game, decision_of(game), days.day_of(now), now=now)
    assert DailyRound.objects.get().size == game.size - 1
