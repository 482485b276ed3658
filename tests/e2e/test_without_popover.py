"""Browsers that do not know popovers yet: whatever opens as one stays, and no script stops."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player, play
from tests.support.live_site import ROOT, LiveSite

pytestmark = pytest.mark.e2e
OpenBrowser = Callable[..., Player]

# As in Safari 16 or Firefox 124: neither the methods nor the selector.
WITHOUT = """
for (const name of ["popover", "showPopover", "hidePopover", "togglePopover"])
  delete HTMLElement.prototype[name];
for (const [type, names] of [
  [Element, ["matches", "closest", "querySelector", "querySelectorAll"]],
  [Document, ["querySelector", "querySelectorAll"]],
  [DocumentFragment, ["querySelector", "querySelectorAll"]],
])
  for (const name of names) {
    const known = type.prototype[name];
    type.prototype[name] = function (selector) {
      if (String(selector).includes(":popover-open"))
        throw new DOMException(`'${selector}' is not a valid selector`, "SyntaxError");
      return known.call(this, selector);
    };
  }
"""


def test_a_table_is_played_without_them(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """Its pages report what their scripts throw (`open_browser`)."""
    player = open_browser(unhurried_site, has_touch=True)
    player.page.add_init_script(WITHOUT)
    player.play_now(bots=2)
    player.page.wait_for_load_state("networkidle")
    assert player.page.evaluate("'popover' in document.body") is False
    play([player], until=lambda: player.my_turn and player.can("bid"))
    page = player.page
    page.keyboard.press("?")
    number = page.get_by_label("Number of dice")
    number.tap()  # which offers numbers elsewhere; here the keyboard of the phone
    assert number.evaluate("field => field.inputMode") == "numeric"
    expect(page.locator(".numbers button")).to_have_count(0)
    before = player.seq
    page.locator("button[value=bid]").click()
    player.wait_for_newer(before)
    play([player], until=lambda: player.seq > before + 6)  # frames come, and a turn


def test_scripts_ask_whether_there_are_popovers() -> None:
    """Each method is called where it is there; the selector stands where it was asked for."""
    files = [
        file
        for folder in ("games", "perudo_site", "accounts")
        for file in (ROOT / folder).rglob("static/**/*.js")
    ]
    calls = {
        f"{file.relative_to(ROOT)}: {line.strip()}"
        for file in files
        for line in file.read_text().splitlines()
        if re.search(r"\.(show|hide|toggle)Popover\(", line)
    }
    assert len(files) > 20
    # What had to be open, or to be asked for, to get there.
    asked = {
        "games/perudo/static/perudo/table.js: strip.showPopover();",
        "perudo_site/static/site/keep.js: document.getElementById(id)?.showPopover();",
    }
    assert calls == asked
