"""A decision of a finished game as a question: asked in its replay, chosen by a friend."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.boxes import PHONE, SIZES, SMALLEST, TWICE, faults, larger_text, look, resize
from tests.e2e.conftest import FinishedGame
from tests.e2e.keyboard import press, tab_to
from tests.e2e.player import wider_than_screen
from tests.e2e.test_replay_boxes import UNSEEN
from tests.e2e.test_ring import COVERED
from tests.e2e.test_ring import SIZES as SCREENS
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

# By game, a choice that its player can always make.
GAMES = {"perudo": "dudo", "peco_peco": "declare"}
# What was called, and what one holds.
SEEN = {
    "perudo": (".bid", ".my-dice .die"),
    "peco_peco": (".discard .animal-card", "#own .held"),
}
LYING = ((740, 360), (640, 360), (844, 390))  # phones on their side
ASK = "Ask friends: what would you do?"


class Asker:
    """A player of a finished game, at its replay; and the browsers of friends."""

    def __init__(self, browser: Browser, site: LiveSite, path: str, key: str) -> None:
        self.browser, self.site, self.path = browser, site, path
        self.contexts: list[BrowserContext] = []
        mine = self.context()
        mine.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
        self.page = mine.new_page()

    def context(self, **options: object) -> BrowserContext:
        made = self.browser.new_context(**{"locale": "en", "reduced_motion": "reduce"} | options)  # type: ignore[arg-type]
        self.contexts.append(made)
        return made

    def go(self, moment: int) -> None:
        self.page.goto(f"{self.site.url}{self.path}/replay/{moment}")

    def last(self) -> int:
        """The last moment that shows a decision."""
        self.go(1)
        moment = int(self.page.locator("#replay-at").get_attribute("max") or 0)
        while self.page.locator("#ask").is_hidden():
            self.go(moment := moment - 1)
        return moment

    def ask(self, moment: int, *, nameless: bool = False) -> str:
        """The address that a friend is sent."""
        self.go(moment)
        if nameless:
            self.page.get_by_label("without names").check()
        self.page.get_by_role("button", name=ASK).click()
        expect(self.page.get_by_text("Here's your question.")).to_be_visible()
        link = self.page.locator("#share")
        expect(link).to_have_value(re.compile(f"^{re.escape(self.site.url)}/q/\\w+$"))
        return link.input_value()


@pytest.fixture
def asker(
    browser: Browser, finished_game: Callable[[str], FinishedGame]
) -> Iterator[Callable[[str], Asker]]:
    made: list[Asker] = []

    def at(game: str) -> Asker:
        made.append(Asker(browser, *finished_game(game)))
        return made[-1]

    yield at
    for each in made:
        for context in each.contexts:
            context.close()


def choose(page: Page, game: str) -> None:
    page.locator(f"#own button[value={GAMES[game]}]").click()


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("game", GAMES)
def test_a_friend_chooses_on_a_phone_and_sees_every_hand(
    asker: Callable[[str], Asker], game: str, script: bool
) -> None:
    asks = asker(game)
    link = asks.ask(3)
    friend = asks.context(
        java_script_enabled=script, viewport={"width": 360, "height": 740}
    ).new_page()
    friend.goto(link)
    expect(friend.locator("#question-title")).to_be_visible()
    expect(friend.get_by_text("Watch what happened")).to_have_count(0)
    choose(friend, game)
    expect(friend.locator(".reply")).to_contain_text("Your choice:")
    friend.get_by_role("link", name="Watch what happened").click()
    expect(friend).to_have_url(re.compile(r"/replay/3$"))


@pytest.mark.parametrize("game", GAMES)
def test_without_names_nothing_leads_to_the_game(asker: Callable[[str], Asker], game: str) -> None:
    asks = asker(game)
    friend = asks.context().new_page()
    friend.goto(asks.ask(3, nameless=True))
    choose(friend, game)
    expect(friend.locator(".reply")).to_contain_text("Your choice:")
    expect(friend.get_by_role("link", name="Watch what happened")).to_have_count(0)
    assert friend.locator("a[href*='/games/']").count() == 0
    assert friend.locator("a[href*='/players/']").count() == 0


def test_what_is_asked_follows_the_steps_of_the_replay(asker: Callable[[str], Asker]) -> None:
    asks = asker("perudo")
    asks.go(1)
    ask = asks.page.locator("#ask")
    expect(ask).to_be_hidden()  # nobody has decided anything yet
    asks.page.keyboard.press("ArrowRight")
    expect(ask).to_be_visible()
    asks.page.keyboard.press("ArrowRight")
    expect(ask.locator("[name=moment]")).to_have_value("3")
    asks.page.keyboard.press("Home")
    expect(ask).to_be_hidden()


def test_a_question_is_answered_by_keyboard(asker: Callable[[str], Asker]) -> None:
    asks = asker("perudo")
    friend = asks.context().new_page()
    friend.goto(asks.ask(3))
    tab_to(friend, friend.locator('input[name="face"]:checked'))
    friend.keyboard.press("Enter")
    expect(friend.locator(".reply")).to_be_focused()
    press(friend, friend.get_by_role("link", name="Choose again"))
    expect(friend.locator("#question-title")).to_be_focused()


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_the_question_and_the_controls_fit_every_screen(
    asker: Callable[[str], Asker], game: str, language: str
) -> None:
    asks = asker(game)
    links = [asks.ask(3), asks.ask(asks.last())]
    friend = asks.context(locale=language).new_page()
    found: dict[str, list[str]] = {}
    for link in links:
        for place, needed in (
            ("", ("#question-title", "#own button[name=do]")),
            (f"?do={GAMES[game]}", ("#question-title",)),
        ):
            friend.goto(f"{link}{place}")
            for size in SIZES:
                resize(friend, size)
                unseen = friend.evaluate(UNSEEN, list(needed)) + wider_than_screen(friend)
                if unseen:
                    found[f"{place} {size}"] = unseen
    assert found == {}


@pytest.mark.parametrize("game", GAMES)
def test_nothing_covers_who_sits_at_the_table_of_a_question(
    asker: Callable[[str], Asker], game: str
) -> None:
    """Before a choice and after it, in the fullest game."""
    asks = asker(game)
    link = asks.ask(3)
    friend = asks.context(locale="it").new_page()
    found: dict[str, list[str]] = {}
    for place in ("", f"?do={GAMES[game]}"):
        friend.goto(f"{link}{place}")
        for size in SCREENS:
            resize(friend, size)
            if covered := friend.evaluate(COVERED):
                found[f"{place} {size}"] = covered
    assert found == {}


@pytest.mark.parametrize("game", GAMES)
def test_the_panel_of_a_question_hides_nobody_on_a_phone_on_its_side(
    asker: Callable[[str], Asker], game: str
) -> None:
    """The question, who sits there, what was called and what one can do are all in sight."""
    asks = asker(game)
    needed = (
        "#question-title",
        ".seat-name",
        *SEEN[game],
        "#own button[name=do]",
    )
    friend = asks.context(locale="it").new_page()
    friend.goto(asks.ask(3))
    assert dict(faults(friend, needed, LYING)) == {}


@pytest.mark.parametrize("game", GAMES)
def test_the_panel_of_a_lesson_hides_nothing_of_the_table_on_a_phone_on_its_side(
    asker: Callable[[str], Asker], game: str
) -> None:
    asks = asker(game)
    learner = asks.context(locale="fr").new_page()
    for step in (2, 3, 5):
        learner.goto(f"{asks.site.url}/learn/{game}/{step}")
        for size in LYING:
            resize(learner, size)
            board, own = (learner.locator(part).bounding_box() for part in (".board", "#own"))
            assert board is not None and own is not None
            assert board["x"] + board["width"] <= own["x"], (step, size)
            assert own["y"] + own["height"] <= size[1] + 0.5, (step, size)
            assert look(learner, (), chat_is_open=None) == [], (step, size)


@pytest.mark.parametrize("game", GAMES)
def test_text_of_twice_the_size_is_not_cut(asker: Callable[[str], Asker], game: str) -> None:
    asks = asker(game)
    link = asks.ask(3)
    friend = asks.context(locale="es").new_page()
    found: dict[str, list[str]] = {}
    for place in ("", f"?do={GAMES[game]}", "?do=nonsense"):
        friend.goto(f"{link}{place}")
        for size in (SMALLEST[0], PHONE, (740, 360), (1280, 720)):
            resize(friend, size)
            for pixels, alone in TWICE:
                with larger_text(friend, pixels=pixels, alone=alone):
                    wide = wider_than_screen(friend)
                if wide:
                    found[f"{place} {size} {alone}"] = wide
    assert found == {}
