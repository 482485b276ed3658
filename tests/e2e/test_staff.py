"""Staff at a browser: signing in with two factors, and a table that closes for everyone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.accounts.test_two_factor import code_now
from tests.e2e.barriers import assert_accessible
from tests.e2e.player import Player
from tests.support.fixtures import PASSWORD
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

PHONE = {"viewport": {"width": 360, "height": 740}}
CLOSED = "Our staff closed this table."


def fits(player: Player) -> bool:
    """Whether nothing sticks out at the side."""
    root = "document.documentElement"
    return bool(player.page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth"))


def stands_well(player: Player) -> None:
    assert fits(player), player.page.url
    assert_accessible(player)


def test_a_person_sets_up_the_second_step_on_a_phone(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, "Sixto", **PHONE)
    player.register()
    page = player.page
    player.go("/account/")
    player.link("Two-factor authentication").click()
    stands_well(player)
    player.link("Set up").click()
    stands_well(player)
    page.get_by_label("Your password").fill(PASSWORD)
    player.button("Continue").click()
    square = page.get_by_role("img", name="QR code for your app").locator("svg")
    box = square.bounding_box()
    assert box is not None and 180 < box["width"] < 328
    stands_well(player)
    secret = re.sub(r"\s", "", page.locator("code").inner_text())
    page.get_by_label("Code from the app").fill("12")
    player.button("Turn on").click()
    stands_well(player)
    page.get_by_label("Code from the app").fill(code_now(secret))
    player.button("Turn on").click()
    expect(page.locator("li code")).to_have_count(10)
    stands_well(player)
    for path in ("", "codes/new/", "turn-off/"):
        player.go(f"/account/two-factor/{path}")
        stands_well(player)

    player.page.context.clear_cookies()
    player.go("/account/login/?next=/reports")
    page.get_by_label("Name").fill("Sixto")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    player.button("Sign in").click()
    stands_well(player)
    page.get_by_label("Code from your app").fill(code_now(secret, later=1))
    player.button("Sign in").click()
    expect(page).to_have_url(f"{unhurried_site.url}/reports")
    stands_well(player)


def test_a_keeper_closes_a_table_before_everybodys_eyes(
    new_site: Callable[..., LiveSite], open_browser: Callable[..., Player]
) -> None:
    site = new_site(BOT_SECONDS="60")
    site.start()
    host, watcher, keeper = (open_browser(site, name) for name in ("Hilda", "Wanda", "Kiki"))
    host.register()
    keeper.register()
    site.manage(
        "shell",
        "-c",
        "from accounts.models import User; from allauth.mfa.totp.internal.auth import TOTP; "
        "person = User.objects.get(username='Kiki'); TOTP.activate(person, 'ABCDEFGHIJKLMNOP'); "
        "person.is_staff = person.is_superuser = True; person.save()",
    )
    table = host.play_now(bots=2)
    watcher.go(table)
    keeper.go("/admin/games/game/")
    stands_well(keeper)
    keeper.page.get_by_label("Code from your app").fill(code_now("ABCDEFGHIJKLMNOP"))
    keeper.button("Continue").click()
    keeper.page.wait_for_url("**/admin/games/game/")  # and for its scripts, which look at the boxes
    keeper.page.get_by_role("row").filter(has_text="in progress").get_by_role("checkbox").check()
    keeper.page.get_by_label("Action:").select_option(label="Close the table")
    keeper.button("Go").click()
    keeper.page.set_viewport_size({"width": 360, "height": 740})
    assert fits(keeper)
    expect(keeper.page.get_by_text("can't be resumed")).to_be_visible()
    keeper.page.get_by_label("Reason").fill("They play under two names.")
    keeper.button("Close the table").click()
    expect(keeper.page.get_by_text("Done and logged.")).to_be_visible()
    for player in (host, watcher):
        expect(player.page.locator("#table")).to_contain_text(CLOSED)
        assert_accessible(player)
    keeper.go("/admin/admin/logentry/")
    expect(keeper.page.get_by_text("Close the table: They play under two names.")).to_be_visible()
