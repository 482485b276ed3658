"""The tutorial in a real browser: by keyboard alone, without a script, without barriers."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.perudo import trainer
from games.perudo.rules.bids import PACO, Bid
from games.perudo.rules.moves import Calza, Dudo, Move
from games.perudo.tutorial.lessons import LESSONS
from tests.e2e.barriers import assert_accessible
from tests.e2e.boxes import TWICE, larger_text
from tests.e2e.keyboard import is_focused, press, press_until, tab_to
from tests.e2e.player import Player, wider_than_screen
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]


def make(page: Page, move: Move) -> None:
    """Makes a move at the table with keys alone."""
    match move:
        case Bid(quantity, face):
            number = page.get_by_label("Number of dice")
            chosen = page.locator('input[name="face"]:checked')
            tab_to(page, chosen)
            if face == PACO:
                press_until(page, "p", lambda: chosen.input_value() == str(PACO))
            else:
                for _ in range(6):
                    if chosen.input_value() == str(face):
                        break
                    page.keyboard.press("ArrowRight")
            while missing := quantity - (now := int(number.input_value())):
                sign = "+" if missing > 0 else "-"
                press_until(page, sign, lambda now=now: int(number.input_value()) != now)
            page.keyboard.press("Enter")
        case Dudo():
            dudo = page.locator("#own button[value=dudo]")
            tab_to(page, page.locator('input[name="face"]:checked'))
            press_until(page, "d", lambda: is_focused(dudo))
            page.keyboard.press("Enter")
        case Calza():
            press(page, page.get_by_role("button", name="Calza!"))


def test_all_ten_steps_need_nothing_but_a_keyboard(
    shared_site: LiveSite, open_browser: OpenBrowser
) -> None:
    learner = open_browser(shared_site)
    page = learner.page
    learner.go("/bots")
    press(page, learner.game_card().get_by_role("link", name="Learn to play in 10 short steps"))
    press(page, page.get_by_role("link", name="Start with step 1"))
    for step, lesson in enumerate(LESSONS, start=1):
        expect(page).to_have_url(re.compile(f"/learn/perudo/{step}$"))
        expect(page).to_have_title(re.compile(f"^Step {step} of 10: "))
        expect(page.get_by_role("heading", level=1, name=str(lesson.title))).to_be_focused()
        make(page, lesson.show)
        expect(page.locator(".reply.is-right")).to_be_focused()
        press(page, page.get_by_role("link", name="Finish" if step == 10 else "Next step"))
    expect(page.get_by_role("heading", level=1, name="You're ready to play Perudo")).to_be_visible()
    press(page, page.get_by_role("button", name="Play now"))
    expect(learner.hand.locator(".die")).to_have_count(5)


def test_a_wrong_try_is_explained_and_may_be_shown(
    shared_site: LiveSite, open_browser: OpenBrowser
) -> None:
    learner = open_browser(shared_site)
    page = learner.page
    learner.go("/learn/perudo/2")
    make(page, Bid(1, 4))
    expect(page.locator(".reply")).to_be_focused()
    expect(page.locator(".reply")).to_contain_text("Certainly true, but timid")
    press(page, page.get_by_role("link", name="Show me"))
    expect(page.locator(".reply")).to_contain_text("Good bid")
    page.go_back()
    make(page, Bid(4, 4))
    expect(page.locator(".reply")).to_contain_text("Good bid")


def test_the_first_three_steps_without_a_script(
    shared_site: LiveSite, open_browser: OpenBrowser
) -> None:
    learner = open_browser(shared_site, java_script_enabled=False)
    page = learner.page

    def bid(quantity: int, face: int) -> None:
        page.locator(f'.face:has([value="{face}"])').click()
        page.get_by_label("Number of dice").fill(str(quantity))
        learner.button("Bid").click()

    learner.go("/learn/perudo")
    learner.link("Start with step 1").click()
    bid(4, 5)
    expect(page.locator(".reply")).to_contain_text("you can't see it")
    bid(3, 5)
    learner.link("Next step").click()
    bid(3, 4)
    learner.link("Next step").click()
    bid(4, 6)
    expect(page.locator(".reply")).to_contain_text("Raise the number or the value, not both")
    bid(3, 6)
    expect(page.locator(".reply")).to_contain_text("Nice raise")
    learner.link("Next step").click()
    expect(page.get_by_role("heading", level=1, name="Pacos are wild")).to_be_visible()


@pytest.mark.slow
def test_the_tutorial_has_no_barriers(shared_site: LiveSite, open_browser: OpenBrowser) -> None:
    learner = open_browser(shared_site)
    for address in (
        *(
            "/learn",
            "/learn/perudo",
            "/learn/perudo/finished",
            "/learn/perudo/1",
            "/learn/perudo/3?do=bid&quantity=4&face=6",
        ),
        *(
            "/learn/perudo/8",
            "/learn/perudo/8?do=bid&quantity=8&face=5",
            "/learn/perudo/8?do=bid&quantity=7&face=5",
        ),
        *("/learn/perudo/9?do=dudo", "/learn/perudo/10", "/learn/perudo/10?do=calza"),
        *("/learn/perudo/odds/77", "/learn/perudo/odds/77?said=y"),
        *("/learn/perudo/odds/77?said=yyyyyyy&next", "/learn/perudo/odds/77?said=yyyyyyyn"),
        "/learn/perudo/odds/77?said=yyyyynnnnn&next",
    ):
        learner.go(address)
        assert_accessible(learner, widths=(360, 1280))


def test_on_a_phone_question_bid_and_controls_fit_one_screen(
    shared_site: LiveSite, open_browser: OpenBrowser
) -> None:
    learner = open_browser(shared_site, viewport={"width": 360, "height": 740})
    for step, _ in enumerate(LESSONS, start=1):
        learner.go(f"/learn/perudo/{step}")
        own = learner.page.locator("#own").bounding_box()
        for part in (".ask", ".bid", ".said-by"):
            box = learner.page.locator(f".lesson {part}").bounding_box()
            assert box and own
            assert box["y"] + box["height"] <= own["y"], f"step {step}: {part} is covered"
        assert own["y"] + own["height"] <= 740, f"step {step}"


def test_the_odds_trainer_needs_nothing_but_a_keyboard(
    shared_site: LiveSite, open_browser: OpenBrowser
) -> None:
    learner = open_browser(shared_site)
    page = learner.page
    learner.go("/learn/perudo")
    press(page, page.get_by_role("link", name="Train your eye for odds"))
    for number in range(1, 11):
        expect(page.get_by_text(f"Question {number} of 10")).to_be_visible()
        press(page, page.get_by_role("link", name="More likely true" if number < 8 else "Dudo!"))
        expect(page.locator(".reply")).to_be_focused()
        press(
            page, page.get_by_role("link", name="Your score" if number == 10 else "Next question")
        )
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"\d+ of 10 right"))
    expect(page.locator(".odds-answers li")).to_have_count(10)


def long_questions() -> list[int]:
    """Seeds whose first question shows five dice, and palifico besides."""
    asked = {seed: trainer.odds_question(seed, 1).values for seed in range(400)}
    five = [seed for seed, values in asked.items() if len(values["hand"]) == 5]
    return [five[0], next(seed for seed in five if asked[seed]["palifico"])]


@pytest.mark.parametrize("size", [(320, 568), (568, 320), (360, 740), (1280, 720)])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_question_and_both_answers_fit_one_screen(
    shared_site: LiveSite, open_browser: OpenBrowser, language: str, size: tuple[int, int]
) -> None:
    """And the reply, with what leads on."""
    width, height = size
    learner = open_browser(
        shared_site,
        locale=language,
        java_script_enabled=False,
        viewport={"width": width, "height": height},
    )
    for seed in long_questions():
        for said in ("", "?said=y", "?said=n", "?said=yyyyyyy&next"):
            learner.go(f"/learn/perudo/odds/{seed}{said}")
            boxes = [each.bounding_box() for each in learner.page.locator(".answers a").all()]
            assert len(boxes) == (1 if said in ("?said=y", "?said=n") else 2)
            for box in boxes:
                assert box and box["y"] + box["height"] <= height, (seed, said, box)
                assert box["x"] >= 0 and box["x"] + box["width"] <= width
                assert box["height"] >= 44


def test_text_of_twice_the_size_is_not_cut_in_the_odds_trainer(
    shared_site: LiveSite, open_browser: OpenBrowser
) -> None:
    learner = open_browser(shared_site, locale="es", viewport={"width": 320, "height": 568})
    for said in ("", "?said=n", "?said=yyyyyyy&next", "?said=yyyyyyyn", "?said=yyyyynnnnn&next"):
        learner.go(f"/learn/perudo/odds/{long_questions()[1]}{said}")
        for pixels, alone in TWICE:
            with larger_text(learner.page, pixels=pixels, alone=alone):
                assert wider_than_screen(learner.page) == [], (said, alone)
