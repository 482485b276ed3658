"""The list of games by player and by time, who may see it, and what it costs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import lifecycle
from accounts.models import User
from games.models import Game, ReviewedPlay
from games.study.players import game_list
from games.study.players.game_list import finished_games, page
from games.study.review import reviews
from tests.games.study.players.test_profile import listed, page_of
from tests.games.test_long_life import grow_old
from tests.support.fast_games import START, finished_game

pytestmark = pytest.mark.django_db


def hide_games(person: User) -> None:
    User.objects.filter(pk=person.pk).update(games_shown_to=User.GamesShownTo.NOBODY)


# --- by player -----------------------------------------------------------------------------------


def test_the_list_can_be_narrowed_to_games_with_a_player(
    alice: User, bob: User, charlie: User, alice_client: Client
) -> None:
    finished_game(alice, bob)
    both = finished_game(alice, bob, charlie)
    for name in ("charlie", " CHARLIE "):
        assert listed(alice, alice_client, player=name) == [both.code]
        assert listed(alice, player=name) == [both.code]
    assert listed(alice, alice_client, player="charlie", preset="web_fr") == []


@pytest.mark.parametrize("name", ["nobody", "deleted-{bob}", "x" * 500])
def test_a_player_who_does_not_exist_is_said_and_hides_nothing(
    alice: User, bob: User, alice_client: Client, name: str
) -> None:
    game = finished_game(alice, bob)
    lifecycle.forget(bob)
    context = page_of(alice, alice_client, player=name.format(bob=bob.pk))
    assert list(context["filter_form"].errors) == ["player"]
    assert [line["code"] for line in context["games"]] == [game.code]


# --- by seats and by length ----------------------------------------------------------------------


def test_the_list_can_be_narrowed_to_a_number_of_seats(
    alice: User, bob: User, charlie: User
) -> None:
    two, three = finished_game(alice, bob), finished_game(alice, bob, charlie)
    found = {seats: listed(alice, seats=seats) for seats in ("2", "3", "4", "")}
    assert found == {"2": [two.code], "3": [three.code], "4": [], "": [three.code, two.code]}


def test_the_list_can_be_narrowed_to_a_length(alice: User, bob: User) -> None:
    """The bounds belong to the middle; a length and a number of seats hold together."""
    minutes = {"short": 4, "middle": 5, "middle too": 15, "long": 16}
    codes = {}
    for name, lasted in minutes.items():
        game = finished_game(alice, bob)
        assert game.finished_at is not None
        Game.objects.filter(pk=game.pk).update(
            started_at=game.finished_at - timedelta(minutes=lasted)
        )
        codes[name] = game.code
    assert listed(alice, length="short") == [codes["short"]]
    assert set(listed(alice, length="middle")) == {codes["middle"], codes["middle too"]}
    assert listed(alice, length="long", seats="2") == [codes["long"]]
    assert listed(alice, length="long", seats="3") == []


# --- what a review said of each ------------------------------------------------------------------


def test_a_row_says_what_its_review_found_to_whom_reviews_are_shown(
    alice: User, bob: User, alice_client: Client
) -> None:
    """By the present judge only, and with luck where it was computed."""
    games = [finished_game(alice, bob) for _ in range(3)]
    judge = reviews.judges()["perudo"]
    judges = ((judge, 0.123), (judge, None), ("an old one", 0.5))
    for game, (judge, luck) in zip(games, judges, strict=True):
        ReviewedPlay.objects.create(
            user=alice,
            game=game,
            kind_key="perudo",
            judge=judge,
            finished_at=game.finished_at,
            judged=True,
            decisions=9,
            accuracy=0.876,
            inaccuracies=1,
            mistakes=0,
            blunders=0,
            luck=luck,
        )
    said = [line["reviewed"] for line in page_of(alice, alice_client)["games"]]
    assert said == ["", "Accuracy 88%", "Accuracy 88%, luck +12%"]
    User.objects.filter(pk=alice.pk).update(shows_reviews=False)
    assert not any(line["reviewed"] for line in page_of(alice)["games"])
    assert any(line["reviewed"] for line in page_of(alice, alice_client)["games"])


# --- by time -------------------------------------------------------------------------------------


def test_the_list_can_be_narrowed_to_a_period(alice: User, bob: User) -> None:
    now = timezone.now()
    User.objects.filter(pk=alice.pk).update(date_joined=now - timedelta(days=800))
    ages = (1, 20, 31, 700)
    games = [finished_game(alice, bob, now=now - timedelta(days=age)) for age in ages]
    codes = [game.code for game in games]
    assert listed(alice, period="week") == codes[:1]
    assert listed(alice, period="month") == codes[:2]
    for game in games:
        assert game.finished_at is not None
        in_its_year = [
            each.code
            for each in games
            if each.finished_at and each.finished_at.year == game.finished_at.year
        ]
        assert listed(alice, period=str(game.finished_at.year)) == in_its_year


def test_a_year_ends_with_its_last_moment(alice: User, bob: User) -> None:
    User.objects.filter(pk=alice.pk).update(date_joined=datetime(2025, 1, 1, tzinfo=UTC))
    [row] = finished_games(alice, viewer=finished_game(alice, bob).host).results
    new_year = datetime(2026, 1, 1, tzinfo=UTC)
    for at, year in ((new_year, "2026"), (new_year - timedelta(microseconds=1), "2025")):
        row.finished_at = at
        row.save()
        assert {each: len(listed(alice, period=each)) for each in ("2025", "2026")} == {
            "2025": int(year == "2025"),
            "2026": int(year == "2026"),
        }


# --- who sees it ---------------------------------------------------------------------------------


def test_who_shows_their_games_to_nobody_shows_no_list_and_no_numbers(
    alice: User, bob: User, alice_client: Client, bob_client: Client
) -> None:
    game = finished_game(alice, bob)
    hide_games(alice)
    assert listed(alice, alice_client) == [game.code]
    for client in (bob_client, Client()):
        for query in ({}, {"older": f"{10**16}-1"}, {"player": "bob"}, {"outcome": "won"}):
            answer = client.get("/players/alice", query)
            text = unescape(answer.content.decode())
            assert "alice doesn't show their games." in text
            assert game.code not in text and "Statistics" not in text
            assert "games" not in answer.context
    # Replays follow their own rule, and so does the list of the other one.
    assert Client().get(reverse("games:replay", args=[game.code])).status_code == 200
    assert listed(bob) == [game.code]


def test_another_list_does_not_search_for_who_shows_their_games_to_nobody(
    alice: User, bob: User, charlie: User, bob_client: Client, charlie_client: Client
) -> None:
    with_alice = finished_game(alice, bob)
    finished_game(bob, charlie)
    hide_games(alice)
    for client in (charlie_client, Client()):
        context = page_of(bob, client, player="alice")
        assert context["filter_form"].errors["player"] == ["alice doesn't show their games."]
    assert listed(bob, bob_client, player="alice") == [with_alice.code]


def test_a_person_chooses_who_sees_their_games(alice: User, alice_client: Client) -> None:
    chosen = {"username": "alice", "language": "", "theme": ""}
    alice_client.post("/account/", chosen | {"games_shown_to": "nobody"})
    alice_client.post("/account/", chosen)  # a page of before, which does not ask
    alice.refresh_from_db()
    assert alice.games_shown_to == "nobody"
    assert alice_client.get("/account/data").getvalue().count(b'"games_shown_to": "nobody"') == 1
    refused = alice_client.post("/account/", chosen | {"games_shown_to": "friends"})
    assert refused.status_code == 200 and "games_shown_to" in refused.context["form"].errors


# --- what it costs -------------------------------------------------------------------------------


@pytest.fixture
def many_games(alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two games of three, the codes returned, before and after eleven of two; six are looked
    through for a page."""
    monkeypatch.setattr(game_list, "LOOKED_THROUGH", 6)
    first = finished_game(alice, bob, charlie, now=START)
    last = finished_game(alice, bob, charlie, now=START + timedelta(days=2))
    grow_old(finished_game(alice, bob, now=START + timedelta(days=1)), copies=10)
    return [last.code, first.code]


def walk(client: Client, way: str, **query: Any) -> list[list[str]]:
    pages = []
    while True:
        answer = client.get("/players/alice", query)
        context = answer.context
        pages.append([line["code"] for line in context["games"]])
        assert context["looked_through"] == (len(pages[-1]) == 0 and context[way] is not None)
        if context[way] is None:
            return pages
        query[way] = context[way]


def test_a_page_looks_through_a_limited_number_of_games(
    alice_client: Client, many_games: list[str]
) -> None:
    last, first = many_games
    context = alice_client.get("/players/alice", {"player": "charlie"}).context
    assert [line["code"] for line in context["games"]] == [last]
    second = alice_client.get("/players/alice", {"player": "charlie", "older": context["older"]})
    assert "Look further?" in second.content.decode()
    third = {"player": "charlie", "older": second.context["older"]}
    context = alice_client.get("/players/alice", third).context
    assert [line["code"] for line in context["games"]] == [first]
    assert context["older"] is None
    back = alice_client.get("/players/alice", {"player": "charlie", "newer": context["newer"]})
    assert back.context["games"] == [] and back.context["looked_through"]
    again = {"player": "charlie", "older": back.context["older"]}
    assert [
        line["code"] for line in alice_client.get("/players/alice", again).context["games"]
    ] == [first]


@pytest.mark.parametrize("query", [{}, {"player": "charlie"}, {"player": "charlie", "older": "x"}])
def test_a_filter_by_player_asks_no_more_after_many_games(
    alice: User, bob: User, charlie: User, query: dict[str, str]
) -> None:
    game = finished_game(alice, bob, charlie)
    client = Client()

    def asked() -> list[str]:
        client.get("/players/alice", query)
        with CaptureQueriesContext(connection) as queries:
            client.get("/players/alice", query)
        return [each["sql"] for each in queries]

    few = asked()
    grow_old(game, copies=200)
    many = asked()
    assert len(many) <= len(few) <= 12
    assert all("LIMIT" in sql for sql in many if 'FROM "games_result"' in sql)


@pytest.mark.parametrize("period", ["", "month", "2026"])
def test_the_list_is_read_from_its_index(
    alice: User, bob: User, charlie: User, period: str
) -> None:
    """On each database, whatever it is filtered by; the games of others are never looked at."""
    grow_old(finished_game(alice, bob, charlie), copies=300)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE games_result")
            cursor.execute("ANALYZE games_seat")
            cursor.execute("SET LOCAL enable_seqscan = off")  # so small a table is read whole
            cursor.execute("SET LOCAL enable_sort = off")
    games = finished_games(alice, viewer=charlie).among(bob)
    results = games.results
    if period:
        results = results.filter(finished_at__gte=START, finished_at__lt=START + timedelta(days=9))
    assert "result_list" in results.order_by("-finished_at", "-seat")[:21].explain()
    with CaptureQueriesContext(connection) as asked:
        found = page(game_list.GameList(results, games.checks), newer=None, older=None, size=20)
    assert len(found.seats) == 20
    with connection.cursor() as cursor:
        how = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
        cursor.execute(f"{how} {asked[0]['sql']}")
        plan = "\n".join(str(row) for row in cursor.fetchall())
    assert "result_list" in plan
    assert "Seq Scan" not in plan and "SCAN games_" not in plan, plan
