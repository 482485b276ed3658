"""The lobby's rows: the fullest first, people and no bots, what is unusual, the round."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.contract import catalogue
from games.lobby import lobby_frame, table_list
from games.models import Game
from games.play import before_start
from games.table import highlights
from tests.support.fast_games import (
    START,
    finished_game,
    open_table,
    play_until,
    running_game,
    won_by,
)

pytestmark = pytest.mark.django_db


def with_free_seats(game: Game, free: int = 1) -> Game:
    Game.objects.filter(pk=game.pk).update(size=game.size + free)
    return game


def test_tables_where_people_wait_come_first(alice: User, bob: User, charlie: User) -> None:
    company = open_table(alice, bob)
    alone = open_table(charlie, "sharp")  # newer
    lists = table_list.tables(now=START)
    assert [(each.code, each.people) for each in lists.open_tables] == [
        (company.code, 2),
        (alone.code, 1),
    ]
    assert lists.people_waiting == 3


def test_full_tables_come_last_and_bots_take_seats(alice: User, bob: User, charlie: User) -> None:
    full = open_table(alice, bob)  # of two seats
    with_bot = with_free_seats(open_table(charlie, "sharp"), 2)
    rows = table_list.tables(now=START).open_tables
    assert [(each.code, each.is_full, each.room) for each in rows] == [
        (with_bot.code, False, 3),
        (full.code, True, 2),
    ]


def test_a_row_shows_faces_names_and_how_many_people_of_how_many(
    alice: User, bob: User, client: Client
) -> None:
    User.objects.filter(pk=alice.pk).update(animal="owl", cloth="green")
    with_free_seats(open_table(alice, bob, "sharp", now=timezone.now()), 2)
    page = client.get("/").content.decode()
    row = page[page.index('<li class="table-row">') :].split("</summary>")[0]
    assert re.findall(r'class="avatar is-(\w+)"', row)[0] == "green"
    assert row.count('class="avatar ') == 2 and "is-free" not in row
    assert "<b>alice, bob</b>" in row and ">2 / 4<" in row and "Players here: 2 of 4" in row
    assert "1 bot" in row


def test_a_row_says_only_what_is_unusual(alice: User, bob: User) -> None:
    usual, other = (
        with_free_seats(open_table(alice, "steady")),
        with_free_seats(open_table(bob, "steady")),
    )
    options = other.options | {"calza": "on"}  # with hidden dice, which is not usual
    as_usual = usual.options | {"lost_dice_visible": True}
    Game.objects.filter(pk=usual.pk).update(options=as_usual, tempo="normal")
    Game.objects.filter(pk=other.pk).update(options=options, tempo="fast")
    rows = {each.code: each.unusual for each in table_list.tables(now=START).open_tables}
    assert rows == {usual.code: [], other.code: ["calza", "lost dice hidden", "Fast"]}


def test_one_running_game_is_seen_at_once_and_the_others_when_asked_for(
    alice: User, client: Client
) -> None:
    for number in range(4):
        running_game(alice, User.objects.create(username=f"person{number}"))
    lists = table_list.tables(now=START)
    assert (len(lists.playing), len(lists.more_playing)) == (1, 3)
    shown, folded = client.get("/").text.split('<details id="more-playing"')
    watch = r'<a class="button quiet"'
    assert len(re.findall(watch, shown)) == 1 and len(re.findall(watch, folded)) == 3


def test_a_game_is_chosen_where_many_tables_of_several_games_wait(
    alice: User, bob: User, client: Client
) -> None:
    def chips() -> int:
        lobby_frame.lobby()
        return client.get("/").text.count('class="tabs"')

    for number in range(6):
        with_free_seats(open_table(User.objects.create(username=f"host{number}"), "steady"))
    assert chips() == 0
    cards = catalogue.of("peco_peco")
    fields = {"game": cards.key, "kind": next(iter(cards.forms.NEW_TABLE.choices))}
    form = cards.forms.NEW_TABLE({**fields, "seats": "4", "pace": "auto", "visibility": "public"})
    assert form.is_valid(), form.errors
    before_start.open_game(User.objects.create(username="cards"), form.table_settings(), now=START)
    assert chips() == 1
    assert 'class="tabs"' in client.get("/?game=peco_peco").text


@pytest.mark.slow
def test_a_list_of_300_tables_asks_and_shows_no_more_than_one_of_30() -> None:
    people = [User.objects.create(username=f"person{number}") for number in range(300)]

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert len(table_list.tables(now=START).open_tables) == 30
        return len(queries)

    for person in people[:30]:
        with_free_seats(open_table(person, "steady"))
    few = asked()
    for person in people[30:]:
        with_free_seats(open_table(person, "steady"))
    assert asked() == few


def test_a_running_game_shows_its_round(alice: User, bob: User) -> None:
    game = play_until(running_game(alice, bob), lambda state: state.number == 3)
    [card] = table_list.tables(now=START).playing
    assert (card.code, card.round) == (game.code, 3)
    assert table_list.tables(now=START).people_playing == 2
    [mine] = table_list.my_games(alice, now=START).running
    assert not hasattr(mine, "round")  # it shows whose turn it is


def test_an_empty_lobby_leads_somewhere(alice: User, bob: User, client: Client) -> None:
    finished = finished_game(alice, bob)
    finished_game(alice, "sharp")  # nobody else's business
    page = client.get("/").content.decode()
    [worth] = re.findall(r'<div class="worth">.*?</div>', page, re.DOTALL)
    moments = re.findall(r'<a[^>]* href="([^"]+)"', worth)
    assert "Nobody is waiting" in page and len(moments) == 1
    assert all(url.startswith(f"/games/{finished.code}/replay/") for url in moments)
    assert client.get(moments[0]).status_code == 200


def test_a_list_finds_the_moments_of_one_game_at_most(alice: User, bob: User) -> None:
    games = [finished_game(alice, bob), finished_game(bob, alice)]
    assert [highlights.are_known(game) for game in games] == [False, False]
    table_list.tables(now=START)
    assert sum(highlights.are_known(game) for game in games) == 1
    table_list.tables(now=START)
    shown = table_list.tables(now=START).moments
    assert all(highlights.are_known(game) for game in games)
    assert {each.url.split("/")[2] for each in shown[:2]} == {game.code for game in games}


def test_the_ways_to_play_come_first(alice: User, client: Client) -> None:
    with_free_seats(open_table(alice, "steady"))
    main = client.get("/").content.decode().split("<main")[1]
    stops = re.findall(r' (?:href|formaction)="(/[^".#]+)"|<button class="way (primary)"', main)
    assert [one or other for one, other in stops][:3] == ["primary", "/bots", "/games/new"]
    assert len(re.findall(r'class="[^"]*\bprimary\b', main)) == 1  # the one filled button


def test_a_visitor_joins_from_the_list_with_one_press(alice: User, client: Client) -> None:
    game = with_free_seats(open_table(alice, "steady"))
    page = client.get("/").content.decode()
    [action] = re.findall(r'form="join"\s+formaction="([^"]+)"', page)
    answer = client.post(action)
    assert answer["Location"] == f"/games/{game.code}"
    assert game.seat_set.filter(user__is_guest=True).count() == 1


@pytest.mark.parametrize("winner", ["alice", "bot"])
def test_a_win_of_a_bot_is_no_news(alice: User, bob: User, client: Client, winner: str) -> None:
    game = won_by(alice if winner == "alice" else "sharp", finished_game(alice, bob, "sharp"))
    page = client.get("/").text
    assert ("won by" in page) == (f"/games/{game.code}/replay" in page) == (winner == "alice")
