"""Ratings as people meet them: at a table, at its end, on a page, on the leaderboard; or never."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.models import Club, Game, RatedSeat, Rating
from games.perudo.ratings import SCALE
from games.play import before_start
from games.play.ratings.maths import KNOWN_DOUBT
from games.social.friends import ties
from games.study.ratings import board, of_person
from games.views.holder import home_of
from tests.support import rated_people
from tests.support.fast_games import open_table, played_game, running_game

pytestmark = pytest.mark.django_db

NOW = timezone.now()


rate = partial(rated_people.rate, now=NOW)


def befriend(one: User, other: User) -> None:
    ties.ask(one, other, now=NOW)
    ties.accept(other, one, now=NOW)


def text(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


# --- at a table -----------------------------------------------------------------------------------


def test_a_maker_chooses_it_and_everybody_reads_it_before_sitting_down(
    alice_client: Client, bob_client: Client
) -> None:
    form = {"kind": "standard", "seats": "2", "tempo": "normal", "pace": "auto"}
    form |= {"visibility": "public", "chat": "on", "rated": "on"}
    alice_client.post("/games/new", form)
    game = Game.objects.get()
    assert game.rated
    assert "rated</span>" in text(bob_client, f"/games/{game.code}")
    assert "rated" in text(bob_client, "/")


@pytest.mark.parametrize(
    "other", [{"visibility": "link"}, {"kind": "custom", "preset": "web_fr"}], ids=str
)
def test_what_cannot_be_rated_is_refused_in_words_beside_the_switch(
    alice_client: Client, other: dict[str, str]
) -> None:
    form = {"kind": "standard", "seats": "2", "tempo": "normal", "pace": "auto"}
    form |= {"visibility": "public", "rated": "on"} | other
    page = alice_client.post("/games/new", form)
    assert page.status_code == 422
    assert page.context["form"].errors["rated"] == [
        "Only public tables can be rated, with a rule set you pick at once."
    ]
    assert not Game.objects.exists()


def test_the_table_says_that_the_game_counts_and_another_does_not(
    alice: User, bob: User, alice_client: Client
) -> None:
    counts = running_game(alice, bob, rated=True)
    assert "This game counts for ratings." in text(alice_client, f"/games/{counts.code}")
    private = running_game(alice, bob, rated=True, public=False)
    assert "counts for ratings" not in text(alice_client, f"/games/{private.code}")


def test_who_would_share_a_home_is_told_before_and_after_sitting_down(
    alice: User, bob: User, bob_client: Client, alice_client: Client
) -> None:
    here = home_of("127.0.0.1")
    game = open_table(alice, "steady", rated=True, homes=[here])
    Game.objects.filter(pk=game.pk).update(size=3)
    path = f"/games/{game.code}"
    assert "plays from the same address as you" in text(bob_client, path)
    before_start.sit(game.code, bob, home=here, now=NOW)
    for client in (alice_client, bob_client):
        assert "Somebody else here plays from the same address" in text(client, path)
    Club.objects.create(name="The Toucan", home=here)
    assert "same address" not in text(bob_client, path)


def test_nobody_is_told_of_addresses_at_a_table_that_is_not_rated(
    alice: User, bob_client: Client
) -> None:
    game = open_table(alice, "steady", homes=[home_of("127.0.0.1")])
    Game.objects.filter(pk=game.pk).update(size=3)
    assert "same address" not in text(bob_client, f"/games/{game.code}")


# --- at its end -----------------------------------------------------------------------------------


def test_the_end_says_what_changed_and_why(alice: User, bob: User, alice_client: Client) -> None:
    game = played_game(alice, bob, "steady", rated=True)
    part = RatedSeat.objects.get(game=game, rating__user=alice)
    assert part.mu is not None and part.expected is not None
    change = round(part.mu) - round(SCALE.start)
    sign = "+" if change > 0 else "−" if change < 0 else ""
    page = text(alice_client, f"/games/{game.code}")
    assert f"Rating <b>{round(part.mu)}?</b> ({sign}{abs(change)})" in page
    expected = round(part.expected)
    as_expected = "as expected" if part.place == expected else f"expected {expected}"
    assert f"Place {part.place} of 3, {as_expected}" in page


def test_a_guest_reads_what_an_account_would_have_got(alice: User, bob: User) -> None:
    guest = User.objects.create_user("Wanderer", is_guest=True)
    game = played_game(guest, alice, bob, rated=True)
    client = Client()
    client.force_login(guest)
    page = text(client, f"/games/{game.code}")
    assert "With an account, your rating would have changed by" in page
    assert "Make one: from the next game on it counts" in page
    assert not Rating.objects.filter(user=guest).exists()


def test_watchers_read_nobodys_rating(alice: User, bob: User) -> None:
    game = played_game(alice, bob, rated=True)
    assert "Rating" not in text(Client(), f"/games/{game.code}")


# --- hidden ---------------------------------------------------------------------------------------


def test_who_hides_ratings_meets_none(alice: User, bob: User, alice_client: Client) -> None:
    game = played_game(alice, bob, rated=True)
    befriend(alice, bob)
    alice_client.post("/account/", {"username": "alice"})
    alice.refresh_from_db()
    assert not alice.sees_ratings
    for path in (f"/games/{game.code}", "/players/alice", "/players/bob"):
        page = text(alice_client, path)
        assert "Rating" not in page and "1500" not in page, path
    page = text(alice_client, "/ratings/perudo")
    assert "You have chosen to see no ratings." in page
    assert ">bob<" not in page


def test_nobody_finds_the_rating_of_who_hides_ratings_or_games(
    alice: User, bob: User, bob_client: Client
) -> None:
    for number in range(12):
        rate(f"p{number}", 1500 + 10 * number)
    rate("alice", 2000)
    for change in ({"sees_ratings": False}, {"games_shown_to": "nobody"}):
        User.objects.filter(pk=alice.pk).update(sees_ratings=True, games_shown_to="everybody")
        assert "alice" in text(bob_client, "/ratings/perudo")
        User.objects.filter(pk=alice.pk).update(**change)
        assert "alice" not in text(bob_client, "/ratings/perudo")
        assert "2000" not in text(bob_client, "/players/alice")


# --- a person's page ------------------------------------------------------------------------------


def test_a_page_says_how_strong_how_sure_and_where(
    alice: User, bob: User, charlie: User, client: Client
) -> None:
    for seed in range(1, 4):
        played_game(alice, bob, charlie, rated=True, seed=seed)
    played_game(alice, bob, rated=True, seed=9)
    [found] = of_person.of_person(alice, now=NOW)
    assert found.rating.endswith("?") and not found.is_known
    assert found.low < int(found.rating[:-1]) < found.high
    assert [(row.places, row.games) for row in found.tables] == [(2, 1), (3, 3)]
    assert found.curve is not None and found.curve.games == 4
    assert found.place is None
    page = text(client, "/players/alice")
    assert f"strength is almost certainly between {found.low} and {found.high}" in page
    assert "The “?” goes away" in page


def test_doubt_grows_with_absence_on_the_page_and_the_rating_stays(alice: User) -> None:
    rate("alice", 1650, days=0)
    [now] = of_person.of_person(alice, now=NOW)
    [later] = of_person.of_person(alice, now=NOW + timedelta(days=200))
    assert (now.rating, later.rating) == ("1650", "1650?")
    assert now.doubt < later.doubt
    assert Rating.objects.get().sigma == 60


def test_friends_are_compared_on_ones_own_page_and_on_theirs(
    alice: User, bob: User, alice_client: Client, client: Client
) -> None:
    games = [played_game(alice, bob, seed=seed) for seed in (1, 2, 3)]
    before = sum(game.seat_set.get(user=alice).place == 1 for game in games)
    said = f"You finished before them in {before} of 3 games"
    assert said not in text(alice_client, "/players/alice")
    befriend(alice, bob)
    assert said in text(alice_client, "/players/alice")
    assert said in text(alice_client, "/players/bob")
    assert "You finished before them" not in text(client, "/players/bob")


# --- the leaderboard ------------------------------------------------------------------------------


def test_it_begins_when_ten_people_qualify(client: Client) -> None:
    for number in range(9):
        rate(f"p{number}", 1500)
    rate("newish", 1900, games=29)
    rate("absentee", 1900, days=31)
    rate("unsure", 1900, sigma=KNOWN_DOUBT + 1)
    page = text(client, "/ratings/perudo")
    assert "9 have so far" in page
    assert "newish" not in page
    rate("p9", 1400)
    page = text(client, "/ratings/perudo")
    assert page.count('class="rating-points"') == 10
    assert not any(name in page for name in ("newish", "absentee", "unsure"))


def test_it_goes_by_the_cautious_estimate(client: Client) -> None:
    for number in range(10):
        rate(f"p{number}", 1500 - number)
    rate("doubtful", 1525, sigma=75)
    rate("certain", 1550, sigma=40)
    listed = board.leaderboard("perudo", me=None, now=NOW).top
    names = [row.name for row in listed]
    assert names[0] == "certain"
    assert names.index("doubtful") > names.index("p0")


def test_around_oneself_are_five_above_and_below(alice: User, alice_client: Client) -> None:
    for number in range(70):
        rate(f"p{number:02}", 1700 - 2 * number)
    rate("alice", 1585)
    found = board.leaderboard("perudo", me=alice, now=NOW)
    assert len(found.top) == board.MOST_PEOPLE
    assert [row.place for row in found.around] == list(range(54, 65))
    assert [row.is_me for row in found.around].index(True) == 5
    assert "Around you" in text(alice_client, "/ratings/perudo")


def test_friends_are_among_themselves_from_the_first_game(
    alice: User, bob: User, alice_client: Client
) -> None:
    played_game(alice, bob, rated=True)
    assert "You and your friends" not in text(alice_client, "/ratings/perudo")
    befriend(alice, bob)
    page = text(alice_client, "/ratings/perudo")
    assert "You and your friends" in page and "bob" in page


def test_this_month_is_won_by_more_than_was_expected(alice: User, bob: User) -> None:
    befriend(alice, bob)
    played_game(alice, bob, rated=True, now=NOW)
    played_game(alice, bob, rated=True, now=NOW - timedelta(days=40))
    rows = board.this_month("perudo", alice, [bob], now=NOW)
    assert sum(row.games for row in rows) == 2
    assert sum(row.won for row in rows) == 1
    assert sum(row.expected for row in rows) == pytest.approx(1)
    assert [row.won for row in rows] == [1, 0]


def test_an_unknown_game_is_not_found(client: Client) -> None:
    assert client.get("/ratings/chess").status_code == 404
    assert client.get("/ratings").headers["Location"] == "/ratings/perudo"


@pytest.mark.slow
def test_no_page_reads_a_table_whole(alice: User) -> None:
    """By the plan of each query; PostgreSQL reads a small table whole, whatever indexes it has."""
    number = 100_000 if connection.vendor == "postgresql" else 3_000
    people = User.objects.bulk_create(
        User(username=f"p{n}", name_key=f"p{n}", skeleton_as_written=None, skeleton_folded=None)
        for n in range(number)
    )
    Rating.objects.bulk_create(
        Rating(
            user=person,
            kind_key="perudo",
            mu=1500 + n % 400,
            sigma=60,
            lower=1380 + n % 400,
            games=40,
            number=1,
            last_at=NOW - timedelta(days=1),
        )
        for n, person in enumerate(people)
    )
    mine = rate("alice", 1500)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with CaptureQueriesContext(connection) as asked:
        board.leaderboard("perudo", me=alice, now=NOW)
        board.place_of(mine, now=NOW)
        of_person.of_person(alice, now=NOW)
    whole = [
        line
        for each in asked
        for line in plan(each["sql"]).splitlines()
        if ("Seq Scan on " in line and "cost=0.00..0.00" not in line)  # an empty table
        or (re.search("SCAN (games|accounts)_", line) and "INDEX" not in line)
    ]
    assert len(asked) > 5 and whole == []


def plan(sql: str) -> str:
    how = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    with connection.cursor() as cursor:
        cursor.execute(f"{how} {sql}")
        return "\n".join(str(row) for row in cursor.fetchall())
