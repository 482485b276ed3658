"""What reviews add up to on a person's page: with what they count, and for whom they are."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from accounts.models import User
from games.models import Game, ReviewedPlay
from games.peco_peco.tests import fast_games
from games.review import figures
from tests.games.review.test_jobs import games_of
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db

SHOWN = "From reviews of the latest games"


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    return fast_games.played_game(alice, bob, charlie, "easy")


def judged(person: User, game: Game, **columns: Any) -> None:
    values = {"decisions": 20, "accuracy": 0.9, "luck": 0.02, "judge": "counts 1", "judged": True}
    values |= {"inaccuracies": 2, "mistakes": 1, "blunders": 0} | columns
    rest = {"kind_key": game.kind_key, "finished_at": game.finished_at}
    ReviewedPlay.objects.create(user=person, game=game, **rest, **values)


def test_rates_count_every_decision_alike_and_say_how_many(alice: User) -> None:
    first, second = games_of(alice, count=2)
    judged(alice, first)
    judged(alice, second, decisions=80, accuracy=0.5, luck=-0.1, mistakes=9, blunders=3)
    with override("en"):
        assert figures.of_person(alice, "peco_peco") == [
            ("Accuracy", "58% (n = 100)"),
            ("Inaccuracies", "4% (n = 100)"),
            ("Mistakes", "10% (n = 100)"),
            ("Blunders", "3% (n = 100)"),
            ("Luck per game, in percentage points", "−4 (n = 2)"),
        ]


def test_what_was_not_judged_or_by_another_is_left_out(alice: User, bob: User) -> None:
    games = games_of(alice, bob, count=3)
    judged(alice, games[0], judged=False, accuracy=None)
    judged(alice, games[1], judge="counts 0")
    judged(bob, games[2])
    assert figures.of_person(alice, "peco_peco") == []
    assert figures.of_person(alice, "draughts") == []


def test_games_without_a_decision_have_no_rate(alice: User) -> None:
    judged(alice, games_of(alice)[0], decisions=0)
    assert figures.of_person(alice, "peco_peco") == []


def test_the_latest_games_count(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "MOST_GAMES", 2)
    for accuracy, game in zip((0.1, 0.9, 0.9), games_of(alice, count=3), strict=True):
        judged(alice, game, accuracy=accuracy, luck=None)
    with override("en"):
        found = dict(figures.of_person(alice, "peco_peco"))
    assert (
        found["Accuracy"] == "90% (n = 40)" and "Luck per game, in percentage points" not in found
    )


def page_of(person: User, client: Client) -> str:
    return client.get(reverse("games:profile", args=[person.username])).content.decode()


def test_a_page_shows_them_to_whom_its_person_wants(game: Game, alice: User, bob: User) -> None:
    judged(alice, game)
    readers = [Client(), signed_in(bob), signed_in(alice)]
    assert [SHOWN in page_of(alice, each) for each in readers] == [True, True, True]
    User.objects.filter(pk=alice.pk).update(shows_reviews=False)
    assert [SHOWN in page_of(alice, each) for each in readers] == [False, False, True]
    assert "90%" not in page_of(alice, Client())
    User.objects.filter(pk=alice.pk).update(shows_reviews=True, games_shown_to="nobody")
    assert [SHOWN in page_of(alice, each) for each in readers] == [False, False, True]
    assert SHOWN not in page_of(bob, Client())


def test_a_person_chooses_in_the_settings(alice: User) -> None:
    assert alice.shows_reviews
    client = signed_in(alice)
    assert client.get("/account/").context["form"]["shows_reviews"].value() is True
    client.post("/account/", {"username": "alice"})
    alice.refresh_from_db()
    assert not alice.shows_reviews
    client.post("/account/", {"username": "alice", "shows_reviews": "on"})
    alice.refresh_from_db()
    assert alice.shows_reviews
