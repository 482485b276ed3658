"""The strip of a search for people hides nothing of a page that is needed, and nothing hides it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.boxes import (
    Faults,
    Screens,
    faults,
    faults_of_a_notice,
    faults_with_larger_text,
    sizes_in,
)

pytestmark = pytest.mark.e2e

STRIP = ("#search > p", "#search :is(button, .button)")
# What the page below has to show all the same.
NEEDED = {
    "perudo": (".speaks", ".bid", ".my-dice .die", ".face", "#quantity", "#own button[value=bid]")
    + ("#own button[value=dudo]", "#own button[value=calza]", ".speaks .clock"),
    "peco_peco": (".discard .animal-card", ".stake .stake-card", ".seat-hand b", ".cue", ".held")
    + ("#own .play", ".declare", ".accuse", ".speaks .clock"),
    "warm_up": (".speaks", ".bid", ".my-dice .die", ".face", "#quantity", "#own button[value=bid]"),
    "watched": (".bid", ".speaks .clock"),
    "lobby": (),
}
SAID = ("waiting", "asked", "asked_by_all", "ready", "elsewhere", "missed")
PLACES = ("perudo", "peco_peco", "lobby")
STATES = [f"{said}_over_{place}" for said in SAID for place in PLACES]
STATES += ["waiting_over_warm_up", "waiting_over_watched"]
# A browser that could still ask whether it may notify.
MAY_ASK = "Object.defineProperty(window.Notification ?? {}, 'permission', { value: 'default' });"
# A countdown as it comes, in tens of seconds.
TEN_SECONDS = """() => {
  for (const each of document.querySelectorAll("[data-countdown]")) {
    each.removeAttribute("data-countdown");
    each.textContent = each.dataset.text.replace("{seconds}", 10);
  }
}"""
# Of the buttons on the strip, in pixels.
LEAST_SIDE = """() => {
  const buttons = [...document.querySelectorAll("#search :is(button, .button)")];
  const boxes = buttons.filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect());
  return Math.min(...boxes.flatMap(({ width, height }) => [width, height]));
}"""


@pytest.fixture(scope="module")
def searches(open_screens: Callable[..., Screens]) -> Screens:
    screens = open_screens("tests.e2e.arranged_search")
    screens.context.add_init_script(MAY_ASK)
    return screens


@pytest.mark.parametrize("state", STATES)
def test_the_strip_and_what_is_below_it_are_on_the_screen(searches: Screens, state: str) -> None:
    """In French, the longest; while one waits, on the smallest screens in each language."""
    found: Faults = {}
    said, _, place = state.partition("_over_")
    needed = (*STRIP, *NEEDED[place])
    for language in searches.pages if said == "waiting" else ("fr",):
        page = searches.go(language, state, 6)
        page.evaluate(TEN_SECONDS)
        assert page.evaluate(LEAST_SIDE) >= 44
        for size, told in faults(page, needed, sizes_in(language)):
            found[f"{language}, {size}"] = told
    assert found == {}


@pytest.mark.parametrize("state", ["waiting_over_watched", "asked_over_perudo", "asked_over_lobby"])
def test_a_notice_lies_over_the_strip(searches: Screens, state: str) -> None:
    page = searches.go("it", state, 6)
    assert faults_of_a_notice(page) == {}


LARGE = [f"{said}_over_{place}" for said in ("waiting", "asked_by_all") for place in PLACES]


@pytest.mark.parametrize("state", [*LARGE, "missed_over_lobby", "waiting_over_warm_up"])
def test_nothing_of_the_strip_is_lost_with_larger_text(searches: Screens, state: str) -> None:
    """Nor of the page below, which makes room for it."""
    page = searches.go("fr", state, 6)
    page.evaluate(TEN_SECONDS)
    needed = (*STRIP, *NEEDED[state.partition("_over_")[2]])
    assert faults_with_larger_text(page, needed) == {}
