"""The home page of who has played before: two friends on two phones, without a script, for all."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.boxes import Screens
from tests.e2e.player import Player
from tests.e2e.test_friends import PHONE, friend_link
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
STATES = ("home_known", "home_invited", "home_meeting", "home_asked", "home_quiet")


def have_played(*players: Player) -> None:
    """Each has begun a game against a bot and left it."""
    for player in players:
        table = player.post("/play-now", game="perudo", bots="1", strength="mixed")
        player.go(table)
        player.post(f"{table}/move", do="leave", seen=str(player.seq))


def test_seen_invited_and_joined_with_one_tap_each(
    own_site: LiveSite, open_browser: OpenBrowser
) -> None:
    ann = open_browser(own_site, "Ann", viewport=PHONE, has_touch=True, locale="en")
    ben = open_browser(own_site, "Ben", viewport=PHONE, has_touch=True, locale="en")
    ann.register()
    link = friend_link(ann)
    ben.register()
    ben.page.goto(link)
    ben.page.get_by_role("button", name="Add Ann").click()
    expect(ben.page.get_by_text("You and Ann are friends.")).to_be_visible()
    have_played(ann, ben)
    ben.go("/")
    ann.go("/")
    here = ann.page.get_by_role("region", name="Friends who are here")
    while not here.count():  # it is written every few seconds
        ann.page.wait_for_timeout(500)
        ann.page.reload()
    expect(here.get_by_role("link", name="Ben")).to_be_visible()
    here.get_by_role("button", name="Invite – Ben").tap()
    expect(ann.page.get_by_text("Ben has been invited.")).to_be_visible()
    ben.go("/")
    step = ben.page.locator(".next-step")
    expect(step).to_contain_text("Ann invites you to a table.")
    join = ben.page.locator("main .primary")
    expect(join).to_have_text("Join")
    expect(join).to_be_in_viewport()
    join.tap()
    expect(ann.page.locator("#table").get_by_text("Ben").first).to_be_visible()


def test_an_invitation_is_taken_without_a_script(
    own_site: LiveSite, open_browser: OpenBrowser
) -> None:
    ann = open_browser(own_site, "Carla", locale="en")
    ben = open_browser(own_site, "Dino", viewport=PHONE, locale="en")
    plain = open_browser(own_site, "Dino", viewport=PHONE, locale="en", java_script_enabled=False)
    ann.register()
    link = friend_link(ann)
    ben.register()
    ben.page.goto(link)
    ben.page.get_by_role("button", name="Add Carla").click()
    have_played(ben)
    plain.page.context.add_cookies(ben.page.context.cookies())  # type: ignore[arg-type]
    ann.post("/friends/act", do="invite", whom="Dino")
    plain.go("/")
    expect(plain.page.locator(".next-step")).to_contain_text("Carla invites you to a table.")
    plain.page.get_by_role("button", name="Join", exact=True).click()
    plain.page.wait_for_url("**/games/*")
    expect(plain.page.locator("#table").get_by_text("Dino").first).to_be_visible()


@pytest.fixture(scope="module")
def pages(open_screens: Callable[..., Screens]) -> Screens:
    return open_screens("tests.e2e.arranged_pages", EMAIL_URL="smtp://127.0.0.1:9?timeout=1")


@pytest.mark.parametrize("state", STATES)
def test_it_stands_in_nobodys_way(pages: Screens, state: str) -> None:
    for language in ("en", "fr"):
        page = pages.context.new_page()
        page.set_extra_http_headers({"Accept-Language": language})
        pages.lead(page, state, 0)
        assert_accessible(page, widths=(320, 740, 1280))
        page.close()
