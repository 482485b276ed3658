"""Friends at a table: adding those one has played with, and inviting friends to where one waits."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import lifecycle
from accounts.models import User
from games.models import Game, InboxEntry, Mute, Tie
from games.play import before_start
from games.social.friends import invitations, presence, ties
from games.store import queries
from games.table import frames
from perudo_site import deletion
from tests.support.fast_games import START, finished_game, open_table, running_game
from tests.support.fixtures import signed_in

HTMX = {"HX-Request": "true"}
NOTICE = re.compile(r'<p class="notice( error)?\s*">(.*?)</p>')


def offered(person: User, game: Game) -> list[str]:
    """Whom the page of this game offers to add, by the buttons."""
    html = signed_in(person).get(f"/games/{game.code}").text
    return re.findall(r'form="ask-form" name="ask" value="(\w+)"', html)


def press(client: Client, game: Game, **fields: str) -> Any:
    """What htmx gets for a button of this game."""
    return client.post("/friends/act", {"game": game.code} | fields, headers=HTMX)


def befriend(one: User, other: User) -> None:
    ties.ask(one, other, now=START)
    ties.accept(other, one, now=START)


# --- after a game --------------------------------------------------------------------------------


def test_everybody_at_the_table_of_a_finished_game_can_be_added(
    alice: User, bob: User, charlie: User
) -> None:
    """No bot, no friend, nobody who was asked already; who watched adds nobody."""
    game = finished_game(alice, bob, charlie, "steady")
    assert offered(alice, game) == ["bob", "charlie"]
    befriend(alice, bob)
    assert offered(alice, game) == ["charlie"] and offered(bob, game) == ["charlie"]
    ties.ask(alice, charlie, now=START)
    assert offered(alice, game) == [] and offered(charlie, game) == ["alice", "bob"]
    ties.decline(charlie, alice, now=START)
    assert offered(alice, game) == [] and offered(charlie, game) == ["alice", "bob"]
    assert offered(User.objects.create_user("grace"), game) == []


def test_who_was_blocked_or_is_gone_is_not_offered(alice: User, bob: User, charlie: User) -> None:
    game = finished_game(alice, bob, charlie)
    Mute.objects.create(by=alice, whom=bob, blocked=True)
    assert offered(alice, game) == ["charlie"]
    assert offered(bob, game) == ["alice", "charlie"], "a block is not told"
    lifecycle.ban(charlie)
    assert offered(bob, Game.objects.get()) == ["alice"]
    deletion.delete_account(alice, now=START)
    assert offered(bob, Game.objects.get()) == []


def test_the_end_screen_asks_once_and_a_running_game_never(
    alice: User, bob: User, charlie: User
) -> None:
    for game, times in (
        (running_game(alice, bob, charlie), 0),
        (finished_game(alice, bob, charlie), 1),
    ):
        seat = queries.seat_of(game, alice)
        assert seat is not None
        with CaptureQueriesContext(connection) as asked:
            frames.frame(game, seat.number, user=alice)
        assert sum("games_tie" in each["sql"] for each in asked.captured_queries) == times
        html = signed_in(alice).get(f"/games/{game.code}").text
        assert ('popovertarget="strangers"' in html) == bool(times)


def test_what_became_of_it_stands_beside_the_buttons(alice: User, bob: User, charlie: User) -> None:
    game = finished_game(alice, bob, charlie)
    answer = press(signed_in(alice), game, ask="bob")
    assert NOTICE.findall(answer.text) == [("", "bob has been asked.")]
    assert 'hx-swap-oob="true"' in answer.text and 'value="charlie"' in answer.text
    assert 'value="bob"' not in answer.text
    answer = press(signed_in(bob), game, ask="alice")
    assert NOTICE.findall(answer.text) == [("", "You and alice are friends.")]
    assert ties.are_friends(alice, bob)


def test_a_refusal_stands_there_too_and_changes_nothing(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = finished_game(alice, bob)
    monkeypatch.setattr(ties, "MOST_OPEN", 0)
    answer = press(signed_in(alice), game, ask="bob")
    assert answer.status_code == HTTPStatus.OK
    [(tone, sentence)] = NOTICE.findall(answer.text)
    assert tone == " error" and sentence.startswith("Too many people")
    assert 'value="bob"' in answer.text and not Tie.objects.exists()


def test_without_a_script_the_form_leads_back_to_the_table(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    client, path = signed_in(alice), f"/games/{game.code}"
    html = client.get(path).text
    form = re.search(r'<form id="ask-form".*?</form>', html, re.DOTALL)
    assert form is not None and f'name="next" value="{path}"' in form[0]
    fields = {"game": game.code, "next": path, "ask": "bob"}
    answer = client.post("/friends/act", fields, follow=True)
    assert answer.redirect_chain == [(path, HTTPStatus.FOUND)]
    assert "bob has been asked." in answer.text


def test_a_guest_chooses_a_password_and_a_visitor_signs_in(alice: User) -> None:
    guest = lifecycle.guest("Paula")
    game = finished_game(alice, guest)
    path = f"/games/{game.code}"
    assert offered(guest, game) == ["alice"] and offered(alice, game) == ["Paula"]
    for client, to in ((signed_in(guest), "/account/keep?next="), (Client(), "/account/login/")):
        answer = press(client, game, ask="alice", next=path)
        assert answer.status_code == HTTPStatus.OK
        assert answer["HX-Redirect"].startswith(to)
    assert not Tie.objects.exists()


# --- while a table waits -------------------------------------------------------------------------


def waiting(host: User) -> Game:
    settings = before_start.quick_settings("perudo", bots=2)
    return before_start.open_game(host, settings, now=START)


def listed(client: Client, game: Game) -> str:
    """The list as it comes when it is opened."""
    answer = client.get("/friends", {"table": game.code}, headers=HTMX)
    assert answer.status_code == HTTPStatus.OK and "<html" not in answer.text
    return answer.text


def invited(html: str) -> list[str]:
    """Whom the buttons of the list invite."""
    return re.findall(r'form="invite-form" name="invite" value="(\w+)"', html)


def test_who_waits_sees_friends_and_invites_them_with_one_press(
    alice: User, bob: User, charlie: User
) -> None:
    """Those who are here first; who was invited says so, also to the others at the table."""
    for friend in (bob, charlie):
        befriend(alice, friend)
    game, client = waiting(alice), signed_in(alice)
    page = client.get(f"/games/{game.code}").text
    assert invited(page) == ["bob", "charlie"] and 'popovertarget="to-invite"' in page
    assert "None of your friends is here right now" in page
    presence.note([charlie.pk], now=timezone.now())
    html = listed(client, game)
    assert invited(html) == ["charlie", "bob"] and html.count("here now") == 1
    answer = press(client, game, invite="charlie").text
    assert "charlie has been invited." in answer
    assert invited(answer) == ["bob"] and ">Invited<" in answer
    entry = InboxEntry.objects.get(user=charlie, kind="invited")
    assert (entry.about, entry.values) == (game.code, {"by": alice.pk})
    before_start.sit(game.code, charlie, now=START)
    assert invited(listed(client, game)) == ["bob"]
    befriend(bob, charlie)
    assert invited(listed(signed_in(charlie), game)) == ["bob"]
    before_start.sit(game.code, bob, now=START)
    assert "All your friends are at this table." in listed(client, game)


def test_who_has_no_friends_is_led_to_them_and_guests_see_no_list(alice: User, bob: User) -> None:
    game = waiting(alice)
    html = listed(signed_in(alice), game)
    assert invited(html) == [] and 'href="/friends"' in html
    guest = lifecycle.guest("Paula")
    before_start.sit(game.code, guest, now=START)
    for person in (guest, bob):
        client = signed_in(person)
        assert "to-invite" not in client.get(f"/games/{game.code}").text
        answer = client.get("/friends", {"table": game.code}, headers=HTMX)
        assert answer.status_code == HTTPStatus.NOT_FOUND


def test_a_table_that_is_full_or_has_begun_says_so(alice: User, bob: User, charlie: User) -> None:
    befriend(alice, charlie)
    game, client = open_table(alice, bob), signed_in(alice)
    assert "All seats are taken." in listed(client, game)
    answer = press(client, game, invite="charlie")
    assert NOTICE.findall(answer.text)[0][0] == " error" and "All seats are taken." in answer.text
    before_start.start(game.code, alice, now=START)
    answer = press(client, game, invite="charlie")
    assert "This table is no longer open." in answer.text
    assert not InboxEntry.objects.filter(user=charlie, kind="invited").exists()


def test_nobody_invites_to_a_table_where_they_do_not_sit(alice: User, bob: User) -> None:
    befriend(alice, bob)
    game = waiting(User.objects.create_user("grace"))
    answer = press(signed_in(alice), game, invite="bob")
    assert NOTICE.findall(answer.text)[0][0] == " error"
    assert press(signed_in(alice), Game(code="nowhere"), invite="bob").status_code == 404
    assert not InboxEntry.objects.filter(kind="invited").exists()
    assert Game.objects.count() == 1


def test_a_quick_table_is_not_what_one_invites_to(alice: User, bob: User) -> None:
    befriend(alice, bob)
    game = waiting(alice)
    Game.objects.update(origin=Game.Origin.QUICK)
    assert invitations.open_table_of(alice) is None
    answer = press(signed_in(alice), game, invite="bob")
    assert "Press “Play with people”" in answer.text
    assert not InboxEntry.objects.filter(kind="invited").exists()


def test_inviting_without_a_script_leads_back_to_the_table(alice: User, bob: User) -> None:
    befriend(alice, bob)
    game, client = waiting(alice), signed_in(alice)
    waiting(alice)  # a later one is not meant
    fields = {"game": game.code, "invite": "bob", "next": f"/games/{game.code}"}
    answer = client.post("/friends/act", fields, follow=True)
    assert answer.redirect_chain == [(f"/games/{game.code}", HTTPStatus.FOUND)]
    assert "bob has been invited." in answer.text
