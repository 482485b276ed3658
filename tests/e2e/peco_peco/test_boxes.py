"""What a player of Peco Peco needs at a moment is on the screen, whatever the screen.

At 100 % text without scrolling, in the longest language: up to six seats from 320 × 568 on, seven
and eight from 360 × 640 on; the middle and the panel on every screen with all seats. With larger
text nothing is cut off or lost (WCAG 1.4.4).
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.boxes import (
    LOW,
    Faults,
    Screens,
    Size,
    faults,
    faults_of_a_notice,
    larger_text,
    look,
    resize,
)

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.parametrize("game_screens", ["peco_peco"], indirect=True, scope="module"),
]

SIZES: Sequence[Size] = (
    (360, 640),
    (640, 360),
    (390, 844),
    (740, 360),
    (844, 390),
    (768, 1024),
    (1366, 625),
    (1280, 720),
)
SMALL: Sequence[Size] = ((360, 640), (640, 360))
SMALLEST: Size = (320, 568)

# What a player has to see at each moment: what is asked, what lies in the middle, the own cards and
# what can be pressed. Not how it is drawn.
MIDDLE = (".discard .animal-card", ".stake .stake-card", ".speaks .clock")
SEATS = (".seat-name", ".seat:not(.is-out) .seat-hand b", ".buffet")
TURN = (*MIDDLE, *SEATS, ".cue", ".held", "#own .play", ".declare")
SHOWN = (".shown-hand .animal-card", *SEATS, ".middle .right")
OVER = (".verdict .right", ".under > .clock", *SEATS)
WON = (".winners .avatar", ".winner", ".ended", ".frames", ".after > *")
NEEDED: dict[str, Sequence[str]] = {
    "turn": (*TURN, ".then", ".accuse"),
    "stuck": (*TURN, ".then", ".accuse"),
    "many_cards": TURN,
    "call": (*TURN, ".then", ".call-out"),
    "window": (*MIDDLE, ".cue", ".held", ".accuse", ".waive"),
    "waived": (*MIDDLE, ".cue", ".held"),
    "waiting": (*MIDDLE[:2], ".cue", ".held"),
    "honest": (*SHOWN, ".cue", ".held", "#own .play", ".declare"),
    "out": (*SHOWN, "#own .cue", "#own p"),
    "won": (*OVER, "#own .cue", "#own [value=confirm]"),
    "ended_by_a_bluff": (*OVER, ".became", "#own [value=confirm]"),
    "ended_by_an_honest_hand": (*OVER, SHOWN[0], ".became", "#own [value=confirm]"),
    "seen": (*OVER, "#own p"),
    "defeat": (*OVER, "#own [value=confirm]"),
    "over": (".seat-points", *WON),
    "over_and_reviewed": (*WON, ".says-more small"),
    "over_by_a_bot": (".seat-points", *WON, ".stood-in"),
    "over_in_teams": (".seat-points", *WON),
    # Nobody has won a dish yet.
    "choosing": (*SEATS[:2], ".seat .tag", ".cue", "#own p", "#own [name=partner]"),
}


NARROW: Sequence[Size] = ((320, 568), (360, 640), (360, 740), (390, 844), (740, 360), (768, 1024))
# Whether each own card can be told: all of the place of its icon is in sight.
ICONS = """() => [...document.querySelectorAll("#own .held")].map((held) => {
  const { left, top, width } = held.querySelector("svg").getBoundingClientRect();
  return [.08, .27, .46].every((x) =>
    document.elementFromPoint(left + width * x, top + width * .28)?.closest(".held") === held
  );
})"""
CUT = "(e) => [e.scrollWidth > e.clientWidth, e.scrollHeight > e.clientHeight]"
WIDTHS = "all => all.map((held) => held.getBoundingClientRect().width)"
ONE_MORE = """(card) => {
  card.after(card.cloneNode(true));
  card.closest(".hand").dataset.cards = document.querySelectorAll("#own .held").length;
}"""


def choose_a_thief(page: Page) -> None:
    page.locator("[data-steals]").first.evaluate("(input) => input.click()")
    page.locator(".victim").first.wait_for()


@pytest.mark.parametrize("state", NEEDED)
def test_all_that_is_needed_is_on_the_screen(game_screens: Screens, state: str) -> None:
    """The fullest table on small screens in each language, all else in the longest."""
    found: Faults = {}

    def measure(page: Page, seats: int, language: str, sizes: Sequence[Size]) -> None:
        at = f"{seats} seats, {language}"
        found.update((f"{at}, {size}", told) for size, told in faults(page, NEEDED[state], sizes))

    *fewer, fullest = sorted(game_screens.tables[state])
    for language, page in game_screens.visits(state):
        measure(page, fullest, language, SMALL)
    longest = game_screens.longest(state)
    measure(game_screens.pages[longest], fullest, longest, (*SIZES[len(SMALL) :], *LOW))
    for seats in fewer:
        sizes = SIZES if seats == min(fewer) else SMALL
        measure(game_screens.go(longest, state, seats), seats, longest, (SMALLEST, *sizes))
    assert found == {}


# How far the arrow points past the seat of who comes next, in degrees; none where it is not shown.
BESIDE = """() => {
  const then = document.querySelector(".then");
  const arrow = getComputedStyle(then, "::before");
  if (arrow.display === "none") return null;
  const from = then.getBoundingClientRect();
  const seat = `.ring .seat[data-seat="${then.dataset.seat}"]`;
  const to = document.querySelector(seat).getBoundingClientRect();
  const wanted = Math.atan2(
    to.top + to.height / 2 - (from.top + from.height / 2),
    to.left + to.width / 2 - (from.left + parseFloat(arrow.paddingLeft || 0) + 12),
  );
  const beside = wanted * 180 / Math.PI - parseFloat(arrow.rotate);
  return Math.abs((beside + 540) % 360 - 180);
}"""


def test_the_arrow_beside_who_comes_next_points_to_them(game_screens: Screens) -> None:
    """However many sit there, on every screen, and from every seat."""
    found, shown = {}, 0
    for seats in sorted(game_screens.tables["turn"]):
        page = game_screens.go("en", "turn", seats)
        for size in ((360, 740), (640, 360), (768, 1024), (1366, 625)):
            resize(page, size)
            upcoming = page.locator(".then").get_attribute("data-seat")
            for me in set(range(seats)) - {int(upcoming or 0)}:
                page.evaluate("(me) => document.querySelector('[data-me]').dataset.me = me", me)
                beside = page.evaluate(BESIDE)
                shown += beside is not None
                if beside is not None and beside >= 60:
                    found[seats, size, me] = beside
    assert found == {} and shown > 40


@pytest.mark.parametrize("state", NEEDED)
def test_the_middle_and_the_panel_are_on_the_smallest_screen(
    game_screens: Screens, state: str
) -> None:
    """Also with all seats, which have little room there."""
    page = game_screens.go(game_screens.longest(state), state, max(game_screens.tables[state]))
    resize(page, SMALLEST)
    needed = [each for each in NEEDED[state] if each not in (*SEATS, ".seat-points")]
    assert look(page, needed, moving=True) == []


@pytest.mark.parametrize("state", NEEDED)
def test_a_notice_lies_over_all_else(game_screens: Screens, state: str) -> None:
    page = game_screens.go("it", state, max(game_screens.tables[state]))
    assert faults_of_a_notice(page) == {}


@pytest.mark.parametrize("seats", [4, 6, 8])
def test_the_targets_of_a_card_that_steals_are_on_the_screen(
    game_screens: Screens, seats: int
) -> None:
    page = game_screens.go(game_screens.longest("turn"), "turn", seats)
    choose_a_thief(page)
    needed = (*MIDDLE[:2], ".held", ".victim", ".declare", ".accuse")
    sizes = SIZES if seats == 8 else (SMALLEST, *SIZES)
    assert dict(faults(page, needed, sizes)) == {}


@pytest.mark.parametrize(
    "state", ["turn", "window", "honest", "won", "over", "over_by_a_bot", "over_in_teams"]
)
def test_nothing_is_lost_with_text_twice_as_large(game_screens: Screens, state: str) -> None:
    found: Faults = {}
    page = game_screens.go(game_screens.longest(state), state, 8)
    for alone in (False, True):
        for size in ((360, 740), (1280, 720)):
            resize(page, size)
            with larger_text(page, pixels=32, alone=alone):
                found[f"{size}, {alone}"] = look(page, NEEDED[state], scrolls=True)
                if state == "turn":
                    choose_a_thief(page)
                    found[f"{size}, {alone}, targets"] = look(page, [".victim"], scrolls=True)
                    page.reload()
    assert not any(found.values()), found


def test_no_hint_says_the_opposite_of_the_stake(game_screens: Screens) -> None:
    """What beats what is told as usual only where the stake does not reverse it."""
    for state, is_told in (("turn", False), ("call", True)):
        page = game_screens.go("en", state, 8)
        applies = page.locator("#hint-beats").evaluate(
            "({ dataset }) => !!document.querySelector(dataset.when)"
        )
        assert applies == is_told, state


def test_each_target_of_a_steal_says_what_its_button_does(game_screens: Screens) -> None:
    """On every screen, with the longest names of seven others."""
    language = game_screens.longest("turn")
    page = game_screens.go(language, "turn", 8)
    page.locator("#own [data-steals]").first.evaluate("(card) => card.click()")
    verbs = page.locator("#own .victim .verb")
    assert verbs.count() == page.locator("#own .victim").count() == 7
    found = {str(size): told for size, told in faults(page, (".victim", ".verb"), SIZES)}
    assert found == {}
    assert all(words.strip() for words in verbs.all_inner_texts())


def test_play_is_not_to_be_pressed_when_no_card_fits(game_screens: Screens) -> None:
    page = game_screens.go("en", "stuck", 6)
    expect(page.locator("#own .held :enabled")).to_have_count(0)
    expect(page.locator("#own .play")).to_be_disabled()
    expect(page.locator("#own .declare")).to_have_attribute("data-focus-first", "")
    page = game_screens.go("en", "turn", 6)
    expect(page.locator("#own .play")).to_be_enabled()


@pytest.mark.parametrize("state", ["turn", "waiting", "window", "honest", "many_cards", "won"])
def test_the_stake_opens_its_words_where_the_board_has_no_room(
    game_screens: Screens, state: str
) -> None:
    """In every language, also beside a hand that was opened; a thumb finds it, Escape closes it."""
    found: Faults = {}
    for language in game_screens.pages:
        page = game_screens.go(language, state, 8)
        opener, words = page.locator(".stake-opener"), page.locator("#stake-words")
        for size in NARROW:
            resize(page, size)
            box = opener.bounding_box()
            assert box is not None and min(box["width"], box["height"]) >= 44, (size, box)
            expect(words).to_be_hidden()
            opener.evaluate("(button) => button.click()")
            told = look(page, ("#stake-words > *", "#stake-words button"), moving=True)
            cut = words.evaluate(CUT)
            if told or any(cut):
                found[f"{language}, {size}"] = [*told, str(cut)]
            page.keyboard.press("Escape")
    assert found == {}


def test_a_wide_screen_shows_the_words_of_the_stake_without_a_press(game_screens: Screens) -> None:
    page = game_screens.go(game_screens.longest("turn"), "turn", 8)
    resize(page, (1280, 720))
    assert look(page, (".stake .stake-card", ".plays-for", "#stake-words > p:not(.actions)")) == []
    expect(page.locator(".stake-opener")).to_be_hidden()
    expect(page.locator("#stake-words button")).to_be_hidden()


@pytest.mark.parametrize("seats", [6, 8])
def test_each_of_many_cards_can_be_told(game_screens: Screens, seats: int) -> None:
    """Seven or eight in a row, of which each shows 44 px where the screen is wide enough; nine in
    two rows.
    """
    page = game_screens.go("fr", "many_cards", seats)
    held = page.locator("#own .held")
    for count in (7, 8) if seats == 6 else (9, 10):
        if held.count() < count:
            held.last.evaluate(ONE_MORE)
        assert held.count() == count
        for size in (SMALLEST, (360, 740), *SIZES):
            resize(page, size)
            assert all(page.evaluate(ICONS)), (count, size)
            tops = {*held.evaluate_all("all => all.map((held) => held.offsetTop)")}
            assert len(tops) == (1 if count < 9 else 2), (count, size)
            # The panel is as wide as the screen, or beside the board 312 px.
            is_beside = size[1] < size[0] < 960
            width = 312 if is_beside else size[0]
            most = (width - 16 - 64) / (count - 1) if count < 9 else 44
            assert min(held.evaluate_all(WIDTHS)) >= min(44, most - 1), (count, size)
