"""The lobby's pages: what is on, opening a table, playing at once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.lobby import lobby_frame
from games.models import Game
from games.words import reason
from tests.support.fast_games import START, finished_game, open_table, running_game, won_by
from tests.support.game_driver import CONFIRM, DUDO, bid, deal_game, seat_names

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
TABLE = {"preset": "web_fr", "seats": "3", "pace": "30", "visibility": "public", "calza": "on"}


def test_everybody_sees_the_public_tables_and_nobody_the_others(
    client: Client, alice: User, bob: User
) -> None:
    shown = [open_table(alice, bob), deal_game(alice, bob, hands=HANDS).game]
    by_link = open_table(alice, bob, public=False)
    html = client.get("/").content.decode()
    assert all(game.code in html for game in shown)
    assert by_link.code not in html


def test_ones_own_games_come_first_even_those_by_link(
    alice_client: Client, alice: User, bob: User
) -> None:
    by_link = open_table(alice, bob, public=False)
    assert by_link.code in alice_client.get("/").content.decode()


def test_a_running_game_of_ones_own_is_the_first_thing_on_the_page(
    alice_client: Client, alice: User, bob: User
) -> None:
    waiting = deal_game(alice, bob, hands=HANDS)
    waiting.move(0, bid("2x3"))
    his_turn = deal_game(alice, bob, hands=HANDS)
    open_table(alice, bob)
    main = alice_client.get("/").content.decode().split("<main")[1]
    block, rest = main.split("</section>", 1)
    assert "Back to your games" in block and 'id="stage"' in rest
    links = re.findall(r'href="/games/(\w+)"', block)
    assert links == [his_turn.code, waiting.code]
    assert block.count("Your turn") == 1


def test_a_reveal_that_waits_for_a_look_is_a_turn(
    alice_client: Client, alice: User, bob: User, charlie: User
) -> None:
    driver = deal_game(alice, bob, charlie, hands=(*HANDS, (2,) * 5))
    driver.move(0, bid("2x3"))
    driver.move(1, DUDO)
    assert "Your turn" in first_section(alice_client)
    driver.move(0, CONFIRM)
    assert "Your turn" not in first_section(alice_client)


def first_section(client: Client) -> str:
    return client.get("/").content.decode().split("<main")[1].split("</section>", 1)[0]


def test_who_plays_nowhere_is_not_sent_back(alice_client: Client, alice: User, bob: User) -> None:
    open_table(alice, bob)
    finished_game(alice, bob)
    html = alice_client.get("/").content.decode()
    assert "Back to your game" not in html and "Your tables" in html


def test_games_against_bots_only_are_for_their_player_alone(
    client: Client, alice_client: Client, alice: User, bob: User
) -> None:
    alone = running_game(alice, "steady", "sharp")
    over = won_by(alice, finished_game(alice, "steady"))
    together = running_game(alice, bob, "steady")
    over_together = won_by(alice, finished_game(alice, bob, "steady"))
    listed = lobby_frame.lobby()
    assert together.code in listed and over_together.code in listed
    assert alone.code not in listed and over.code not in listed
    assert alone.code not in client.get("/").content.decode()
    assert alone.code in alice_client.get("/").content.decode()


def test_a_table_with_bots_that_waits_for_people_is_listed(client: Client, alice: User) -> None:
    game = open_table(alice, "steady")
    Game.objects.update(size=4)
    assert game.code in client.get("/").content.decode()


def test_the_form_of_a_new_table_leads_to_the_comparison_of_the_rule_sets(
    alice_client: Client,
) -> None:
    form = alice_client.get(reverse("games:new")).content.decode()
    rules = reverse("games:rules-of", args=["perudo"])
    assert f'href="{rules}#rule-sets"' in form
    assert 'id="rule-sets"' in alice_client.get(rules).content.decode()


def test_a_closed_table_is_gone_from_the_lobby(client: Client, alice: User) -> None:
    game = open_table(alice, "steady")
    Game.objects.update(status=Game.Status.CLOSED)
    assert game.code not in client.get("/").content.decode()


@pytest.mark.parametrize("is_anybody_here", [True, False])
def test_the_lobby_asks_the_database_as_often_for_many_tables_as_for_one(
    client: Client, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, is_anybody_here: bool
) -> None:
    """Where nobody is here, the moments of one more game are found by each list, once."""
    monkeypatch.setattr(lobby_frame, "LOBBY_SECONDS", 0)  # each page renders the list

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert client.get("/").status_code == 200
        return len(asked)

    def one_of_each() -> None:
        open_table(alice, bob, now=timezone.now() if is_anybody_here else START)
        deal_game(alice, bob, hands=HANDS)
        finished_game(alice, bob)

    one_of_each()
    client.get("/")
    few = queries()
    Game.objects.filter(status=Game.Status.OPEN).update(host=bob)
    one_of_each()
    client.get("/")  # finds the moments of the game that is new
    assert queries() == few


def test_a_host_opens_the_table_described_in_the_form(alice_client: Client) -> None:
    answer = alice_client.post(reverse("games:new"), TABLE)
    game = Game.objects.get()
    assert answer["Location"] == f"/games/{game.code}"
    assert (game.preset, game.size, game.turn_seconds) == ("web_fr", 3, 30)
    assert game.options["calza"] == "on"
    assert seat_names(game.code) == ["alice", None, None]


def test_a_form_with_a_mistake_comes_back_with_the_words_for_it(alice_client: Client) -> None:
    answer = alice_client.post(reverse("games:new"), TABLE | {"seats": "17"})
    assert answer.status_code == 422 and b"17" in answer.content
    assert not Game.objects.exists()


def test_an_empty_post_is_a_form_with_mistakes(alice_client: Client) -> None:
    assert alice_client.post(reverse("games:new")).status_code == 422


def test_who_has_enough_tables_is_told_so_at_the_form(alice_client: Client) -> None:
    for _ in range(3):
        alice_client.post(reverse("games:new"), TABLE)
    answer = alice_client.post(reverse("games:new"), TABLE)
    assert answer.status_code == 422 and reason("too_many_tables") in answer.content.decode()
    assert Game.objects.count() == 3


def test_play_now_leads_to_a_running_game(alice_client: Client) -> None:
    answer = alice_client.post("/play-now", {"bots": "2", "strength": "sharp"})
    game = Game.objects.get()
    assert answer["Location"] == f"/games/{game.code}"
    assert (game.status, seat_names(game.code)) == (
        Game.Status.PLAYING,
        ["alice", "sharp", "sharp"],
    )


def test_a_stranger_plays_now_as_a_guest(client: Client, db: None) -> None:
    client.post("/play-now", {"bots": "2"})
    assert Game.objects.get().host.is_guest


@pytest.mark.parametrize("odd", [{"bots": "99"}, {"strength": "god"}])
def test_odd_wishes_for_opponents_are_answered_in_words(
    alice_client: Client, odd: dict[str, Any]
) -> None:
    answer = alice_client.post("/play-now", odd, follow=True)
    assert b"is not one of the available choices" in answer.content
    assert not Game.objects.exists()


def test_play_now_is_a_post_with_a_token(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert client.get("/play-now").status_code == 405
    assert client.post("/play-now").status_code == 403


# --- creating a table without an account ----------------------------------------------------------

BY_GUEST = {"kind": "standard", "seats": "4", "visibility": "link"}


def test_a_visitor_creates_a_table_with_a_name_in_the_same_form(db: None) -> None:
    client = Client()
    html = client.get("/games/new").content.decode()
    proposed = html.split('id="guest-name"')[1].split('value="')[1].split('"')[0]
    assert proposed and User.named(proposed) is None
    answer = client.post("/games/new", BY_GUEST | {"username": "Bruno"})
    game = Game.objects.get()
    assert answer.headers["Location"] == f"/games/{game.code}"
    assert (game.host.username, game.host.is_guest) == ("Bruno", True)


@pytest.mark.parametrize(
    ("sent", "reason", "name"),
    [
        ({"username": "alice"}, "This name is taken. How about alice2?", "alice2"),
        ({"username": ""}, "required", ""),
        ({"username": "Bruno", "seats": "99"}, "99", "Bruno"),
    ],
)
def test_what_is_wrong_with_it_is_said_there_and_makes_nobody(
    alice: User, sent: dict[str, str], reason: str, name: str
) -> None:
    answer = Client().post("/games/new", BY_GUEST | sent)
    assert answer.status_code == 422
    html = answer.content.decode().split("<main")[1]
    assert reason in html and f'value="{name}"' in html
    assert not Game.objects.exists() and User.objects.count() == 1


def test_nobody_makes_thousands_of_guests_by_creating_tables(db: None, settings: Any) -> None:
    for each in range(settings.GUESTS_PER_HOUR):
        Client().post("/games/new", BY_GUEST | {"username": f"Bruno{each}"})
    answer = Client().post("/games/new", BY_GUEST | {"username": "Carla"})
    assert answer.status_code == 429
    assert User.named("Carla") is None
