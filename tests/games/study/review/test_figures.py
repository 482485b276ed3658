"""What reviews add up to on a person's page: with what they count, and for whom they are."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override

from accounts.models import User
from games.models import Game, ReviewedPlay
from games.peco_peco.tests import fast_games
from games.study.review import figures
from games.study.review.figures import Extreme
from tests.games.study.review.test_jobs import games_of
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db

SHOWN = "From reviews of the latest games"


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    return fast_games.played_game(alice, bob, charlie, "easy")


def judged(person: User, game: Game, **columns: Any) -> None:
    values = {"decisions": 20, "accuracy": 0.9, "luck": 0.02, "judge": "counts 3", "judged": True}
    values |= {"inaccuracies": 2, "mistakes": 1, "blunders": 0} | columns
    rest = {"kind_key": game.kind_key, "finished_at": game.finished_at}
    ReviewedPlay.objects.create(user=person, game=game, **(rest | values))


def totals(person: User, kind_key: str = "peco_peco") -> Any:
    return figures.of_person(person, kind_key, viewer=person).totals


def test_rates_count_every_decision_alike_and_say_how_many(alice: User) -> None:
    first, second = games_of(alice, count=2)
    judged(alice, first)
    judged(alice, second, decisions=80, accuracy=0.5, luck=-0.1, mistakes=9, blunders=3)
    with override("en"):
        assert totals(alice) == [
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
    assert totals(alice) == []
    assert totals(alice, "draughts") == ()


def test_games_without_a_decision_have_no_rate(alice: User) -> None:
    judged(alice, games_of(alice)[0], decisions=0)
    assert totals(alice) == []


def test_the_latest_games_count(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "MOST_GAMES", 2)
    for accuracy, game in zip((0.1, 0.9, 0.9), games_of(alice, count=3), strict=True):
        judged(alice, game, accuracy=accuracy, luck=None)
    with override("en"):
        found = dict(totals(alice))
    assert (
        found["Accuracy"] == "90% (n = 40)" and "Luck per game, in percentage points" not in found
    )


# --- over time -----------------------------------------------------------------------------------


def over_time(person: User) -> Any:
    with override("en"):
        return figures.of_person(person, "peco_peco", viewer=person).over_time


def test_every_ten_games_have_their_own_rates(alice: User) -> None:
    games = games_of(alice, count=23)
    for number, game in enumerate(games):
        luck = 0.1 if number < 13 else None
        judged(alice, game, accuracy=0.5 if number < 13 else 0.9, luck=luck, blunders=number // 13)
    latest, before, oldest = over_time(alice)
    told = (latest.accuracy, latest.errors, latest.luck)
    assert told == ("90% (n = 200)", "20% (n = 200)", "–")
    assert before.accuracy == "50% (n = 200)" and before.luck == "+10 (n = 10)"
    assert oldest.accuracy == "50% (n = 60)" and oldest.luck == "+10 (n = 3)"
    assert (oldest.since, oldest.until) == (games[0].finished_at, games[2].finished_at)


def test_few_games_are_not_told_apart(alice: User) -> None:
    for game in games_of(alice, count=10):
        judged(alice, game)
    assert over_time(alice) == []


def test_games_without_a_decision_have_no_rate_over_time(alice: User) -> None:
    for game in games_of(alice, count=11):
        judged(alice, game, decisions=0)
    assert {each.accuracy for each in over_time(alice)} == {"–"}


# --- the biggest bluff ---------------------------------------------------------------------------


def bluff(chance: float, *, fit: int = 2) -> dict[str, Any]:
    values = {"fit": fit, "percent": round(100 * chance)}
    told = {"moment": 7, "chance": chance, "code": "held_bluff", "values": values}
    return {"boldest": told, "boldest_chance": chance}


def shown_bluff(person: User, viewer: Any) -> str | None:
    found = figures.of_person(person, "peco_peco", viewer=viewer).boldest
    return found and found.code


def test_the_least_likely_bluff_is_shown_with_its_moment(alice: User, client: Client) -> None:
    games = games_of(alice, count=3)
    for game, chance in zip(games, (0.4, 0.12, 0.3), strict=True):
        judged(alice, game, judged=False, judge="counts 0", **bluff(chance))
    with override("en"):
        assert figures.of_person(alice, "peco_peco", viewer=alice).boldest == Extreme(
            "Biggest bluff that held: “I can't play” with 2 playable cards, only 12% likely to be "
            "true.",
            games[1].code,
            7,
        )


def test_who_has_none_shows_none(alice: User, bob: User) -> None:
    [game] = games_of(alice, bob)
    judged(alice, game)  # as one that was reviewed before bluffs were kept
    judged(bob, game, **bluff(0.1))
    assert shown_bluff(alice, alice) is None
    assert shown_bluff(bob, alice) == game.code


def test_a_bluff_in_a_game_by_link_is_for_who_sat_there(
    alice: User, bob: User, charlie: User
) -> None:
    [listed] = games_of(alice, charlie)
    [hidden] = games_of(alice, bob, minutes=5, visibility=Game.Visibility.LINK, listed=False)
    judged(alice, listed, **bluff(0.5))
    judged(alice, hidden, **bluff(0.1))
    strangers = (AnonymousUser(), charlie)
    assert [shown_bluff(alice, each) for each in strangers] == [listed.code] * 2
    assert [shown_bluff(alice, each) for each in (alice, bob)] == [hidden.code] * 2


def test_a_page_with_a_bluff_leads_to_it(game: Game, alice: User, bob: User) -> None:
    judged(alice, game, **bluff(0.1))
    link = f'href="{reverse("games:moment", args=[game.code, 7])}"'
    readers = [Client(), signed_in(bob), signed_in(alice)]
    assert [link in page_of(alice, each) for each in readers] == [True] * 3
    User.objects.filter(pk=alice.pk).update(shows_reviews=False)
    assert [link in page_of(alice, each) for each in readers] == [False, False, True]


def read(chance: float) -> dict[str, Any]:
    """A best read of Perudo, whose bid was as likely as the dudo was not."""
    values = {"quantity": 4, "face": 5, "chance": 1 - chance}
    told = {"moment": 9, "chance": chance, "code": "best_read", "values": values}
    return {"best_read": told, "best_read_chance": chance, "kind_key": "perudo"}


def test_the_least_likely_read_is_shown_beside_the_boldest_move_by_one_query(
    alice: User, bob: User
) -> None:
    bold = {"moment": 7, "chance": 0.2, "code": "held_bluff"}
    bold["values"] = {"quantity": 5, "face": 6, "short": 1, "chance": 0.2}
    first, second = games_of(alice, bob, count=2)
    judged(alice, first, **read(0.4), boldest=bold, boldest_chance=0.2)
    judged(alice, second, **read(0.3))
    with override("en"), CaptureQueriesContext(connection) as asked:
        found = figures.of_person(alice, "perudo", viewer=alice)
    best = Extreme("Best read: dudo on 4 fives, a bid that was 70% likely.", second.code, 9)
    assert found.best_read == best
    assert found.boldest is not None and found.boldest.code == first.code
    assert len([each for each in asked if "best_read_chance" in each["sql"]]) == 2, "totals, both"
    Game.objects.filter(pk=second.pk).update(listed=False, visibility=Game.Visibility.LINK)
    stranger = figures.of_person(alice, "perudo", viewer=AnonymousUser())
    assert stranger.best_read is not None and stranger.best_read.code == first.code
    assert figures.of_person(bob, "perudo", viewer=bob).best_read is None


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
