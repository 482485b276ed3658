"""The button and the answers as forms, with and without scripts, and what the pages then show."""

from __future__ import annotations

from datetime import timedelta
from html import unescape

import pytest
from django.test import Client, override_settings

from accounts.models import User
from games.lobby.matching import jobs
from games.models import Game, Inbox, Search, Seat
from games.words import reason
from tests.games.lobby.matching.test_searches import states, table, warm_up
from tests.games.play.test_quotas import limits
from tests.support.fast_games import running_game
from tests.support.fixtures import PASSWORD, signed_in

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def strip(client: Client, page: str = "/rules") -> str:
    """The fragment `#search` of a page."""
    html = client.get(page).content.decode()
    start = html.index('<div id="search"')
    return " ".join(unescape(html[start : html.index("</div>", start)]).split())


def test_a_visitor_becomes_a_guest_and_warms_up_in_one_step(client: Client) -> None:
    answer = client.post("/play", {"username": "Rosalba"})
    rosalba = User.objects.get(username="Rosalba")
    game = warm_up(rosalba)
    assert rosalba.is_guest and game is not None
    assert answer["Location"] == f"/games/{game.code}"
    assert "You're first in line." in strip(client)


def test_without_a_name_the_site_chooses_one(client: Client) -> None:
    client.post("/play", {"username": " "})
    assert User.objects.get().is_guest


def test_a_name_that_is_taken_is_refused_beside_the_field(client: Client, alice: User) -> None:
    answer = client.post("/play", {"username": "Alice", "game": "perudo"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="Alice2"' in page and 'aria-invalid="true"' in page
    assert not Search.objects.exists() and User.objects.count() == 1


def test_the_second_is_led_to_the_table_and_the_first_is_called(
    alice_client: Client, bob_client: Client, alice: User, bob: User
) -> None:
    alice_client.post("/play")
    before = Inbox.objects.get(pk=alice.pk).seq
    assert bob_client.post("/play")["Location"] == f"/games/{table().code}"
    assert Inbox.objects.get(pk=alice.pk).seq > before
    shown = strip(alice_client)
    assert 'data-state="asked"' in shown and "bob is here." in shown and "Start now" in shown
    assert 'data-state=""' in strip(bob_client, f"/games/{table().code}")
    answer = alice_client.post("/play/answer", {"do": "start"}, headers=HTMX)
    assert answer["HX-Redirect"] == f"/games/{table().code}"
    assert states(alice, bob) == ["seated", "seated"]
    assert f'data-go="/games/{table().code}"' in strip(alice_client)


def test_a_look_by_request_brings_the_strip(alice_client: Client, bob_client: Client) -> None:
    alice_client.post("/play")
    first = alice_client.get("/inbox/now")
    assert 'data-state="waiting"' in first.content.decode()
    same = alice_client.get("/inbox/now", headers={"If-None-Match": first["ETag"]})
    assert same.status_code == 304
    bob_client.post("/play")
    news = alice_client.get("/inbox/now", headers={"If-None-Match": first["ETag"]})
    assert 'data-state="asked"' in news.content.decode()


def test_the_first_device_says_that_the_second_looks(alice: User) -> None:
    phone, desk = signed_in(alice), signed_in(alice)
    phone.post("/play")
    desk.post("/play")
    assert "You're looking for people on another device." in strip(phone)
    assert "You're first in line." in strip(desk)
    phone.post("/play/answer", {"do": "here"})
    assert "You're first in line." in strip(phone)
    assert 'data-state="elsewhere"' in strip(desk)


def test_not_now_leads_back_to_the_warm_up_and_stop_home(
    alice_client: Client, bob_client: Client, alice: User, bob: User
) -> None:
    alice_client.post("/play")
    bob_client.post("/play")
    answer = alice_client.post("/play/answer", {"do": "not_now"})
    assert answer["Location"] == f"/games/{warm_up(alice).code}"  # type: ignore[union-attr]
    assert bob_client.post("/play/answer", {"do": "stop"})["Location"] == "/"
    assert states(alice, bob) == ["left", "left"]


def test_at_the_table_itself_the_question_is_shown_until_it_is_answered(
    alice_client: Client, bob_client: Client
) -> None:
    """On the strip and beside the seat; to who waits or has answered the seat alone speaks."""
    alice_client.post("/play")
    page = f"/games/{table().code}"
    assert "hidden" in strip(alice_client, page)
    bob_client.post("/play")
    asked = alice_client.get(page).content.decode()
    own = asked[asked.index('<section id="own"') :]
    assert 'value="start"' in strip(alice_client, page) and 'value="start"' in own
    assert "Start now" in strip(alice_client, page)
    assert "hidden" in strip(bob_client, page) and "Start now" not in strip(bob_client, page)


def test_who_missed_it_can_look_again(
    alice_client: Client, bob_client: Client, alice: User, bob: User
) -> None:
    alice_client.post("/play", {"game": "perudo"})
    bob_client.post("/play")
    starts_at = table().starts_at
    assert starts_at is not None
    jobs.end_countdowns(starts_at + timedelta(seconds=1), 0)
    assert "bob was here, and you didn't answer." in strip(alice_client)
    alice_client.post("/play", {"game": "perudo", "do": ""})
    assert states(alice, bob) == ["ready", "asked"]


def test_the_way_back_to_a_running_game(alice_client: Client, alice: User, bob: User) -> None:
    game = running_game(alice, bob)
    page = alice_client.post("/play", follow=True).content.decode()
    assert unescape(page).count("You're at a table.") == 1
    assert f'href="/games/{game.code}">Return' in page


def test_the_page_of_a_quick_table_offers_no_way_in_but_the_button(
    alice_client: Client, client: Client
) -> None:
    alice_client.post("/play")
    page = client.get(f"/games/{table().code}").content.decode()
    assert "/sit-as-guest" not in page and "Play with people" in page
    answer = client.post(f"/games/{table().code}/sit-as-guest", {"username": "Rosalba"})
    assert answer.status_code == 302
    assert Seat.objects.filter(game=table()).count() == 1


def test_the_button_says_who_waits(alice_client: Client, client: Client) -> None:
    alice_client.post("/play", {"game": "peco_peco"})
    choices = client.get("/play").context["play"].choices
    assert {each.key: each.waiting for each in choices} == {"perudo": 0, "peco_peco": 1}
    own = alice_client.get("/play").context["play"]
    assert own.in_line and own.waiting == 0


def test_no_open_quick_table_and_no_warm_up_is_in_the_list(
    alice_client: Client, client: Client
) -> None:
    alice_client.post("/play")
    page = client.get("/").content.decode()
    for game in Game.objects.all():
        assert f"/games/{game.code}" not in page


def test_too_many_presses_are_refused_by_person_and_by_address(alice: User, bob: User) -> None:
    for changed in ({"person": 2}, {"address": 2}):
        with override_settings(
            ACCOUNT_RATE_LIMITS=limits() | {"find_people": limits(**changed)["open_table"]}
        ):
            client = signed_in(alice)
            for _ in range(2):
                client.post("/play", REMOTE_ADDR="192.0.2.7")
            page = client.post("/play", follow=True, REMOTE_ADDR="192.0.2.7").content.decode()
            assert reason("too_many_searches") in unescape(page)
            assert states(alice) == ["waiting"]
            signed_in(bob).post("/play", REMOTE_ADDR="192.0.2.8")
            assert states(bob) == ["ready"]
            for person in (alice, bob):
                signed_in(person).post("/play/answer", {"do": "stop"})


def test_an_answer_that_is_none_is_refused(alice_client: Client) -> None:
    assert alice_client.post("/play/answer", {"do": "dance"}).status_code == 400
    page = alice_client.post("/play/answer", {"do": "start"}, follow=True).content.decode()
    assert reason("not_in_line") in unescape(page)


def test_a_deleted_account_leaves_the_line(alice_client: Client, alice: User) -> None:
    alice_client.post("/play")
    alice_client.post("/account/delete", {"password": PASSWORD, "sure": "on"})
    assert not Search.objects.exists()
    assert not Game.objects.filter(status__in=("open", "playing")).exists()


def test_who_is_ready_waits_for_the_game_not_for_a_round(
    alice_client: Client, bob_client: Client
) -> None:
    alice_client.post("/play")
    at = bob_client.post("/play")["Location"]
    page = bob_client.get(at, headers={"Accept-Language": "it"}).content.decode()
    assert "può iniziare" in page and "prossima mano" not in page
