"""A site of the version before the games had apps of their own: upgraded, downgraded, played on.

`tests/upgrade` holds the dumps of such a site, made by running that version: finished games of
every preset, open and closed tables, and nine games in play. Its last migration of `games` is 0012.
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
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from django.test import Client
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games.models import Game, Result
from games.perudo.models import Round
from perudo_site import databases
from tests.conftest import new_database
from tests.databases import forget_what_was_read, used
from tests.games.playing import finish
from tests.games.test_results import assert_the_past_is_true

DUMPS = Path(__file__).parent.parent / "upgrade"
ROUND_PERMISSIONS = {f"{what}_round" for what in ("add", "change", "delete", "view")}
# What an upgrade may change; every other table keeps its columns and rows.
CHANGED = {
    *("accounts_user", "django_content_type", "django_migrations"),
    *("games_game", "games_game_removed", "games_result", "games_tally"),
}

LATER = "peco_peco"  # the app of a game that the old version did not have
LATER_MODELS = ("letter", "lettercount", "heldname")  # of accounts
LATER_TABLES = (LATER, *(f"accounts_{model}" for model in LATER_MODELS))

Rows = dict[str, list[str]]


def dump(kind: str) -> str:
    return gzip.decompress((DUMPS / f"old_site.{kind}.sql.gz").read_bytes()).decode()


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
        settings = databases.postgresql(dict(dj_database_url.parse(address)))
        settings["OPTIONS"].pop("pool")
        yield settings


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.real_server)])
def old_site(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[None]:
    site = sqlite_site(tmp_path) if request.param == "sqlite" else postgresql_site()
    with django_db_blocker.unblock(), site as settings, used(settings):
        yield


def upgrade() -> None:
    call_command("migrate", verbosity=0)
    forget_what_was_read()


def downgrade() -> None:
    downgrade_games()
    call_command("migrate", "accounts", "0003", verbosity=0)
    forget_what_was_read()


def downgrade_games() -> None:
    call_command("migrate", "games", "0012", verbosity=0)
    forget_what_was_read()


def upgrade_accounts() -> None:
    """For a test that uses the model of users before and after the games are upgraded."""
    call_command("migrate", "accounts", verbosity=0)


def ask(sql: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall())


_LABELS = "SELECT id, app_label, model FROM django_content_type"


def is_later(app: str, model: str) -> bool:
    return app == LATER or (app == "accounts" and model in LATER_MODELS)


def rows() -> Rows:
    """Every row of every table, as text with the names of its columns; without later tables."""
    found = {}
    later = {pk for pk, app, model in ask(_LABELS) if is_later(app, model)}
    for table in connection.introspection.table_names():
        if table.startswith(LATER_TABLES):
            continue
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608
            names = [column[0] for column in cursor.description]
            read = [sorted(zip(names, row, strict=True)) for row in cursor.fetchall()]
        if table == "django_migrations":
            read = [[("name", dict(row)["app"], dict(row)["name"])] for row in read]
            read = [row for row in read if row[0][1] != LATER]
        key = {"django_content_type": "id", "auth_permission": "content_type_id"}.get(table)
        read = [row for row in read if key is None or dict(row)[key] not in later]
        found[table] = sorted(map(repr, read))
    return found


def differing(before: Rows, after: Rows) -> set[str]:
    return {table for table in before | after if before.get(table) != after.get(table)}


def test_every_row_is_kept_on_the_way_forward_back_and_forward(old_site: None) -> None:
    before, labels = rows(), ask(_LABELS)
    counted = ask("SELECT * FROM games_tally")
    seats = {seat: bool(calza) for seat, calza in ask("SELECT seat_id, calza FROM games_result")}
    assert len(counted) == 9 and set(seats.values()) == {True, False}
    upgrade()
    upgraded = rows()
    assert differing(before, upgraded) == CHANGED
    moved = [(pk, "perudo" if model == "round" else app, model) for pk, app, model in labels]
    kept = [row for row in ask(_LABELS) if not is_later(*row[1:])]
    assert sorted(kept) == sorted(moved)
    assert seats == {
        seat: variant == "calza" for seat, variant in Result.objects.values_list("seat", "variant")
    }
    assert set(Result.objects.values_list("game_key", flat=True)) == {"perudo"}
    assert_the_past_is_true()
    downgrade()
    assert differing(before, rows()) == set()
    upgrade()
    assert differing(upgraded, rows()) <= {"games_tally"}  # its keys are new ones
    assert_the_past_is_true()


def test_permissions_and_the_log_of_staff_follow_the_rounds(old_site: None) -> None:
    upgrade_accounts()
    [[old_type]] = ask("SELECT id FROM django_content_type WHERE model = 'round'")
    keeper = User.objects.filter(is_superuser=True).latest("pk")
    LogEntry.objects.create(
        user=keeper,
        content_type_id=old_type,
        object_id="1",
        object_repr="round",
        action_flag=CHANGE,
    )
    group, person = Group.objects.create(name="round keepers"), User.objects.create_user("dana")
    view = Permission.objects.get(codename="view_round")
    group.permissions.add(view)
    person.groups.add(group)
    assert person.has_perm("games.view_round")
    for move in (upgrade, downgrade_games):
        move()
        label = "perudo" if move is upgrade else "games"
        person = User.objects.get(username="dana")
        assert person.has_perm(f"{label}.view_round")
        assert person.get_all_permissions() == {f"{label}.view_round"}
        [row] = ContentType.objects.filter(model="round").exclude(app_label=LATER)
        assert (row.app_label, row.pk) == (label, old_type)
        permissions = Permission.objects.filter(content_type=row)
        assert set(permissions.values_list("codename", flat=True)) == ROUND_PERMISSIONS
        assert permissions.count() == 4
        assert LogEntry.objects.get(object_repr="round").content_type == row


def test_a_second_content_type_of_rounds_becomes_one_with_the_first(old_site: None) -> None:
    """It comes about where somebody creates the permissions of the new version beforehand."""
    upgrade_accounts()
    keeper = User.objects.filter(is_superuser=True).latest("pk")
    twin = ContentType.objects.create(app_label="perudo", model="round")
    view = Permission.objects.create(codename="view_round", name="View", content_type=twin)
    extra = Permission.objects.create(codename="print_round", name="Print", content_type=twin)
    group, person = Group.objects.create(name="round keepers"), User.objects.create_user("dana")
    group.permissions.add(view)
    person.groups.add(group)
    person.user_permissions.add(extra, view)
    about = {"object_id": "1", "object_repr": "round", "action_flag": CHANGE}
    LogEntry.objects.create(user=keeper, content_type=twin, **about)
    upgrade()
    [row] = ContentType.objects.filter(model="round").exclude(app_label=LATER)
    assert row.app_label == "perudo" and row.pk != twin.pk
    held = User.objects.get(username="dana").get_all_permissions()
    assert held == {"perudo.view_round", "perudo.print_round"}
    assert group.permissions.get().content_type == row
    codenames = list(Permission.objects.filter(content_type=row).values_list("codename", flat=True))
    assert sorted(codenames) == sorted({*ROUND_PERMISSIONS, "print_round"})
    assert LogEntry.objects.get(object_repr="round").content_type == row


@pytest.mark.slow
def test_games_in_play_go_on_to_their_end_and_are_kept_on_the_way_back(old_site: None) -> None:
    upgrade()
    running = list(Game.objects.filter(status=Game.Status.PLAYING).order_by("pk"))
    assert len(running) == 9
    before = Round.objects.count()
    for game in running:
        assert finish(game, seed=3).status == Game.Status.FINISHED
    rounds, results = Round.objects.count(), Result.objects.count()
    assert rounds > before + len(running)
    assert_the_past_is_true()
    assert not ask("SELECT 1 FROM games_tally WHERE value <= 0")
    for person in User.objects.filter(is_active=True):
        assert Client().get(f"/players/{person.username}").status_code == 200
    for game in Game.objects.filter(status=Game.Status.FINISHED):
        assert Client().get(f"/games/{game.code}/replay").status_code == 200

    downgrade()
    assert ask("SELECT COUNT(*) FROM games_round")[0][0] == rounds
    assert ask("SELECT COUNT(*) FROM games_result")[0][0] == results
    upgrade()
    assert_the_past_is_true()
