"""Health checks: `/healthz` (liveness) and `/readyz` (readiness), before all other middleware.

It comes first because probes use neither the site's host name, nor a session, nor HTTPS.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import cache
from http import HTTPStatus

from django.conf import settings
from django.core.cache import cache as shared_cache
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from redis.exceptions import RedisError

from games.play import scheduler

logger = logging.getLogger(__name__)
_shutting_down = False


def begin_shutdown() -> None:
    """Report this process as not ready: it finishes its requests and accepts no new ones."""
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
    """Yield the reasons to restart this process, one word each; none if it is alive."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        yield "database"


def readiness_problems() -> Iterator[str]:
    """Yield the reasons to send this process no requests, one word each; none if it is ready.

    The database is asked whether it accepts writes, since reads alone are not enough. If writes
    fail for another reason, the scheduler's heartbeat notices it within half a second.
    """
    if _shutting_down:
        yield "ending"
    yield from liveness_problems()
    if problem := connection.write_problem():  # type: ignore[attr-defined]  # our engines
        yield problem
    try:
        _check_migrations()
    except _UnappliedMigrations:
        yield "migrations"
    if settings.REDIS_URL:
        try:
            shared_cache.try_to_write()  # type: ignore[attr-defined]
        except RedisError:
            yield "redis"
    if not scheduler.can_write():
        yield "database"


class _UnappliedMigrations(Exception):
    """The database lacks migrations of this code."""


@cache  # exceptions are not cached: once up to date, it stays so for this process
def _check_migrations() -> None:
    if unapplied_migrations():
        raise _UnappliedMigrations


def unapplied_migrations() -> list[str]:
    """Return the migrations of this code that the database lacks, in order."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _backwards in plan]


def name_unapplied_migrations() -> None:
    """Log unapplied migrations; as long as there are any, pages may fail and `/readyz` does."""
    if found := unapplied_migrations():
        logger.error("migrations are not applied count=%d first=%s", len(found), found[0])
