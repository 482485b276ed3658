"""Online backups, and restoring them completely or not at all."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from tests.support import autopilot
from tests.support.deployments import QUICK
from tests.support.fixtures import new_database, unavailable
from tests.support.live_site import LiveSite, manage
from tests.support.players import HttpPlayer, player_factory, wait_for
from tests.support.site_database import SiteDatabase

pytestmark = pytest.mark.real_server
NewPlayer = Callable[..., HttpPlayer]


@dataclass
class Place:
    """Where a site's data is: the site, its books, and how to empty them."""

    site: LiveSite
    database: SiteDatabase

    def backup(self, file: Path) -> None:
        assert self.site.manage("backup", str(file)).startswith(f"Copied to {file} (")

    def restore(self, file: Path, *words: str) -> str:
        """What `manage.py restore` says, for better or worse."""
        done = manage("restore", str(file), *words, **self.site.environment)
        assert "Traceback" not in done.stderr
        assert "hush" not in done.stderr
        return done.stderr.strip() if done.returncode else done.stdout.strip()


RESTORED = (
    "Restored; run `manage.py migrate` if the copy is from an older version, and then "
    "`manage.py repeat_deletions` for the accounts that were deleted since it was made."
)


@pytest.fixture
def new_player() -> Iterator[NewPlayer]:
    with player_factory() as new_player:
        yield new_player


@pytest.fixture
def two_databases(migrated_postgres: str) -> Iterator[tuple[str, str]]:
    """A migrated PostgreSQL database and an empty one."""
    with new_database(like=migrated_postgres) as first, new_database() as second:
        yield first, second


@pytest.fixture(params=["sqlite", "postgresql"])
def places(
    request: pytest.FixtureRequest, new_site: Callable[..., LiveSite]
) -> tuple[Place, Place]:
    """A site's place, and another one that is empty."""
    if request.param == "sqlite":
        old, new = new_site(**QUICK), new_site(**QUICK)
        (new.folder / "db.sqlite3").unlink()
        return Place(old, SiteDatabase(old.folder)), Place(new, SiteDatabase(new.folder))
    for program in ("pg_dump", "pg_restore", "psql"):
        if shutil.which(program) is None:
            unavailable(f"{program} is not installed")
    first, second = request.getfixturevalue("two_databases")
    old, new = (new_site(**QUICK, DATABASE_URL=address) for address in (first, second))
    return Place(old, SiteDatabase(old.folder, first)), Place(new, SiteDatabase(new.folder, second))


@pytest.fixture
def old(places: tuple[Place, Place]) -> Place:
    return places[0]


@pytest.fixture
def new(places: tuple[Place, Place]) -> Place:
    return places[1]


class Players(threading.Thread):
    """Two people and a bot who play on until they are told to stop, or until it is over."""

    def __init__(self, site: LiveSite, new_player: NewPlayer) -> None:
        super().__init__()
        self.people = [new_player(site), new_player(site)]
        self.code = self.people[0].open_table(size=3)
        assert self.people[1].action(self.code, "sit") == ""
        assert self.people[0].action(self.code, "add-bot", kind="steady") == ""
        for person in self.people:
            person.open_page(self.code)
        assert self.people[0].action(self.code, "start") == ""
        wait_for(lambda: all(one.view(self.code).phase for one in self.people), "the first turn")
        self.enough = threading.Event()

    @property
    def over(self) -> bool:
        return any(one.view(self.code).phase == "over" for one in self.people)

    def run(self) -> None:
        autopilot.play(
            self.code,
            self.people,
            until=lambda: self.over or self.enough.is_set(),
            rng=autopilot.seeded(4),
        )


def play_on(code: str, people: list[HttpPlayer]) -> None:
    """Some more moves, or the end of the game."""
    stood = people[0].view(code).seq

    def enough() -> bool:
        view = people[0].view(code)
        return view.phase == "over" or view.seq > stood + 12

    autopilot.play(code, people, until=enough, rng=autopilot.seeded(5))


def test_a_backup_of_running_games_goes_on_elsewhere(
    old: Place, new: Place, new_player: NewPlayer, tmp_path: Path
) -> None:
    old.site.start()
    tables = [Players(old.site, new_player) for _ in range(2)]
    for table in tables:
        table.start()
    moves = sum(len(old.database.log(table.code)) for table in tables)
    old.backup(tmp_path / "copy")
    for table in tables:
        table.enough.set()
        table.join(60)
    assert sum(len(old.database.log(table.code)) for table in tables) > moves
    old.site.stop()

    assert new.restore(tmp_path / "copy") == RESTORED
    for table in tables:
        brought = new.database.log(table.code)
        assert brought and brought == old.database.log(table.code)[: len(brought)]
        new.database.check(table.code)
    new.site.start()
    for table in tables:
        again = [person.at(new.site) for person in table.people]
        for person in again:
            person.views.clear()  # the old site had played on
            person.open_page(table.code)
        assert all(one.view(table.code).seat is not None for one in again)
        play_on(table.code, again)
        new.database.check(table.code)


def test_a_backup_is_private_and_never_overwrites_a_file(old: Place, tmp_path: Path) -> None:
    file = tmp_path / "copy"
    old.backup(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    written = {path.name for path in tmp_path.iterdir() if path.name.startswith(("copy", "tmp"))}
    assert written == {"copy", "copy.sha256"}
    before = file.read_bytes()
    done = manage("backup", str(file), **old.site.environment)
    assert done.returncode == 1 and "exists already" in done.stderr
    assert file.read_bytes() == before


def test_restore_overwrites_data_only_with_replace(
    old: Place, new_player: NewPlayer, tmp_path: Path
) -> None:
    old.backup(tmp_path / "empty")
    old.site.start()
    new_player(old.site)
    old.site.stop()
    count = "SELECT count(*) FROM accounts_user"
    assert "--replace says" in old.restore(tmp_path / "empty")
    assert old.database.rows(count) == [(1,)]
    assert old.restore(tmp_path / "empty", "--replace") == RESTORED
    assert old.database.rows(count) == [(0,)]


def test_restore_is_refused_while_a_server_runs(old: Place, tmp_path: Path) -> None:
    old.backup(tmp_path / "copy")
    old.site.start()
    said = old.restore(tmp_path / "copy", "--replace")
    assert "A server runs on the data" in said or "stop every server first" in said


def test_a_damaged_backup_changes_nothing(old: Place, tmp_path: Path) -> None:
    old.backup(tmp_path / "copy")
    whole = (tmp_path / "copy").read_bytes()
    before = old.database.rows("SELECT count(*) FROM django_migrations")
    for name, content in {
        "half": whole[: len(whole) // 2],
        "holes": whole[:2000] + b"\xff" * 30_000 + whole[32_000:],
        "prose": b"Dear diary",
    }.items():
        (tmp_path / name).write_bytes(content)
        said = old.restore(tmp_path / name, "--replace")
        assert said.startswith("CommandError: "), said
        assert "\n" not in said
        assert old.database.rows("SELECT count(*) FROM django_migrations") == before


def test_a_backup_in_which_one_die_was_changed_is_refused(
    old: Place, new_player: NewPlayer, tmp_path: Path
) -> None:
    old.site.start()
    Players(old.site, new_player)
    old.site.stop()
    old.backup(tmp_path / "copy")
    content = bytearray((tmp_path / "copy").read_bytes())
    if old.database.postgres:  # compressed: one bit in the middle
        content[len(content) // 2] ^= 1
    else:
        [[hand]] = old.database.rows("SELECT data FROM games_event WHERE only = 0")
        die = content.index(hand.encode()) + hand.index("[") + 1
        content[die : die + 1] = b"2" if content[die : die + 1] == b"1" else b"1"
    (tmp_path / "copy").write_bytes(content)
    for words in (["--replace"], ["--replace", "--unverified"]):
        assert "does not match its digest" in old.restore(tmp_path / "copy", *words)


def test_the_checksum_of_a_backup_is_as_sha256sum_reads_it(old: Place, tmp_path: Path) -> None:
    old.backup(tmp_path / "copy")
    digest = hashlib.sha256((tmp_path / "copy").read_bytes()).hexdigest()
    assert (tmp_path / "copy.sha256").read_text() == f"{digest}  copy\n"


def test_a_backup_without_a_checksum_needs_unverified(
    old: Place, new: Place, tmp_path: Path
) -> None:
    old.backup(tmp_path / "copy")
    (tmp_path / "copy.sha256").unlink()
    assert "copy.sha256” to check the copy against" in new.restore(tmp_path / "copy")
    assert new.restore(tmp_path / "copy", "--unverified") == RESTORED
    count = "SELECT count(*) FROM django_migrations"
    assert new.database.rows(count) == old.database.rows(count)


def test_an_older_backup_that_ends_with_its_digest_is_checked_and_restored(
    old: Place, new: Place, tmp_path: Path
) -> None:
    old.backup(tmp_path / "copy")
    whole = (tmp_path / "copy").read_bytes()
    digest = hashlib.sha256(whole).hexdigest().encode()
    (tmp_path / "older").write_bytes(whole + b"\nperudo-backup sha256 %s\n" % digest)
    wrong = b"\nperudo-backup sha256 %s\n" % digest[::-1]
    (tmp_path / "damaged").write_bytes(whole + wrong)
    assert "does not match its digest" in new.restore(tmp_path / "damaged", "--unverified")
    assert new.restore(tmp_path / "older") == RESTORED
    count = "SELECT count(*) FROM django_migrations"
    assert new.database.rows(count) == old.database.rows(count)


def test_a_backup_of_a_newer_version_is_refused(old: Place, new: Place, tmp_path: Path) -> None:
    row = "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_new', '{}')"
    statement = row.format("2030-01-01 00:00:00")
    if old.database.postgres:
        with psycopg.connect(old.database.postgres) as connection:
            connection.execute(statement.encode())
    else:
        old.database.write(statement)
    old.backup(tmp_path / "copy")
    assert "a newer version, which knows games.9999_new" in new.restore(tmp_path / "copy")


def test_a_backup_of_something_else_is_refused(new_site: Callable[..., LiveSite], tmp_path: Path):
    site = new_site()
    with closing(sqlite3.connect(tmp_path / "other")) as other, other:
        other.execute("CREATE TABLE diary (day TEXT)")
    place = Place(site, SiteDatabase(site.folder))
    said = place.restore(tmp_path / "other", "--replace", "--unverified")
    assert "not a copy of this site's database" in said
    assert "There is no file" in place.restore(tmp_path / "nothing")
    (tmp_path / "dump").write_bytes(b"PGDMP and so on")
    assert "a copy from PostgreSQL, and here is SQLite" in place.restore(tmp_path / "dump")


def test_missing_postgresql_programs_are_named(tmp_path: Path) -> None:
    address = "postgres://perudo:hush@127.0.0.1:1/perudo"
    place = {"DATA_DIR": str(tmp_path), "DATABASE_URL": address}
    done = manage("backup", str(tmp_path / "copy"), **place, PATH="")
    assert done.returncode == 1
    assert "pg_dump is missing" in done.stderr
    done = manage("backup", str(tmp_path / "copy"), **place)
    assert done.returncode == 1
    assert "pg_dump failed: " in done.stderr
    assert "hush" not in done.stderr
    assert not (tmp_path / "copy").exists()
