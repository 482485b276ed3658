"""How many games one person, one address and all together may start: over the limit a sentence."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.conf import settings as site
from django.test import Client, override_settings
from django.utils import timezone

from accounts.models import User
from games.errors import Refused
from games.models import Game
from games.play import before_start
from games.views.holder import AGE
from games.words import reason
from tests.games.views.test_lobby import TABLE
from tests.support.fast_games import START, finished_game, open_table, running_game
from tests.support.fixtures import signed_in
from tests.support.game_driver import seat_names
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.django_db
TOO_MANY, BUSY = reason("too_many_games"), reason("site_busy")


def limits(*, person: int = 1_000, address: int = 1_000) -> dict[str, Any]:
    return site.ACCOUNT_RATE_LIMITS | {"open_table": f"{person}/10m/user,{address}/10m/ip"}


def plays_now(client: Client, **extra: Any) -> str:
    """The sentences with which the page answers; "" at the table of a new game."""
    answer = client.post("/play-now", {"bots": "5"}, follow=True, **extra)
    if answer.redirect_chain[-1][0].startswith("/games/"):
        return ""
    return " ".join(map(str, answer.context["messages"]))


def leaves_all(client: Client) -> None:
    for game in Game.objects.filter(status=Game.Status.PLAYING):
        client.post(f"/games/{game.code}/move", {"do": "leave"})


def running() -> int:
    return Game.objects.filter(status=Game.Status.PLAYING).count()


@pytest.mark.slow
def test_starting_and_leaving_a_hundred_and_twenty_times_leaves_no_game_running(
    client: Client,
) -> None:
    said = []
    for _ in range(120):
        said.append(plays_now(client))
        leaves_all(client)
        assert running() == 0
    assert said == [""] * site.TABLES_PER_PERSON + [TOO_MANY] * (120 - site.TABLES_PER_PERSON)
    assert Game.objects.count() == site.TABLES_PER_PERSON


def test_who_has_started_too_many_games_is_told_so_in_every_language(client: Client) -> None:
    with override_settings(ACCOUNT_RATE_LIMITS=limits(person=1)):
        plays_now(client)
        sentences = {
            plays_now(client, headers={"Accept-Language": language})
            for language in ("en", "fr", "it", "es")
        }
    assert len(sentences) == 4 and TOO_MANY in sentences


def test_one_address_starts_a_limited_number_with_any_account(db: None) -> None:
    with override_settings(ACCOUNT_RATE_LIMITS=limits(address=3)):
        assert [plays_now(Client()) for _ in range(4)] == ["", "", "", TOO_MANY]
        assert plays_now(Client(), REMOTE_ADDR="192.0.2.1") == ""


def test_tables_and_rematches_count_as_quick_games_do(alice: User, bob: User) -> None:
    client = signed_in(alice)
    with override_settings(ACCOUNT_RATE_LIMITS=limits(person=2)):
        old = finished_game(alice, bob)
        assert client.post("/games/new", TABLE).status_code == 302
        client.post(f"/games/{old.code}/rematch")
        assert Game.objects.filter(status=Game.Status.OPEN).count() == 2
        assert TOO_MANY in unescape(client.post("/games/new", TABLE).content.decode())
        another = finished_game(alice, bob)
        answer = client.post(f"/games/{another.code}/rematch", follow=True)
        assert TOO_MANY in unescape(answer.content.decode())
        assert plays_now(client) == TOO_MANY


def test_a_limited_number_of_games_with_bots_run_in_all(
    alice: User, bob: User, charlie: User, settings: Any
) -> None:
    settings.RUNNING_GAMES_WITH_BOTS = 2
    running_game(alice, "steady", now=timezone.now())
    running_game(bob, charlie, "steady", now=timezone.now())
    assert plays_now(signed_in(charlie)) == BUSY
    assert Game.objects.count() == 2, "and no table is left behind"
    running_game(alice, bob)
    assert running() == 3, "people play with each other meanwhile"


def test_there_is_room_again_when_one_ends(alice: User, bob: User, settings: Any) -> None:
    settings.RUNNING_GAMES_WITH_BOTS = 1
    running_game(alice, "steady", now=timezone.now())
    assert plays_now(signed_in(bob)) == BUSY
    leaves_all(signed_in(alice))
    assert plays_now(signed_in(bob)) == ""


def test_only_so_many_games_run_at_all(alice: User, bob: User, settings: Any) -> None:
    settings.RUNNING_GAMES = 1
    running_game(alice, bob)
    waiting = open_table(alice, bob)
    with pytest.raises(Refused) as refused:
        before_start.start(waiting.code, alice, now=START)
    assert refused.value.code == "site_busy"
    waiting.refresh_from_db()
    assert waiting.status == Game.Status.OPEN and seat_names(waiting.code) == ["alice", "bob"]


@pytest.mark.real_server
def test_a_real_server_ends_what_nobody_plays(new_site: Callable[..., LiveSite]) -> None:
    """Four guests ask for ten games each, and every second one leaves each game at once."""
    limits = {"RUNNING_GAMES_WITH_BOTS": "10", "BOT_GAMES_PER_ADDRESS": "10"}
    site = new_site(TABLES_PER_PERSON="5", **limits)
    site.start()
    begun: list[int] = []
    for number in range(4):
        with site.guest() as guest:
            tables = [guest.post("/play-now", data={"bots": "5"}).url.path for _ in range(10)]
            tables = [path for path in tables if path.startswith("/games/")]
            if number % 2:
                for path in tables:
                    guest.post(f"{path}/move", data={"do": "leave"}).raise_for_status()
            begun.append(len(tables))
    ask = "from games.store.queries import tables_by_status; print(tables_by_status()['playing'])"
    running = int(site.manage("shell", "-c", ask).split()[-1])
    assert (begun, running) == ([5, 5, 5, 0], 10), "five each, and never more than ten at once"


def aged(person: User) -> Client:
    """The browser of an account of some age."""
    User.objects.filter(pk=person.pk).update(date_joined=timezone.now() - AGE * 1.01)
    return signed_in(person)


def test_an_account_of_some_age_finds_a_place_though_its_address_is_full_of_guests(
    alice: User, bob: User, charlie: User, settings: Any
) -> None:
    """Of each limit that counts by address; a new account is no better off than a guest."""
    settings.BOT_GAMES_PER_ADDRESS = 1
    settings.OPEN_TABLES_PER_ADDRESS = 1
    settings.ACCOUNT_RATE_LIMITS = limits(address=4) | {
        "open_table_account": "9/10m/user,4/10m/key"
    }
    guest, full = Client(), reason("too_many_here")
    assert plays_now(guest) == ""
    assert plays_now(guest) == full and plays_now(signed_in(charlie)) == full
    assert guest.post("/games/new", TABLE).status_code == 302
    assert plays_now(signed_in(charlie)) == TOO_MANY
    known = aged(alice)
    assert plays_now(known) == ""
    assert known.post("/games/new", TABLE).status_code == 302
    other = aged(bob)
    assert plays_now(other) == full, "they have a share, too, and one for all of an address"
    assert full in unescape(other.post("/games/new", TABLE).content.decode())
    assert plays_now(other) == TOO_MANY
