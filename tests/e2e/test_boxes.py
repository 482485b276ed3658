"""What a player needs at a moment is on the screen, whatever the screen: measured by boxes.

At 100 % text without scrolling, from 320 × 568 to a desktop, upright and lying, with two to six
players, in the longest language; with larger text (WCAG 1.4.4, 1.4.10) nothing is cut off or lost.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.boxes import (
    LARGER,
    LARGER_BY_A_THIRD,
    LOW,
    OTHER_SIZES,
    PHONE,
    SIZES,
    SMALLEST,
    Faults,
    Screens,
    Size,
    contrast_within,
    faults,
    faults_of_a_notice,
    faults_with_larger_text,
    larger_text,
    look,
    resize,
)

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.parametrize("game_screens", ["perudo"], indirect=True, scope="module"),
]

OTHERS = ".seat:not([data-seat='0'])"  # one's own is the panel
# What a player has to see at each moment: what is asked, the bid, the own dice and what can be
# pressed. Not how it is drawn.
BID = (".bid", ".my-dice .die", ".speaks .clock", OTHERS)
NUMBER = (".face", "#quantity", "button[value=bid]")
COUNT = (".count > b", ".of", ".my-dice .die", f"{OTHERS} .hand .die", ".told .right", ".became")
WON = (".winners .avatar", ".winner", ".ended", ".frames", ".after > *")
NEEDED: dict[str, tuple[str, ...]] = {
    "opening": (*BID, *NUMBER),
    "turn": (*BID, *NUMBER, "button[value=dudo]"),
    "turn_with_calza": (*BID, *NUMBER, "button[value=dudo]", "button[value=calza]"),
    "turn_with_odds": (*BID, *NUMBER, "button[value=dudo]", "button[value=calza]", ".odds"),
    "palifico": (*BID, *NUMBER, "button[value=dudo]"),
    "highest": (*BID, "#own .highest", "button[value=dudo]"),
    "last_die": (".palifico", *BID[1:], *NUMBER),
    "waiting": BID,
    "waiting_with_calza": (*BID, "button[value=calza]"),
    "reveal": (*COUNT, "button[value=confirm]"),
    "reveal_before_palifico": (*COUNT, "button[value=confirm]"),
    "reveal_of_calza": (*COUNT, "button[value=confirm]"),
    "seen": (*COUNT, "#own p"),
    "out": (".bid", "#own > :not([type=hidden])"),
    "over": (*WON, ".ending .of", ".my-dice .die", f"{OTHERS} .hand .die"),
    "over_and_reviewed": (*WON, ".says-more small"),
    "over_by_a_bot": (*WON, ".my-dice .die", ".stood-in"),
    "defeat_by_a_bot": (".winner", ".own .ended", ".own .stood-in", ".after > *"),
}
TABLETS: Sequence[Size] = ((1024, 690), (1024, 768))  # on their side, below a browser's bars or not
NARROW = tuple(size for size in SIZES if size[0] < 960)
THUMB_SIZES: Sequence[Size] = ((320, 568), (360, 740), (360, 800), (390, 844), (430, 932))
MOTIONLESS = """(ms) => {
  for (const animation of document.getAnimations()) {
    animation.pause();
    animation.currentTime = ms;
  }
}"""

FACE_BOXES = """() => [...document.querySelectorAll(".face")].map((face) => {
  const { width, height } = face.getBoundingClientRect();
  return [width, height];
})"""


@pytest.mark.parametrize("state", NEEDED)
def test_all_that_is_needed_is_on_the_screen(game_screens: Screens, state: str) -> None:
    """The fullest table on the smallest screens in each language, all else in the longest.

    However few dice and words stand above the values to choose from, a thumb finds each.
    """
    found: Faults = {}

    def measure(page: Page, seats: int, language: str, sizes: Sequence[Size]) -> None:
        for size, told in faults(page, NEEDED[state], sizes):
            found[f"{seats} seats, {language}, {size}"] = told

    *fewer, fullest = sorted(game_screens.tables[state])
    for language, page in game_screens.visits(state):
        measure(page, fullest, language, SMALLEST)
        if state in ("last_die", "turn", "turn_with_odds"):
            for size in THUMB_SIZES:
                resize(page, size)
                for box in page.evaluate(FACE_BOXES):
                    assert min(box) >= 44, (language, size, box)
    longest = game_screens.longest(state)
    if fullest in (2, 6):
        measure(game_screens.pages[longest], fullest, longest, (*OTHER_SIZES, *TABLETS, *LOW))
    for seats in fewer:
        page = game_screens.go(longest, state, seats)
        measure(page, seats, longest, SIZES if seats in (2, 3, 6) else SMALLEST)
    assert found == {}


# Where the words about the next player and about palifico have to be seen.
SAID = (*SIZES, (1366, 768), (1440, 900), (1920, 1080))


@pytest.mark.parametrize("state", ["opening", "turn", "palifico", "waiting"])
def test_who_comes_next_is_said_in_words(game_screens: Screens, state: str) -> None:
    """On every screen of a player, in the language of the longest words."""
    found: Faults = {}
    for seats in (3, 6):
        page = game_screens.go("fr", state, seats)
        for size, told in faults(page, [".then"], SAID):
            found[f"{seats} seats, {size}"] = told
    assert found == {}


def test_the_banner_of_palifico_says_what_it_is(game_screens: Screens) -> None:
    """But on the lowest narrow screens, where the seats leave it no room."""
    found: Faults = {}
    for seats in game_screens.tables["last_die"]:
        page = game_screens.go("fr", "last_die", seats)
        sizes = [size for size in SAID if size[0] >= 700 or size[1] > 640]
        for size, told in faults(page, [".palifico b", ".palifico span"], sizes):
            found[f"{seats} seats, {size}"] = told
    assert found == {}


# What who does not play has to see of a table.
WATCHED: dict[str, tuple[str, ...]] = {
    "turn": (".bid", ".speaks .clock", ".seat"),
    "palifico": (".bid", ".speaks .clock", ".seat"),
    "reveal": (".count > b", ".of", ".seat .hand .die"),
    "over": (".winners .avatar", ".winner", ".seat"),
}


@pytest.mark.parametrize("state", WATCHED)
@pytest.mark.parametrize("viewer", ["spectator", "stranger"])
def test_who_watches_sees_the_whole_table(game_screens: Screens, viewer: str, state: str) -> None:
    """At two and three seats on every screen; at a full table on the smallest ones."""
    found: Faults = {}
    page = game_screens.pages[game_screens.longest(state)]
    for seats in game_screens.tables[state]:
        game_screens.lead(page, state, seats, viewer)
        assert page.locator("[data-me='']").count() == 1
        sizes = SIZES if seats in (2, 3) else (*SMALLEST, PHONE)
        for size, told in faults(page, WATCHED[state], sizes):
            found[f"{seats} seats, {size}"] = told
    assert found == {}


@pytest.mark.parametrize("state", NEEDED)
def test_a_notice_lies_over_all_else(game_screens: Screens, state: str) -> None:
    page = game_screens.go("it", state, max(game_screens.tables[state]))
    assert faults_of_a_notice(page) == {}


@pytest.mark.parametrize(
    "state",
    ["turn_with_calza", "turn_with_odds", "waiting", "reveal_before_palifico", "over_by_a_bot"],
)
def test_nothing_is_lost_with_larger_text(game_screens: Screens, state: str) -> None:
    """At 130 % and 200 %, and at 200 % of the text alone."""
    page = game_screens.go(game_screens.longest(state), state, 6)
    assert faults_with_larger_text(page, NEEDED[state], texts=LARGER) == {}


@pytest.mark.parametrize("state", ["opening", "turn_with_calza", "turn_with_odds", "palifico"])
def test_a_turn_with_text_a_third_larger_needs_no_scrolling_on_a_laptop(
    game_screens: Screens, state: str
) -> None:
    pixels, alone = LARGER_BY_A_THIRD
    found: Faults = {}
    for seats in (2, 6):
        page = game_screens.go("fr", state, seats)
        with larger_text(page, pixels=pixels, alone=alone):
            found.update(
                (f"{seats} seats, {size}", told)
                for size, told in faults(page, NEEDED[state], [(1280, 720)])
            )
    assert found == {}


def test_nothing_is_lost_on_a_screen_enlarged_four_times(game_screens: Screens) -> None:
    """WCAG 1.4.10: 1280 × 1024 at 400 % is 320 × 256."""
    found: Faults = {}
    for state in ("turn_with_calza", "reveal_before_palifico"):
        page = game_screens.go(game_screens.longest(state), state, 6)
        for _, told in faults(page, NEEDED[state], [(320, 256)], scrolls=True):
            found[state] = told
    assert found == {}


@pytest.mark.parametrize("seats", [2, 6])
def test_the_count_and_then_the_verdict_are_on_the_screen(
    game_screens: Screens, browser: Browser, seats: int
) -> None:
    """A reveal as it comes over the socket: held while the count climbs, then at its end."""
    path, key = game_screens.tables["doubt"][seats]
    context = browser.new_context(viewport={"width": 320, "height": 568})
    context.add_cookies([{"name": "sessionid", "value": key, "url": game_screens.site.url}])
    page = context.new_page()
    page.goto(f"{game_screens.site.url}{path}")
    page.locator("#own button[value=dudo]:enabled").click()
    page.locator(".reveal.is-fresh").wait_for()
    page.evaluate(MOTIONLESS, 1_600)
    assert page.locator(".verdict").evaluate("(e) => getComputedStyle(e).opacity") == "0"
    counting = (".call", ".count > b", ".of", ".my-dice .die", "#own button")
    found = {f"count, {size}": told for size, told in faults(page, counting, SIZES, moving=True)}
    page.evaluate(MOTIONLESS, 60_000)
    needed = NEEDED["reveal"]
    found |= {f"verdict, {size}": told for size, told in faults(page, needed, SIZES)}
    context.close()
    assert found == {}


def test_a_waiting_player_chooses_ahead_and_has_the_reactions(game_screens: Screens) -> None:
    """In the panel, where the chat has no column of its own; the board says what was bid."""
    page = game_screens.go(game_screens.longest("waiting"), "waiting", 6)
    needed = (*NEEDED["waiting"], *NUMBER, ".react", ".say-opener")
    found = {str(size): told for size, told in faults(page, needed, NARROW)}
    page = game_screens.go(game_screens.longest("waiting_with_calza"), "waiting_with_calza", 6)
    needed = (*NEEDED["waiting_with_calza"], *NUMBER)
    found |= {f"calza, {size}": told for size, told in faults(page, needed, NARROW)}
    assert found == {}


def test_the_chat_opens_over_the_panel_and_leaves_a_turn_in_sight(game_screens: Screens) -> None:
    found: Faults = {}
    chat = ("#talk-panel summary", "#say-text", ".own-words button")
    for state, kept in (("waiting", ()), ("turn", (".my-dice .die",))):
        page = game_screens.go(game_screens.longest(state), state, 6)
        resize(page, PHONE, scale=1)
        page.locator(".talk-link").click()
        for size in NARROW:
            resize(page, size)
            if told := look(page, (".bid", *kept, *chat)):
                found[f"{state}, {size}"] = told
    assert found == {}


def test_while_others_may_call_calza_the_panel_says_so(game_screens: Screens) -> None:
    page = game_screens.go(game_screens.longest("turn_with_calza"), "turn_with_calza", 6)
    page.evaluate(
        "document.querySelectorAll('[data-opens]').forEach((e) => (e.dataset.opens = 9e15))"
    )
    expect(page.locator("button[value=dudo]")).to_be_disabled()
    bid = "button[value=bid]"  # where it says so
    needed = (*(each for each in NEEDED["turn_with_calza"] if each != bid), ".pause")
    found = {str(size): told for size, told in faults(page, needed, SIZES)}
    assert found == {}


def test_confetti_falls_once_and_only_for_the_winner_who_wants_motion(
    game_screens: Screens, browser: Browser
) -> None:
    """The end as it comes over the socket: confetti after the count; none after a reload."""
    for motion in ("no-preference", "reduce"):
        path, key = game_screens.tables[f"last_doubt_{motion[:2]}"][2]
        context = browser.new_context(reduced_motion=motion)
        context.add_cookies([{"name": "sessionid", "value": key, "url": game_screens.site.url}])
        page = context.new_page()
        page.goto(f"{game_screens.site.url}{path}")
        page.locator("#own button[value=dudo]:enabled").click()
        page.locator(".ended.is-won").wait_for()
        expect(page.locator(".confetti")).to_be_visible(visible=motion != "reduce")
        moving: list[str] = page.evaluate(
            "document.getAnimations().map((each) => each.animationName)"
        )
        assert moving.count("fall") == (40 if motion == "no-preference" else 0)
        page.reload()
        expect(page.locator(".ended.is-won")).to_be_visible()
        expect(page.locator(".confetti")).to_be_hidden()
        context.close()


def test_in_a_palifico_round_pacos_are_plain_and_the_value_is_locked(game_screens: Screens) -> None:
    """On the table and in the own hand; before and after that round they are toucans (P25, P26)."""
    drawn = "(all) => [...new Set(all.map((die) => getComputedStyle(die).fillOpacity))]"
    lock = "(all) => all.map((e) => getComputedStyle(e, '::after').backgroundImage)"
    dice = "#own .die, .bid .die"
    for state, toucans in (("palifico", "0"), ("turn", "1")):
        page = game_screens.go("en", state, 6)
        assert page.locator(dice).evaluate_all(drawn) == [toucans]
        locks = page.locator(".bid, .face:has(:enabled)").evaluate_all(lock)
        assert all(("lock" in each) == (state == "palifico") for each in locks)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_dim_dice_can_be_read(game_screens: Screens, theme: str) -> None:
    page = game_screens.context.new_page()
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme=theme)
    for state, dice in (
        ("reveal", f"{OTHERS} .hand .die.dim"),
        ("turn", ".face:has(:disabled) .die"),
    ):
        game_screens.lead(page, state, 6)
        found = page.locator(dice)
        assert found.count() or state == "turn"
        for number in range(min(found.count(), 3)):
            assert contrast_within(found.nth(number)) >= 3, f"{dice} in {theme}"
    page.close()


def test_the_focus_scrolls_nothing_when_it_comes_to_what_is_in_sight(game_screens: Screens) -> None:
    """As with the keyboard; a button of the panel that sticks to the edge is always in sight."""
    for state in ("doubt", "reveal"):
        page = game_screens.go("en", state, 6)
        for control in page.locator("#own :is(button, input):enabled").all():
            control.evaluate("(element) => element.focus()")
            assert page.evaluate("[scrollY, innerWidth]") == [0, 360], (state, control)
