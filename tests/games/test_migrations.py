"""Going back to an older version and forward again: no fact, result or number is lost."""

from __future__ import annotations

import importlib
import json
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.models import User
from games.models import Event, Game, PackedLog, Result, Tally
from games.perudo.models import Round
from games.perudo.rules.options import PRESETS
from games.play import before_start
from games.store import archive, record_export, versioned_lru
from tests.games.evening import CONFIRM, DUDO, LEAVE, bid, dealt
from tests.games.playing import EVENING, finish, finished_game, open_table, running_game
from tests.games.tallies import stored
from tests.games.test_results import assert_the_past_is_true

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _forward_again() -> Iterator[None]:
    yield
    migrate()


def migrate(*whereto: str) -> None:
    call_command("migrate", *whereto, verbosity=0)


def historical_apps(name: str) -> Any:
    """The models of `games` as the migration of this name sees them."""
    loader = MigrationExecutor(connection).loader
    return loader.project_state([("games", name)]).apps


def table(name: str, *columns: str) -> list[tuple[Any, ...]]:
    """These columns of every row, in order, asked without any model: older ones have other rows."""
    quoted = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {quoted} FROM {name} ORDER BY {quoted}")  # noqa: S608
        return list(cursor.fetchall())


def plain(value: Any) -> Any:
    """The value of a JSON column: SQLite answers with its text."""
    return json.loads(value) if isinstance(value, str) else value


def counted() -> list[tuple[Any, ...]]:
    rows = Tally.objects.order_by("user", "game_key", "counter")
    return list(rows.values_list("user", "game_key", "counter", "value"))


def facts() -> list[tuple[Any, ...]]:
    return table("games_event", "game_id", "seq", "only", "kind", "data", "at")


@pytest.fixture
def games(alice: User, bob: User, charlie: User) -> list[Game]:
    """Finished games of every preset, a running one, an open and a closed table."""
    finished = [
        finished_game(alice, bob, charlie, "steady", preset=preset, calza="on", seed=seed)
        for seed, preset in enumerate(PRESETS, start=1)
    ]
    running_game(alice, bob, rounds=2, seed=3)
    open_table(bob, charlie)
    before_start.close(open_table(alice, charlie).code, alice, now=EVENING)
    return finished


def test_after_a_way_back_and_forth_everything_is_as_it_was(games: list[Game]) -> None:
    """The way back unpacks every log into the very same rows; after that the games go on."""
    records = [record_export.as_json(game) for game in games]
    results, tallies, before = list(Result.objects.values()), counted(), facts()
    for game in games[:-1]:
        assert game.pack_at is not None
        archive.pack(game.code, now=game.pack_at)
    assert PackedLog.unsealed.count() == len(games) - 1 and facts() != before
    migrate("games", "0003")
    assert facts() == before

    migrate()
    versioned_lru.clear_all()
    assert [record_export.as_json(Game.objects.get(pk=game.pk)) for game in games] == records
    assert sorted(Result.objects.values(), key=str) == sorted(results, key=str)
    assert counted() == tallies
    assert_the_past_is_true()

    # The games of an older version are packed in their turn.
    late = max(game.finished_at for game in games if game.finished_at)
    waiting = archive.waiting(now=late, most=99)
    assert sorted(waiting) == sorted(game.code for game in games)
    for code in waiting:
        archive.pack(code, now=late)
    assert not Event.unsealed.filter(game__status=Game.Status.FINISHED).exists()

    game = finish(Game.objects.get(status=Game.Status.PLAYING), seed=5)
    assert game.status == Game.Status.FINISHED
    assert_the_past_is_true()


# --- moves made for a person ----------------------------------------------------------------------


def as_an_older_version_left_it() -> None:
    """The log does not say who moved, and every move and place counted for its seat."""
    for packed in PackedLog.unsealed.all():
        plain = json.loads(zlib.decompress(packed.facts))
        del plain["automatic"]
        PackedLog.unsealed.filter(pk=packed.pk).update(
            facts=zlib.compress(json.dumps(plain).encode())
        )
    migrate("games", "0009")
    migrate("games", "0010")


@pytest.fixture
def by_the_clock(alice: User, bob: User, charlie: User) -> list[Game]:
    """Alice misses two turns in each of two games; in the first she shows herself in between."""
    over = []
    for shows_herself in (True, False):
        evening = dealt(alice, bob, charlie, hands=((2,) * 5, (3,) * 5, (4,) * 5))
        evening.clock_strikes()  # the clock bids for alice
        evening.says(1, DUDO)
        if shows_herself:
            evening.says(0, CONFIRM, after=1)
        evening.clock_strikes(rolls=[3] * 14)
        evening.says(1, bid("1x3"))
        evening.says(2, bid("2x3"))
        evening.clock_strikes()  # the clock doubts for her, and in the second game a bot sits down
        for number in (1, 2):
            evening.says(number, LEAVE, after=1)
        assert evening.seat(0).asleep is not shows_herself
        over.append(evening.game)
    return over


@pytest.mark.parametrize("packed", [False, True])
def test_stored_games_count_only_what_people_did_themselves(
    by_the_clock: list[Game], alice: User, packed: bool
) -> None:
    rounds = list(Round.objects.order_by("pk").values_list("bid_automatic", "call_automatic"))
    assert rounds == [(True, False), (False, True)] * 2
    tally = stored(alice.pk)
    assert (tally["places"], tally["left"]) == ([1], 1)
    assert (tally["doubts"], tally["bids_challenged"]) == (0, 0)
    results, tallies = list(Result.objects.values()), counted()
    for game in by_the_clock:
        if packed:
            archive.pack(game.code, now=game.pack_at or EVENING)
    as_an_older_version_left_it()
    assert table("games_tally", "doubts", "left", "places")[0][1] == 0
    migrate()
    again = Round.objects.order_by("pk").values_list("bid_automatic", "call_automatic")
    assert [tuple(map(bool, row)) for row in again] == [tuple(map(bool, row)) for row in rounds]
    assert counted() == tallies
    assert sorted(Result.objects.values(), key=str) == sorted(results, key=str)


def test_the_way_back_counts_every_move_and_every_place(
    by_the_clock: list[Game], alice: User
) -> None:
    migrate("games", "0010")
    [tally] = [
        row[1:]
        for row in table("games_tally", "user_id", "places", "left", "doubts", "bids_challenged")
        if row[0] == alice.pk
    ]
    assert (plain(tally[0]), *tally[1:]) == ([2], 0, 2, 2)


def test_the_count_may_be_cut_short_and_run_again(by_the_clock: list[Game]) -> None:
    migrate("games", "0013")
    columns = ("user_id", "places", "left", "doubts", "bids_challenged", "bids_true")
    tallies = table("games_tally", *columns)
    own = importlib.import_module("games.migrations.0011_count_own_moves")
    for _ in range(2):
        own.count_own_moves(historical_apps("0011_count_own_moves"), None)
        assert table("games_tally", *columns) == tallies
