"""Fixtures of all tests: people, databases and Redis, real servers, real browsers."""

from __future__ import annotations

import gc
import os
import secrets
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import redis as redis_client
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.utils import translation
from pytest_django import DjangoDbBlocker

from accounts import visits
from accounts.models import User
from games.play import late_notes, open_pages, recent_moves
from games.store import versioned_lru
from perudo_site.ratelimit import local
from tests.support.live_site import (
    QUICK_SIGN_UP,
    LiveSite,
    manage,
    one_at_a_time,
    prepared,
)
from tests.support.services import Redis

PASSWORD = "seven toucans in a cup"


def unavailable(what: str) -> NoReturn:
    """Skips the test with a reason; on a machine that must test everything, fails it."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what}, and with CI=true every test must run.")
    pytest.skip(f"{what}.")


# Fixtures that start servers or talk to those of this machine.
SERVERS = {"migrated_postgres", "needs_postgres", "needs_redis", "prepared_folder", "redis"}


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what uses a server."""
    if SERVERS.intersection(getattr(item, "fixturenames", ())):
        item.add_marker("real_server")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the longest tests first, so that no worker is left with one at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """Collect garbage less often, and not among what is imported.

    Collecting took 10 % of the processor time of four large test files, and takes 5 % now.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With a failed test, show the last that the servers wrote which it used."""
    report = yield
    if report.failed:
        for each in getattr(item, "funcargs", {}).values():
            used = each[0] if isinstance(each, tuple) and each else getattr(each, "site", each)
            if isinstance(used, LiveSite):
                last = "\n".join(used.log.splitlines()[-40:])
                report.sections.append((f"Log of {used.url}", last))
    return report


@pytest.fixture(autouse=True)
def in_english() -> None:
    """A page asked for in another language leaves it behind on the thread."""
    translation.activate(settings.LANGUAGE_CODE)


@pytest.fixture(autouse=True)
def _empty_caches() -> None:
    forget_everything()


def forget_everything() -> None:
    """Rate limits would add up over the tests, and games of two tests have the same ids.

    What a process notes of open pages and of games that have just moved is of one test, too.
    """
    cache.clear()
    local.reset()
    versioned_lru.clear_all()
    open_pages.forget_all()
    late_notes.forget_all()
    visits.forget_noted()
    recent_moves.take(still=0)


# --- The database -----------------------------------------------------------------------


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest, django_db_modify_db_settings: None) -> bool:
    """Begin with a copy of a migrated SQLite file: to migrate takes seconds for each worker."""
    if connection.vendor != "sqlite":
        return bool(request.config.getoption("reuse_db"))
    prepared_folder = request.getfixturevalue("prepared_folder")
    file = settings.DATABASES["default"]["TEST"]["NAME"]
    shutil.copyfile(prepared_folder / "db.sqlite3", file)
    return True


@contextmanager
def rolled_back() -> Iterator[None]:
    """Roll back whatever is written within; moves may still begin their outermost transaction."""
    atomic = transaction.atomic()
    atomic._from_testcase = True  # type: ignore[attr-defined]  # as those of Django's TestCase
    with atomic:
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def module_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Let fixtures of a module write rows once for all its tests; they go with the module.

    Each test rolls back its own changes (`db`) to them. Not for a module with a test that commits
    (`transactional_db`).
    """
    with django_db_blocker.unblock(), rolled_back():
        yield


# --- The cast ---------------------------------------------------------------------------


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("alice", "alice@example.org", PASSWORD)


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob", "bob@example.org", PASSWORD)


@pytest.fixture
def charlie(db: None) -> User:
    return User.objects.create_user("charlie", "charlie@example.org", PASSWORD)


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def signed_in_as_staff(person: User) -> Client:
    """By password and second step, as staff do; a recovery code, because those do not run out."""
    TOTP.activate(person, generate_totp_secret())
    code = RecoveryCodes.activate(person).get_unused_codes()[0]
    client = Client()
    client.post("/account/login/", {"login": person.username, "password": PASSWORD})
    answer = client.post("/account/two-factor/enter/", {"code": code})
    assert answer.status_code == 302, answer.content.decode()
    return client


@pytest.fixture
def alice_client(alice: User) -> Client:
    return signed_in(alice)


@pytest.fixture
def bob_client(bob: User) -> Client:
    return signed_in(bob)


@pytest.fixture
def charlie_client(charlie: User) -> Client:
    return signed_in(charlie)


# --- The services a grown-up site uses --------------------------------------------------


@contextmanager
def new_database(*, made: bool = True, like: str = "") -> Iterator[str]:
    """The address of a new PostgreSQL database, dropped after use.

    It is empty, or a copy of the one at the address `like`, to which nobody may be connected.
    Not `made`, it is only named: the code under test creates it.
    """
    with _postgres_server() as server:
        name = f"perudo_test_{secrets.token_hex(6)}"
        if made:
            _create_database(server, name, like=like)
        try:
            yield _address_of(name)
        finally:
            _drop_database(server, name)


def _postgres_server() -> psycopg.Connection:
    try:
        return psycopg.connect(_address_of(), autocommit=True, connect_timeout=3)
    except psycopg.OperationalError:
        unavailable("PostgreSQL is not reachable (TEST_POSTGRES_URL says where it is)")


def _address_of(name: str = "") -> str:
    """The address of a database of the tests' PostgreSQL; without a name that of the given one."""
    given = os.environ.get("TEST_POSTGRES_URL", "postgres://postgres@127.0.0.1:5432/postgres")
    return urlunsplit(urlsplit(given)._replace(path=f"/{name}")) if name else given


def _create_database(server: psycopg.Connection, name: str, *, like: str = "") -> None:
    model = urlsplit(like).path.strip("/") or "template1"
    server.execute(f"CREATE DATABASE {name} TEMPLATE {model}")


def _drop_database(server: psycopg.Connection, name: str) -> None:
    server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@pytest.fixture
def needs_postgres() -> Iterator[str]:
    """The address of a new, empty PostgreSQL database, dropped after the test."""
    with new_database() as address:
        yield address


@pytest.fixture(scope="session")
def migrated_postgres(
    prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of a migrated PostgreSQL database to make copies of; never connect to it.

    The workers of a run share one, which takes seconds to migrate; the last of them drops it.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if worker else own) / "migrated_postgres"
    name = f"perudo_test_{folder.parent.name.replace('-', '_')}_{os.getppid()}"
    with _postgres_server() as server:
        with one_at_a_time(folder):
            if not (folder / "migrated").exists():
                _drop_database(server, name)  # what a worker that was stopped has half made
                _create_database(server, name)
                words = {"DATABASE_URL": _address_of(name), "DATA_DIR": str(prepared_folder)}
                done = manage("migrate", "--verbosity", "0", **words)
                assert done.returncode == 0, done.stderr
                (folder / "migrated").touch()
            (folder / f"user-{worker}").touch()
        yield _address_of(name)
        with one_at_a_time(folder):
            (folder / f"user-{worker}").unlink()
            if not [*folder.glob("user-*")]:
                _drop_database(server, name)
                (folder / "migrated").unlink()


@pytest.fixture(scope="session")
def needs_redis() -> str:
    """The address of a Redis that answers; who runs beside us counts in another part of it."""
    given = urlsplit(os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/0"))
    beside = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    number = (int(given.path.strip("/") or 0) + beside) % 16
    address = urlunsplit(given._replace(path=f"/{number}"))
    try:
        with redis_client.Redis.from_url(address, socket_connect_timeout=3) as server:
            server.ping()
    except redis_client.ConnectionError:
        unavailable("Redis is not reachable (TEST_REDIS_URL says where it is)")
    return address


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    """A running Redis of this test's own, which it may stop, freeze or cut off."""
    try:
        server = Redis(tmp_path / "redis")
    except LookupError as missing:
        unavailable(f"There is no Redis to stop: {missing}")
    server.start()
    yield server
    server.end()


# --- The stage --------------------------------------------------------------------------


@pytest.fixture(scope="session")
def prepared_folder() -> Path:
    """A data folder as a first start leaves it; sites are copies of it."""
    return prepared()


@pytest.fixture
def new_site(prepared_folder: Path, tmp_path: Path) -> Iterator[Callable[..., LiveSite]]:
    """Makes sites of this test's own; keyword arguments are environment variables.

    Sites that should share a data folder get `beside=` the first of them.
    """
    sites: list[LiveSite] = []

    def make(*, beside: LiveSite | None = None, **environment: str) -> LiveSite:
        if beside is not None:
            site = LiveSite(beside.folder, **environment)
        else:
            folder = tmp_path / f"site-{len(sites)}"
            site = LiveSite.of(prepared_folder, folder, **environment)
        sites.append(site)
        return site

    yield make
    for site in sites:
        site.discard()


@pytest.fixture
def live_site(new_site: Callable[..., LiveSite]) -> LiveSite:
    """A running server with its own SQLite file, which a test may restart or kill."""
    site = new_site()
    site.start()
    return site


@pytest.fixture(scope="session")
def shared_site(
    prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveSite]:
    """One running server for all tests that only visit it; never restart or kill this one."""
    folder = tmp_path_factory.mktemp("shared") / "site"
    site = LiveSite.of(prepared_folder, folder, **QUICK_SIGN_UP)
    site.start()
    yield site
    site.discard()
