"""A site of the last version before 0.9: upgraded, downgraded, played on.

`tests/upgrade` holds the dumps of such a site, made by running that version: finished games of both
kinds, two of them packed, open and closed tables, thirteen games in play, messages, mutes, reports
and bans. Its last migration of `games` is 0026.
"""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import dj_database_url
import psycopg
import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.db import connection
from django.test import Client
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games.models import ChatBan, ChatMessage, FactRow, Game, PackedLog, Report, Result
from games.play import commands
from games.store import event_log
from perudo_site import databases
from tests.support.databases import clear_caches, using_database
from tests.support.fixtures import new_database

DUMPS = Path(__file__).parent.parent / "upgrade"
# What an upgrade may change; every other table keeps its columns and rows.
CHANGED = {
    *("auth_permission", "django_content_type", "django_migrations"),
    *("games_game", "games_seat", "accounts_user"),
}
LATER_GAMES = (
    *("inbox", "inboxentry", "nextseat", "search", "standingtable", "formerword", "question"),
    *("dailyround", "dailyanswer", "tie", "friendlink", "presence"),
    *("pushsubscription", "pushchoice", "pushmessage", "pushkey"),
    *("gamereview", "reviewedplay", "habits", "mistakeanswer", "belief", "mark", "drawproof"),
    "seatpart",
    *("rating", "ratedseat", "ratingcorrection", "club", "sitetally"),
)
LATER_TABLES = (*(f"games_{model}" for model in LATER_GAMES), "accounts_signincode")
LATER_MODELS = (*LATER_GAMES, "signincode")

Rows = dict[str, list[str]]


def dump(kind: str) -> str:
    return gzip.decompress((DUMPS / f"site_before_0.9.{kind}.sql.gz").read_bytes()).decode()


@contextmanager
def sqlite_site(folder: Path) -> Iterator[dict[str, Any]]:
    file = folder / "old.sqlite3"
    with closing(sqlite3.connect(file)) as opened:
        opened.executescript(dump("sqlite"))
    yield databases.sqlite(file)


@contextmanager
def postgresql_site() -> Iterator[dict[str, Any]]:
    with new_database() as address:
        with psycopg.connect(address) as opened:
            opened.execute(dump("postgresql").encode())
        yield databases.postgresql(dict(dj_database_url.parse(address)))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.real_server)])
def old_site(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[None]:
    site = sqlite_site(tmp_path) if request.param == "sqlite" else postgresql_site()
    with django_db_blocker.unblock(), site as settings, using_database(settings):
        yield


def upgrade() -> None:
    call_command("migrate", verbosity=0)
    clear_caches()


def downgrade() -> None:
    call_command("migrate", "games", "0026", verbosity=0)
    call_command("migrate", "accounts", "0009", verbosity=0)
    clear_caches()


def ask(sql: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall())


def rows() -> Rows:
    """Every row of every table, as text with the names of its columns; without later tables."""
    found = {}
    types = ask("SELECT id, model FROM django_content_type")
    later = {pk for pk, model in types if model in LATER_MODELS}
    for table in connection.introspection.table_names():
        if table in LATER_TABLES:
            continue
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608
            names = [column[0] for column in cursor.description]
            read = [sorted(zip(names, row, strict=True)) for row in cursor.fetchall()]
        if table == "django_migrations":
            read = [[("name", dict(row)["app"], dict(row)["name"])] for row in read]
        key = {"django_content_type": "id", "auth_permission": "content_type_id"}.get(table)
        read = [row for row in read if key is None or dict(row)[key] not in later]
        found[table] = sorted(map(repr, read))
    return found


def differing(before: Rows, after: Rows) -> set[str]:
    return {table for table in before | after if before.get(table) != after.get(table)}


def play_to_the_end(game: Game) -> Game:
    """Let the scheduler play whatever is due, until the game is over."""
    for _ in range(3_000):
        game.refresh_from_db()
        if game.status == Game.Status.FINISHED:
            return game
        assert game.due_at is not None
        commands.play_due(game.code, now=game.due_at)
    raise AssertionError(f"game {game.code} does not end")


@pytest.mark.slow
def test_every_row_is_kept_on_the_way_forward_back_and_forward(old_site: None) -> None:
    before = rows()
    shared = dict(ask("SELECT code, public FROM games_game"))
    upgrade()
    upgraded = rows()
    assert differing(before, upgraded) == CHANGED
    visible = {game.code: game.visibility == "public" for game in Game.objects.all()}
    assert visible == {code: bool(public) for code, public in shared.items()}
    assert set(visible.values()) == {True, False}
    assert {game.kind_key for game in Game.objects.all()} == {"perudo", "peco_peco"}
    downgrade()
    assert differing(before, rows()) == set()
    upgrade()
    assert differing(upgraded, rows()) == set()


@pytest.mark.slow
def test_what_people_wrote_and_staff_did_is_found_by_the_new_names(old_site: None) -> None:
    upgrade()
    assert ChatMessage.objects.count() == 4 and ChatMessage.objects.filter(hidden=True).exists()
    assert Report.objects.exclude(message=None).get().message.text == "rude words"
    banned = User.objects.get(username="per2a")
    assert ChatBan.objects.get(whom=banned) == banned.chat_ban
    assert FactRow.unsealed.count() == len(ask("SELECT 1 FROM games_event")) > 1_000
    about = [entry.content_type.model_class() for entry in LogEntry.objects.order_by("pk")]
    assert about == [Game, ChatMessage]


@pytest.mark.slow
def test_who_might_do_something_still_may(old_site: None) -> None:
    # Of columns that the old version has too.
    people = User.objects.only("is_active", "is_superuser")
    warden = people.get(username="warden")
    [group] = Group.objects.filter(name="night watch")
    group.permissions.add(Permission.objects.get(codename="change_saying"))
    warden.user_permissions.add(Permission.objects.get(codename="silence_person"))
    for move, held in (
        (upgrade, {"games.change_chatmessage", "games.ban_from_chat"}),
        (downgrade, {"games.change_saying", "games.silence_person"}),
        (upgrade, {"games.change_chatmessage", "games.ban_from_chat"}),
    ):
        move()
        assert people.get(username="warden").get_all_permissions() == held


@pytest.mark.slow
def test_games_in_play_go_on_to_their_end_and_are_kept_on_the_way_back(old_site: None) -> None:
    upgrade()
    running = list(Game.objects.filter(status=Game.Status.PLAYING).order_by("pk"))
    assert len(running) == 13 and len({game.kind_key for game in running}) == 2
    packed = [each.game for each in PackedLog.unsealed.select_related("game")]
    assert len(packed) == 2 and all(event_log.public_facts(one, after=0, upto=9) for one in packed)
    results = Result.objects.count()
    for game in running:
        play_to_the_end(game)
    assert Result.objects.count() > results + len(running)
    visitor = Client()
    for person in User.objects.filter(is_active=True, is_staff=False):
        assert visitor.get(f"/players/{person.username}").status_code == 200
    for game in Game.objects.filter(status=Game.Status.FINISHED):
        assert visitor.get(f"/games/{game.code}/replay").status_code == 200
        assert visitor.get(f"/games/{game.code}/replay/1").status_code == 200
    before = Result.objects.count(), FactRow.unsealed.count()
    downgrade()
    kept = [ask(f"SELECT COUNT(*) FROM games_{table}")[0][0] for table in ("result", "event")]  # noqa: S608
    assert tuple(kept) == before
    upgrade()
