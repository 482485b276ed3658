"""The lobby's cards: who waits first, faces, the game's picture, the round."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from games.play import before_start
from games.rendering import table_list
from tests.games.playing import EVENING, open_table, play_until, running_game

pytestmark = pytest.mark.django_db


def test_tables_where_people_wait_come_first(alice: User, bob: User, charlie: User) -> None:
    company = open_table(alice, bob)
    alone = open_table(charlie, "sharp")  # newer
    lists = table_list.tables()
    assert [(each["code"], each["people"]) for each in lists["open_tables"]] == [
        (company.code, 2),
        (alone.code, 1),
    ]
    assert lists["people_waiting"] == 3


def test_a_card_shows_faces_the_picture_and_free_seats(
    alice: User, bob: User, charlie: User, client: Client
) -> None:
    User.objects.filter(pk=alice.pk).update(animal="owl", cloth="green")
    before_start.stand(open_table(alice, bob, charlie).code, charlie, now=EVENING)
    page = client.get("/").content.decode()
    card = page[page.index('<li class="card offer">') :].split("</li>")[0]
    seats = card[card.index('class="offer-seats"') :]
    assert re.findall(r'class="avatar is-(\w+)"', seats)[0] == "green"
    assert seats.count('class="avatar ') == 3
    assert seats.count("is-free") == 1
    assert '<p class="offer-game" aria-hidden="true">' in card
    assert page.index('id="tables"') < page.index('id="play"')  # people first


def test_a_running_game_shows_its_round(alice: User, bob: User) -> None:
    game = play_until(running_game(alice, bob), lambda state: state.number == 3)
    [card] = table_list.tables()["playing"]
    assert (card["code"], card["round"]) == (game.code, 3)
    assert table_list.tables()["people_playing"] == 2
    assert table_list.my_games(alice)["running"][0]["round"] is None  # it shows whose turn it is


def test_an_empty_lobby_leads_somewhere(client: Client) -> None:
    page = client.get("/").content.decode()
    nobody = page[page.index('class="nobody"') :].split("</div>")[0]
    assert re.findall(r'href="([^"]+)"', nobody) == ["/games/new", "#play", "/learn"]
    assert page.index('id="play"') < page.index('id="tables"')  # the games first
