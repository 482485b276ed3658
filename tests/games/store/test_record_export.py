"""The record of a finished game to download: complete, and only once the game is over."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from accounts import lifecycle
from accounts.models import User
from games.core.game_record import Record, from_json
from games.core.moves import Leave
from games.models import Game
from games.perudo import rules
from games.perudo.rules.options import PRESETS
from games.play import before_start, commands
from games.store import event_log, record_export
from tests.support.cases import untouched
from tests.support.fast_games import START, finish_game, finished_game, open_table, running_game

pytestmark = pytest.mark.django_db

RECORDS = ["games:record-text", "games:record-json"]


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    return finished_game(alice, bob, charlie, calza="on")


def download(client: Client, name: str, game: Game) -> str:
    answer = client.get(reverse(name, args=[game.code]))
    assert answer.status_code == 200
    return answer.content.decode()


def read_json(client: Client, game: Game) -> Record:
    return from_json(rules, download(client, "games:record-json", game))


def test_the_json_record_reads_back_as_the_whole_log(game: Game, client: Client) -> None:
    read = read_json(client, game)
    assert list(read.facts) == [each.fact for each in event_log.unsealed_facts(game)]
    assert read.players == ("alice", "bob", "charlie")
    assert read.date == "2026-03-01"


def test_the_text_record_has_one_line_a_round(game: Game, client: Client) -> None:
    lines = download(client, "games:record-text", game).splitlines()
    rounds = [line for line in lines if " opens" in line]
    assert len(rounds) == game.round_set.count()
    assert lines[1] == "Date: 2026-03-01" and lines[-1].startswith("Result: ")


def test_games_of_every_preset_can_be_taken_away(
    alice: User, bob: User, client: Client, subtests: pytest.Subtests
) -> None:
    for preset in PRESETS:
        with subtests.test(preset=preset), untouched():
            game = finished_game(alice, bob, preset=preset, calza="on")
            assert download(client, "games:record-text", game).startswith(
                "Perudo record, version 2\n"
            )
            assert read_json(client, game).options.to_json() == game.options


def test_a_game_with_a_leaver_can_be_taken_away(
    alice: User, bob: User, charlie: User, client: Client
) -> None:
    game = running_game(alice, bob, charlie, rounds=1, bids=1)
    now = event_log.latest_public_facts(game)[-1].at
    commands.move(game.code, 2, Leave(), seen=None, now=now)
    finish_game(game)
    assert "C leaves" in download(client, "games:record-text", game)
    assert read_json(client, game).seats == 3


def test_a_game_against_bots_can_be_taken_away(alice: User, client: Client) -> None:
    game = finished_game(alice, "beginner", "steady", "sharp", calza="on")
    names = tuple(seat.name for seat in game.seat_set.all())
    assert read_json(client, game).players == names


def test_the_files_have_their_type_and_a_plain_name(game: Game, client: Client) -> None:
    text = client.get(reverse("games:record-text", args=[game.code]))
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    assert text["Content-Disposition"] == f'attachment; filename="perudo-{game.code}.txt"'
    data = client.get(reverse("games:record-json", args=[game.code]))
    assert data["Content-Type"] == "application/json"
    assert data["Content-Disposition"] == f'attachment; filename="perudo-{game.code}.json"'


@pytest.mark.parametrize("name", RECORDS)
def test_a_browser_does_not_guess_the_type_of_a_record(
    game: Game, client: Client, name: str
) -> None:
    answer = client.get(reverse(name, args=[game.code]))
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("name", RECORDS)
def test_anyone_with_the_link_may_download_the_record(
    alice: User, bob: User, client: Client, name: str
) -> None:
    game = finished_game(alice, bob, public=False)
    assert client.get(reverse(name, args=[game.code])).status_code == 200


@pytest.mark.parametrize("name", RECORDS)
def test_a_deleted_player_has_no_name_in_a_record(
    game: Game, client: Client, bob: User, name: str
) -> None:
    lifecycle.forget(bob)
    written = download(client, name, game)
    assert "deleted player" in written
    assert "bob" not in written
    assert f"deleted-{bob.pk}" not in written


def test_a_hostile_name_stays_a_name(alice: User, client: Client) -> None:
    # No form lets such a name in; the record must hold all the same.
    hostile = User.objects.create_user('"\nResult: B | A')
    game = finished_game(alice, hostile)
    assert read_json(client, game).players == ("alice", hostile.username)
    lines = download(client, "games:record-text", game).splitlines()
    assert [line for line in lines if line.startswith("Player ")] == [
        'Player A: "alice"',
        'Player B: "\\"\\nResult: B | A"',
    ]


def test_names_keep_their_letters(alice: User, client: Client) -> None:
    game = finished_game(alice, User.objects.create_user("Élodie-ñandú"))
    assert '"Élodie-ñandú"' in download(client, "games:record-text", game)
    data = json.loads(download(client, "games:record-json", game))
    assert data["players"] == ["alice", "Élodie-ñandú"]


@pytest.mark.parametrize("name", RECORDS)
def test_a_running_game_has_no_record(
    alice: User, bob: User, alice_client: Client, name: str
) -> None:
    game = running_game(alice, bob, rounds=2, bids=1)
    assert alice_client.get(reverse(name, args=[game.code])).status_code == 404
    with pytest.raises(ValueError, match="stays sealed"):
        record_export.record_of(game)


@pytest.mark.parametrize("name", RECORDS)
def test_a_table_without_a_game_has_no_record(
    alice: User, bob: User, client: Client, name: str
) -> None:
    game = open_table(alice, bob)
    assert client.get(reverse(name, args=[game.code])).status_code == 404
    before_start.close(game.code, alice, now=START)
    assert client.get(reverse(name, args=[game.code])).status_code == 404


def test_a_record_asks_the_database_no_more_for_a_longer_game(
    alice: User, bob: User, charlie: User, client: Client, django_assert_num_queries
) -> None:
    games = [finished_game(alice, bob), finished_game(alice, bob, charlie, seed=3)]
    assert games[0].round_set.count() != games[1].round_set.count()
    for game in games:
        with django_assert_num_queries(5):
            download(client, "games:record-text", game)
        with django_assert_num_queries(2):  # the game and its players: the rest is kept
            download(client, "games:record-text", game)
