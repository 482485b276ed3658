"""A guest becomes an account in one step from every page that says so, and keeps everything."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import lifecycle
from accounts.models import User
from games.models import ChatMessage, InboxEntry, Mute, Result, Seat, Tally
from games.social.chat import talk as chat
from games.social.inbox import entries as inbox
from games.study.players.history import export
from tests.support.fast_games import finished_game, open_table, running_game
from tests.support.fixtures import PASSWORD, signed_in

pytestmark = pytest.mark.django_db

RIGHT = {"password1": PASSWORD}
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15"
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 Version/4.0 Chrome/130.0"
IN_APPS = {
    f"{PHONE} Mobile/22B91 Instagram 356.0.0.27 (iPhone15,2; iOS 18_1)": "Instagram",
    f"{ANDROID} Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/490.0.0.63;]": "Facebook",
    f"{PHONE} Mobile/22B91 [FBAN/FBIOS;FBAV/490.0;FBDV/iPhone15,2]": "Facebook",
    f"{ANDROID} Mobile Safari/537.36 [FB_IAB/Orca-Android;FBAV/480.0;]": "Messenger",
    f"{PHONE} Mobile/22B91 [FBAN/MessengerForiOS;FBAV/480.0;]": "Messenger",
    f"{PHONE} Mobile/22B91 Safari Line/14.18.0": "LINE",
    f"{ANDROID} Mobile Safari/537.36 Telegram-Android/11.4.2 (Google Pixel 8)": "Telegram",
    f"{ANDROID} Mobile Safari/537.36 WhatsApp/2.24.22": "WhatsApp",
    f"{ANDROID} Mobile Safari/537.36": "this app",
}
BROWSERS = [
    f"{PHONE} Version/18.1 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
    "WhatsApp/2.24.22 A",  # these three fetch previews
    "TelegramBot (like TwitterBot)",
    "facebookexternalhit/1.1",
    "",
]


@pytest.fixture
def guest(db: None) -> User:
    return lifecycle.guest()


def text_of(client: Client, address: str, **headers: str) -> str:
    return " ".join(unescape(client.get(address, headers=headers).content.decode()).split())


def ways_to_an_account(page: str) -> list[str]:
    return re.findall(r'href="(/account/keep[^"]*)"', page)


def test_every_page_that_says_guest_leads_to_an_account_and_back(alice: User, guest: User) -> None:
    game = finished_game(alice, guest)
    client = signed_in(guest)
    pages = ["/", "/rules", "/players/alice?outcome=won&older=x", "/account/", "/privacy"]
    pages += [f"/games/{game.code}", f"/games/{game.code}/replay/2", "/nothing-here"]
    for address in pages:
        ways = ways_to_an_account(text_of(client, address))
        assert ways, address
        for way in ways:
            form = client.get(way).context
            assert form["next"] == address, way


def test_the_answer_to_a_form_is_no_page_to_return_to(guest: User) -> None:
    client = signed_in(guest)
    answer = client.post("/account/delete").content.decode()
    assert ways_to_an_account(answer) == ["/account/keep"]


def test_the_page_that_asks_for_the_password_does_not_lead_to_itself(guest: User) -> None:
    assert ways_to_an_account(text_of(signed_in(guest), "/account/keep?next=/rules")) == []


def test_a_guest_who_becomes_an_account_keeps_everything_and_returns(
    alice: User, bob: User, guest: User
) -> None:
    over, running = finished_game(alice, guest), running_game(alice, guest)
    inbox.put(guest.pk, "turn", running.code, now=timezone.now())
    chat.mute(guest, bob, block=True)
    chat.say(running, guest, text="hello", now=timezone.now())
    client = signed_in(guest)
    client.post("/account/", {"username": guest.username, "language": "it", "theme": "dark"})
    session = client.session.session_key

    def everything() -> dict[str, Any]:
        return {
            "seats": [*Seat.objects.filter(user=guest).values_list("game__code", "number")],
            "results": [*Result.objects.filter(user=guest).values_list("seat", "place")],
            "tallies": [*Tally.objects.filter(user=guest).values_list("counter", "value")],
            "messages": [*ChatMessage.objects.filter(by=guest).values_list("pk", "text")],
            "mutes": [*Mute.objects.filter(by=guest).values_list("whom", "blocked")],
            "inbox": [*InboxEntry.objects.filter(user=guest).values_list("kind", "about")],
            "games": [game["code"] for game in export(guest)["games"]],
            "chosen": [*User.objects.filter(pk=guest.pk).values_list("language", "theme")],
        }

    before = everything()
    assert all(before.values()) and len(before["games"]) == 2
    address = f"/games/{running.code}"
    [way] = {*ways_to_an_account(text_of(client, "/rules?from=a%20chat"))}
    form = client.get(way).context
    answer = client.post("/account/keep", {"username": "Keeper", "next": form["next"]} | RIGHT)
    assert answer["Location"] == "/rules?from=a%20chat"
    assert everything() == before
    guest.refresh_from_db()
    assert (guest.username, guest.is_guest) == ("Keeper", False)
    assert client.get(address).context["user"] == guest
    assert session != client.session.session_key  # the key of a guest opens no account
    for code in (over.code, running.code):
        assert "Keeper" in client.get(f"/games/{code}").content.decode()


def test_in_the_browser_of_a_chat_app_everybody_without_an_account_is_warned(
    alice: User, guest: User
) -> None:
    for browser, app in IN_APPS.items():
        warning = f"The browser in {app} may forget you."
        for client in (Client(), signed_in(guest)):
            page = text_of(client, "/", **{"User-Agent": browser})
            assert warning in page and "Open in browser" in page, browser
        assert warning not in text_of(signed_in(alice), "/", **{"User-Agent": browser}), browser


def test_in_any_other_browser_nobody_is(guest: User) -> None:
    for browser in BROWSERS:
        for client in (Client(), signed_in(guest)):
            page = text_of(client, "/", **{"User-Agent": browser})
            assert "may forget you" not in page, browser


def test_an_invitation_says_it_before_one_joins(alice: User) -> None:
    game = open_table(alice, "steady")
    page = text_of(Client(), f"/games/{game.code}", **{"User-Agent": next(iter(IN_APPS))})
    joining, _, rest = page.partition("Sign in instead")
    assert "Join alice's table" in joining and "may forget you" in rest.partition("<footer")[0]
