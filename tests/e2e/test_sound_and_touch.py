"""Sounds and vibration: offered once, in the first game, and each heard as it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response, expect

from tests.e2e.boxes import Tables
from tests.e2e.conftest import Arrange, arranged_site
from tests.e2e.loudspeaker import LISTEN, heard, is_running, pitches, visit_with_sound
from tests.e2e.player import Player, is_over, play, wait_for
from tests.e2e.test_accessible import assert_accessible
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]

GAINS = """
window.gains = [];
window.GainNode = class extends GainNode {
  constructor(...options) { super(...options); gains.push(this); }
};
"""
MOVES = "no-preference"
# In semitones above the file: knocks, the highest die, and notes.
DUDO, TOP = [0, -2], 7
GOOD, BAD, NEUTRAL = [0, 4, 7, 12], [-6, -9, -12], [-5, 2]
VICTORY = [0, 4, 7, 12, 7, 12, 4, 7, 12, 16]
QUESTION = "#hint-sound"
LOUDNESS = "gains[0].gain.value"


def at_the_question(site: LiveSite, open_browser: OpenBrowser) -> Player:
    """In a first game, played until the other hints have been put away."""
    player = open_browser(site)
    player.page.add_init_script(LISTEN + GAINS)
    player.play_now(bots=1)
    play([player], until=lambda: player.page.locator(QUESTION).is_visible())
    return player


def test_sounds_are_offered_once_with_a_volume_that_is_kept_and_the_device_vibrates(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = at_the_question(unhurried_site, open_browser)
    volume = player.page.get_by_label("Volume")
    expect(volume).to_be_hidden()
    assert player.page.evaluate("buzzed") == []
    player.button("Turn on").click()
    expect(player.button("Sound")).to_have_attribute("aria-pressed", "true")
    wait_for(lambda: is_running(player.page), player)
    expect(player.page.locator(QUESTION)).to_be_hidden()
    assert_accessible(player)

    usual = player.page.evaluate(LOUDNESS)
    volume.fill("3")
    assert 0 < player.page.evaluate(LOUDNESS) < usual
    volume.fill("0")
    assert player.page.evaluate(LOUDNESS) == 0

    felt: list[int] = []

    def has_felt_both() -> bool:
        felt.extend(player.page.evaluate("buzzed.splice(0)"))
        return {30, 60} <= {*felt} or is_over(player)

    play([player], until=has_felt_both)
    assert 30 in felt
    assert 60 in felt or is_over(player)
    assert 10 not in felt, "no die is shown by itself"

    player.page.reload()
    expect(player.button("Sound")).to_have_attribute("aria-pressed", "true")
    expect(volume).to_have_value("0")
    expect(player.page.locator(QUESTION)).to_be_hidden()


def test_who_says_no_is_not_asked_again(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = at_the_question(unhurried_site, open_browser)
    player.button("Hide this hint").click()
    expect(player.page.locator(QUESTION)).to_be_hidden()
    player.play_now(bots=2)
    player.wait_for_turn()
    expect(player.page.locator(QUESTION)).to_be_hidden()
    expect(player.button("Sound")).to_have_attribute("aria-pressed", "false")
    assert player.page.evaluate("buzzed") == []


# --- the files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["perudo", "peco_peco"])
def test_files_are_loaded_when_the_sound_is_on_and_all_can_be_played(
    unhurried_site: LiveSite, open_browser: OpenBrowser, game: str
) -> None:
    player = open_browser(unhurried_site)
    page = player.page
    page.add_init_script(LISTEN)
    answers: list[Response] = []
    page.on("response", lambda answer: answer.url.endswith(".wav") and answers.append(answer))
    player.go(player.post("/play-now", game=game, bots="3", strength="mixed"))
    page.wait_for_load_state("networkidle")
    assert answers == []
    player.button("Sound").click()
    wait_for(lambda: is_running(page) and heard(page) != [], player)
    named = (page.locator("#sound").get_attribute("data-sounds") or "").split()
    assert sorted(urlsplit(answer.url).path for answer in answers) == sorted(named)
    assert {answer.headers["content-type"] for answer in answers} == {"audio/wav"}
    assert sum(len(answer.body()) for answer in answers) <= 60_000
    assert page.evaluate("decoded") == len(named)
    player.button("Sound").click()
    player.button("Sound").click()
    wait_for(lambda: heard(page) != [], player)
    assert len(answers) == len(named), "they are loaded once"


def test_without_the_files_a_table_is_silent_until_they_can_be_loaded(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site)
    page = player.page
    page.add_init_script(LISTEN)
    player.play_now(bots=1)
    page.route("**/*.wav", lambda route: route.abort())
    with player.expecting_errors():
        player.button("Sound").click()
        wait_for(lambda: is_running(page), player)
        page.wait_for_load_state("networkidle")
    assert heard(page) == []
    page.unroute("**/*.wav")
    player.button("Sound").click()
    player.button("Sound").click()
    wait_for(lambda: heard(page) != [], player)


# --- a reveal ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reveals(
    arrange: Arrange, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LiveSite, Tables]]:
    folder = tmp_path_factory.mktemp("sounds")
    with arranged_site(arrange, folder, "tests.e2e.before_reveals") as arranged:
        yield arranged


@pytest.fixture
def visit(browser: Browser, reveals: tuple[LiveSite, Tables]) -> Iterator[Callable[..., Page]]:
    """Opens a table before a reveal with the sound on, as who makes it come or as a spectator."""
    site, arranged = reveals
    contexts: list[BrowserContext] = []

    def visit(state: str, seats: int = 6, *, watching: bool = False, motion: str = MOVES) -> Page:
        path, key = arranged[state][seats]
        context = browser.new_context(reduced_motion=motion)  # type: ignore[arg-type]
        if not watching:
            context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
        contexts.append(context)
        page = context.new_page()
        visit_with_sound(page, f"{site.url}{path}")
        return page

    yield visit
    for context in contexts:
        context.close()


def call(page: Page, does: str) -> None:
    page.locator(f"#own button[value={does}]:enabled").click()


def told(page: Page) -> None:
    """Waits for the end of the reveal, as the page shows it."""
    page.locator("html[data-suspense]").wait_for(state="attached")
    page.locator("html:not([data-suspense])").wait_for(state="attached")


@pytest.mark.alone  # what begins in one frame is heard once, and a busy machine drops frames
def test_each_die_that_counts_is_heard_higher_towards_the_bid_then_the_verdict(
    visit: Callable[..., Page],
) -> None:
    page, watching = visit("doubt"), visit("doubt", watching=True)
    call(page, "dudo")
    told(page)
    hits, felt = heard(page), page.evaluate("buzzed")
    assert pitches(hits, "knock")[:2] == DUDO
    assert len(pitches(hits, "lift")) == 5, "one's own lie open"
    verdict = next(hit.at for hit in hits if (hit.name, hit.pitch) == ("note", BAD[0]))
    dice = [hit.pitch for hit in hits if hit.name == "die" and hit.at < verdict]
    before_the_bid = [pitch for pitch in dice if pitch < TOP]
    assert len(before_the_bid) >= 3
    assert before_the_bid == sorted(set(before_the_bid)), "higher and higher"
    assert dice == [*before_the_bid, *[TOP] * (len(dice) - len(before_the_bid))]
    met = [hit.at for hit in hits if hit.name == "note" and hit.at < verdict]
    assert len(met) == 2, "the die that meets the bid is brighter"
    assert pitches(hits, "note")[2:5] == BAD
    assert min(hit.at for hit in hits if hit.name == "lift") > hits[0].at + 500
    assert felt == [10] * len(dice) + [60]

    told_to_them = pitches(heard(watching), "note")
    assert told_to_them[2:] == NEUTRAL, "they have no die in it"


@pytest.mark.parametrize(
    ("state", "does", "knocks"), [("too_high", "dudo", [0, -2]), ("exact", "calza", [7, 7, 2])]
)
def test_a_call_that_was_right_sounds_good_to_who_made_it(
    visit: Callable[..., Page], state: str, does: str, knocks: list[int]
) -> None:
    page = visit(state)
    call(page, does)
    told(page)
    hits = heard(page)
    assert pitches(hits, "knock") == knocks
    notes = pitches(hits, "note")
    assert notes[-4:] == GOOD
    assert len(notes) == (6 if state == "exact" else 4), "a bid that is met is brighter"


def test_a_reveal_that_is_skipped_is_heard_to_its_verdict_and_the_game_to_its_end(
    visit: Callable[..., Page],
) -> None:
    page = visit("last_doubt_re", 2)
    call(page, "dudo")
    page.locator("html[data-suspense]").wait_for(state="attached")
    assert pitches(heard(page), "note") == []
    page.keyboard.press("Escape")
    assert pitches(heard(page), "note") == [*GOOD, *VICTORY]
    page.wait_for_function(
        "() => buzzed.at(-1) === 60"
    )  # felt when the verdict is heard, not before


def test_with_less_motion_only_the_call_and_what_came_of_it_is_heard(
    visit: Callable[..., Page],
) -> None:
    page = visit("last_doubt_no", 2, motion="reduce")
    call(page, "dudo")
    page.locator("#table [data-reveal]").wait_for()
    page.wait_for_timeout(1_000)  # the verdict follows the call
    hits, felt = heard(page), page.evaluate("buzzed")
    assert pitches(hits, "lift") == []
    assert pitches(hits, "knock")[:2] == DUDO
    assert pitches(hits, "note")[:3] in (BAD, GOOD[:3])
    first_note = next(hit.at for hit in hits if hit.name == "note")
    assert all(hit.at > first_note for hit in hits if hit.name == "die"), "the die that is lost"
    assert felt == [60]
