"""Bold claims of a finished game, and which other players would have believed them too."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.contract import catalogue
from games.models import Belief, Game
from games.peco_peco.tests import fast_games as cards
from games.study.replay import bold_claims
from games.study.review import beliefs, reviews
from perudo_site import data_export, deletion
from tests.games.contract.kinds import LANGUAGES
from tests.support import fast_games
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db

NOW = fast_games.START


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """A finished game with a bold bid of each person."""
    game = fast_games.finished_game(alice, bob, "steady", calza="on", seed=2)
    reviews.make(game, now=NOW)
    return game


def claim_of(game: Game, person: User) -> int:
    """The first bold claim of this person."""
    found = beliefs.of_game(game, AnonymousUser())
    return next(each.number for each in found if each.name == person.shown_name)


def press(client: Client, game: Game, number: int, do: str = "believe", **more: str) -> int:
    address = reverse("games:believe", args=[game.code, number])
    return client.post(address, {"do": do}, **more).status_code  # type: ignore[arg-type]


def review(game: Game, client: Client) -> str:
    html = client.get(reverse("games:review", args=[game.code])).content.decode()
    return " ".join(unescape(html).split())


def test_the_boldest_claims_of_people_are_shown_in_the_order_of_the_game(game: Game) -> None:
    found = beliefs.of_game(game, AnonymousUser())
    numbers = [each.number for each in found]
    assert 1 <= len(found) <= bold_claims.MOST and numbers == sorted(numbers)
    moments = catalogue.of(game.kind_key).replay.moments(game)
    for each in found:
        move = moments[each.number - 1].move
        assert move is not None and move.chance is not None and move.chance < 0.5
        assert move.seat in (0, 1) and not move.automatic
        assert (each.believers, each.is_mine, each.press_url) == (0, False, "")


def test_other_players_press_once_and_take_it_back(game: Game, alice: User, bob: User) -> None:
    number, client = claim_of(game, alice), signed_in(bob)
    assert "I'd have believed it too" in review(game, client)
    for _ in range(2):
        assert press(client, game, number) == 302
    [kept] = Belief.objects.all()
    assert (kept.person, kept.moment) == (bob, number)
    for reader in (client, Client()):
        assert "1 would have believed it too" in review(game, reader)
    assert "Take back" in review(game, client) and "Take back" not in review(game, Client())
    assert press(client, game, number, "not") == 302
    assert not Belief.objects.exists() and "would have believed it too" not in review(
        game, Client()
    )


def test_two_who_press_are_counted(game: Game, alice: User, bob: User, charlie: User) -> None:
    number = claim_of(game, alice)
    for person in (bob, charlie):
        beliefs.press(game, number, person, believes=True, now=NOW)
    assert "2 would have believed it too" in review(game, Client())


def test_nobody_else_can_press(game: Game, alice: User, bob: User, charlie: User) -> None:
    number = claim_of(game, alice)
    assert press(signed_in(alice), game, number) == 404, "their own claim"
    assert press(signed_in(charlie), game, number) == 404, "sat elsewhere"
    bold = {each.number for each in beliefs.of_game(game, bob)}
    for other in {1, 2, 3, 9999} - bold:
        assert press(signed_in(bob), game, other) == 404, other
    assert press(Client(), game, number) == 302
    for client, moment in ((Client(), 9999), (signed_in(bob), 1)):
        assert client.get(reverse("games:believe", args=[game.code, moment])).status_code == 404
    running = fast_games.running_game(alice, bob, bids=2)
    assert press(signed_in(bob), running, 3) == 404
    assert not Belief.objects.exists()


def test_a_game_of_one_person_has_none(alice: User) -> None:
    game = fast_games.finished_game(alice, "steady", seed=3)
    assert beliefs.of_game(game, alice) == []


def test_bluffs_of_peco_peco_can_be_believed(alice: User, bob: User, charlie: User) -> None:
    game = cards.played_game(alice, bob, charlie, "easy")
    moments = catalogue.of(game.kind_key).replay.moments(game)
    found = beliefs.of_game(game, bob)
    assert found and all(moments[each.number - 1].bluff for each in found)  # type: ignore[attr-defined]


def test_presses_are_rate_limited(game: Game, alice: User, bob: User, settings: object) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"believe": "1/h/user"}  # type: ignore[attr-defined]
    number, client = claim_of(game, alice), signed_in(bob)
    assert [press(client, game, number) for _ in range(2)] == [302, 429]


def test_a_script_gets_the_claim_anew_in_the_list_and_at_its_moment(
    game: Game, alice: User, bob: User
) -> None:
    number = claim_of(game, alice)
    address = reverse("games:believe", args=[game.code, number])
    for at, beside in (("", "believed"), ("moment", "claim")):
        Belief.objects.all().delete()
        asked = {"do": "believe", "at": at}
        [alone] = parts(signed_in(bob).post(address, asked, headers=HTMX))
        assert not alone.startswith(beside)
        told = parts(signed_in(bob).post(address, asked | {"beside": "1"}, headers=HTMX))
        assert sorted(told) == [f"believed-{number}", f"claim-{number}"]
        for name, html in told.items():
            assert "1 would have believed it too" in html and "Take back" in html
            assert ("hx-swap-oob" in html) == name.startswith(beside)
            assert ("autofocus" in html) != name.startswith(beside)


HTMX = {"HX-Request": "true"}


def parts(answer: Any) -> dict[str, str]:
    """The elements with an id of a fragment."""
    told = " ".join(answer.content.decode().split())
    return {
        re.findall(r'id="([^"]*)"', part)[0]: part for part in re.split("(?=<li|<div id)", told)[1:]
    }


def test_each_moment_of_a_claim_has_a_place_for_it_and_no_other_has(
    game: Game, alice: User, bob: User
) -> None:
    numbers = [each.number for each in beliefs.of_game(game, bob)]
    count = len(catalogue.of(game.kind_key).replay.moments(game))
    for number in range(1, count + 1):
        page = Client().get(reverse("games:moment", args=[game.code, number]))
        place = f'hx-get="{reverse("games:believe", args=[game.code, number])}"'
        assert (place in page.content.decode()) == (number in numbers)
        assert page.content.decode().count("believed-") == (number in numbers)


def test_a_moment_is_asked_about_by_who_may_see_all_hands(game: Game, alice: User) -> None:
    """The view of one seat knows nothing of what others held, and so of no bold bid."""
    address = reverse("games:moment", args=[game.code, claim_of(game, alice)])
    for query, is_there in (("", True), ("?seat=1", False), ("?seat=1&open=1", True)):
        assert ("believed-" in Client().get(address + query).content.decode()) == is_there, query


def test_the_moment_tells_each_reader_what_they_may_do(
    game: Game, alice: User, bob: User, charlie: User
) -> None:
    number = claim_of(game, alice)
    address = reverse("games:believe", args=[game.code, number])
    readers = [signed_in(bob), signed_in(alice), signed_in(charlie), Client()]
    told = [each.get(address, headers=HTMX).content.decode() for each in readers]
    assert ["I'd have believed it too" in unescape(each) for each in told] == [True] + 3 * [False]
    beliefs.press(game, number, bob, believes=True, now=NOW)
    for reader in readers:
        assert "1 would have believed it too" in " ".join(
            reader.get(address, headers=HTMX).content.decode().split()
        )
    without = Client().get(address)
    assert without.url == f"{review_at(game, number)}#claim-{number}"  # type: ignore[attr-defined]
    assert f'id="claim-{number}"' in Client().get(review_at(game, number)).content.decode()


def review_at(game: Game, number: int) -> str:
    return f"{reverse('games:review', args=[game.code])}?at={number}"


def test_claims_cost_one_query(game: Game, bob: User) -> None:
    beliefs.of_game(game, bob)
    with CaptureQueriesContext(connection) as asked:
        beliefs.of_game(game, bob)
    assert len([each for each in asked if "belief" in each["sql"]]) == 1
    assert len(asked) <= 2


def test_it_is_told_in_every_language(game: Game, alice: User, bob: User) -> None:
    beliefs.press(game, claim_of(game, alice), bob, believes=True, now=NOW)
    titles = set()
    for language in LANGUAGES:
        address = reverse("games:review", args=[game.code])
        html = Client().get(address, headers={"Accept-Language": language}).content.decode()
        titles.add(re.findall(r'<span class="soft">\s*(1 .*?)\s*</span>', html)[0])
        assert "%(" not in html
    assert len(titles) == len(LANGUAGES)


def test_beliefs_are_exported_and_deleted_with_the_account(
    game: Game, alice: User, bob: User
) -> None:
    number = claim_of(game, alice)
    beliefs.press(game, number, bob, believes=True, now=NOW)
    told = {"game": game.code, "moment": number, "pressed": NOW.isoformat()}
    assert data_export.everything_about(bob)["believed_claims"] == [told]
    deletion.delete_account(bob, now=NOW)
    assert not Belief.objects.exists()
