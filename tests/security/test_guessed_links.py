"""Somebody tries one link of a standing table after the other: they are refused, others are not."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle

import aiohttp
import httpx
import pytest

from games.link_words import new_word
from tests.support.deployments import QUICK, error_entries
from tests.support.live_site import PATIENCE, LiveSite
from tests.support.players import HttpPlayer, player_factory
from tests.wire.test_standing_races import a_link

pytestmark = pytest.mark.real_server

ATTACKER, NEIGHBOUR = "127.0.0.2", "127.0.0.3"
TRIES, CONNECTIONS = 1000, 190
# As a new site has them; for tests from one address they are lifted otherwise.
LIMITS = {
    "GETS_PER_PERSON": "300",
    "GETS_PER_ADDRESS": "900",
    "GETS_AT_ONCE": "4",
    "POSTS_PER_PERSON": "240",
    "POSTS_PER_ADDRESS": "3000",
}
# The answer of each tells whether there is such a link.
WAYS = (("GET", ""), ("POST", "/play"), ("GET", "/preview.png"), ("POST", "/renew"))
FOUND, NOT_FOUND, TOO_MANY = 302, 404, 429


@pytest.fixture
def new_player() -> Iterator[Callable[..., HttpPlayer]]:
    with player_factory() as new_player:
        yield new_player


async def guess(site: LiveSite, links: list[str], cookies: dict[str, str]) -> Counter[int]:
    """The answers to the attacker, by status, to each of these links in one of the WAYS."""
    connector = aiohttp.TCPConnector(limit=CONNECTIONS, local_addr=(ATTACKER, 0))
    jar = aiohttp.CookieJar(unsafe=True)  # for hosts in numbers
    jar.update_cookies(cookies, response_url=aiohttp.client.URL(site.url))
    # Whoever has a page has the token; a script takes it from any.
    headers = {"X-CSRFToken": cookies["csrftoken"], "Referer": f"{site.url}/"}
    answers: Counter[int] = Counter()
    left = iter(zip(links, cycle(WAYS)))  # noqa: B905
    async with aiohttp.ClientSession(
        connector=connector, cookie_jar=jar, headers=headers
    ) as session:

        async def ask() -> None:
            for link, (method, end) in left:
                url = f"{site.url}{link}{end}"
                async with session.request(method, url, allow_redirects=False) as answer:
                    await answer.read()
                    answers[answer.status] += 1

        await asyncio.gather(*(ask() for _connection in range(CONNECTIONS)))
    return answers


@pytest.mark.slow
@pytest.mark.parametrize(("who", "burst", "per_second"), [("nobody", 150, 15), ("account", 50, 5)])
def test_who_tries_a_thousand_links_is_refused_and_others_are_not(
    new_site: Callable[..., LiveSite],
    new_player: Callable[..., HttpPlayer],
    who: str,
    burst: int,
    per_second: int,
) -> None:
    site = new_site(**QUICK, **LIMITS)
    site.start()
    link = a_link(new_player(site, "Odile"))
    guessed = [f"/t/{new_word()}" for _try in range(TRIES)]
    transport = httpx.HTTPTransport(local_address=NEIGHBOUR)
    with (
        site.guest() if who == "account" else site.client() as attacker,
        httpx.Client(transport=transport, base_url=site.url, timeout=PATIENCE) as neighbour,
    ):
        attacker.get("/account/login/")
        cookies = {cookie.name: cookie.value or "" for cookie in attacker.cookies.jar}
        seen: Counter[int] = Counter()

        async def attack() -> Counter[int]:
            guessing = asyncio.create_task(guess(site, guessed, cookies))
            while not guessing.done():
                seen[(await asyncio.to_thread(neighbour.get, link)).status_code] += 1
                await asyncio.sleep(0.5)
            return await guessing

        started = time.monotonic()
        answers = asyncio.run(attack())
        most = burst + per_second * (time.monotonic() - started) + 1
        assert sum(answers.values()) == TRIES and TRIES - answers[TOO_MANY] <= most, answers
        # Nobody has these links; without an account one is asked to sign in to renew any.
        assert set(answers) == {NOT_FOUND, TOO_MANY} | ({FOUND} if who == "nobody" else set())
        assert set(seen) == {httpx.codes.OK}, seen
    assert error_entries(site.log) == []
