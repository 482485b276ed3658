"""Which limits apply to a request: for every address of the site, and for those without a view."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import override_settings
from django.urls import URLResolver, get_resolver

from perudo_site.ratelimit import local, requests

SAFE, CHANGING = ("GET", "HEAD", "OPTIONS", "TRACE"), ("POST", "PUT", "DELETE", "made-up")
NONE_LEFT = {"GETS_PER_ADDRESS": "page", "POSTS_PER_ADDRESS": "post", "FILES_PER_ADDRESS": "file"}


@dataclass(frozen=True)
class Limits:
    """The requests among which a request waits, and the rates that it must keep."""

    kind: str
    rates: frozenset[str]


PAGE = Limits("page", frozenset({"page"}))
FILE = Limits("file", frozenset({"file"}))
FORM = Limits("form", frozenset({"post"}))
ACCOUNT = Limits("account", frozenset({"post"}))
LINK = Limits("form", frozenset({"post", "page"}))
# By the name of the address: what applies to a request that may change something. All addresses of
# the staff are accounts; all that are not here are forms.
CHANGES = {
    ACCOUNT: "my-data account guest keep-account welcome change-email delete-account go-on "
    "old-two-factor old-two-factor-page account_login hand-over "
    "confirm-my-email confirm-email ask-for-code enter-mailed-code "
    "account_logout account_signup account_inactive account_reauthenticate "
    "mfa_index mfa_authenticate mfa_reauthenticate mfa_activate_totp "
    "mfa_deactivate_totp mfa_view_recovery_codes mfa_download_recovery_codes "
    "mfa_generate_recovery_codes account_change_password account_set_password "
    "account_reset_password account_reset_password_done account_reset_password_from_key "
    "account_reset_password_from_key_done",
    LINK: "games:standing-keep games:standing games:standing-play games:standing-rules "
    "games:standing-renew games:standing-delete standing-preview",
}
WITHOUT_VIEW = {
    "/nowhere": FORM,
    "/games/abc/nowhere": FORM,
    "/account": FORM,
    "/account/nowhere": ACCOUNT,
    "/account/two-factor/nowhere": ACCOUNT,
    "//account/login/": FORM,
    "/accounts/login/": FORM,
    "/admin": FORM,
    "/admin/no\nwhere": ACCOUNT,
    "/t/": LINK,
    "/t/abc/": LINK,
    "/t/abc/nowhere": LINK,
    "/t/a.b/play": LINK,
    "//t/abc/play": FORM,
    "/T/abc/play": FORM,
    "/tt/abc/play": FORM,
    "/games/t/abc": FORM,
    "/static/site/base.css": FORM,
    "": FORM,
}
EXAMPLES = {
    "int": "7",
    "path": "a/b",
    "app_label": "games",
    "uidb36": "a",
    "key": "b",
    "url": "x/y",
}


def addresses(resolver: Any, before: str = "/", space: str = "") -> Iterator[tuple[str, str]]:
    """Every address: its name, with that of its namespace, and a path that leads to it."""
    for each in resolver.url_patterns:
        path = before + example(str(each.pattern))
        if isinstance(each, URLResolver):
            yield from addresses(each, path, f"{each.namespace}:" if each.namespace else space)
        else:
            assert get_resolver().resolve(path).func == each.callback, path
            yield f"{space}{each.name}", path


def example(route: str) -> str:
    route = re.sub(r"\(\?P<(\w+)>[^)]*\)", lambda part: EXAMPLES[part[1]], route.strip("^$"))
    return re.sub(r"<(?:(\w+):)?\w+>", lambda part: EXAMPLES.get(part[1], "abc"), route)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "REFUSAL_SECONDS", 0)


def refused_as(path: str, method: str, **settings: int) -> str | None:
    """The kind of the request if it is refused under these settings; None if it is not."""
    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": []}
    reached = []

    async def app(*asked: Any) -> None:
        reached.append(asked)

    async def send(message: Any) -> None:
        pass

    before = {kind: refusals(kind) for kind in requests.WAITING_FOR_EACH}
    with override_settings(**settings):
        asyncio.run(requests.limit_requests(app)(scope | {"client": ["192.0.2.1", 5]}, None, send))
    if reached:
        return None
    [kind] = [kind for kind, count in before.items() if refusals(kind) > count]
    return kind


def refusals(kind: str) -> float:
    return sum(requests.refused.labels(kind, why)._value.get() for why in ("rate", "waiting"))


def limits_of(path: str, method: str) -> Limits:
    """The limits of a request, each tried out: the rates one by one, then no place to wait in."""
    rates = set()
    for setting, rate in NONE_LEFT.items():
        local.reset()
        for action in ("get", "post", "file"):
            local.allow(action, "192.0.2.1", per_minute=1)
        if refused_as(path, method, **{setting: 1}):
            rates.add(rate)
    local.reset()
    kind = refused_as(path, method, GETS_AT_ONCE=0)
    assert kind, (path, method)
    return Limits(kind, frozenset(rates))


def test_each_address_has_its_limits_by_method() -> None:
    expected = {name: limits for limits, names in CHANGES.items() for name in names.split()}
    every = [*addresses(get_resolver())]
    assert expected.keys() <= {name for name, _ in every}
    for name, path in every:
        changes = ACCOUNT if name.startswith("admin:") else expected.get(name, FORM)
        assert (changes == LINK) == path.startswith("/t/"), path
        assert (changes == ACCOUNT) == path.startswith(("/account/", "/admin/")), path
        assert limits_of(path, "GET") == PAGE, path
        assert limits_of(path, "POST") == changes, path


@pytest.mark.parametrize("path", ["/", "/account/login/", "/t/abc/play", "/static/site/base.css"])
def test_each_method_reads_or_may_change_something(path: str) -> None:
    assert {limits_of(path, method) for method in SAFE} == {limits_of(path, "GET")}
    assert {limits_of(path, method) for method in CHANGING} == {limits_of(path, "POST")}


@pytest.mark.parametrize(("path", "limits"), WITHOUT_VIEW.items())
def test_a_request_without_a_view_has_limits_too(path: str, limits: Limits) -> None:
    assert limits_of(path, "POST") == limits
    assert limits_of(path, "GET") == (FILE if path.startswith("/static/") else PAGE)
