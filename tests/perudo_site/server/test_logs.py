"""The format of log lines, in text and JSON, and the request id."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.support.live_site import LiveSite

pytestmark = pytest.mark.real_server
NewSite = Callable[..., LiveSite]
GIVEN = "0f" * 16


def lines(site: LiveSite, message: str) -> list[dict[str, Any]]:
    """The JSON lines with this message."""
    said = [json.loads(line) for line in site.log.splitlines() if line.startswith("{")]
    return [line for line in said if line["message"] == message]


@pytest.fixture
def talkative(new_site: NewSite) -> Callable[..., LiveSite]:
    def start(**environment: str) -> LiveSite:
        site = new_site(LOG_LEVEL="DEBUG", LOG_FORMAT="json", **environment)
        site.start()
        return site

    return start


def test_our_own_proxy_sets_the_request_id(talkative: Callable[..., LiveSite]) -> None:
    site = talkative(BEHIND_PROXIES="1")
    httpx.get(f"{site.url}/rules?key=secret", headers={"X-Request-ID": GIVEN})
    [line] = [one for one in lines(site, "answered") if one["route"] == "games:rules"]
    assert line["request_id"] == GIVEN
    assert (line["method"], line["status"]) == ("GET", 200)
    assert line["ms"] > 0
    assert "secret" not in site.log


def test_an_invalid_id_is_ignored_even_from_a_proxy(talkative: Callable[..., LiveSite]) -> None:
    site = talkative(BEHIND_PROXIES="1")
    httpx.get(f"{site.url}/rules", headers={"X-Request-ID": 'x" ERROR forged'})
    [line] = [one for one in lines(site, "answered") if one["route"] == "games:rules"]
    assert len(line["request_id"]) == 32
    assert "forged" not in site.log


def test_a_client_cannot_choose_the_id(talkative: Callable[..., LiveSite]) -> None:
    site = talkative()
    httpx.get(f"{site.url}/rules", headers={"X-Request-ID": GIVEN})
    [line] = [one for one in lines(site, "answered") if one["route"] == "games:rules"]
    assert len(line["request_id"]) == 32 and line["request_id"] != GIVEN


def test_a_signed_in_user_is_a_number_in_the_log(talkative: Callable[..., LiveSite]) -> None:
    site = talkative()
    with site.guest() as guest:
        page = guest.get("/account/").text
    name = page.split('name="username" value="')[1].split('"')[0]
    assert lines(site, "answered")[-1]["user"] == 1
    assert name not in site.log


def test_the_text_format_has_the_same_fields(new_site: NewSite) -> None:
    site = new_site(LOG_LEVEL="DEBUG")
    site.start()
    httpx.get(f"{site.url}/rules")
    [line] = [line for line in site.log.splitlines() if "route=games:rules" in line]
    assert " DEBUG perudo_site.middleware: answered method=GET route=games:rules status=200" in line
    assert " request_id=" in line
