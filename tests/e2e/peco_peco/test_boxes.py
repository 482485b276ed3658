"""What a player of Peco Peco needs at a moment is on the screen, whatever the screen.

At 100 % text without scrolling: up to six seats from 320 × 568 on, seven and eight from 360 × 640
on; in the longest language. With larger text nothing is cut off or lost (WCAG 1.4.4).
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.boxes import (
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
    (768, 1024),
    (1366, 625),
    (1280, 720),
)
SMALL: Sequence[Size] = ((360, 640), (640, 360))
SMALLEST: Size = (320, 568)

# What a player has to see at each moment: what is asked, what lies in the middle, the own cards and
# what can be pressed. Not how it is drawn.
MIDDLE = (".discard .animal-card", ".stake .stake-card", ".speaks .clock")
TURN = (*MIDDLE, ".seat-points", ".cue", ".held", "#own .play", ".declare")
SHOWN = (".shown-hand .animal-card", ".seat-points")
OVER = (".verdict .right", ".seat-points")
NEEDED: dict[str, Sequence[str]] = {
    "turn": (*TURN, ".accuse"),
    "stuck": (*TURN, ".accuse"),
    "many_cards": TURN,
    "call": (*TURN, ".call-out"),
    "window": (*MIDDLE, ".cue", ".held", ".accuse", ".waive"),
    "waived": (*MIDDLE, ".cue", ".held"),
    "waiting": (*MIDDLE[:2], ".cue", ".held"),
    "honest": (*SHOWN, ".cue", ".held", "#own .play", ".declare"),
    "out": (*SHOWN, "#own .cue", "#own p"),
    "won": (*OVER, "#own .cue", "#own [value=confirm]"),
    "seen": (*OVER, "#own p"),
    "defeat": (*OVER, "#own [value=confirm]"),
    "over": (".seat-points", ".after > *"),
    "choosing": (".seat-points", ".cue", "#own p", "#own [name=partner]"),
}


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
    measure(game_screens.pages[longest], fullest, longest, SIZES[len(SMALL) :])
    for seats in fewer:
        measure(game_screens.go(longest, state, seats), seats, longest, (SMALLEST, *SIZES))
    assert found == {}


@pytest.mark.parametrize("state", NEEDED)
def test_a_notice_lies_over_all_else(game_screens: Screens, state: str) -> None:
    page = game_screens.go("it", state, max(game_screens.tables[state]))
    assert faults_of_a_notice(page, (SMALLEST, *SIZES, (360, 740), (412, 915))) == {}


@pytest.mark.parametrize("seats", [4, 6, 8])
def test_the_targets_of_a_card_that_steals_are_on_the_screen(
    game_screens: Screens, seats: int
) -> None:
    page = game_screens.go(game_screens.longest("turn"), "turn", seats)
    choose_a_thief(page)
    needed = (*MIDDLE[:2], ".held", ".victim", ".declare", ".accuse")
    sizes = SIZES if seats == 8 else (SMALLEST, *SIZES)
    assert dict(faults(page, needed, sizes)) == {}


@pytest.mark.parametrize("state", ["turn", "window", "honest", "won", "over"])
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
