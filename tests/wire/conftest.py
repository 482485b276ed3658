"""Servers for the tests over the wire: quick ones, pairs that share their data, and their logs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.deployments import QUICK, Deployment, run_deployment
from tests.support.fixtures import new_database
from tests.support.live_site import LiveSite
from tests.support.players import HttpPlayer, player_factory


@pytest.fixture
def new_player() -> Iterator[Callable[..., HttpPlayer]]:
    """Creates visitors: `come(site)` is a guest, `come(site, "Ana")` registers."""
    with player_factory() as new_player:
        yield new_player


@pytest.fixture(scope="session")
def one_process(
    prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Deployment]:
    """One process on a SQLite file, with hasty bots: the site as it comes."""
    folder = tmp_path_factory.mktemp("quick") / "site"
    with run_deployment([LiveSite.of(prepared_folder, folder, **QUICK)]) as deployment:
        yield deployment


@pytest.fixture(scope="session")
def still_deployment(
    prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Deployment]:
    """Tables without clocks and bots and with long claims: nothing moves by itself."""
    folder = tmp_path_factory.mktemp("still") / "site"
    environment = QUICK | {"CLAIM_WINDOW_MS": "5000"}
    with run_deployment([LiveSite.of(prepared_folder, folder, **environment)]) as deployment:
        yield deployment


@pytest.fixture(scope="session")
def sqlite_pair(
    needs_redis: str, prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Deployment]:
    """Two processes on one SQLite file, hearing each other through Redis."""
    environment = QUICK | {"REDIS_URL": needs_redis}
    folder = tmp_path_factory.mktemp("pair") / "site"
    first = LiveSite.of(prepared_folder, folder, **environment)
    with run_deployment([first, LiveSite(folder, **environment)]) as deployment:
        yield deployment


@pytest.fixture(scope="session")
def postgres_pair(
    needs_redis: str,
    migrated_postgres: str,
    prepared_folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Deployment]:
    """Two processes on one new PostgreSQL database, hearing each other through Redis."""
    with new_database(like=migrated_postgres) as address:
        environment = QUICK | {"REDIS_URL": needs_redis, "DATABASE_URL": address}
        folder = tmp_path_factory.mktemp("postgres") / "site"
        first = LiveSite.of(prepared_folder, folder, **environment)
        with run_deployment([first, LiveSite(folder, **environment)], address) as deployment:
            yield deployment


@pytest.fixture(params=["one_process", "sqlite_pair", "postgres_pair"])
def any_deployment(request: pytest.FixtureRequest) -> Deployment:
    """One test, three ways to run the site: alone, two on SQLite, two on PostgreSQL."""
    deployment: Deployment = request.getfixturevalue(request.param)
    return deployment


@pytest.fixture(params=["sqlite_pair", "postgres_pair"])
def pair(request: pytest.FixtureRequest) -> Deployment:
    """One test, two databases, always two processes."""
    deployment: Deployment = request.getfixturevalue(request.param)
    return deployment
