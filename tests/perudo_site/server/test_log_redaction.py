"""The log of refused and failed requests: one line each, without URLs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.support.live_site import LiveSite

pytestmark = pytest.mark.real_server

# Each stands in an address, or in what a stranger sends beside it. None may be in the log.
SECRETS = ("sesamecode", "anna-the-player", "7k-reset-key", "querysecret", "evilhost", "refererkey")
RESET = "/account/password/reset/key/7k-reset-key/?next=querysecret"

Ask = Callable[[httpx.Client], httpx.Response]
ASKED: dict[str, tuple[Ask, int]] = {
    "unknown": (lambda one: one.get("/nowhere/sesamecode?x=querysecret"), 404),
    "unknown table": (lambda one: one.get("/games/sesamecode"), 404),
    "unknown person": (lambda one: one.get("/players/anna-the-player"), 404),
    "wrong method": (lambda one: one.get("/games/sesamecode/move?x=querysecret"), 405),
    "no token": (lambda one: one.post("/games/sesamecode/move"), 403),
    "no token for a reset": (lambda one: one.post(RESET), 403),
    "strange origin": (
        lambda one: one.post(RESET, headers={"Origin": "https://evilhost.example"}),
        403,
    ),
    "strange referer": (
        lambda one: one.post(
            RESET,
            headers={
                "X-Forwarded-Proto": "https",  # Django looks at a referer only there
                "Referer": "https://evilhost.example/refererkey",
            },
        ),
        403,
    ),
    "strange host": (
        lambda one: one.get("/games/sesamecode", headers={"Host": "evilhost.example"}),
        400,
    ),
    "too many fields": (
        lambda one: one.post(RESET, data={f"f{n}": "anna-the-player" for n in range(2_000)}),
        400,
    ),
    "failure": (lambda one: one.get("/games/sesamecode?fail=querysecret"), 500),
}


def entries(site: LiveSite, *, after: int) -> list[str]:
    """The lines written since then, without those that merely tell of each request at DEBUG."""
    lines = site.log.splitlines()[after:]
    return [line for line in lines if "answered" not in line]


@pytest.mark.parametrize("form", ["text", "json"])
def test_each_is_one_line_without_a_url(new_site: Callable[..., LiveSite], form: str) -> None:
    site = new_site(
        LOG_LEVEL="DEBUG",
        LOG_FORMAT=form,
        BEHIND_PROXIES="1",
        DJANGO_SETTINGS_MODULE="tests.security.faulty_settings",
    )
    site.start()
    with httpx.Client(base_url=site.url) as one:
        for what, (ask, status) in ASKED.items():
            before = len(site.log.splitlines())
            assert ask(one).status_code == status, what
            [line] = entries(site, after=before)
            assert_told(line, form=form, status=status)
    for headers in ({}, {"Origin": "https://evilhost.example"}, {"Origin": site.url}):
        with (
            pytest.raises(InvalidStatus),
            connect(
                f"{site.ws_url}/ws/nosuch/sesamecode?x=querysecret", additional_headers=headers
            ),
        ):
            pass
    site.stop()
    assert [secret for secret in SECRETS if secret in site.log] == []
    assert "as asked for" in site.log  # where our own mistake was is still told


def assert_told(line: str, *, form: str, status: int) -> None:
    if form == "json":
        told: dict[str, Any] = json.loads(line)
        assert told["status"] == status
        assert told["route"] and told["method"] and told["request_id"]
        assert "request" not in told
    else:
        assert f" status={status} " in line
        assert " route=" in line and " method=" in line and " request_id=" in line
        assert line[:4].isdigit()
