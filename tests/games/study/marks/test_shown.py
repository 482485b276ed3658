"""Who sees which marks, with which links, and what that costs."""

from __future__ import annotations

from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.contract import catalogue
from games.models import Game, Mark
from games.study.marks import awards, shown
from games.study.review import reviews
from tests.support.fast_games import START, finished_game
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db

NOBODY = AnonymousUser()


def give(person: User, key: str, game: Game | None = None, moment: int = 1) -> None:
    values = {"game": game, "moment": moment, "at": START}
    Mark.objects.create(user=person, kind_key="perudo", key=key, **values)


def shelf(person: User, viewer: User | AnonymousUser = NOBODY) -> shown.Shelf:
    return shown.of_person(person, viewer=viewer)["perudo"]


def page(person: User, client: Client | None = None) -> str:
    html = (client or Client()).get(reverse("games:profile", args=[person.username])).content
    return " ".join(unescape(html.decode()).split())


def test_a_mark_leads_to_its_moment(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    give(alice, "untouched", game, moment=3)
    [mark] = shelf(alice).earned
    assert mark.url == reverse("games:moment", args=[game.code, 3])
    assert (mark.name, mark.story) == ("Untouched", "Win without losing a die.")
    html = page(alice)
    assert f'<a href="{mark.url}">Untouched</a>' in html and mark.story in html
    assert "perudo/marks" in html and "#untouched" in html
    assert Client().get(mark.url).status_code == 200


def test_a_mark_of_the_whole_game_leads_to_its_replay(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    give(alice, "no_error", game, moment=0)
    assert shelf(alice).earned[0].url == reverse("games:moment", args=[game.code, 1])


def test_a_mark_of_a_private_game_leads_only_its_players_there(
    alice: User, bob: User, charlie: User
) -> None:
    game = finished_game(alice, bob, public=False)
    give(alice, "untouched", game)
    urls = {viewer: shelf(alice, viewer).earned[0].url for viewer in (alice, bob, charlie, NOBODY)}
    assert urls[alice] == urls[bob] != ""
    assert urls[charlie] == urls[NOBODY] == ""
    assert game.code not in page(alice, signed_in(charlie))


def test_a_mark_without_its_game_stays(alice: User, bob: User) -> None:
    finished_game(alice, bob)
    give(alice, "untouched")
    assert shelf(alice).earned[0].url == "" and "Untouched" in page(alice)


def test_who_shows_no_games_shows_no_marks(alice: User, bob: User) -> None:
    give(alice, "untouched", finished_game(alice, bob))
    alice.games_shown_to = User.GamesShownTo.NOBODY
    alice.save()
    for client in (Client(), signed_in(bob)):
        assert "Untouched" not in page(alice, client)
    assert "Untouched" in page(alice, signed_in(alice))


def test_who_shows_no_reviews_shows_no_marks_of_reviews(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    give(alice, "no_error", game)
    give(alice, "untouched", game)
    alice.shows_reviews = False
    alice.save()
    assert [each.key for each in shelf(alice, bob).earned] == ["untouched"]
    assert [each.key for each in shelf(alice, alice).earned] == ["untouched", "no_error"]
    alice.shows_reviews = True
    alice.save()
    assert [each.key for each in shelf(alice, bob).earned] == ["untouched", "no_error"]


def test_what_is_still_to_earn_is_shown_to_oneself(alice: User, bob: User) -> None:
    give(alice, "first_win", finished_game(alice, bob))
    marks = catalogue.of("perudo").marks
    assert marks is not None
    own = shelf(alice, alice)
    assert [each.key for each in (*own.earned, *own.missing)] == list(marks.KEYS)
    assert shelf(alice, bob).missing == () and shelf(alice, bob).all == len(marks.KEYS)
    assert "Still to earn" in page(alice, signed_in(alice))
    assert "Still to earn" not in page(alice, signed_in(bob))
    assert f"1 of {len(marks.KEYS)}" in page(alice)


def test_somebody_without_marks_has_no_heading_for_others(alice: User, bob: User) -> None:
    finished_game(alice, bob)
    assert "Achievements" not in page(alice) and "Achievements" in page(alice, signed_in(alice))


def test_a_rare_mark_says_how_many_have_it(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    give(alice, "untouched", game)
    assert shelf(alice).earned[0].others == 0 and "nobody else has it" in page(alice)
    give(bob, "untouched", game)
    assert "1 other player has it" in page(alice)
    people = [User.objects.create_user(f"person-{number}") for number in range(shown.RARE)]
    for person in people[:-2]:
        give(person, "untouched", game)
    assert f"{shown.RARE - 1} other players have it" in page(alice)
    give(people[-1], "untouched", game)
    assert shelf(alice).earned[0].others is None and "have it" not in page(alice)


def test_a_mark_of_another_game_is_not_counted(alice: User, bob: User) -> None:
    give(alice, "untouched", finished_game(alice, bob))
    Mark.objects.create(user=bob, kind_key="peco_peco", key="untouched", moment=1, at=START)
    assert shelf(alice).earned[0].others == 0


def test_one_that_can_be_earned_against_bots_is_never_rare(alice: User, bob: User) -> None:
    give(alice, "first_win", finished_game(alice, bob))
    assert shelf(alice).earned[0].others is None


def test_a_mark_that_the_game_no_longer_has_is_not_shown(alice: User, bob: User) -> None:
    give(alice, "of_yesterday", finished_game(alice, bob))
    assert shelf(alice).earned == []


def test_the_replay_and_the_review_say_what_the_reader_earned_in_this_game(
    alice: User, bob: User
) -> None:
    game = finished_game(alice, bob)
    reviews.make(game, now=START + timedelta(hours=1))
    Mark.objects.all().delete()
    give(alice, "untouched", game)
    give(bob, "untouched")
    for place in ("replay", "review"):
        address = reverse(f"games:{place}", args=[game.code])
        told = "Achievement earned in this game: <b>Untouched</b>"
        assert told in signed_in(alice).get(address).content.decode()
        for client in (signed_in(bob), Client()):
            assert "earned in this game" not in client.get(address).content.decode()


# --- costs ---------------------------------------------------------------------------------------


def many_holders(most: int) -> None:
    people = User.objects.bulk_create(
        User(username=f"p{number}", name_key=f"p{number}") for number in range(most)
    )
    Mark.objects.bulk_create(
        Mark(user=person, kind_key="perudo", key=key, moment=1, at=START)
        for person in people
        for key in ("untouched", "first_win")
    )


def test_marks_are_read_and_counted_by_indexes(alice: User, bob: User) -> None:
    """However many people have them: no table is read whole."""
    game = finished_game(alice, bob)
    awards.award(game)
    give(alice, "untouched", game)
    many_holders(500)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE games_mark")
            cursor.execute("SET LOCAL enable_seqscan = off")
    with CaptureQueriesContext(connection) as asked:
        shown.of_person(alice, viewer=NOBODY)
    plans = [plan(each["sql"]) for each in asked]
    assert len(plans) == 2
    for each in plans:
        assert "Seq Scan" not in each and "SCAN games_" not in each and "SCAN holder" not in each
    index = "Index Only Scan using one_mark" if connection.vendor == "postgresql" else "COVERING"
    assert index in plans[0]
    assert f"LIMIT {shown.RARE + 1}" in asked[0]["sql"]


def plan(sql: str) -> str:
    how = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    with connection.cursor() as cursor:
        cursor.execute(f"{how} {sql}")
        return "\n".join(str(row) for row in cursor.fetchall())
