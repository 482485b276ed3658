"""What is open makes room for what is due: a turn, a reveal to confirm."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.player import SETTLED, Player, wait_for
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
IS_ON_TOP = """(e) => {
  const { left, top, width, height } = e.getBoundingClientRect();
  return e.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
OPENERS = {"chat": ".talk-link", "menu": ".menu-opener"}
OPENED = {"chat": "#talk-panel[open]", "menu": "#menu:popover-open"}


def is_on_top(control: Locator) -> bool:
    control.evaluate(SETTLED)
    return bool(control.evaluate(IS_ON_TOP))


@pytest.mark.parametrize("what", OPENERS)
def test_what_lies_over_the_controls_folds_when_a_turn_or_a_reveal_begins(
    unhurried_site: LiveSite, open_browser: Callable[..., Player], what: str
) -> None:
    """Once, with what was typed kept: who opens it again keeps it open."""
    people = [open_browser(unhurried_site, f"{name}-{what}", **PHONE) for name in ("Ada", "Bo")]
    for player in people:
        player.register()
    people[1].sit(people[0].open_table(seats=2))
    people[0].button("Start the game").tap()
    for player in people:
        player.wait_for_phase("turn")
    wait_for(lambda: any(player.my_turn for player in people), *people)
    on_turn, waits = sorted(people, key=lambda player: not player.my_turn)

    def opens(player: Player) -> Locator:
        player.page.locator(OPENERS[what]).tap()
        opened = player.page.locator(OPENED[what])
        expect(opened).to_be_visible()
        return opened

    opened = opens(waits)
    if what == "chat":
        waits.page.get_by_label("Message the table").fill("I am still wri")
    on_turn.choose("bid")
    wait_for(lambda: waits.my_turn, *people)
    doubt = waits.page.locator("#own button[value=dudo]")
    wait_for(lambda: is_on_top(doubt), waits)
    if what == "chat":
        expect(opened).to_have_count(0)
        expect(waits.page.get_by_label("Message the table")).to_have_value("I am still wri")
        opened = opens(waits)
        phrase = on_turn.page.locator(".phrases button", has_text="Hello!")
        phrase.evaluate("(button) => button.click()")  # a frame that brings nothing due
        expect(waits.page.locator("#talk li").first).to_contain_text("Hello!")
        expect(opened).to_be_visible()
        waits.page.locator("#talk-panel summary").tap()

    opens(on_turn)
    assert waits.choose("dudo")
    on_turn.wait_for_phase("reveal")
    goes_on = on_turn.page.locator("#own button[value=confirm]")
    wait_for(lambda: is_on_top(goes_on), on_turn)
