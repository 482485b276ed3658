"""A disk that takes no more writes of a site on SQLite: it says so, still serves, and gets well."""

from __future__ import annotations

import resource
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.db import OperationalError
from django.db.utils import ConnectionHandler

from perudo_site import databases
from tests.support.live_site import LiveSite
from tests.support.players import wait_for

NewSite = Callable[..., LiveSite]


def mount(*words: str) -> None:
    done = subprocess.run(["mount", *words], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"A disk of a test's own needs root: {done.stderr.strip()}.")


@contextmanager
def mounted(folder: Path, *words: str) -> Iterator[Path]:
    folder.mkdir()
    mount(*words, str(folder))
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def cannot_write(site: LiveSite) -> Iterator[None]:
    """The disk takes nothing from this process any more: as with a quota, or one that breaks."""
    assert site.process is not None
    limits = resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, limits)


def ready(site: LiveSite) -> tuple[int, str]:
    answer = httpx.get(f"{site.url}/readyz")
    return answer.status_code, answer.text


def say(guest: httpx.Client, table: str) -> int:
    return guest.post(f"{table}/say", data={"phrase": "good_luck"}).status_code


@pytest.mark.real_server
def test_a_site_whose_disk_is_full_is_not_ready(prepared_folder: Path, tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=64m", "tmpfs") as disk:
        site = LiveSite.of(prepared_folder, disk / "site")
        site.start()
        try:
            with site.guest() as guest:
                table = guest.post("/play-now", data={"bots": "5"}).url.path
                assert (say(guest, table), ready(site)) == (200, (200, "ok"))
                with (
                    (disk / "filler").open("wb", 0) as filler,
                    pytest.raises(OSError, match="space"),
                ):
                    while True:
                        filler.write(bytes(4096))
                assert ready(site) == (503, "disk-full")
                assert httpx.get(f"{site.url}/healthz").text == "ok"
                assert guest.get("/rules").status_code == 200
                (disk / "filler").unlink()
                wait_for(lambda: ready(site) == (200, "ok"), "there is room again")
                assert say(guest, table) == 200
        finally:
            site.discard()


@pytest.mark.real_server
def test_whatever_keeps_a_site_from_writing_it_is_not_ready(live_site: LiveSite) -> None:
    with live_site.guest() as guest:
        table = guest.post("/play-now", data={"bots": "5"}).url.path
        assert (say(guest, table), ready(live_site)) == (200, (200, "ok"))
        with cannot_write(live_site):
            wait_for(lambda: ready(live_site) == (503, "database"), "its heartbeat has failed")
            assert say(guest, table) == 503
            assert guest.get("/rules").status_code == 200
        wait_for(lambda: ready(live_site) == (200, "ok"), "its heartbeat is written")
        assert say(guest, table) == 200


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """A database that another process has open, in a folder of its own."""
    (tmp_path / "disk").mkdir()
    file = tmp_path / "disk" / "db.sqlite3"
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("CREATE TABLE written (number int)")
        yield file


def write(database: Any) -> None:
    with database.cursor() as cursor:
        cursor.execute("INSERT INTO written VALUES (1)")


def test_a_connection_from_while_the_disk_was_read_only_is_not_kept(
    file: Path, tmp_path: Path, django_db_blocker: Any
) -> None:
    with (
        mounted(tmp_path / "same", "--bind", str(file.parent)) as same,
        django_db_blocker.unblock(),
    ):
        database: Any = ConnectionHandler({"default": databases.sqlite(same / file.name)})[
            "default"
        ]
        mount("-o", "remount,bind,ro", str(same))
        assert database.write_problem() == "read-only"
        with pytest.raises(OperationalError, match="readonly"):
            write(database)
        mount("-o", "remount,bind,rw", str(same))
        with pytest.raises(OperationalError, match="readonly"):
            write(database)  # SQLite itself does not look again
        database.close_if_unusable_or_obsolete()  # as at the end of a request
        write(database)
        assert database.write_problem() == ""
        database.close()
