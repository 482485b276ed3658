"""The great moments of Peco Peco: what shows when, after an accusation and at the end of a round.

Nothing here waits for an animation: its times are read from what the browser was told to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from games.peco_peco import pace
from tests.e2e.boxes import Tables
from tests.e2e.test_pace import cheap
from tests.e2e.test_suspense import NOTE as SUSPENSE
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

Visit = Callable[..., Page]

# Notes of the board that comes next when each thing on it begins to show and when it has stopped
# moving, in ms by selector, and what of one's own controls moves.
NOTE = """(selectors, before = document.getElementById("table").dataset.seq) =>
document.addEventListener("site:swapped", () => {
  // A socket that has just opened may bring the same board once more.
  if (window.noted || document.getElementById("table").dataset.seq === before) return;
  // A frame may come before that of the press: somebody's page has come into view, say.
  if (!document.querySelector(".middle .right")) return;
  // No press lands on what has just come (own.css): nothing moves for that.
  const timed = ({ effect, animationName }) =>
    animationName && animationName !== "takes-no-press" && effect.getTiming().iterations < 3;
  const of = (element) => element.getAnimations().filter(timed);
  const board = document.querySelector(".board");
  const moving = document.querySelector(".shell").getAnimations({ subtree: true }).filter(timed);
  const begins = (element) => Math.round(
    Math.max(0, ...of(element).map(({ effect }) => effect.getTiming().delay)));
  const around = (element) =>
    [element, ...(element.id === "own" ? [] : around(element.parentElement))];
  const controls = [...document.querySelectorAll("#own :is(button, input, label, a)")];
  window.noted = {
    shows: Object.fromEntries(selectors.map((selector) =>
      [selector, [...document.querySelectorAll(selector)].map(begins)])),
    ends: Math.max(0, ...moving.filter(({ effect }) => board.contains(effect.target))
      .map(({ effect }) => effect.getComputedTiming().endTime)),
    ghosts: moving.filter(({ effect }) => effect.target.matches(".ghost")).length,
    moved: [...new Set(moving
      .filter(({ effect }) => !effect.target.matches(".confetti *, .animal-card"))
      .flatMap(({ effect }) => effect.getKeyframes().flatMap(Object.keys)))],
    held: controls.length,
    late: controls.flatMap((control) => around(control).flatMap(of)).length,
  };
  document.documentElement.dataset.noted = "yes";
})"""
ACCUSER, ACCUSED = ".seat-flag.is-accuse", ".seat-flag:is(.is-bluff, .is-honest)"
CARDS, VERDICT = ".shown-hand .animal-card", ".middle .right"
# The viewer sits at seat 0, which the panel stands for.
CHANGES = ".seat:not([data-seat='0']) .seat-change, #own .became"
# The faces of others that change, and their calm ones that go.
FACE = ":is(.seat[data-mood=sure] .sure, .seat[data-mood=caught] .caught):not([data-seat='0'] *)"
CALM = ".seat:not([data-mood=calm], [data-seat='0']) .calm"
PRIZE, WINNER, DISH, POINTS = (
    ".prize",
    ".seat.is-winner",
    ".dish.is-new",
    ".seat:has(.dish.is-new) .seat-points b",
)


@pytest.fixture
def visit(browser: Browser, tables: tuple[LiveSite, Tables]) -> Iterator[Visit]:
    """Opens a table before a moment, as the player who makes it happen."""
    site, arranged = tables
    contexts: list[BrowserContext] = []

    def visit(
        state: str,
        motion: str = "no-preference",
        script: str = "",
        size: tuple[int, int] = (360, 740),
    ) -> Page:
        _, (path, key) = arranged[state].popitem()  # each moment happens once
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            reduced_motion=motion,  # type: ignore[arg-type]
        )
        context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(script)
        page.goto(f"{site.url}{path}")
        return page

    yield visit
    for context in contexts:
        context.close()


def happens(page: Page, does: str, *selectors: str, is_last: bool = False) -> dict[str, Any]:
    """What was noted of the board that this press brought; `is_last`: it ended the game."""
    page.evaluate(NOTE, [*selectors])
    page.locator(f"#own button[value={does}]:enabled").click()
    page.locator("html[data-noted]").wait_for(state="attached")
    noted: dict[str, Any] = page.evaluate("noted")
    assert noted["held"], "there is something to press"
    # What comes after the game would tell that it is over.
    assert (noted["late"] > 0) == is_last, "what a player may do is there at once"
    return noted


# Where there is no room for both, a change takes the place of what was said: not before it comes.
@pytest.mark.parametrize("size", [(360, 740), (320, 568)])
@pytest.mark.parametrize(
    ("state", "words"),
    [("before_caught", "A bluff, and caught!"), ("before_true", "No bluff: it was true")],
)
def test_an_accusation_shows_its_call_then_the_verdict_then_whose_cards_went_where(
    visit: Visit, state: str, words: str, size: tuple[int, int]
) -> None:
    page = visit(state, size=size)
    noted = happens(page, "accuse", ACCUSER, ACCUSED, CARDS, VERDICT, CHANGES, FACE, CALM)
    shows = noted["shows"]
    [call], [flag], [verdict] = shows[ACCUSER], shows[ACCUSED], shows[VERDICT]
    assert call == 0 and 600 <= flag <= 800
    assert flag < verdict < min(shows[CHANGES])
    assert shows[FACE] == shows[CALM] == [flag]
    assert len(shows[CHANGES]) == 2 and 1_200 <= max(shows[CHANGES]) <= 1_600
    assert len(shows[CARDS]) == (3 if state == "before_true" else 0)
    assert shows[CARDS] == sorted(set(shows[CARDS])), "card after card"
    assert all(flag < card < min(shows[CHANGES]) for card in shows[CARDS])
    assert noted["ends"] <= 2_000
    assert cheap(noted), noted["moved"]
    expect(page.locator(VERDICT)).to_have_text(words)
    page.reload()
    assert (
        page.locator(".board").evaluate(
            "(board) => board.getAnimations({ subtree: true })"
            ".filter(({ effect }) => effect.getTiming().iterations < 3).length"
        )
        == 0
    )


@pytest.mark.parametrize("state", ["before_won", "before_set"])
def test_a_won_stake_lifts_then_names_its_winner_then_lies_in_their_buffet(
    visit: Visit, state: str
) -> None:
    page = visit(state)
    is_last = state == "before_set"
    parts = (PRIZE, VERDICT, WINNER, DISH, POINTS, FACE, CALM)
    noted = happens(page, "declare", *parts, is_last=is_last)
    order = [noted["shows"][each] for each in (PRIZE, VERDICT, WINNER, DISH, POINTS)]
    assert all(len(each) == 1 and each[0] > 0 for each in order), order
    assert order == sorted(order)
    assert noted["shows"][FACE] == noted["shows"][CALM] == noted["shows"][WINNER]
    assert noted["ghosts"] == 1, "the last card lies there first"
    victory = 1_500 if is_last else 0  # how much longer that takes
    assert noted["ends"] <= pace._WON_MS + victory
    assert cheap(noted), noted["moved"]
    completed = page.locator(".buffet.is-completed")
    expect(completed).to_have_count(1 if state == "before_set" else 0)
    expect(page.locator(DISH)).to_have_count(1)


@pytest.mark.parametrize(
    ("state", "does", "told"),
    [
        ("before_caught", "accuse", r"caught!|was a bluff|bluffed|right: you"),
        ("before_true", "accuse", r"true\b|couldn't play|wrong:"),
        ("before_won", "declare", r"wins? (\d|the round)"),
        ("before_set", "declare", r"wins|won\b|place \d|ranking"),
    ],
)
def test_nothing_tells_how_a_moment_ends_before_the_moment_does(
    visit: Visit, state: str, does: str, told: str
) -> None:
    outcome = re.compile(told, re.IGNORECASE)
    page = visit(state)
    page.evaluate(
        f"({SUSPENSE})('.board.is-fresh:is([data-verdict], [data-kind=win])')",
    )
    page.locator(f"#own button[value={does}]:enabled").click()
    page.locator("html[data-noted]").wait_for(state="attached")
    noted = page.evaluate("noted")
    found = [*noted["texts"], noted["title"], noted["live"]]
    assert [text for text in found if outcome.search(text)] == []
    expect(page.locator("#live")).to_contain_text(outcome)


def test_after_a_general_defeat_the_stake_is_put_away(visit: Visit) -> None:
    page = visit("before_defeat")
    noted = happens(page, "declare", PRIZE, VERDICT, WINNER, DISH)
    shows = noted["shows"]
    assert shows[WINNER] == shows[DISH] == []
    assert 0 < shows[PRIZE][0] < shows[VERDICT][0]
    assert noted["ends"] <= pace._LOST_MS
    expect(page.locator(VERDICT)).to_have_text("Nobody played: the stake is discarded")


@pytest.mark.parametrize(("state", "does"), [("before_true", "accuse"), ("before_won", "declare")])
def test_who_wants_less_motion_sees_all_of_it_at_once(visit: Visit, state: str, does: str) -> None:
    page = visit(state, motion="reduce")
    noted = happens(page, does, VERDICT)
    assert noted["ends"] == 0 and noted["shows"][VERDICT] == [0]
    expect(page.locator(VERDICT)).to_have_css("opacity", "1")
    expect(page.locator(".ghost")).to_be_hidden()
