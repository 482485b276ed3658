"""The pace of a reveal: the page moves exactly as long as the server says that it waits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player, play
from tests.live import LiveSite

pytestmark = pytest.mark.e2e

Newcomer = Callable[..., Player]

# Notes of the first reveal what the server said, and what the browser's own animations will do.
NOTE = """() => document.addEventListener("site:swapped", () => {
  const reveal = document.querySelector(".reveal.is-fresh");
  if (!reveal || window.noted) return;
  const timed = (within) => document.querySelector(".board").getAnimations({ subtree: true })
    .filter(({ animationName }) => !within || animationName === within)
    .map(({ effect }) => effect.getComputedTiming());
  window.noted = {
    said: { lasts: Number(reveal.dataset.lasts), die: Number(reveal.dataset.die) },
    ends: Math.max(...timed().map(({ endTime }) => endTime)),
    lights: timed("light-up").map(({ delay }) => delay).sort((a, b) => a - b),
    told: reveal.classList.contains("is-told"),
    count: document.querySelector("[data-count]").textContent,
  };
})"""


def at_a_doubt(player: Player, *, bots: int) -> None:
    player.play_now(bots=bots)
    play([player], until=lambda: player.my_turn and player.may("dudo"))


def test_a_reveal_moves_exactly_as_long_as_the_server_says(
    quick_site: LiveSite, newcomer: Newcomer
) -> None:
    player = newcomer(quick_site, reduced_motion="no-preference")
    at_a_doubt(player, bots=5)
    player.page.evaluate(NOTE)
    assert player.choose("dudo")
    noted = player.page.evaluate("noted")
    said, lights = noted["said"], noted["lights"]
    assert noted["ends"] == pytest.approx(said["lasts"])
    steps = [later - sooner for sooner, later in zip(lights, lights[1:], strict=False)]
    assert steps == [pytest.approx(said["die"])] * (len(lights) - 1)
    assert (noted["told"], noted["count"]) == (False, "0" if lights else noted["count"])
    count = player.page.locator("[data-count]")
    expect(count).to_have_text(str(count.get_attribute("data-count")))


def test_who_gets_a_reveal_too_late_to_see_all_of_it_sees_its_end(
    quick_site: LiveSite, newcomer: Newcomer
) -> None:
    player = newcomer(quick_site, reduced_motion="no-preference")
    at_a_doubt(player, bots=2)
    player.page.evaluate(NOTE)
    player.page.evaluate("document.documentElement.dataset.skew = -601000")  # the site shows 600 s
    assert player.choose("dudo")
    count = player.page.locator("[data-count]")
    assert player.page.evaluate("noted.told")
    assert player.page.evaluate("noted.count") == count.get_attribute("data-count")


def test_who_wants_less_motion_sees_the_end_of_a_reveal_at_once(
    quick_site: LiveSite, newcomer: Newcomer
) -> None:
    player = newcomer(quick_site, reduced_motion="reduce")
    at_a_doubt(player, bots=2)
    player.page.evaluate(NOTE)
    assert player.choose("dudo")
    count = player.page.locator("[data-count]")
    assert player.page.evaluate("noted.lights") == []
    assert player.page.evaluate("noted.count") == count.get_attribute("data-count")
