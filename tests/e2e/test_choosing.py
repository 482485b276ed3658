"""How a bid is chosen: held buttons, a strip of numbers, ahead of one's turn, not by mistake."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.boxes import Screens
from tests.e2e.player import Player
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

of_perudo = pytest.mark.parametrize("game_screens", ["perudo"], indirect=True, scope="module")

# Whether a button takes a press just after it has come, and when it has been there for a while.
TAKES_PRESS = """() => {
  const old = document.querySelector("#own .dudo");
  const button = old.cloneNode(true);
  old.replaceWith(button);
  const { left, top, width, height } = button.getBoundingClientRect();
  const middle = [left + width / 2, top + height / 2];
  const pressed = () => button.contains(document.elementFromPoint(...middle));
  const at_once = pressed();
  return new Promise((done) => setTimeout(() => done([at_once, pressed()]), 500));
}"""


def on_turn(screens: Screens, browser: Browser, **context: object) -> Page:
    """A page of its own, drawn in full, on which a player is on turn."""
    path, key = screens.tables["turn"][6]
    own = browser.new_context(viewport={"width": 360, "height": 740}, **context)
    own.add_cookies([{"name": "sessionid", "value": key, "url": screens.site.url}])
    page = own.new_page()
    page.goto(f"{screens.site.url}{path}")
    return page


@of_perudo
def test_a_button_that_has_just_come_takes_no_press(
    game_screens: Screens, browser: Browser
) -> None:
    page = on_turn(game_screens, browser)
    assert page.evaluate(TAKES_PRESS) == [False, True]
    page.context.close()


@of_perudo
def test_plus_goes_on_while_it_is_held(game_screens: Screens, browser: Browser) -> None:
    page = on_turn(game_screens, browser)
    number = page.locator("#quantity")
    page.locator(".face:has([value='2'])").click()  # three or more are possible
    before = int(number.input_value())
    page.locator("[data-step='1']").click()
    expect(number).to_have_value(str(before + 1))
    page.locator("[data-step='1']").hover()
    page.mouse.down()
    page.wait_for_function(
        "(least) => document.querySelector('#quantity').value >= least", arg=before + 4
    )
    page.mouse.up()
    reached = number.input_value()
    page.wait_for_timeout(300)
    assert number.input_value() == reached
    expect(page.locator("[data-said] b")).to_have_text(reached)
    page.context.close()


@of_perudo
def test_a_tap_on_the_number_offers_the_legal_ones(game_screens: Screens, browser: Browser) -> None:
    page = on_turn(game_screens, browser, has_touch=True)
    page.locator(".face:has([value='2'])").tap()
    number = page.locator("#quantity")
    number.tap()
    numbers = page.locator(".numbers button")
    expect(numbers.first).to_be_visible()
    assert number.get_attribute("inputmode") == "none", "no keyboard comes up"
    least = int(page.locator(".face:has(:checked) input").get_attribute("data-min") or 0)
    assert numbers.all_inner_texts() == [str(least + place) for place in range(12)]
    for box in (numbers.nth(place).bounding_box() for place in range(3)):
        assert box and min(box["width"], box["height"]) >= 44
    numbers.nth(2).tap()
    expect(number).to_have_value(str(least + 2))
    expect(page.locator(".numbers")).to_be_hidden()
    page.context.close()


def test_what_was_chosen_ahead_stays_and_rises_when_the_table_passes_it(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    ana, bea = open_browser(unhurried_site, "Ana"), open_browser(unhurried_site, "Bea")
    for player in (ana, bea):
        player.register()
    address = ana.open_table(seats=2)
    bea.go(address)
    bea.button("Join").click()
    ana.button("Start the game").click()
    for player in (ana, bea):
        player.wait_for_phase("turn")
    first, then = (ana, bea) if ana.my_turn else (bea, ana)
    expect(then.page.locator("#own .say")).to_be_disabled()
    then.page.locator(".face:has([value='3'])").click()
    then.page.locator("#quantity").fill("2")
    first.page.locator(".face:has([value='3'])").click()
    first.page.locator("#quantity").fill("4")
    first.page.locator("#own .say").click()
    number = then.page.locator("#quantity")
    expect(then.page.locator("#own .say")).to_be_enabled()
    expect(number).to_have_value("5")
    expect(then.page.locator(".face:has(:checked) input")).to_have_value("3")
    expect(then.page.locator(".raised")).to_have_text("raised to 5")
    assert then.seq == first.seq, "nothing was sent"
    expect(first.page.locator("#own .say")).to_be_disabled()
