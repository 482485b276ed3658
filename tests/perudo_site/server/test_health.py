"""Health checks (`/healthz`, `/readyz`) and the metrics endpoint."""

from __future__ import annotations

import socket
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

import httpx
import pytest
from django.conf import LazySettings
from django.db import OperationalError, connection
from django.test import Client

from perudo_site import VERSION
from perudo_site.server import health
from tests.support.live_site import LiveSite, free_port, manage
from tests.support.players import wait_for
from tests.support.services import Redis

NewSite = Callable[..., LiveSite]


def test_a_healthy_process_answers_ok(client: Client, db: None) -> None:
    for address in ("/healthz", "/readyz"):
        answer = client.get(address)
        assert (answer.status_code, answer.content) == (HTTPStatus.OK, b"ok")
        assert answer.headers["Cache-Control"] == "no-store"


def test_probes_need_no_host_name_and_no_https(
    client: Client, db: None, settings: LazySettings
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.ALLOWED_HOSTS = ["perudo.example"]
    for address in ("/healthz", "/readyz"):
        assert client.get(address, headers={"Host": "10.0.0.7:8001"}).content == b"ok"
    assert client.get("/rules", headers={"Host": "perudo.example"}).status_code == 301
    assert client.get("/rules", headers={"Host": "10.0.0.7:8001"}).status_code == 400


def test_probes_get_no_session_and_may_only_read(client: Client, db: None) -> None:
    assert client.get("/readyz").cookies == {}
    assert client.post("/readyz").status_code == HTTPStatus.NOT_FOUND


def test_a_process_shutting_down_is_alive_but_not_ready(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_shutting_down", False)
    health.begin_shutdown()
    assert client.get("/readyz").content == b"ending"
    assert client.get("/healthz").status_code == HTTPStatus.OK


@pytest.mark.real_server
def test_without_redis_it_is_alive_but_not_ready(new_site: NewSite) -> None:
    site = new_site(REDIS_URL=f"redis://:hush@127.0.0.1:{free_port()}/0")
    site.start()
    answer = httpx.get(f"{site.url}/readyz")
    assert (answer.status_code, answer.text) == (HTTPStatus.SERVICE_UNAVAILABLE, "redis")


@pytest.mark.real_server
def test_with_a_redis_that_can_only_be_read_it_is_not_ready(
    new_site: NewSite, redis: Redis
) -> None:
    site = new_site(REDIS_URL=redis.url)
    site.start()
    assert httpx.get(f"{site.url}/readyz").text == "ok"
    with redis.replicating():
        answer = httpx.get(f"{site.url}/readyz")
        assert (answer.status_code, answer.text) == (HTTPStatus.SERVICE_UNAVAILABLE, "redis")
        with site.guest() as guest:  # and it goes on without
            assert guest.post("/play-now", data={"bots": "5"}).status_code == HTTPStatus.OK
    wait_for(lambda: httpx.get(f"{site.url}/readyz").text == "ok", "it is ready")


@pytest.mark.real_server
def test_with_unapplied_migrations_it_is_not_ready(new_site: NewSite, tmp_path: Path) -> None:
    empty = tmp_path / "empty.sqlite3"
    site = new_site(DATABASE_URL=f"sqlite:///{empty}")
    site.start()
    answer = httpx.get(f"{site.url}/readyz")
    assert (answer.status_code, answer.text) == (HTTPStatus.SERVICE_UNAVAILABLE, "migrations")
    wait_for(lambda: "migrations are not applied count=" in site.log, "it is said")
    assert manage("migrate", "-v", "0", **site.environment).returncode == 0
    wait_for(lambda: httpx.get(f"{site.url}/readyz").text == "ok", "it is ready")


def test_without_its_database_it_is_not_alive(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OperationalError("no connection")

    monkeypatch.setattr(connection, "ensure_connection", fail)
    for address in ("/healthz", "/readyz"):
        answer = client.get(address)
        assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        assert answer.content == b"database"


@pytest.mark.real_server
def test_metrics_are_on_a_port_of_their_own(new_site: NewSite) -> None:
    port = free_port()
    site = new_site(METRICS_PORT=str(port))
    site.start()
    httpx.get(f"{site.url}/rules").raise_for_status()
    numbers = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    assert 'perudo_request_seconds_count{method="GET",route="games:rules",status="2xx"} 1.0' in (
        numbers
    )
    assert 'perudo_tables{status="open"} 0.0' in numbers
    assert f'perudo_build_info{{version="{VERSION}"}} 1.0' in numbers
    assert f"server started version={VERSION}" in site.log
    assert "process_cpu_seconds_total" in numbers
    assert httpx.get(f"{site.url}/metrics").status_code == HTTPStatus.NOT_FOUND


@pytest.mark.real_server
def test_a_metrics_port_in_use_stops_the_start_with_one_sentence(new_site: NewSite) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        site = new_site(METRICS_PORT=str(taken.getsockname()[1]))
        with pytest.raises(AssertionError, match="METRICS_PORT .* cannot be used: Address already"):
            site.start()
    assert "Traceback" not in site.log
