"""POSTs to a table: each is answered with a notice or a redirect, with htmx and without."""

from __future__ import annotations

import html
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from games import words
from games.models import Game
from games.perudo.rules import KEY
from games.play import before_start
from games.store import queries
from tests.support.cases import untouched
from tests.support.fast_games import START, finished_game, open_table
from tests.support.fixtures import PASSWORD, signed_in
from tests.support.game_driver import GameDriver, all_rows, bid, deal_game, seat_names

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
HTMX = {"HX-Request": "true"}
ACTIONS = (
    *("move", "back", "skip", "new-game", "sit", "stand"),
    *("start", "close", "add-bot", "remove", "rematch"),
)


def post(client: Client, game: Game, action: str, *, htmx: bool = True, **fields: Any) -> Any:
    headers = HTMX if htmx else {}
    return client.post(reverse(f"games:{action}", args=[game.code]), fields, headers=headers)


def says(response: HttpResponse, code: str) -> bool:
    return html.escape(words.reason(code, kind_key=KEY)) in response.content.decode()


@pytest.fixture
def driver(alice: User, bob: User) -> GameDriver:
    """Alice is to open against Bob."""
    return deal_game(alice, bob, hands=HANDS)


@pytest.fixture
def game(driver: GameDriver) -> Game:
    return driver.game


# --- moves ---------------------------------------------------------------------------------------


def test_a_bid_is_answered_with_an_empty_notice(alice_client: Client, driver: GameDriver) -> None:
    answer = post(
        alice_client, driver.game, "move", do="bid", quantity=2, face=3, seen=driver.game.seq
    )
    assert (answer.status_code, answer.content.strip()) == (200, b"")
    assert driver.state.bids == ((0, bid("2x3")),)


def test_without_htmx_a_bid_redirects_to_the_table(alice_client: Client, game: Game) -> None:
    fields = {"do": "bid", "quantity": 2, "face": 3, "seen": game.seq}
    answer = post(alice_client, game, "move", htmx=False, **fields)
    assert (answer.status_code, answer["Location"]) == (302, f"/games/{game.code}")


def test_a_refused_bid_is_answered_with_its_reason_and_changes_nothing(
    alice_client: Client, game: Game
) -> None:
    before = all_rows()
    answer = post(alice_client, game, "move", do="bid", quantity=99, face=3, seen=game.seq)
    assert answer.status_code == 200 and says(answer, "bad_count")
    assert all_rows() == before


def test_without_htmx_a_refusal_is_a_message_on_the_next_page(
    alice_client: Client, game: Game
) -> None:
    fields = {"do": "bid", "quantity": 1, "face": 1, "seen": game.seq}
    address = reverse("games:move", args=[game.code])
    assert says(alice_client.post(address, fields, follow=True), "paco_opening")


def test_invalid_moves_are_answered_with_a_reason_and_change_nothing(
    alice_client: Client, game: Game, subtests: pytest.Subtests
) -> None:
    for fields, code in [
        ({}, "malformed"),
        ({"do": "dance"}, "malformed"),
        ({"do": "settle"}, "malformed"),
        ({"do": "bid", "face": "3"}, "malformed"),
        ({"do": "bid", "face": "3", "quantity": "-2"}, "malformed"),
        ({"do": "bid", "face": "3", "quantity": "2.0"}, "malformed"),
        ({"do": "bid", "face": "3", "quantity": "9" * 5_000}, "malformed"),
        ({"do": "bid", "face": "³", "quantity": "2"}, "malformed"),
        ({"do": "bid", "face": "7", "quantity": "2"}, "bad_face"),
        ({"do": "bid", "face": "٧", "quantity": "2"}, "bad_face"),
        ({"do": "bid", "face": "3", "quantity": "2", "seen": ""}, "malformed"),
        ({"do": "bid", "face": "3", "quantity": "2", "seen": "-1"}, "malformed"),
        ({"do": "bid", "face": "3", "quantity": "2", "seen": "¹"}, "malformed"),
        ({"do": "bid", "face": "3", "quantity": "2", "seen": "1"}, "stale"),
        ({"do": "bid", "face": "3", "quantity": "2", "seen": "１"}, "stale"),
        ({"do": "bid", "face": "3", "quantity": "2", "seen": "999999999"}, "stale"),
        ({"do": "dudo"}, "no_bid"),
        ({"do": "calza"}, "calza_off"),
        ({"do": "confirm"}, "nothing_to_confirm"),
    ]:
        with subtests.test(fields=fields), untouched():
            before = all_rows()
            answer = post(alice_client, game, "move", **{"seen": str(game.seq)} | fields)
            assert answer.status_code == 200 and says(answer, code)
            assert all_rows() == before


def test_a_spectator_cannot_move(charlie: User, game: Game) -> None:
    before = all_rows()
    answer = post(signed_in(charlie), game, "move", do="dudo", seen=game.seq)
    assert says(answer, "not_seated")
    assert says(post(signed_in(charlie), game, "back"), "not_seated")
    assert all_rows() == before


def test_nobody_can_move_for_another_seat(bob_client: Client, game: Game) -> None:
    fields = {"do": "bid", "quantity": 2, "face": 3, "seen": game.seq, "seat": 0, "number": 0}
    assert says(post(bob_client, game, "move", **fields), "not_your_turn")


def test_leaving_works_from_an_old_page_and_leads_home(alice_client: Client, game: Game) -> None:
    answer = post(alice_client, game, "move", do="leave")
    assert (answer.status_code, answer["HX-Redirect"]) == (200, "/")
    game.refresh_from_db()
    assert game.status == Game.Status.FINISHED


def test_a_seat_number_of_an_open_table_is_never_used_for_a_move(
    alice_client: Client, alice: User, bob: User
) -> None:
    assert says(post(alice_client, open_table(alice, bob), "move", do="leave"), "not_playing")


def test_a_seat_number_read_before_the_start_is_not_used_after_it(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The start renumbers the seats: one player would leave in place of another."""
    game = open_table(alice, "steady", bob, charlie)
    before_start.remove(game.code, alice, number=1, now=START)
    found = Game.objects.get(pk=game.pk), game.seat_set.get(user=bob)
    before_start.start(game.code, alice, now=START)
    assert found[1].number == game.seat_set.get(user=charlie).number
    monkeypatch.setattr(queries, "find", lambda code, user: found)
    assert says(post(signed_in(bob), game, "move", do="leave"), "not_playing")
    assert not game.seat_set.filter(gone=True).exists()


def test_an_absent_player_takes_their_seat_back(alice_client: Client, driver: GameDriver) -> None:
    driver.game.seat_set.filter(number=0).update(asleep=True)
    assert post(alice_client, driver.game, "back").status_code == 200
    assert not driver.seat(0).asleep


# --- around the game -----------------------------------------------------------------------------


def test_joining_reloads_the_page(alice: User, bob_client: Client) -> None:
    game = open_table(alice, "steady")
    post(signed_in(alice), game, "remove", seat=1)
    answer = post(bob_client, game, "sit")
    assert answer["HX-Redirect"] == f"/games/{game.code}"
    assert seat_names(game.code) == ["alice", "bob"]


def test_leaving_and_closing_an_open_table_lead_home(alice: User, bob: User) -> None:
    game = open_table(alice, bob)
    assert post(signed_in(bob), game, "stand")["HX-Redirect"] == "/"
    assert post(signed_in(alice), game, "close", htmx=False)["Location"] == "/"


def test_a_host_fills_the_table_and_starts(alice_client: Client, alice: User, bob: User) -> None:
    game = open_table(alice, bob)
    post(alice_client, game, "remove", seat=1)
    post(alice_client, game, "add-bot", kind="sharp")
    post(alice_client, game, "start")
    game.refresh_from_db()
    assert (game.status, seat_names(game.code)) == (Game.Status.PLAYING, ["alice", "sharp"])


def test_a_rematch_leads_to_the_new_table(alice_client: Client, alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    answer = post(alice_client, game, "rematch")
    game.refresh_from_db()
    assert game.rematch is not None
    assert answer["HX-Redirect"] == f"/games/{game.rematch.code}"


def test_a_guest_of_the_table_is_told_why_an_action_is_refused(
    alice: User, bob: User, bob_client: Client, subtests: pytest.Subtests
) -> None:
    for action, fields, code in [
        ("sit", {}, "already_seated"),
        ("start", {}, "not_host"),
        ("close", {}, "not_host"),
        ("add-bot", {"kind": "sharp"}, "not_host"),
        ("remove", {"seat": "0"}, "not_host"),
        ("remove", {"seat": "all"}, "malformed"),
        ("rematch", {}, "not_over"),
        ("move", {"do": "dudo", "seen": "1"}, "not_playing"),
        ("back", {}, "not_playing"),
    ]:
        with subtests.test(action=action, fields=fields), untouched():
            game = open_table(alice, bob)
            before = all_rows()
            answer = post(bob_client, game, action, **fields)
            assert answer.status_code == 200 and says(answer, code)
            assert all_rows() == before


# --- every action --------------------------------------------------------------------------------


def test_an_action_from_another_site_is_refused(
    alice: User, game: Game, subtests: pytest.Subtests
) -> None:
    for action in ACTIONS:
        with subtests.test(action=action), untouched():
            client = Client(enforce_csrf_checks=True)
            client.force_login(alice)
            before = all_rows()
            assert post(client, game, action, do="leave").status_code == 403
            assert all_rows() == before


def test_the_csrf_token_of_the_page_is_accepted(alice: User, game: Game) -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.login(username="alice", password=PASSWORD)
    client.get(reverse("games:table", args=[game.code]))
    fields = {"do": "bid", "quantity": 2, "face": 3, "seen": game.seq}
    token = client.cookies["csrftoken"].value
    address = reverse("games:move", args=[game.code])
    assert client.post(address, fields, headers={"X-CSRFToken": token} | HTMX).status_code == 200
    game.refresh_from_db()
    assert game.factrow_set.filter(kind="bid_made").count() == 1


def test_a_visitor_is_sent_to_sign_in_and_comes_back_to_the_table(
    game: Game, subtests: pytest.Subtests
) -> None:
    for action in ACTIONS:
        with subtests.test(action=action), untouched():
            before = all_rows()
            table = f"/games/{game.code}"
            if action in ("sit", "rematch"):  # is done after signing in
                table = quote(f"{reverse('go-on')}?{urlencode({'next': table})}", safe="/")
            signing_in = f"{reverse('account_login')}?next={table}"
            assert post(Client(), game, action, htmx=False)["Location"] == signing_in
            assert post(Client(), game, action)["HX-Redirect"] == signing_in
            assert all_rows() == before


def test_an_action_at_an_unknown_table_is_a_404(alice_client: Client) -> None:
    wrong = [
        action
        for action in ACTIONS
        if alice_client.post(reverse(f"games:{action}", args=["nothing"])).status_code != 404
    ]
    assert wrong == []


def test_a_notice_is_in_the_language_of_its_reader(bob: User, game: Game) -> None:
    bob.language = "fr"
    bob.save(update_fields=["language"])
    answer = post(signed_in(bob), game, "move", do="dudo", seen=game.seq)
    assert answer["Content-Language"] == "fr"
    with translation.override("fr"):
        assert says(answer, "not_your_turn")
