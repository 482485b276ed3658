"""The session: its cookie when it gets a new key meanwhile, and how long it lasts."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta

import pytest
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import lifecycle
from perudo_site.sessions import SessionMiddleware, SessionStore
from tests.support.fixtures import PASSWORD, signed_in
from tests.support.live_site import LiveSite
from tests.support.players import wait_for

NEW = {"username": "Kept", "password1": PASSWORD}


@pytest.mark.parametrize("address", ["/", "/sw.js", "/account/login/"])
def test_a_response_to_the_old_key_keeps_the_cookie_of_the_new_one(db: None, address: str) -> None:
    """A browser looks for a new service worker after each page, while the next one is under way."""
    browser = signed_in(lifecycle.guest())
    under_way = Client()
    under_way.cookies["sessionid"] = browser.cookies["sessionid"].value
    browser.post("/account/keep", NEW)
    assert browser.cookies["sessionid"].value != under_way.cookies["sessionid"].value
    late = under_way.get(address)
    assert "sessionid" not in late.cookies


def test_signing_out_deletes_the_cookie(db: None) -> None:
    browser = signed_in(lifecycle.guest())
    answer = browser.post("/account/logout/", {"sure": "on"})
    assert answer.cookies["sessionid"].value == ""


# --- renewing ------------------------------------------------------------------------------------

AGE = timedelta(seconds=settings.SESSION_COOKIE_AGE)
DAY = timedelta(days=1)


def until() -> datetime:
    return Session.objects.get().expire_date


def pass_time(by: timedelta) -> None:
    """What was stored before ends that much sooner from now."""
    Session.objects.update(expire_date=until() - by)


@pytest.mark.slow
def test_a_guest_who_comes_every_day_stays_the_same_for_a_year(db: None) -> None:
    browser = signed_in(guest := lifecycle.guest())
    cookie = browser.cookies["sessionid"]
    for _day in range(365):
        pass_time(timedelta(days=1, minutes=1))
        answer = browser.get("/rules")
        assert answer.context["user"] == guest
        assert answer.cookies["sessionid"].value == cookie.value
        assert answer.cookies["sessionid"]["max-age"] == AGE.total_seconds()
    assert timezone.now() + AGE - until() < timedelta(minutes=1)


@pytest.mark.parametrize("way", ["get", "post"])
def test_whatever_is_asked_for_renews_it(db: None, way: str) -> None:
    browser = signed_in(lifecycle.guest())
    pass_time(AGE - timedelta(hours=1))
    answer = getattr(browser, way)("/play-now" if way == "post" else "/")
    cookie = answer.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert timezone.now() + AGE - until() < timedelta(minutes=1)


def test_it_is_written_once_a_day(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser = signed_in(lifecycle.guest())
    browser.get("/rules")
    with django_assert_num_queries(4):  # session, user, inbox and search
        assert "sessionid" not in browser.get("/rules").cookies
    pass_time(timedelta(hours=23))
    with django_assert_num_queries(4):
        assert "sessionid" not in browser.get("/rules").cookies
    pass_time(timedelta(hours=2))
    with django_assert_num_queries(5):
        assert "sessionid" in browser.get("/rules").cookies
    with django_assert_num_queries(4):
        assert "sessionid" not in browser.get("/rules").cookies


def test_a_visitor_gets_no_cookie(client: Client, db: None) -> None:
    assert "sessionid" not in client.get("/rules").cookies
    assert not Session.objects.exists()


def test_what_a_concurrent_request_stored_is_kept(db: None) -> None:
    browser = signed_in(lifecycle.guest())
    pass_time(DAY * 2)
    request, response = HttpRequest(), HttpResponse()
    request.session = SessionStore(browser.cookies["sessionid"].value)
    assert SESSION_KEY in request.session  # read by a request that takes long
    other = SessionStore(browser.cookies["sessionid"].value)
    other["kept"] = "yes"
    other.save()
    pass_time(DAY * 2)
    SessionMiddleware(lambda request: response).process_response(request, response)
    assert "sessionid" in response.cookies
    assert SessionStore(browser.cookies["sessionid"].value)["kept"] == "yes"


def test_a_session_that_has_just_ended_is_not_given_back(db: None) -> None:
    """The answer to a request that was under way must not replace a new cookie."""
    browser = signed_in(lifecycle.guest())
    pass_time(DAY * 2)
    request, response = HttpRequest(), HttpResponse()
    request.session = SessionStore(browser.cookies["sessionid"].value)
    assert SESSION_KEY in request.session
    browser.post("/account/keep", NEW)
    SessionMiddleware(lambda request: response).process_response(request, response)
    assert "sessionid" not in response.cookies
    assert Session.objects.count() == 1


@pytest.mark.real_server
def test_pages_renew_it_without_waiting_for_a_locked_file(live_site: LiveSite) -> None:
    with (
        live_site.guest() as guest,
        closing(sqlite3.connect(live_site.folder / "db.sqlite3")) as db,
    ):
        db.isolation_level = None

        def days_left() -> float:
            row = db.execute("SELECT julianday(expire_date) - julianday() FROM django_session")
            return float(row.fetchone()[0])

        db.execute("UPDATE django_session SET expire_date = datetime('now', '+30 days')")
        db.execute("BEGIN IMMEDIATE")
        answer = guest.get("/rules", timeout=2)
        assert answer.status_code == 200 and "sessionid" in answer.headers["Set-Cookie"]
        assert days_left() < 31
        db.execute("ROLLBACK")
        wait_for(lambda: guest.get("/rules") and days_left() > 89, "renewed by the writer")
        assert "sessionid" not in guest.get("/rules").headers.get("Set-Cookie", "")
