"""`manage.py copy_to`: a SQLite site goes on on PostgreSQL, with everything it had."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from perudo_site.copying.checksums import checksum
from perudo_site.copying.progress import TABLE
from tests.support import autopilot, forked
from tests.support.deployments import QUICK
from tests.support.fixtures import new_database
from tests.support.live_site import ROOT, LiveSite, clean_environment, manage
from tests.support.players import HttpPlayer, player_factory, start_table, wait_for
from tests.support.site_database import SiteDatabase

NewPlayer = Callable[..., HttpPlayer]
OLD = ROOT / "tests/upgrade/site_before_0.9.sqlite.sql.gz"
# What `migrate` makes at both, with keys of its own; and the columns that hold these keys.
MADE = {"django_content_type", "auth_permission"}
KEYS_OF_MADE = {"content_type_id", "permission_id"}


# Values that databases, drivers and text formats are known to change on the way.
ODD = [
    "UPDATE accounts_user SET first_name = 'a\tb\\N \\. é́ 🎲' WHERE id = 1",
    "UPDATE games_seat SET present_at = '2026-02-28 23:59:59.000001' WHERE id = 1",
    "UPDATE games_seat SET present_at = '2026-02-28 23:59:59' WHERE id = 2",
    "INSERT INTO games_gamereview (game_id, judge, made_at, content)"
    " VALUES (1, 'j', '2026-01-01 00:00:00', x'00ff5c0a09')",
    "INSERT INTO games_reviewedplay (user_id, game_id, kind_key, judge, finished_at, judged,"
    " decisions, accuracy, inaccuracies, mistakes, blunders, own, gifts, luck, residual, boldest)"
    " VALUES (1, 1, 'perudo', 'j', '2026-01-01 00:00:00', 1, 3, 0.1, 0, 0, 0, -0.0, 1e-320,"
    """ 0.30000000000000004, 1e308, '{"b": [1.0, 1e22, -0.0, 1e-7], "a": "é\\u00e9\\\\u0041"}')""",
    'INSERT INTO games_inboxentry (user_id, seq, kind, about, "values", created_at)'
    " VALUES (1, 1, 'k', 'a', 'null', '2026-01-01 00:00:00')",
    'INSERT INTO games_inboxentry (id, user_id, seq, kind, about, "values", created_at)'
    " VALUES (7000, 1, 2, 'k', 'b', '[]', '2026-01-01 00:00:00')",
    "DELETE FROM games_inboxentry WHERE id = 7000",
    "INSERT INTO auth_group (name) VALUES ('Moderators')",
    "INSERT INTO auth_group_permissions (group_id, permission_id)"
    " SELECT 1, id FROM auth_permission WHERE codename IN ('change_report', 'view_game')",
    # Of a model that is no more.
    "INSERT INTO django_content_type (app_label, model) VALUES ('polls', 'poll')",
    "INSERT INTO auth_permission (content_type_id, codename, name)"
    " SELECT id, 'add_poll', 'Can add' FROM django_content_type WHERE model = 'poll'",
    "INSERT INTO accounts_user_user_permissions (user_id, permission_id)"
    " SELECT 2, id FROM auth_permission WHERE codename = 'add_poll'",
]


@dataclass
class Move:
    """A stopped site, and the database it is to move to."""

    site: LiveSite
    address: str

    def run(self) -> subprocess.CompletedProcess[str]:
        done = manage("copy_to", self.address, **self.site.environment)
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def refusal(self) -> str:
        """What the command says that must change nothing."""
        done = self.run()
        assert done.returncode == 1 and not re.search(r"(?m)^same", done.stdout), done.stdout
        return done.stderr.strip().splitlines()[-1]

    @property
    def old(self) -> SiteDatabase:
        return SiteDatabase(self.site.folder)

    @property
    def new(self) -> SiteDatabase:
        return SiteDatabase(self.site.folder, self.address)

    def moved(self) -> LiveSite:
        """The site on its new database, with the files it had."""
        return LiveSite(self.site.folder, **self.site.environment, DATABASE_URL=self.address)

    def tables(self) -> list[str]:
        found = self.old.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        return [name for (name,) in found if not name.startswith(("sqlite_", "django_migr"))]


@pytest.fixture
def target(migrated_postgres: str) -> Iterator[str]:
    with new_database(like=migrated_postgres) as address:
        yield address


@pytest.fixture
def move(new_site: Callable[..., LiveSite], target: str) -> Move:
    return Move(new_site(**QUICK), target)


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a site of an old version, with games of every kind, that was upgraded."""
    folder = tmp_path_factory.mktemp("upgraded")
    file = folder / "db.sqlite3"
    with closing(sqlite3.connect(file)) as opened:
        opened.executescript(gzip.decompress(OLD.read_bytes()).decode())
    done = manage("migrate", "--verbosity", "0", patience=180, DATA_DIR=str(folder))
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(file)) as opened, opened:
        for statement in ODD:
            opened.execute(statement)
    return file


@pytest.fixture
def old_move(move: Move, upgraded: Path) -> Move:
    shutil.copyfile(upgraded, move.old.file)
    return move


@pytest.fixture
def new_player() -> Iterator[NewPlayer]:
    with player_factory() as new_player:
        yield new_player


def rows_of(database: SiteDatabase, table: str) -> list[dict[str, Any]]:
    """The rows of a table by their key, as the driver reads them."""
    if database.postgres:
        with psycopg.connect(database.postgres, row_factory=psycopg.rows.dict_row) as opened:
            found = opened.execute(f'SELECT * FROM "{table}"'.encode()).fetchall()  # noqa: S608
    else:
        with closing(sqlite3.connect(database.file)) as opened:
            opened.row_factory = sqlite3.Row
            found = [dict(row) for row in opened.execute(f'SELECT * FROM "{table}"')]  # noqa: S608
    return sorted(found, key=_key)


def _key(row: dict[str, Any]) -> tuple[int, str]:
    """Keys are the first column but where they are words or belong to somebody else's row."""
    names = [name for name in ("id", "user_id", "owner_id", "seat_id", "game_id") if name in row]
    return (row[names[0]], "") if names else (0, str(row["session_key"]))


def assert_same(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Compare what two drivers read, each value by what it means."""
    assert old.keys() == new.keys()
    for column in old.keys() - KEYS_OF_MADE:
        here, there = old[column], new[column]
        if isinstance(there, datetime):
            here = datetime.fromisoformat(here).replace(tzinfo=UTC)
        elif isinstance(there, dict | list) or (there is None and here == "null"):
            here = json.loads(here)
        elif isinstance(there, memoryview):
            there = bytes(there)
        elif there is not None and not isinstance(there, str | int | float | bytes):
            there = str(there)  # a day
        assert here == there, (column, here, there)


def constraints(address: str) -> set[tuple[str, str, str]]:
    query = "SELECT conname, conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint"
    with psycopg.connect(address) as opened:
        return set(opened.execute(query).fetchall())


@pytest.mark.real_server
def test_every_row_of_a_site_is_there_with_every_value(old_move: Move) -> None:
    done = old_move.run()
    assert done.returncode == 0, done.stderr
    filled = 0
    for table in set(old_move.tables()) - MADE:
        old, new = (rows_of(database, table) for database in (old_move.old, old_move.new))
        assert len(old) == len(new), table
        for here, there in zip(old, new, strict=True):
            assert_same(here, there)
        filled += bool(old)
        line = re.search(rf"(?m)^same .*: {len(old)} rows, checksum [0-9a-f]{{16}}$", done.stdout)
        assert line, table
    assert filled > 20
    # JSON's null is not the NULL of SQL, though drivers say None to both.
    told = "SELECT \"values\"::text FROM games_inboxentry WHERE about = 'a'"
    assert old_move.new.rows(told) == [("null",)]


@pytest.mark.real_server
def test_what_migrate_makes_is_found_there_by_name(old_move: Move) -> None:
    """The keys of permissions and kinds of rows are others there, and all refer to the right."""
    names = [
        "SELECT l.object_id, t.app_label, t.model FROM django_admin_log l"
        " JOIN django_content_type t ON t.id = l.content_type_id",
        *(
            f"SELECT r.{owner}_id, p.codename, t.app_label, t.model FROM {table} r"  # noqa: S608
            " JOIN auth_permission p ON p.id = r.permission_id"
            " JOIN django_content_type t ON t.id = p.content_type_id"
            for owner, table in (
                ("group", "auth_group_permissions"),
                ("user", "accounts_user_user_permissions"),
            )
        ),
    ]
    keys = "SELECT id, model FROM django_content_type"
    assert set(old_move.old.rows(keys)) != set(old_move.new.rows(keys))
    assert old_move.run().returncode == 0
    for query in names:
        found = sorted(old_move.old.rows(query))
        assert found and found == sorted(old_move.new.rows(query))


@pytest.mark.real_server
def test_the_new_database_guards_what_a_fresh_one_does_and_goes_on_counting(
    old_move: Move, migrated_postgres: str
) -> None:
    assert old_move.run().returncode == 0
    with new_database(like=migrated_postgres) as fresh:
        assert constraints(old_move.address) == constraints(fresh)
    for table, latest in old_move.old.rows("SELECT name, seq FROM sqlite_sequence"):
        if table in old_move.tables() and table not in MADE and latest:
            sequence = f"pg_get_serial_sequence('\"{table}\"', 'id')::regclass"
            assert old_move.new.rows(f"SELECT nextval({sequence})") == [(latest + 1,)], table  # noqa: S608
    for table in MADE:  # what it was given there has keys of its own
        sequence = f"pg_get_serial_sequence('{table}', 'id')::regclass"
        query = f"SELECT nextval({sequence}) > (SELECT max(id) FROM {table})"  # noqa: S608
        assert old_move.new.rows(query) == [(True,)]
    assert old_move.new.rows("SELECT to_regclass(?) IS NULL", TABLE) == [(True,)]


# --- five thousand games -------------------------------------------------------------------------


def add_history(site: LiveSite, games: int) -> None:
    crowd = ["-m", "tests.support.crowd", "--games", str(games), "--people", "100", "--pool", "30"]
    environment = clean_environment(**site.environment)
    subprocess.run([sys.executable, *crowd], cwd=ROOT, env=environment, check=True)  # noqa: S603


def begin_copy(move: Move, *, until: Callable[[], bool]) -> forked.Forked:
    """A copy that is frozen in the middle."""
    with tempfile.TemporaryFile() as out:
        words = ["copy_to", move.address]
        process = forked.begin(words, clean_environment(**move.site.environment), out, out)
        wait_for(until, "the middle of the copy", patience=60)
        process.send_signal(signal.SIGSTOP)
    assert process.poll() is None
    return process


@pytest.mark.slow
@pytest.mark.real_server
def test_a_copy_of_five_thousand_games_that_is_killed_goes_on_and_so_do_the_games(
    move: Move, new_player: NewPlayer
) -> None:
    site = move.site
    add_history(site, 5_000)
    site.start()
    people = [new_player(site, "Ana"), new_player(site, "Bela"), new_player(site)]
    code = start_table(people, chat="on")
    stood = people[0].view(code).seq

    def far_enough() -> bool:
        return people[0].view(code).seq > stood + 6

    autopilot.play(code, people, until=far_enough, rng=autopilot.seeded(3))
    assert people[0].action(code, "say", text="Shall we move?") == ""
    site.stop()

    def copied() -> int:
        with psycopg.connect(move.address) as opened:
            if opened.execute("SELECT to_regclass(%s) IS NULL", [TABLE]).fetchall()[0][0]:
                return 0
            return opened.execute("SELECT count(*) FROM games_round").fetchall()[0][0]  # type: ignore[no-any-return]

    process = begin_copy(move, until=lambda: copied() > 0)
    whole = move.old.rows("SELECT count(*) FROM games_round")[0][0]
    there = copied()
    assert 0 < there < whole
    # Nobody can write meanwhile: no server of this site starts, no other program can.
    refused = manage("serve", **site.environment)
    assert refused.returncode == 1 and "Another server already runs" in refused.stderr
    with (
        closing(sqlite3.connect(move.old.file, timeout=0)) as other,
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        other.execute("DELETE FROM games_saying")
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    # Nor does one start on half of the data.
    refused = manage("serve", **move.moved().environment)
    assert refused.returncode == 1 and "is not finished" in refused.stderr

    done = move.run()
    assert done.returncode == 0, done.stderr
    assert "going on behind it" in done.stdout and "all counts and checksums" in done.stdout
    first = re.search(r"Copying: +(\d+)%.*?([\d.]+k)/", done.stderr)
    assert first and int(first[1]) > 0, "it began anew"
    assert re.search(r"100%.*\[\d\d:\d\d<\d\d:\d\d", done.stderr), "no time left"
    for table in set(move.tables()) - MADE:
        count = f'SELECT count(*) FROM "{table}"'  # noqa: S608
        assert move.old.rows(count) == move.new.rows(count), table
    assert move.new.rows("SELECT count(*) FROM games_game WHERE status = 'finished'") == [(5_000,)]

    new = move.moved()
    new.start()
    again = [person.at(new) for person in people]
    for person in again:
        person.open_page(code)
    assert [person.view(code).seat for person in again] == [0, 1, 2]
    assert "Shall we move?" in again[1].get(f"/games/{code}").text
    stood = max(person.view(code).seq for person in again)

    def moved_on() -> bool:
        return again[0].view(code).seq > stood + 4 or again[0].view(code).phase == "over"

    autopilot.play(code, again, until=moved_on, rng=autopilot.seeded(4))
    move.new.check(code)
    assert new_player(new, "Zora").get("/account/").status_code == 200
    new.stop()
    assert " ERROR " not in new.log, new.log


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.real_server
def test_a_site_that_runs_is_not_copied(move: Move) -> None:
    move.site.start()
    assert "A server runs on the data in" in move.refusal()
    move.site.stop()
    assert move.run().returncode == 0


@pytest.mark.real_server
@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("INSERT INTO auth_group (name) VALUES ('Own')", "rows of its own in auth.Group"),
        (
            "INSERT INTO django_content_type (app_label, model) VALUES ('a', 'b')",
            "rows of its own in contenttypes.ContentType",
        ),
        ("INSERT INTO games_hours (open_at) VALUES (now())", "rows of its own in games.Heartbeat"),
        (
            "DELETE FROM django_migrations WHERE app = 'games' AND name LIKE '0040%'",
            "The database of the target lacks migration games.0040",
        ),
        (
            "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_x', now())",
            "The database of the target has migration games.9999_x, which",
        ),
    ],
)
def test_a_target_with_rows_or_other_migrations_is_refused(
    move: Move, statement: str, said: str
) -> None:
    with psycopg.connect(move.address) as opened:
        opened.execute(statement.encode())
    before = constraints(move.address)
    assert said in move.refusal()
    assert constraints(move.address) == before
    assert move.new.rows("SELECT to_regclass(?) IS NULL", TABLE) == [(True,)]


@pytest.mark.real_server
def test_a_target_with_a_person_or_with_somebody_connected_is_refused(move: Move) -> None:
    with psycopg.connect(move.address):
        assert "Somebody is connected to the target" in move.refusal()
    words = ["createsuperuser", "--no-input", "--username", "mira", "--email", "m@example.org"]
    moved = move.moved()
    done = manage(*words, **moved.environment, DJANGO_SUPERUSER_PASSWORD="x" * 20)
    assert done.returncode == 0, done.stderr
    assert "rows of its own in accounts.User" in move.refusal()
    assert move.run().returncode == 1


@pytest.mark.real_server
def test_an_empty_database_and_what_is_no_address_are_refused(
    move: Move, needs_postgres: str
) -> None:
    assert "lacks migration" in Move(move.site, needs_postgres).refusal()
    for address in ("sqlite:///other", "postgres://", "mysql://127.0.0.1/a", "perudo"):
        assert "must look like postgres://" in Move(move.site, address).refusal()
    here = Move(move.moved(), needs_postgres)
    assert "is on PostgreSQL already" in here.refusal()
    nobody = "postgres://perudo:hush@127.0.0.1:1/perudo"
    said = Move(move.site, nobody).refusal()
    assert "does not answer" in said and "hush" not in said


# --- what does not fit, and what changed ---------------------------------------------------------


@pytest.mark.real_server
@pytest.mark.parametrize(
    ("table", "statement", "mend"),
    [
        (
            "accounts.User (accounts_user) with the key 2",
            "UPDATE accounts_user SET first_name = 'secret' || printf('%200d', 1) WHERE id = 2",
            "UPDATE accounts_user SET first_name = '' WHERE id = 2",
        ),
        (
            "accounts.User (accounts_user) with the key 2",
            "UPDATE accounts_user SET first_name = 'secret' || char(0) WHERE id = 2",
            "UPDATE accounts_user SET first_name = '' WHERE id = 2",
        ),
        (
            "games.Seat (games_seat) with the key 3",
            "UPDATE games_seat SET missed = 70000 WHERE id = 3",
            "UPDATE games_seat SET missed = 0 WHERE id = 3",
        ),
        (
            "games.Game (games_game) with the key 4",
            """UPDATE games_game SET options = '{"a": "secret\\u0000"}' WHERE id = 4""",
            "UPDATE games_game SET options = '{}' WHERE id = 4",
        ),
    ],
)
def test_a_row_that_does_not_fit_is_named_and_the_rest_waits_for_it(
    old_move: Move, table: str, statement: str, mend: str
) -> None:
    """SQLite knows no lengths and few limits."""
    old_move.old.write(statement)
    said = old_move.refusal()
    assert f"does not take the row of {table}" in said and "secret" not in said
    old_move.old.write(mend)
    assert old_move.run().returncode == 0


@pytest.mark.real_server
@pytest.mark.parametrize("at", ["old", "new"])
def test_what_changed_between_two_runs_is_found(old_move: Move, at: str) -> None:
    """By the comparison of all values: rows that are there are not copied again."""
    old_move.old.write(
        "UPDATE games_seat SET missed = 70000 WHERE id = (SELECT max(id) FROM games_seat)"
    )
    assert "does not take the row of games.Seat" in old_move.refusal()
    old_move.old.write("UPDATE games_seat SET missed = 0 WHERE missed = 70000")
    getattr(old_move, at).write(
        """UPDATE games_game SET created_at = '2026-01-01 00:00:00.000001' WHERE id = 3"""
    )
    done = old_move.run()
    assert done.returncode == 1
    assert re.findall(r"(?m)^DIFFERS +(\S+):", done.stdout) == ["games.Game"]
    assert "The copy differs in games.Game: something wrote" in done.stderr
    assert old_move.run().returncode == 1, "it is no copy later either"


@pytest.mark.real_server
def test_a_row_that_refers_to_nothing_is_found_before_anything_is_copied(old_move: Move) -> None:
    old_move.old.write("UPDATE games_seat SET game_id = 999999 WHERE id = 5")
    assert "The database of this site is damaged: " in old_move.refusal()
    assert old_move.new.rows("SELECT to_regclass(?) IS NULL", TABLE) == [(True,)]


MOMENT = datetime(2026, 3, 1, 12, tzinfo=UTC)
ROW = (1, "a", MOMENT, 0.1, b"\0", True, None, '{"a": [1, 2.5]}')


CHANGES: list[tuple[int, object]] = [
    (0, 2),
    (1, "A"),
    (1, "a "),
    (1, ""),
    (2, MOMENT.replace(microsecond=1)),
    (2, None),
    (3, 0.1 + 2**-56),
    (4, b""),
    (5, False),
    (6, ""),
    (6, "None"),
    (7, '{"a": [2.5, 1]}'),
    (7, '{"a": [1, "2.5"]}'),
    (7, "null"),
    (7, None),
]


def test_a_checksum_sees_each_change_of_a_value() -> None:
    whole = checksum([ROW], json_at={7})
    for index, value in CHANGES:
        changed = (*ROW[:index], value, *ROW[index + 1 :])
        assert checksum([changed], json_at={7}) != whole, (index, value)
    assert checksum([ROW, ROW], json_at={7}) != whole
    assert checksum([], json_at={7}) != whole


def test_a_checksum_is_of_values_not_of_how_a_database_writes_them() -> None:
    here = (MOMENT, b"ab", -0.0, '{"b": 1e22, "a": -0.0, "c": "\\u00e9"}')
    there = (
        datetime.fromisoformat("2026-03-01T13:00:00+01:00"),
        memoryview(b"ab"),
        0.0,
        '{"a": 0.0, "b": 10000000000000000000000, "c":"é"}',
    )
    other = (MOMENT, b"", 1.5, "null")
    first, second = (checksum([one, other], json_at={3}) for one in (here, there))
    assert first == second == checksum([other, there], json_at={3})


def test_a_value_of_an_unknown_kind_is_not_compared_as_text() -> None:
    with pytest.raises(TypeError, match="nobody has said how a object is compared"):
        checksum([(object(),)], json_at=set())
