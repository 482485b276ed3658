"""The pulse of a process, for whoever watches it: does it live, may it be sent people, its numbers.

`/healthz` and `/readyz` are answered before anything else looks at a request: a watcher knows no
host name, has no session and comes without https. The numbers are on a port of their own, so that
they are never public.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from http import HTTPStatus

from django.conf import settings
from django.core.cache import cache as shared
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from prometheus_client import REGISTRY, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from games import tables
from perudo_site.environment import WrongSetting

_ending = False


def end() -> None:
    """From now on this process is not ready: it finishes what it has and takes nothing new."""
    global _ending
    _ending = True


# --- alive and ready -----------------------------------------------------------------------------


def taken(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """The middleware that answers the watchers and passes everybody else on."""
    asked = {"/healthz": troubles_of_life, "/readyz": troubles_of_service}

    def middleware(request: HttpRequest) -> HttpResponse:
        troubles = asked.get(request.path_info)
        if troubles is None or request.method not in ("GET", "HEAD"):
            return answer(request)
        found = next(troubles(), "")
        return HttpResponse(
            found or "ok",
            status=HTTPStatus.SERVICE_UNAVAILABLE if found else HTTPStatus.OK,
            content_type="text/plain",
            headers={"Cache-Control": "no-store"},
        )

    return middleware


def troubles_of_life() -> Iterator[str]:
    """What keeps this process from living, in a word each; nothing when it lives."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Exception:  # a pool that gives nothing out raises an exception of its own
        yield "database"


def troubles_of_service() -> Iterator[str]:
    """What keeps this process from serving people, in a word each; nothing when it is ready."""
    if _ending:
        yield "ending"
    yield from troubles_of_life()
    try:
        _insist_on_migrations()
    except _Outdated:
        yield "migrations"
    if settings.REDIS_URL:
        try:
            shared.ping()  # type: ignore[attr-defined]
        except RedisError:
            yield "redis"


class _Outdated(Exception):
    """The database lacks migrations of this code."""


@cache  # keeps the good news only: what was once up to date stays so for this process
def _insist_on_migrations() -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise _Outdated


# --- the numbers ---------------------------------------------------------------------------------


class Tables(Collector):
    """How many tables there are that are not over, counted when the numbers are asked for."""

    def describe(self) -> Iterator[GaugeMetricFamily]:
        yield self._family()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        family = self._family()
        with suppress(DatabaseError):  # the other numbers are worth having all the more then
            try:
                for status, count in tables.tables_by_status().items():
                    family.add_metric([status], count)
            finally:
                connection.close()  # every answer comes from a new thread
        yield family

    def _family(self) -> GaugeMetricFamily:
        return GaugeMetricFamily("perudo_tables", "Tables open or playing.", labels=["status"])


def publish(*, host: str, port: int) -> None:
    """Answer Prometheus on this port; WrongSetting when it cannot be listened on."""
    REGISTRY.register(Tables())
    try:
        start_http_server(port, host)
    except OSError as why:
        raise WrongSetting(
            f"METRICS_PORT {port} on {host} cannot be used: {why.strerror}."
        ) from None
