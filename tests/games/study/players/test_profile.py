"""A person's page: the numbers agree with the log, and the list shows what the viewer may see."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import lifecycle
from accounts.models import User
from games.contract import catalogue
from games.core.moves import Leave
from games.models import Game, Tally
from games.peco_peco.tests.fast_games import played_game as peco_game
from games.perudo.models import Round
from games.play import commands
from games.store import event_log
from games.study.players.game_list import Place
from games.study.players.history import export
from games.study.players.statistics import counters, statistics
from games.study.replay import replay_address, replay_page
from games.table.common import rules_in_words
from games.views import players
from tests.support.expected_tallies import COUNTED, tally_from_log
from tests.support.fast_games import START, finish_game, finished_game, running_game

pytestmark = pytest.mark.django_db


def page_of(person: User, client: Client | None = None, **query: object) -> dict[str, Any]:
    answer = (client or Client()).get(reverse("games:profile", args=[person.username]), query)
    assert answer.status_code == 200
    context: dict[str, Any] = answer.context
    return context


def listed(person: User, client: Client | None = None, **query: object) -> list[str]:
    return [line["code"] for line in page_of(person, client, **query)["games"]]


# --- the numbers ---------------------------------------------------------------------------------


def test_the_numbers_agree_with_the_log(alice: User, bob: User, charlie: User) -> None:
    for seed in (1, 2, 3):
        finished_game(alice, bob, charlie, seed=seed, calza="on")
    calzas = 0
    for person in (alice, bob, charlie):
        told = tally_from_log(person.pk)
        assert told["doubts"] > 0
        counted = counters(person)["perudo"]
        assert {name: counted.get(name, 0) for name in COUNTED} == {
            name: told[name] for name in COUNTED
        }
        calzas += told["calzas"]
        [said] = statistics(person)
        figures = (
            (told["doubts_right"], told["doubts"]),
            (told["bids_true"], told["bids_challenged"]),
            (told["calzas_exact"], told["calzas"]),
        )
        assert [value for _, value in said["figures"]] == [
            f"{part} of {whole}" for part, whole in figures if whole
        ]
    assert calzas == Round.objects.filter(call="calza").count()


def test_places_and_wins_are_counted(alice: User, bob: User, charlie: User) -> None:
    games = [finished_game(alice, bob, charlie, seed=seed) for seed in (1, 2, 3, 4)]
    places = Counter(game.seat_set.get(user=alice).place for game in games)
    [stats] = statistics(alice)
    assert stats["games"] == 4
    assert stats["won"] == places[1]
    assert stats["win_rate"] == round(100 * places[1] / 4)
    ordinals = {1: "1st", 2: "2nd", 3: "3rd"}
    assert stats["places"] == [
        (place, ordinals[place or 0], times) for place, times in sorted(places.items())
    ]


def test_a_newcomer_is_led_to_a_game_and_the_lessons(alice: User, alice_client: Client) -> None:
    assert statistics(alice) == []
    own = alice_client.get("/players/alice").content.decode()
    for address in (reverse("games:home"), reverse("games:learn")):
        assert f'class="button primary" href="{address}"' in own or (
            f'class="button" href="{address}"' in own
        )
    others = Client().get("/players/alice").content.decode()
    assert "alice hasn't finished a game yet." in unescape(others)
    assert "0 of 0" not in own + others


def test_places_are_told_in_whole_words(alice: User, bob: User) -> None:
    Tally.objects.add("perudo", {alice.pk: {"place_1": 1, "place_2": 1200, "left": 1}})
    page = " ".join(Client().get("/players/alice").content.decode().split())
    for told in ("1st place: 1 game <", "2nd place: 1,200 games <", "Abandoned: 1 game <"):
        assert told in page


def test_a_running_game_does_not_count(alice: User, bob: User) -> None:
    game = running_game(alice, bob, rounds=4)
    assert game.round_set.count() == 4
    assert statistics(alice) == [] and counters(alice) == {}
    assert listed(alice) == []


# --- the list ------------------------------------------------------------------------------------


def test_the_latest_game_comes_first(alice: User, bob: User) -> None:
    days = [START + timedelta(days=day) for day in (1, 3, 2)]
    first, third, second = (finished_game(alice, bob, now=day) for day in days)
    assert listed(alice) == [third.code, second.code, first.code]


def test_a_line_tells_how_the_game_went(alice: User, bob: User, charlie: User) -> None:
    game = finished_game(alice, bob, charlie, calza="on")
    [line] = page_of(bob)["games"]
    assert line["place"] == game.seat_set.get(user=bob).place
    assert line["seats"] == 3
    assert [other["name"] for other in line["others"]] == ["alice", "charlie"]
    assert line["others"][0]["avatar"] == alice.avatar
    assert line["length"].endswith("min")
    assert line["unusual"][0] == "calza"
    assert line["url"] == replay_address.of_decision(game.code)


def test_a_line_of_the_list_repeats_no_rules(alice: User, bob: User, client: Client) -> None:
    """A few words where a game differs from the usual, however many settings do."""
    finished_game(alice, bob, calza="on", preset="web_fr", lost_dice_visible=True)
    [line] = page_of(bob)["games"]
    html = client.get("/players/bob").text.split('class="played-rules"')[1].split("</span>")[0]
    rules = rules_in_words(Game.objects.get())
    assert line["unusual"] and rules.differences
    assert not [told for told in rules.differences if told in html]
    assert len(re.sub(r"<[^>]+>|\s+", "", html)) < 60


@pytest.mark.parametrize("kind", ["perudo", "peco_peco"])
def test_a_game_of_the_list_opens_where_it_was_decided_for_its_reader(
    alice: User, bob: User, charlie: User, alice_client: Client, kind: str
) -> None:
    others = (bob, charlie)
    game = (
        finished_game(alice, *others)
        if kind == "perudo"
        else peco_game(alice, *others, "easy", seed=3)
    )
    [line] = page_of(alice)["games"]
    moments = catalogue.of(game.kind_key).replay.moments(game)
    last = [at for at, each in enumerate(moments, start=1) if each.round == moments[-1].round]
    assert 1 < last[0] < len(moments)
    mine = replay_page.decision(game, game.seat_set.get(user=alice).number)
    assert moments[mine - 1].opens
    for client, there in ((Client(), last[0]), (alice_client, mine)):
        answer = client.get(line["url"])
        address = reverse("games:moment", args=[game.code, there])
        assert (answer.status_code, answer["Location"]) == (302, address)
        assert client.get(address).context["moment"].index == there


@pytest.mark.parametrize(
    ("outcome", "fits"),
    [("won", lambda seat: seat.place == 1), ("lost", lambda seat: seat.place > 1)],
)
def test_the_list_can_be_narrowed_to_a_result(
    alice: User, bob: User, outcome: str, fits: Callable[..., bool]
) -> None:
    games = [finished_game(alice, bob, seed=seed) for seed in range(1, 7)]
    seats = {game.code: game.seat_set.get(user=alice) for game in games}
    wanted = {code for code, seat in seats.items() if fits(seat)}
    assert 0 < len(wanted) < 6
    assert set(listed(alice, outcome=outcome)) == wanted


def test_the_list_can_be_narrowed_to_games_one_left(alice: User, bob: User) -> None:
    finished_game(alice, bob)
    game = running_game(alice, bob)
    now = event_log.latest_public_facts(game)[-1].at
    commands.move(game.code, 0, Leave(), seen=None, now=now)
    assert listed(alice, outcome="left") == [game.code]
    assert listed(bob, outcome="left") == []


def test_the_list_can_be_narrowed_to_rules(alice: User, bob: User) -> None:
    web = finished_game(alice, bob, preset="web_fr")
    calza = finished_game(alice, bob, preset="asmodee_it", calza="on")
    assert listed(alice, preset="web_fr") == [web.code]
    assert listed(alice, calza="on") == [calza.code]
    assert listed(alice, calza="off") == [web.code]
    assert listed(alice, calza="on", preset="web_fr") == []


def test_a_filter_that_is_none_is_named_and_hides_nothing(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    context = page_of(alice, outcome="drawn")
    assert list(context["filter_form"].errors) == ["outcome"]
    assert [line["code"] for line in context["games"]] == [game.code]


@pytest.fixture
def five_games(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The codes of five games, the latest first, two of them finished at the same instant."""
    monkeypatch.setattr(players, "GAMES_A_PAGE", 2)
    days = (0, 1, 1, 2, 3)
    games = [finished_game(alice, bob, now=START + timedelta(days=day)) for day in days]
    return [game.code for game in reversed(games)]


def walk(person: User, way: str, **query: object) -> list[list[str]]:
    """The pages of a list from here to its end in one direction."""
    pages = []
    while True:
        context = page_of(person, **query)
        pages.append([line["code"] for line in context["games"]])
        if context[way] is None:
            return pages
        query = {way: context[way]}


def test_a_long_list_has_pages(alice: User, five_games: list[str]) -> None:
    one, two, three, four, five = five_games
    assert walk(alice, "older") == [[one, two], [three, four], [five]]


def test_the_way_back_through_the_pages_is_the_same(alice: User, five_games: list[str]) -> None:
    one, two, three, four, _ = five_games
    second = page_of(alice, older=page_of(alice)["older"])
    last = page_of(alice, older=second["older"])
    assert last["older"] is None
    assert walk(alice, "newer", newer=last["newer"]) == [[three, four], [one, two]]


def test_a_new_game_does_not_push_the_next_page_on(
    alice: User, bob: User, five_games: list[str]
) -> None:
    behind = page_of(alice)["older"]
    finished_game(alice, bob, now=START + timedelta(days=9))
    assert listed(alice, older=behind) == five_games[2:4]


def test_pages_keep_to_the_filter(
    alice: User, bob: User, client: Client, five_games: list[str]
) -> None:
    winner = Game.objects.get(code=five_games[0]).seat_set.get(place=1).user
    page = client.get(reverse("games:profile", args=[winner.username]), {"outcome": "won"})
    [older] = re.findall(r'rel="next" href="([^"]+)"', page.content.decode())
    assert "outcome=won" in older
    assert [
        line["place"] for line in client.get(f"/players/{winner}{unescape(older)}").context["games"]
    ] == [1, 1]


def test_an_address_that_names_no_place_shows_the_latest(
    alice: User, five_games: list[str], subtests: pytest.Subtests
) -> None:
    for query in [
        {"page": "2"},
        {"page": "last?"},
        {"older": "x"},
        {"older": "-1"},
        {"newer": "٣-٤"},
        {"newer": "9" * 40 + "-1"},
    ]:
        with subtests.test(query=query):
            assert listed(alice, **query) == five_games[:2]


def test_a_place_comes_back_from_its_text() -> None:
    place = Place(START + timedelta(microseconds=1), 7)
    assert Place.from_text(str(place)) == place


# --- who sees what -------------------------------------------------------------------------------


def test_a_game_by_link_is_listed_for_those_who_sat_there(
    alice: User, bob: User, alice_client: Client, bob_client: Client, charlie_client: Client
) -> None:
    game = finished_game(alice, bob, public=False)
    assert listed(alice, alice_client) == [game.code]
    assert listed(alice, bob_client) == [game.code]
    assert listed(alice, charlie_client) == []
    assert listed(alice) == []


def test_a_game_is_listed_once_however_many_sat_there(
    alice: User, bob: User, charlie: User, charlie_client: Client
) -> None:
    games = [finished_game(alice, bob, charlie, public=public) for public in (True, False)]
    assert sorted(listed(alice, charlie_client)) == sorted(game.code for game in games)


def test_a_deleted_person_has_no_page(alice: User, bob: User, client: Client) -> None:
    finished_game(alice, bob)
    lifecycle.forget(bob)
    assert client.get(reverse("games:profile", args=["bob"])).status_code == 404
    assert client.get(reverse("games:profile", args=[bob.username])).status_code == 404


def test_a_deleted_opponent_has_no_name(alice: User, bob: User) -> None:
    finished_game(alice, bob)
    lifecycle.forget(bob)
    [line] = page_of(alice)["games"]
    assert [other["name"] for other in line["others"]] == ["deleted player"]


def test_nobody_has_no_page(client: Client, db: None) -> None:
    assert client.get("/players/nobody").status_code == 404


def test_a_name_in_other_letters_leads_to_the_one_address(alice: User, client: Client) -> None:
    answer = client.get("/players/ALICE")
    assert (answer.status_code, answer["Location"]) == (302, "/players/alice")


def test_the_page_tells_nothing_that_is_private(alice: User, bob: User, client: Client) -> None:
    finished_game(alice, bob)
    page = client.get(reverse("games:profile", args=["alice"])).content.decode()
    assert "alice@example.org" not in page


def test_a_person_finds_the_own_settings_there(alice: User, alice_client: Client) -> None:
    assert page_of(alice, alice_client)["person"]["is_me"]
    assert not page_of(alice)["person"]["is_me"]


def test_more_games_ask_the_database_no_more(alice: User, bob: User, charlie: User) -> None:
    finished_game(alice, bob, charlie, calza="on")
    asked = [queries_of_a_page(alice)]
    for _ in range(4):
        finished_game(alice, bob, charlie, calza="on")
        asked.append(queries_of_a_page(alice, outcome="won", preset="asmodee_fr", calza="on"))
    assert [len(queries) for queries in asked] == [10, 10, 10, 10, 10], "\n".join(asked[-1])


def queries_of_a_page(person: User, **query: object) -> list[str]:
    with CaptureQueriesContext(connection) as asked:
        page_of(person, **query)
    return [each["sql"] for each in asked]


# --- the copy ------------------------------------------------------------------------------------


def test_the_copy_holds_every_game_with_its_rounds(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    [copy] = export(alice)["games"]
    assert copy["code"] == game.code
    assert copy["players"] == ["alice", "bob"]
    assert copy["place"] == game.seat_set.get(user=alice).place
    assert [row["number"] for row in copy["rounds"]] == list(
        game.round_set.values_list("number", flat=True)
    )


def test_the_copy_holds_the_own_dice_and_nobody_elses(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    for person in (alice, bob):
        number = game.seat_set.get(user=person).number
        [copy] = export(person)["games"]
        own = [row.hands[number] for row in game.round_set.all()]
        assert [row["my_dice"] for row in copy["rounds"]] == own
        assert "hands" not in str(copy)


def test_the_copy_leaves_out_rounds_after_one_was_out(
    alice: User, bob: User, charlie: User
) -> None:
    game = finished_game(alice, bob, charlie)
    first_out = game.seat_set.get(place=3)
    [copy] = export(first_out.user)["games"]
    assert 0 < len(copy["rounds"]) < game.round_set.count()
    assert all(row["my_dice"] for row in copy["rounds"])


def test_the_copy_of_a_running_game_holds_only_rounds_that_were_shown(
    alice: User, bob: User
) -> None:
    game = running_game(alice, bob, rounds=2, bids=1, lost_dice_visible=True)
    [copy] = export(alice)["games"]
    assert [row["number"] for row in copy["rounds"]] == [1, 2]
    assert copy["status"] == "playing"
    assert game.round_set.count() == 2


def test_the_copy_keeps_the_log_of_a_running_game_closed_where_lost_dice_hide(
    alice: User, bob: User
) -> None:
    game = running_game(alice, bob, rounds=2, bids=1, lost_dice_visible=False)
    assert next(export(alice)["games"])["rounds"] == []
    finish_game(game)
    assert next(export(alice)["games"])["rounds"] != []


def test_more_games_make_no_more_queries_for_a_copy(
    alice: User, bob: User, django_assert_num_queries
) -> None:
    rounds_of_each_game = len(list(catalogue.every()))
    for seed in (1, 2, 3):
        finished_game(alice, bob, seed=seed)
        with django_assert_num_queries(2 + rounds_of_each_game):
            list(export(alice)["games"])


def test_the_copy_can_be_downloaded(alice: User, bob: User, alice_client: Client) -> None:
    game = finished_game(alice, bob)
    answer = alice_client.get(reverse("my-data"))
    assert json.loads(answer.getvalue())["games"][0]["code"] == game.code
