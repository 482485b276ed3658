"""A face of one's own: chosen with the keyboard, then at the seat, and moved by what is said."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import FinishedGame
from tests.e2e.player import Player, play, wait_for
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

# Every blink that begins or ends, with how much of the closed eyes is seen then.
WATCH = """() => {
  window.blinks = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const lids = getComputedStyle(target.querySelector(".blink")).opacity;
      blinks.push(["blinks" in target.dataset, lids]);
    }
  }).observe(document.querySelector("#table"), { subtree: true, attributeFilter: ["data-blinks"] });
}"""
HIDE = "() => Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })"
A_BLINK = [[True, "1"], [False, "0"]]
# Of the first reveal: the faces that change in it, as they are when it begins.
NOTE = """() => document.addEventListener("site:swapped", () => {
  const verdict = document.querySelector(".reveal.is-fresh:not(.is-told) .verdict");
  if (!verdict || window.faces) return;
  const seen = (part) => Number(getComputedStyle(part).opacity);
  const begins = (part) => part.getAnimations().at(-1).effect.getTiming().delay;
  const changing = [...document.querySelectorAll(".seat:not([data-mood=calm]) > .avatar")];
  window.verdict = begins(verdict);
  window.faces = changing.filter((face) => face.checkVisibility()).map((face) => {
    const parts = ["calm", face.parentElement.dataset.mood];
    const [calm, mood] = parts.map((part) => face.querySelector(`.${part}`));
    return { before: [seen(calm), seen(mood)], begin: [begins(calm), begins(mood)] };
  });
})"""
FACES = """() => [...document.querySelectorAll(".seat > .avatar")].map((face) =>
  ["calm", "sure", "caught"].filter((part) =>
    getComputedStyle(face.querySelector(`.${part}`)).opacity === "1").join())"""


def test_a_face_is_chosen_with_the_keyboard_and_sits_at_the_table(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, "Fabiola")
    player.register()
    player.go("/account/")
    page = player.page
    page.get_by_role("radio", name="Automatic (from your name)").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Puma")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")  # round to the last
    expect(page.get_by_role("radio", name="Night blue")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Settings saved.")).to_be_visible()
    expect(page.get_by_role("radio", name="Puma")).to_be_checked()

    player.open_table(seats=2)
    face = page.locator(".seat > .avatar").first
    expect(face).to_have_class(re.compile("is-night"))
    expect(face.locator("use").first).to_have_attribute("href", re.compile("#puma$"))
    player.button("Easy", exact=True).click()
    expect(page.locator(".seat > svg.avatar")).to_have_count(2)
    player.button("Start the game").click()
    expect(page.locator(".seat > svg.avatar")).to_have_count(2)


def test_a_message_rises_from_the_seat_and_its_face_hops(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, "Felipe", reduced_motion="no-preference")
    player.register()
    player.open_table(seats=2)
    page = player.page
    page.get_by_role("button", name="Ha ha!").click()
    expect(page.locator(".seat .bubble")).to_have_text("Ha ha!")
    names = page.evaluate("document.getAnimations().map((each) => each.animationName)")
    assert {"rise-up", "hop"} <= set(names)
    page.emulate_media(reduced_motion="reduce")
    still = page.evaluate("document.getAnimations().map((each) => each.animationName)")
    assert not {"rise-up", "hop", "call-on", "look-up"} & set(still)


def test_a_face_blinks_now_and_then_if_somebody_can_see_it(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, reduced_motion="no-preference")
    player.play_now(bots=2)
    player.wait_for_turn()  # then nothing else moves
    page = player.page
    page.evaluate(WATCH)
    wait_for(lambda: page.evaluate("blinks.length") == 2, player)
    assert page.evaluate("blinks") == A_BLINK
    page.evaluate(HIDE)
    page.wait_for_timeout(3_000)
    assert page.evaluate("blinks") == A_BLINK
    page.evaluate("delete document.hidden")
    page.emulate_media(reduced_motion="reduce")
    page.wait_for_timeout(3_000)
    assert page.evaluate("blinks") == A_BLINK
    page.emulate_media(reduced_motion="no-preference")
    wait_for(lambda: page.evaluate("blinks.length") == 4, player)


def test_no_face_tells_how_a_reveal_ends_before_the_verdict_does(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    player = open_browser(unhurried_site, reduced_motion="no-preference")
    player.play_now(bots=5)
    play([player], until=lambda: player.my_turn and player.can("dudo"))
    assert player.page.evaluate(FACES) == ["calm"] * 6
    player.page.evaluate(NOTE)
    assert player.choose("dudo")
    verdict, faces = player.page.evaluate("[verdict, faces]")
    assert faces == [{"before": [1, 0], "begin": [verdict, verdict]}]  # the other is one's own
    player.page.locator(".count").click()  # to its end
    moods = [seat.get_attribute("data-mood") for seat in player.page.locator(".seat").all()]
    assert sorted(moods) == ["calm"] * 4 + ["caught", "sure"]
    wait_for(lambda: player.page.evaluate(FACES) == moods, player)


@pytest.mark.parametrize("page", ["replay", "board", ""])
def test_a_face_has_one_expression_on_every_page(
    finished_game: Callable[..., FinishedGame], open_browser: Callable[..., Player], page: str
) -> None:
    """A page may lack the style sheet that chooses it: then it is the calm one."""
    site, path, key = finished_game("perudo")
    player = open_browser(site, reduced_motion="reduce")
    player.page.context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    player.go(f"{path}/{page}".rstrip("/"))
    shown = player.page.evaluate(FACES)
    assert len(shown) == 6
    moods = [seat.get_attribute("data-mood") for seat in player.page.locator(".seat").all()]
    assert shown == moods
