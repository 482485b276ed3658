"""What a visitor was about to do is done after signing in, by any way of signing in."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts import addresses, stored_posts
from accounts.models import User
from games import words
from games.lobby.standing import ownership
from games.models import Game, TableSettings
from games.play import before_start
from tests.accounts.test_codes_by_mail import mailed
from tests.accounts.test_reset import link_in
from tests.support.emails import send_due_emails
from tests.support.fast_games import open_table
from tests.support.fixtures import PASSWORD

NEW = {"password1": "eleven condors in a cup", "password2": "eleven condors in a cup"}
WAYS = ("password", "address", "code", "reset", "new account", "guest")


@pytest.fixture
def room(bob: User) -> Game:
    """A table of Bob's that waits for people."""
    like = open_table(bob, "steady", "steady")
    return before_start.open_game(bob, TableSettings.of(like), now=timezone.now())


def arrives(client: Client, where: str, person: User, way: str) -> str:
    """Sign in that way on the page at `where`; the address of the page that follows."""
    wanted = client.get(where).context["redirect_field_value"]
    more = {"next": wanted}
    match way:
        case "password" | "address":
            login = person.username if way == "password" else person.email
            answer = client.post(
                "/account/login/", {"login": login, "password": PASSWORD} | more, follow=True
            )
        case "code":
            client.post("/account/code/", {"login": person.username} | more)
            answer = client.post("/account/code/enter/", {"code": mailed()} | more, follow=True)
        case "reset":
            client.post("/account/password/reset/", {"email": person.email} | more)
            [letter] = send_due_emails()
            form = client.get(link_in(letter), follow=True)
            more = {"next": form.context["redirect_field_value"]}
            answer = client.post(form.redirect_chain[-1][0], NEW | more, follow=True)
        case "new account":
            form = NEW | {"username": "Dora"}
            answer = client.post("/account/signup/", form | more, follow=True)
        case _:
            answer = client.post("/account/guest", more, follow=True)
    return str(answer.request["PATH_INFO"])


@pytest.mark.parametrize("way", WAYS)
def test_a_visitor_sits_at_the_table_once_signed_in(
    client: Client, room: Game, alice: User, way: str
) -> None:
    addresses.confirm(alice)
    table = f"/games/{room.code}"
    answer = client.post(f"{table}/sit", {"username": ""})
    assert arrives(client, answer.headers["Location"], alice, way) == table
    person = client.get("/").context["user"]
    assert (person.username == "alice") == (way not in ("new account", "guest"))
    assert [seat.user for seat in room.seat_set.order_by("number")] == [room.host, person]


def test_it_is_done_once_and_by_no_mere_link(client: Client, room: Game, alice: User) -> None:
    table = f"/games/{room.code}"
    go_on = "/account/go-on"
    client.post(f"{table}/sit")
    assert client.get(f"{go_on}?next={table}").headers["Location"] == table  # not signed in yet
    client.post("/account/login/", {"login": "alice", "password": PASSWORD})
    assert client.head(go_on).headers["Location"] == "/"
    assert not room.seat_set.filter(user=alice).exists()
    assert client.get(go_on).headers["Location"] == table
    assert room.seat_set.filter(user=alice).exists()
    client.post(f"{table}/stand")
    client.get(go_on)
    assert not room.seat_set.filter(user=alice).exists()
    assert client.get(f"{go_on}?next=//evil.example").headers["Location"] == "/"


def test_after_an_hour_it_leads_to_the_table_alone(
    client: Client, room: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_posts, "LASTS", timedelta(0))
    where = client.post(f"/games/{room.code}/sit").headers["Location"]
    assert arrives(client, where, alice, "password") == f"/games/{room.code}"
    assert not room.seat_set.filter(user=alice).exists()


def test_a_form_too_long_for_a_session_is_not_kept(client: Client, room: Game) -> None:
    answer = client.post(f"/games/{room.code}/sit", {"username": "x" * stored_posts.LONGEST})
    assert answer.status_code == 302
    assert "errand" not in client.session


def test_what_can_be_done_no_more_is_said_after_signing_in(
    client: Client, room: Game, alice: User
) -> None:
    where = client.post(f"/games/{room.code}/sit").headers["Location"]
    before_start.close(room.code, room.host, now=timezone.now())
    form = {"login": "alice", "password": PASSWORD}
    form["next"] = client.get(where).context["redirect_field_value"]
    page = client.post("/account/login/", form, follow=True)
    assert words.reason("not_open") in [str(message) for message in page.context["messages"]]


def test_a_visitor_sits_at_a_standing_table_once_signed_in(
    client: Client, room: Game, alice: User, bob: User
) -> None:
    link = f"/t/{ownership.make(bob, TableSettings.of(room), now=timezone.now()).word}"
    answer = client.post(f"{link}/play", {"sign_in": "yes", "username": ""})
    where = arrives(client, answer.headers["Location"], alice, "password")
    seated = Game.objects.get(code=where.removeprefix("/games/")).seat_set
    assert [seat.user for seat in seated.all()] == [alice]
