"""Health checks: `/healthz` (liveness) and `/readyz` (readiness), answered before anything else.

A probe knows no host name, has no session and comes without HTTPS, so this middleware is the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from http import HTTPStatus

from django.conf import settings
from django.core.cache import cache as shared_cache
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from redis.exceptions import RedisError

_shutting_down = False


def begin_shutdown() -> None:
    """Report this process as not ready: it finishes what it has and takes nothing new."""
    global _shutting_down
    _shutting_down = True


def middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer the probes with 200 `ok`, or 503 and one word; pass every other request on."""
    probes = {"/healthz": liveness_problems, "/readyz": readiness_problems}

    def respond(request: HttpRequest) -> HttpResponse:
        problems = probes.get(request.path_info)
        if problems is None or request.method not in ("GET", "HEAD"):
            return get_response(request)
        problem = next(problems(), "")
        return HttpResponse(
            problem or "ok",
            status=HTTPStatus.SERVICE_UNAVAILABLE if problem else HTTPStatus.OK,
            content_type="text/plain",
            headers={"Cache-Control": "no-store"},
        )

    return respond


def liveness_problems() -> Iterator[str]:
    """Why this process should be restarted, one word each; empty when it is alive."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        yield "database"


def readiness_problems() -> Iterator[str]:
    """Why this process should get no requests, one word each; empty when it is ready."""
    if _shutting_down:
        yield "ending"
    yield from liveness_problems()
    try:
        _check_migrations()
    except _UnappliedMigrations:
        yield "migrations"
    if settings.REDIS_URL:
        try:
            shared_cache.ping()  # type: ignore[attr-defined]
        except RedisError:
            yield "redis"


class _UnappliedMigrations(Exception):
    """The database lacks migrations of this code."""


@cache  # exceptions are not cached: once up to date, it stays so for this process
def _check_migrations() -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise _UnappliedMigrations
