"""The tutorial and the rules of Peco Peco in a real browser: by keyboard, without a script, without
barriers, on a phone.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.peco_peco.rules.moves import Move, Play
from games.peco_peco.tests.test_tutorial import fields
from games.peco_peco.tutorial.lessons import LESSONS
from tests.e2e.barriers import assert_accessible
from tests.e2e.keyboard import press, press_until
from tests.e2e.player import Player
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
LABELS = {"declare": "I can't play", "accuse": "You're bluffing!", "waive": "Let it pass"}


def make(page: Page, move: Move) -> None:
    """Make a move at the table with keys alone."""
    if isinstance(move, Play):
        held = [each.input_value() for each in page.locator("#own .hand input").all()]
        page.locator("#own .hand input:enabled").first.focus()
        place = held.index(move.card)
        card = page.locator("#own .hand input").nth(place)
        press_until(page, str(place + 1), card.is_checked)
        page.keyboard.press("Enter")
    else:
        press(page, page.get_by_role("button", name=LABELS[move.kind]))


def test_all_ten_steps_need_nothing_but_a_keyboard(
    shared_site: LiveSite, open_browser: OpenBrowser
) -> None:
    learner = open_browser(shared_site)
    page = learner.page
    learner.go("/learn/peco_peco")
    press(page, page.get_by_role("link", name="Start with step 1"))
    for step, lesson in enumerate(LESSONS, start=1):
        expect(page).to_have_url(re.compile(f"/learn/peco_peco/{step}$"))
        expect(page.get_by_role("heading", level=1, name=str(lesson.title))).to_be_focused()
        make(page, lesson.show)
        expect(page.locator(".reply.is-right")).to_be_focused()
        press(page, page.get_by_role("link", name="Finish" if step == 10 else "Next step"))
    ready = page.get_by_role("heading", level=1, name="You're ready to play Peco Peco")
    expect(ready).to_be_visible()
    press(page, page.get_by_role("button", name="Play now"))
    expect(page.locator("#own .hand .animal-card")).to_have_count(4)


def test_a_card_that_steals_asks_for_its_target(
    shared_site: LiveSite, open_browser: OpenBrowser
) -> None:
    learner = open_browser(shared_site)
    page = learner.page
    learner.go("/learn/peco_peco/7")
    page.locator('.held:has([value="Cs"])').click()
    page.locator('.victim[value="2"]').click()
    expect(page.locator(".reply.is-right")).to_contain_text("went under the discard pile")


def test_a_wrong_try_is_explained_and_may_be_shown(
    shared_site: LiveSite, open_browser: OpenBrowser
) -> None:
    learner = open_browser(shared_site)
    page = learner.page
    learner.go("/learn/peco_peco/4")
    make(page, Play("C"))
    expect(page.locator(".reply")).to_be_focused()
    expect(page.locator(".reply")).to_contain_text("But here, bluff")
    press(page, page.get_by_role("link", name="Show me"))
    expect(page.locator(".reply.is-right")).to_be_visible()


def test_the_first_steps_without_a_script(shared_site: LiveSite, open_browser: OpenBrowser) -> None:
    learner = open_browser(shared_site, java_script_enabled=False)
    page = learner.page
    learner.go("/learn/peco_peco/1")
    page.locator('.held:has([value="E"])').click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".reply.is-right")).to_be_visible()
    learner.link("Next step").click()
    learner.button("I can't play").click()
    expect(page.locator(".reply")).to_contain_text("Play your mouse")


@pytest.mark.slow
def test_the_pages_have_no_barriers(shared_site: LiveSite, open_browser: OpenBrowser) -> None:
    learner = open_browser(shared_site)
    answers = [
        f"{step}?"
        + "&".join(f"{name}={value}" for name, value in fields(LESSONS[step - 1].show).items())
        for step in (1, 5, 6, 8, 10)
    ]
    paths = ["/rules/peco_peco", "/learn/peco_peco", "/learn/peco_peco/finished"]
    paths += [f"/learn/peco_peco/{step}" for step in (1, 7, 9, "2?do=declare", *answers)]
    for path in paths:
        learner.go(path)
        assert_accessible(learner, widths=(320, 1280))


def test_on_a_phone_the_question_and_the_controls_fit_one_screen(
    shared_site: LiveSite, open_browser: OpenBrowser
) -> None:
    learner = open_browser(shared_site, viewport={"width": 360, "height": 740})
    for step in range(1, len(LESSONS) + 1):
        learner.go(f"/learn/peco_peco/{step}")
        own = learner.page.locator("#own").bounding_box()
        assert own is not None
        assert own["y"] + own["height"] <= 740 + 1, step
        for part in (".ask", ".discard .animal-card"):
            box = learner.page.locator(f".lesson {part}").bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= own["y"] + 1, f"{part} of step {step}"
