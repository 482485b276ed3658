"""The bids of a round are listed beside the table or below it, and nothing covers them."""

from __future__ import annotations

import pytest

from tests.e2e.boxes import Screens, resize

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.parametrize("game_screens", ["perudo"], indirect=True, scope="module"),
]

SIZES = ((360, 740), (740, 360), (1280, 720))
# As many bids as a long round has.
LENGTHENED = """(list) => {
  while (list.children.length < 14) list.append(list.lastElementChild.cloneNode(true));
}"""
# What lies over the part of a bid that is on the screen: before anybody scrolls, and once each bid
# was scrolled to, as far as what it lies in shows it.
COVERED = """(chat) => {
  document.getElementById("talk-panel").open = chat;
  const bids = [...document.querySelectorAll(".bids > li")];
  const shown = (bid) => {
    let { left, top, right, bottom } = bid.getBoundingClientRect();
    for (let e = bid.parentElement; e; e = e.parentElement) {
      const edge = e.getBoundingClientRect(), { overflowX, overflowY } = getComputedStyle(e);
      if (overflowY !== "visible" && e !== document.body)
        [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
      if (overflowX !== "visible" && e !== document.body)
        [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
    }
    [left, top] = [Math.max(left, 0), Math.max(top, 0)];
    [right, bottom] = [Math.min(right, innerWidth), Math.min(bottom, innerHeight)];
    return [left, top, right, bottom];
  };
  const over = (bid) => {
    const [left, top, right, bottom] = shown(bid);
    if (right - left < 8 || bottom - top < 8) return [];
    return [.02, .25, .5, .75, .98].flatMap((x) => [.15, .5, .85].flatMap((y) => {
      const e = document.elementFromPoint(left + x * (right - left), top + y * (bottom - top));
      if (!e || bid.contains(e) || e === bid.parentElement) return []; // or between two of them
      return [e.id || (e.className.baseVal ?? e.className)];
    }));
  };
  scrollTo(0, 0);
  document.querySelector(".margin").scrollTop = 0;
  const faults = bids.flatMap(over).map((e) => `${e} at first`);
  for (const [at, bid] of bids.entries()) {
    bid.scrollIntoView({ block: "center", behavior: "instant" });
    const [left, top, right, bottom] = shown(bid), { width, height } = bid.getBoundingClientRect();
    if (right - left < width - 1 || bottom - top < height - 1) faults.push(`bid ${at} is cut off`);
    faults.push(...over(bid).map((e) => `${e} over bid ${at}`));
  }
  return [...new Set(faults)];
}"""


def test_nothing_covers_the_list_of_bids(game_screens: Screens) -> None:
    """With two players and six, upright, lying and on a desktop, with the chat folded or open."""
    found = {}
    for seats in (2, 6):
        page = game_screens.go("it", "highest", seats)
        page.locator(".bids").evaluate(LENGTHENED)
        for size in SIZES:
            resize(page, size)
            for chat in (False, True):
                if covered := page.evaluate(COVERED, chat):
                    found[f"{seats} seats, {size}, chat open: {chat}"] = covered
    assert found == {}
