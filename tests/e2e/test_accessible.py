"""No barriers: axe on every page in both themes, and a turn with nothing but a keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.player import Player, is_over, play, wait_for
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

FOCUSED = (
    "document.activeElement === document.body ? null : document.activeElement.closest('[id]')?.id"
)


def test_the_pages_have_no_barriers(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, "Axel")
    rules = ("/rules", "/rules/perudo", "/rules/perudo/fair")
    for path in ("/", *rules, "/account/login/", "/account/signup/"):
        player.go(path)
        assert_accessible(player)
    player.register()
    player.go("/games/new")
    player.page.get_by_role("radio", name="Custom").check()
    player.page.locator("summary").first.click()
    assert_accessible(player)
    player.go("/account/")
    assert_accessible(player)


def test_the_table_has_no_barriers_in_any_state(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, "Axella")
    player.register()
    table = player.open_table(calza=True, seats=2)
    assert_accessible(player)
    player.button("Easy", exact=True).click()
    player.button("Start the game").click()
    play([player], until=lambda: player.my_turn and player.can("bid") and player.can("dudo"))
    assert_accessible(player)
    assert player.choose("dudo")
    assert_accessible(player)
    play([player], until=lambda: is_over(player))
    assert_accessible(player)
    for path in (f"{table}/replay", f"{table}/replay/2", "/players/Axella", "/"):
        player.go(path)
        assert_accessible(player)


def tab_to(player: Player, target: Locator, *, most: int) -> None:
    """Presses Tab until the target has the focus."""
    for _ in range(most + 1):
        if target.evaluate("(element) => element === document.activeElement"):
            return
        player.page.keyboard.press("Tab")
    raise AssertionError(f"{target} is more than {most} tabs away")


def test_a_turn_is_played_with_the_keyboard_alone(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site)
    player.play_now(bots=2)
    play([player], until=lambda: player.my_turn and player.can("bid"))
    player.page.reload()
    page, keyboard = player.page, player.page.keyboard
    page.wait_for_function("() => document.querySelector('.has-script')")

    # The arrows choose among the faces that may be bid, Tab goes on to the number and the button.
    tab_to(player, page.locator("input[name=face]:checked"), most=20)
    least = page.locator("input[name=face]:checked").get_attribute("value")
    keyboard.press("ArrowRight")
    expect(page.locator("input[name=face]:checked")).not_to_have_attribute("value", str(least))
    keyboard.press("ArrowLeft")
    expect(page.locator("input[name=face]:checked")).to_have_attribute("value", str(least))
    quantity = page.get_by_label("Number of dice")
    tab_to(player, quantity, most=2)
    bid = player.button("Bid")
    tab_to(player, bid, most=2)
    number = quantity.input_value()
    before = player.seq
    keyboard.press("Enter")
    player.wait_for_newer(before)
    mine = page.locator(".bids li[data-seat='0']").last
    expect(mine.locator(".bid-small")).to_contain_text(f"{number}×")
    assert page.evaluate(FOCUSED), "the focus was lost with one's own bid"

    # The bots speak, words are read out, and the focus is where the hands go on.
    expect(page.locator("#live")).to_have_text(re.compile(r"\w+ (bids|calls) "))
    while not player.can("dudo"):
        assert page.evaluate(FOCUSED), "the focus was lost with a bot's move"
        before = player.seq
        if player.can("confirm"):
            expect(page.locator("#own button[value=confirm]")).to_be_focused()
            keyboard.press("Enter")
            player.wait_for_newer(before)
        elif player.can("bid") and not player.can("dudo"):
            expect(page.locator("input[name=face]:checked")).to_be_focused()
            keyboard.press("Enter")
            player.wait_for_newer(before)
        page.wait_for_timeout(50)
    assert page.evaluate(FOCUSED), "the focus was lost with a bot's move"
    expect(page.locator("#own :focus")).to_have_count(1)
    keyboard.press("d")
    expect(page.locator("#own button[value=dudo]")).to_be_focused()
    before = player.seq
    keyboard.press("Enter")
    player.wait_for_newer(before)
    expect(page.locator("#own button[value=confirm]")).to_be_focused()
    before = player.seq
    keyboard.press("Enter")
    player.wait_for_newer(before)
    expect(page.locator(".ribbon")).not_to_contain_text("Round 1 ")
    assert page.evaluate(FOCUSED), "the focus was lost with the new round"


def test_the_focus_is_on_the_bid_when_a_player_opens_the_next_round(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    """Not on the first button: one more Enter would bid."""
    player = open_browser(unhurried_site)
    player.play_now(bots=1)
    page, keyboard = player.page, player.page.keyboard
    opens = False
    while not opens:
        play([player], until=lambda: player.can("confirm") or is_over(player))
        if is_over(player):  # and never a round to open
            player.play_now(bots=1)
            continue
        page.locator("#own button[value=confirm]").focus()
        keyboard.press("Enter")
        wait_for(lambda: player.phase != "reveal", player)
        opens = player.my_turn
    expect(page.locator("input[name=face]:checked")).to_be_focused()
