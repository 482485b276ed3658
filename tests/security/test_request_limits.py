"""Limits of requests per address, before there is a session: counted, waited for, refused."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import pytest
from django.test import Client, RequestFactory, override_settings
from django.utils import translation

from perudo_site.ratelimit import local, places, refusal, requests
from perudo_site.ratelimit.requests import limit_requests

Scope = dict[str, Any]
SENTENCE = "Too many requests. Please wait a minute and try again."
FEW = {"GETS_PER_ADDRESS": 12, "GETS_PER_PERSON": 6, "FILES_PER_ADDRESS": 3}  # a burst of 2, of 1


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "REFUSAL_SECONDS", 0)


@pytest.fixture
def few() -> Iterator[None]:
    with override_settings(**FEW):
        yield


class App:
    """Answers every request when `open` is set; counts what it has in hand."""

    def __init__(self, *, is_open: bool = True) -> None:
        self.open = asyncio.Event()
        if is_open:
            self.open.set()
        self.in_hand: Counter[str] = Counter()
        self.most = self.asked = 0
        self.read = asyncio.Event()  # set: the clients have read their answers
        self.read.set()
        self.limited = limit_requests(self)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        key = scope["client"][0]
        self.asked += 1
        self.in_hand[key] += 1
        self.most = max(self.most, self.in_hand[key])
        await self.open.wait()
        self.in_hand[key] -= 1
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await self.read.wait()
        await send({"type": "http.response.body", "body": b"done"})

    async def ask(self, path: str = "/", **scope: Any) -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self.limited(asked(path, **scope), None, send)
        return sent

    async def status(self, path: str = "/", **scope: Any) -> int:
        return int((await self.ask(path, **scope))[0]["status"])

    async def statuses(self, count: int, path: str = "/", **scope: Any) -> list[int]:
        return [await self.status(path, **scope) for _ in range(count)]


def asked(path: str, *, of: str = "192.0.2.1", method: str = "GET", **headers: str) -> Scope:
    return {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "client": [of, 5000],
        "headers": [
            (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
        ],
    }


def run(test: Callable[[], Any]) -> None:
    asyncio.run(asyncio.wait_for(test(), 20))


# --- rates ---------------------------------------------------------------------------------------


def test_gets_are_limited_per_address(few: None) -> None:
    async def test() -> None:
        app = App()
        assert await app.statuses(4) == [200, 200, 429, 429]
        assert await app.status(of="192.0.2.2") == 200
        assert app.asked == 3

    run(test)


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "TRACE"])
def test_every_method_that_changes_nothing_counts(few: None, method: str) -> None:
    async def test() -> None:
        assert await App().statuses(3, method=method) == [200, 200, 429]

    run(test)


def test_a_session_is_limited_before_its_address(few: None) -> None:
    """One page that asks too often does not use up what its neighbours may."""

    async def test() -> None:
        app = App()
        assert await app.statuses(3, cookie="sessionid=one") == [200, 429, 429]
        assert await app.status(cookie="csrftoken=x; sessionid=two") == 200
        assert await app.statuses(2, cookie="sessionid=three") == [429, 429]  # the address

    run(test)


def test_static_files_are_counted_apart(few: None) -> None:
    async def test() -> None:
        app = App()
        assert await app.statuses(4, "/static/site/base.css") == [200, 200, 200, 429]
        assert await app.status("/") == 200

    run(test)


def test_an_ipv6_household_counts_as_one_address(few: None) -> None:
    async def test() -> None:
        app = App()
        household = [await app.status(of=f"2001:db8::{number}") for number in range(3)]
        assert household == [200, 200, 429]
        assert await app.status(of="2001:db8:0:1::1") == 200

    run(test)


def test_ipv4_addresses_on_a_socket_of_both_kinds_are_several(few: None) -> None:
    async def test() -> None:
        app = App()
        assert [await app.status(of=f"::ffff:192.0.2.{n}") for n in range(4)] == [200] * 4

    run(test)


@pytest.mark.parametrize(("proxies", "expected"), [(0, [200, 200, 429]), (1, [200, 200, 200])])
def test_behind_a_proxy_the_address_is_the_one_it_reports(
    few: None, proxies: int, expected: list[int]
) -> None:
    async def test() -> None:
        app = App()
        with override_settings(ALLAUTH_TRUSTED_PROXY_COUNT=proxies):
            got = [await app.status(x_forwarded_for=f"203.0.113.{n}") for n in range(3)]
        assert got == expected

    run(test)


def test_scope_and_request_name_the_same_address(subtests: pytest.Subtests) -> None:
    for proxies in [0, 1, 2]:
        for forwarded in ["", "203.0.113.9", "198.51.100.7, 203.0.113.9", "nonsense"]:
            with subtests.test(forwarded=forwarded, proxies=proxies):
                headers = {"x-forwarded-for": forwarded} if forwarded else {}
                scope = asked("/", of="192.0.2.1", **headers)
                request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1", headers=headers)
                with override_settings(ALLAUTH_TRUSTED_PROXY_COUNT=proxies):
                    assert local.address_of(scope) == local.client_address(request)


@override_settings(POSTS_PER_ADDRESS=2)
def test_a_post_over_its_limit_is_refused_before_the_session() -> None:
    async def test() -> None:
        app = App()
        for _ in range(2):
            assert local.allow("post", "192.0.2.1", per_minute=2)  # as the middleware counts
        assert await app.statuses(2, "/language", method="POST") == [429, 429]
        assert app.asked == 0
        assert await app.status("/language", method="POST", of="192.0.2.2") == 200

    run(test)


@pytest.mark.parametrize("cookie", ["", "sessionid=one"])
def test_a_post_to_a_link_that_could_be_guessed_counts_as_a_page_too(
    few: None, cookie: str
) -> None:
    """`few` allows two at once of an address, and one of a session."""

    async def test() -> None:
        app = App()
        headers = {"cookie": cookie} if cookie else {}
        posts = [await app.status(f"/t/{n}/play", method="POST", **headers) for n in range(3)]
        assert posts == ([200, 429, 429] if cookie else [200, 200, 429])
        assert await app.status("/games/abc/move", method="POST", **headers) == 200
        assert await app.status("/t/1/play", method="POST", of="192.0.2.2") == 200

    run(test)


# --- in hand at once -----------------------------------------------------------------------------


def test_four_of_an_address_are_in_hand_and_the_others_wait() -> None:
    async def test() -> None:
        app = App(is_open=False)
        crowd = [asyncio.create_task(app.status()) for _ in range(20)]
        await asyncio.sleep(0.05)
        assert app.in_hand["192.0.2.1"] == 4
        elsewhere = asyncio.create_task(app.status(of="192.0.2.2"))
        await asyncio.sleep(0.01)
        assert app.in_hand["192.0.2.2"] == 1
        app.open.set()
        assert await asyncio.gather(*crowd, elsewhere) == [200] * 21
        assert app.most == 4

    run(test)


def test_of_too_many_that_wait_some_are_refused() -> None:
    async def test() -> None:
        app = App(is_open=False)
        crowd = [asyncio.create_task(app.status()) for _ in range(140)]
        done, waiting = await asyncio.wait(crowd, timeout=0.2)
        assert [task.result() for task in done] == [429] * 36 and len(waiting) == 104
        app.open.set()
        assert await asyncio.gather(*waiting) == [200] * 104

    run(test)


def test_who_waits_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "WAIT_SECONDS", 0.05)

    async def test() -> None:
        app = App(is_open=False)
        crowd = [asyncio.create_task(app.status()) for _ in range(6)]
        done, waiting = await asyncio.wait(crowd, timeout=0.5)
        assert [task.result() for task in done] == [429, 429] and app.asked == 4
        app.open.set()
        assert await asyncio.gather(*waiting) == [200] * 4

    run(test)


def test_a_client_that_only_reads_its_answer_takes_no_place() -> None:
    async def test() -> None:
        app = App()
        app.read.clear()
        slow = [asyncio.create_task(app.ask()) for _ in range(10)]
        await asyncio.sleep(0.05)
        assert app.asked == 10
        app.read.set()
        assert [len(sent) for sent in await asyncio.gather(*slow)] == [2] * 10

    run(test)


def test_sign_ins_files_and_pages_do_not_take_the_places_of_moves() -> None:
    async def test() -> None:
        app = App(is_open=False)
        others = [("/account/login/", "POST"), ("/static/x.css", "GET"), ("/", "GET")]
        tasks = [
            asyncio.create_task(app.status(path, method=method))
            for path, method in others
            for _ in range(9)
        ]
        await asyncio.sleep(0.05)
        assert app.in_hand["192.0.2.1"] == 12
        tasks.append(asyncio.create_task(app.status("/games/abc/move", method="POST")))
        await asyncio.sleep(0.05)
        assert app.in_hand["192.0.2.1"] == 13
        app.open.set()
        assert await asyncio.gather(*tasks) == [200] * 28

    run(test)


def test_a_request_that_breaks_or_goes_leaves_its_place() -> None:
    async def test() -> None:
        kept = places.Places()

        async def hold(seconds: float) -> None:
            async with kept.place("key", most=1, waiting=9, seconds=9) as place:
                assert place is not None
                await asyncio.sleep(seconds)
                raise ValueError

        tasks = [asyncio.create_task(hold(9)), *(asyncio.create_task(hold(0)) for _ in range(3))]
        await asyncio.sleep(0.01)
        tasks[1].cancel()  # waits
        tasks[0].cancel()  # has the place
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(each) for each in ended[2:]] == [ValueError, ValueError]
        assert len(kept) == 0

    run(test)


# --- the refusal ---------------------------------------------------------------------------------


def refused(**scope: Any) -> tuple[dict[str, str], str]:
    """The headers and the body of a refusal."""
    start, body = refusal.messages(asked("/", **scope))
    assert start["status"] == 429
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    assert headers["content-length"] == str(len(body["body"]))
    return headers, unescape(body["body"].decode())


def test_the_page_is_in_the_readers_language(subtests: pytest.Subtests) -> None:
    for by in ["cookie", "accept_language"]:
        for language in ["en", "fr", "it", "es"]:
            with subtests.test(language=language, by=by):
                value = (
                    f"x=y; django_language={language}" if by == "cookie" else f"{language}-XX;q=0.9"
                )
                headers, page = refused(**{by: value})
                with translation.override(language):
                    sentence = translation.gettext(SENTENCE)
                assert (sentence == SENTENCE) == (language == "en")
                assert sentence in page and f'<html lang="{language}">' in page
                assert headers["content-language"] == language and headers["retry-after"] == "60"


def test_it_has_the_headers_of_every_page(client: Client, db: None) -> None:
    headers, _ = refused()
    page = client.get("/rules")
    for name in ("Content-Security-Policy", "X-Frame-Options", "Permissions-Policy"):
        assert headers[name.lower()] == page[name]
    for name in ("Cache-Control", "Referrer-Policy", "X-Content-Type-Options", "Content-Type"):
        assert headers[name.lower()] == page[name]
    assert "set-cookie" not in headers


def test_a_refusal_over_https_is_no_redirect() -> None:
    refusal._messages.cache_clear()
    with override_settings(SECURE_SSL_REDIRECT=True, SECURE_HSTS_SECONDS=60):
        headers, page = refused()
    refusal._messages.cache_clear()
    assert "Not so fast" in page and headers["strict-transport-security"]


def test_at_a_table_a_move_gets_a_notice_and_a_fragment_stays_as_it_is() -> None:
    headers, notice = refused(method="POST", hx_request="true")
    assert notice.strip() == f'<p class="notice error">{SENTENCE}</p>'
    assert "hx-reswap" not in headers
    headers, _ = refused(hx_request="true")
    assert headers["hx-reswap"] == "none"


def test_a_file_that_does_not_exist_costs_no_session_and_no_page(client: Client) -> None:
    """Without a database: this test has none."""
    client.cookies["sessionid"] = "x" * 32
    answer = client.get("/static/site/missing.css")
    assert answer.status_code == 404 and answer.content == b"Not Found\n"
    assert answer["Content-Security-Policy"] and "no-store" in answer["Cache-Control"]
    assert "Set-Cookie" not in answer
