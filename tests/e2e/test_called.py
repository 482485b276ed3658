"""Whoever waits for people is called when somebody comes: by ear, in the tab, by the device."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player, wait_for
from tests.e2e.test_play_with_people import press_play, strip_of
from tests.support.live_site import LiveSite

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenBrowser = Callable[..., Player]

# What the page asks the browser for; `away`: whether another tab is in front.
STUBS = """
window.contexts = [];
window.sounds = [];
window.told = [];
window.away = false;
window.AudioContext = class extends AudioContext {
  constructor(...options) { super(...options); contexts.push(this); }
};
window.OscillatorNode = class extends OscillatorNode {
  constructor(context, options) { super(context, options); sounds.push(options.frequency); }
};
window.Notification = class {
  static permission = "granted";
  constructor(title, { tag }) { told.push([title, tag]); }
};
ServiceWorkerRegistration.prototype.showNotification = async (title, { tag }) => {
  told.push([title, tag]);
};
Object.defineProperty(document, "hidden", { get: () => window.away });
"""
CALL = [523, 659, 784]  # Hz


@pytest.mark.parametrize("away", [False, True], ids=["in view", "away"])
@pytest.mark.parametrize("silent", [False, True], ids=["sound", "silent"])
def test_who_waits_is_called_once(
    own_site: LiveSite, open_browser: OpenBrowser, away: bool, silent: bool
) -> None:
    mark = f"{away:d}{silent:d}"
    ana = open_browser(own_site, f"Callana{mark}")
    ben = open_browser(own_site, f"Callben{mark}")
    ana.page.add_init_script(STUBS)
    if silent:
        ana.page.add_init_script("localStorage.setItem('table-sound', 'off')")
    for player in (ana, ben):
        player.register()
    press_play(ana, "Perudo")
    strip_of(ana, "waiting")

    def may_sound() -> bool:
        """Browsers are silent before a press, and a page before its script has come."""
        ana.page.locator("#search p").click()
        return silent or ana.page.evaluate("contexts[0]?.state") == "running"

    wait_for(may_sound, ana)
    ana.page.evaluate("(away) => (window.away = away)", away)
    press_play(ben, "Perudo")
    strip_of(ana, "asked")
    expect(ana.page).to_have_title(re.compile(f"^{ben.name} is here"))
    assert ana.page.evaluate("sounds") == ([] if silent else CALL)
    if away:
        wait_for(lambda: ana.page.evaluate("told.length") > 0, ana)
    told = ana.page.evaluate("told")
    assert len(told) == away
    assert all(title.startswith(f"{ben.name} is here") and tag == "search" for title, tag in told)
    ana.button("Not now").click()
    strip_of(ana, "")
    expect(ana.page).not_to_have_title(re.compile(ben.name))
    ben.go("/")
    strip_of(ben, "waiting")
    ben.button("Stop looking").click()
    strip_of(ben, "")


def test_three_who_press_play_at_one_table(own_site: LiveSite, open_browser: OpenBrowser) -> None:
    players = [open_browser(own_site, name) for name in ("Trioana", "Trioben", "Triocleo")]
    for player in players:
        player.register()
        player.go("/play")
        player.page.get_by_role("radio", name="Peco Peco").check()
    first, *others = players
    first.button("Play with people").click()
    strip_of(first, "waiting")
    for other in others:
        other.button("Play with people").click()
    expect(first.page.locator("#search")).to_contain_text("Trioben, Triocleo are here.")
    first.button("Start now").click()
    for player in players:
        player.page.locator("#table[data-phase]").wait_for()
        names = player.page.locator("#table .seat-name")
        for each in players:
            if each is not player:  # whose own seat is the panel
                expect(names.filter(has_text=each.name)).to_be_visible()
    assert len({player.address() for player in players}) == 1
