"""The pace of a table: the page moves exactly as long as the server says that it waits.

Nothing here waits for an animation: its times are read from what the browser was told to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player, play
from tests.e2e.test_clock import later as say_later
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
MOST_MS, ROLL_MS = 6_000, 1_100

# Notes of the first reveal what the server said, and what the browser's own animations will do.
NOTE = """() => document.addEventListener("site:swapped", () => {
  const reveal = document.querySelector(".reveal.is-fresh");
  if (!reveal || window.noted) return;
  const moving = document.querySelector(".shell").getAnimations({ subtree: true })
    .filter(({ effect, animationName }) =>
      effect.getTiming().iterations < 3 && animationName !== "takes-no-press"); // moves nothing
  const begins = (element) => Math.min(...element.getAnimations({ subtree: true })
    .filter(({ animationName }) => ["open", "uncover", "light-up"].includes(animationName))
    .map(({ effect }) => effect.getTiming().delay));
  const seats = [...document.querySelectorAll(".seat:has(.hand)")]
    .filter((seat) => seat.querySelector(".hand").checkVisibility()); // one's own lies in the panel
  window.noted = {
    lasts: Number(reveal.dataset.lasts),
    ends: Math.max(0, ...moving.map(({ effect }) => effect.getComputedTiming().endTime)),
    bidder: Number(document.querySelector(".seat.is-bidder").dataset.seat),
    seats: seats.map((seat) => Number(seat.dataset.seat)),
    opens: seats.map((seat) => [begins(seat), ...[...seat.querySelectorAll(".die")].map(begins)]),
    lights: moving.filter(({ animationName }) => animationName === "light-up").length,
    moved: [...new Set(moving.flatMap(({ effect }) => effect.getKeyframes().flatMap(Object.keys)))],
    told: reveal.classList.contains("is-told"),
    count: document.querySelector("[data-count]").textContent,
  };
})"""
ROLL = """() => {
  const rolls = document.querySelector(".my-dice").getAnimations({ subtree: true });
  return {
    fresh: document.querySelector("#own").classList.contains("is-fresh"),
    ends: Math.max(0, ...rolls.map(({ effect }) => effect.getComputedTiming().endTime)),
    held: document.querySelectorAll(".my-dice .die").length,
    dice: rolls.filter(({ animationName }) => animationName === "tumble").length,
    moved: [...new Set(rolls.flatMap(({ effect }) => effect.getKeyframes().flatMap(Object.keys)))],
  };
}"""
# A die lit up just before a tap, and the browser says so just after it.
LATE = """() => document.getElementById("own").dispatchEvent(
  new AnimationEvent("animationstart", { animationName: "light-up", bubbles: true }))"""
# Whatever the compositor can move by itself.
CHEAP = {"translate", "rotate", "scale", "opacity"}
_OF_A_KEYFRAME = {"offset", "easing", "composite", "computedOffset"}


def cheap(noted: dict[str, Any]) -> bool:
    return set(noted["moved"]) - _OF_A_KEYFRAME <= CHEAP


def at_a_doubt(player: Player, *, bots: int) -> None:
    player.play_now(bots=bots)
    play([player], until=lambda: player.my_turn and player.can("dudo"))


def test_hands_open_seat_by_seat_from_the_bidder_within_six_seconds(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site, reduced_motion="no-preference")
    at_a_doubt(player, bots=5)
    player.page.evaluate(NOTE)
    assert player.choose("dudo")
    noted = player.page.evaluate("noted")
    assert noted["ends"] == pytest.approx(noted["lasts"])
    assert noted["lasts"] <= MOST_MS
    assert cheap(noted), noted["moved"]
    opened = sorted(zip(noted["opens"], noted["seats"], strict=True))
    first = noted["seats"].index(noted["bidder"])
    clockwise = noted["seats"][first:] + noted["seats"][:first]
    assert [seat for _, seat in opened] == clockwise
    dice = [shows for shows, _ in opened]
    assert [step for hand in dice for step in hand] == sorted(
        step for hand in dice for step in hand
    )
    assert (noted["told"], noted["count"]) == (
        False,
        "0" if noted["lights"] else noted["count"],
    )
    count = player.page.locator("[data-count]").first
    expect(count).to_have_text(str(count.get_attribute("data-count")))


def test_a_reveal_goes_on_when_somebody_continues_and_ends_with_a_tap_or_a_reload(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player, other = (
        open_browser(unhurried_site, name, reduced_motion=motion)
        for name, motion in (("Paloma", "no-preference"), ("Pavel", "reduce"))
    )
    for one in (player, other):
        one.register()
    other.sit(player.open_table(seats=2))
    player.button("Start the game").click()
    play([player, other], until=lambda: player.my_turn and player.can("dudo"))
    assert player.choose("dudo")
    assert other.choose("confirm")
    player.wait_for_newer(player.seq - 1)
    reveal = player.page.locator(".reveal")
    expect(player.page.locator(".seat.is-done")).to_have_count(1)
    expect(reveal).to_have_class("middle reveal is-fresh")
    begun = player.page.evaluate(
        "parseFloat(document.documentElement.style.getPropertyValue('--reveal-begin'))"
    )
    assert begun < 0, "it goes on from where it was"
    player.page.locator(".count").click()
    expect(reveal).to_have_class("middle reveal is-fresh is-told")
    count = player.page.locator("[data-count]").first
    player.page.evaluate(LATE)
    assert count.inner_text() == count.get_attribute("data-count")
    player.page.reload()
    expect(reveal).not_to_have_class("middle reveal is-fresh")
    assert count.inner_text() == count.get_attribute("data-count")


def test_who_gets_a_reveal_too_late_to_see_all_of_it_sees_its_end(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site, reduced_motion="no-preference")
    say_later(player.page, ms=601_000)  # the site shows it for 600 s
    at_a_doubt(player, bots=2)
    player.page.evaluate(NOTE)
    assert player.choose("dudo")
    count = player.page.locator("[data-count]").first
    assert player.page.evaluate("noted.told")
    assert player.page.evaluate("noted.count") == count.get_attribute("data-count")


def test_who_wants_less_motion_sees_the_end_of_a_reveal_at_once(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site, reduced_motion="reduce")
    at_a_doubt(player, bots=2)
    player.page.evaluate(NOTE)
    assert player.choose("dudo")
    count = player.page.locator("[data-count]").first
    assert player.page.evaluate("noted.lights") == 0
    assert player.page.evaluate("noted.count") == count.get_attribute("data-count")
    play([player], until=lambda: player.phase == "turn")
    if player.hand.count():
        assert player.page.evaluate(ROLL)["ends"] == 0


def test_ones_dice_are_rolled_once_a_round(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site, reduced_motion="no-preference")
    player.play_now(bots=1)
    if player.my_turn and player.page.locator(".bid.is-none").count():
        # nothing is swapped before this player opens the round
        expect(player.page.locator("#own")).to_have_class(re.compile("is-fresh"))
    player.page.evaluate(
        f"""() => document.addEventListener("site:swapped", () => {{
          const own = document.querySelector("#own");
          const round = own.dataset.fresh;
          window.rolls ??= [];
          window.known ??= new Set();
          const dice = own.querySelector(".my-dice");
          if (!dice) return;
          const begun = dice.getAnimations({{ subtree: true }}).filter((one) => !known.has(one));
          for (const animation of begun) known.add(animation);
          // At a reveal those that count nod.
          const names = begun.map((one) => one.animationName).filter((name) => name !== "nod");
          rolls.push([round, {{ ...({ROLL})(), begun: names }}]);
        }})"""
    )
    play([player], until=lambda: player.phase == "reveal")
    play([player], until=lambda: player.my_turn and player.can("dudo"))
    by_round: dict[str, list[dict[str, Any]]] = {}
    for round_, roll in player.page.evaluate("rolls"):
        by_round.setdefault(round_, []).append(roll)
    by_round.pop("roll-1", None)  # its roll came with the page
    for first, *later in by_round.values():
        assert first["fresh"]
        assert 0 < first["ends"] <= ROLL_MS
        assert first["dice"] == first["held"]
        assert cheap(first), first["moved"]
        assert [roll["begun"] for roll in later if roll["begun"]] == []
    assert any(len(rolls) > 1 for rolls in by_round.values())
    player.page.reload()
    assert not player.page.evaluate(ROLL)["fresh"], "a reload rolls no dice"
