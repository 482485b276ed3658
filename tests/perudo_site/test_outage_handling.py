"""A database outage: a 503 page, one line in the log, and sockets that reconnect."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

import pytest
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.exception import convert_exception_to_response
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from redis.exceptions import ConnectionError as NoRedis

from games.live import outage_handling
from perudo_site import errors
from perudo_site.sessions import SessionStore

OUTAGE = OperationalError("the server closed the connection\n\tand has pages to say about it")


def broken(request: Any, trouble: Exception) -> Any:
    """What Django does when a view or a middleware raises."""
    try:
        raise trouble
    except Exception:
        return errors.server_error(request)


def test_a_page_is_a_503_with_retry_after(rf: RequestFactory) -> None:
    answer = broken(rf.get("/"), OUTAGE)
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")
    assert "The site is busy" in answer.content.decode()
    assert "server closed" not in answer.content.decode()


def test_a_post_by_htmx_gets_a_notice(rf: RequestFactory, client: Client, db: None) -> None:
    answer = broken(rf.post("/games/x/move", headers={"HX-Request": "true"}), OUTAGE)
    assert answer.status_code == 503
    assert '<p class="notice error">' in answer.content.decode()
    assert '{"code": "503", "swap": true, "error": true}' in client.get("/").content.decode()


def test_a_bug_is_still_a_500(rf: RequestFactory) -> None:
    assert broken(rf.get("/"), ValueError("a mistake")).status_code == 500


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite can be told not to write")
def test_a_session_that_cannot_be_saved_is_a_503_not_a_400(rf: RequestFactory, db: None) -> None:
    def page(request: HttpRequest) -> HttpResponse:
        request.session["seen"] = "something new"
        if request.path == "/end":  # as another device of the same person might, at this moment
            session.delete()
        return HttpResponse()

    session = SessionStore()
    session.create()
    cookie = {"Cookie": f"sessionid={session.session_key}"}
    answer = convert_exception_to_response(SessionMiddleware(page))
    with unwritten():
        assert answer(rf.get("/", headers=cookie)).status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert answer(rf.get("/", headers=cookie)).status_code == HTTPStatus.OK
    assert answer(rf.get("/end", headers=cookie)).status_code == HTTPStatus.BAD_REQUEST


@contextmanager
def unwritten() -> Iterator[None]:
    """A database that answers, but takes nothing: a real OperationalError at each write."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = on")
        try:
            yield
        finally:
            cursor.execute("PRAGMA query_only = off")


@pytest.mark.parametrize("trouble", [OUTAGE, NoRedis("Error 111 connecting to Redis")])
def test_the_log_gets_one_line(trouble: Exception) -> None:
    try:
        raise trouble
    except Exception:
        record = logging.makeLogRecord({"msg": "Failed: %s", "args": ("/x",)})
        record.exc_info = sys.exc_info()
    assert outage_handling.OneLineFilter().filter(record)
    assert record.exc_info is None
    assert record.getMessage().startswith("Failed: /x: ")
    assert str(trouble).partition("\n")[0] in record.getMessage()
    assert "\n" not in record.getMessage()


def test_a_bug_keeps_its_traceback() -> None:
    try:
        raise ValueError("a mistake")
    except ValueError:
        record = logging.makeLogRecord({"name": "games", "msg": "Failed"})
        record.exc_info = sys.exc_info()
    assert outage_handling.OneLineFilter().filter(record)
    assert record.exc_info is not None


def test_a_socket_closes_with_1011_so_that_the_browser_reconnects() -> None:
    async def consumer(scope: Any, receive: Any, send: Any) -> None:
        raise OUTAGE

    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(outage_handling.close_socket_on_outage(consumer)({}, None, send))
    assert sent == [{"type": "websocket.close", "code": 1011}]
