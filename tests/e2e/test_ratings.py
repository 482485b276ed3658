"""Ratings on every screen, and a rated table from its form to its end by two people's fingers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.boxes import faults, resize
from tests.e2e.conftest import Arrange, served
from tests.e2e.player import Player, signed_in, wider_than_screen
from tests.e2e.robot import Robot, newcomer
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

SIZES = ((320, 568), (360, 740), (640, 360), (820, 1180), (1280, 720))
ENDED = (".ended", ".after .primary", ".after .replay-opener")
AT_THE_END = (*ENDED, ".rating-change")
NEEDED = {
    "six": AT_THE_END,
    "two": AT_THE_END,
    "eight": AT_THE_END,
    "team": AT_THE_END,
    "profile": ("h1", ".rating:first-of-type .rating-now b"),
    "board": ("h1", "ol:first-of-type > li:first-child > .rating-points"),
    "empty": ("h1",),
}


@pytest.fixture(scope="module")
def site(
    arrange: Arrange, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LiveSite, dict[str, str]]]:
    data, told = arrange("tests.e2e.arranged_ratings")
    with served(data, tmp_path_factory.mktemp("ratings") / "site") as site:
        yield site, told


@pytest.fixture
def own_site(arrange: Arrange, tmp_path: Path) -> Iterator[tuple[LiveSite, dict[str, str]]]:
    """A site for a test that changes something."""
    data, told = arrange("tests.e2e.arranged_ratings")
    with served(data, tmp_path / "site") as site:
        yield site, told


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_a_reader_looks_for_is_on_every_screen(
    site: tuple[LiveSite, dict[str, str]], visitor: Callable[..., Page], language: str
) -> None:
    where, told = site
    page = visitor(extra_http_headers={"Accept-Language": language})
    signed_in(page, where, told)
    found: dict[tuple[str, object], list[str]] = {}
    for name, needed in NEEDED.items():
        page.goto(f"{where.url}{told[name]}")
        for size, wrong in faults(page, needed, SIZES):
            found[name, size] = wrong
        for size in SIZES:
            resize(page, size)
            if wide := wider_than_screen(page):
                found[name, size] = wide
    assert found == {}


def test_a_guest_reads_what_it_would_have_been_without_scrolling(
    site: tuple[LiveSite, dict[str, str]], visitor: Callable[..., Page]
) -> None:
    where, told = site
    page = visitor(extra_http_headers={"Accept-Language": "fr"})
    signed_in(page, where, {"key": told["guest"]})
    page.goto(f"{where.url}{told['with_guest']}")
    assert dict(faults(page, ENDED, SIZES)) == {}
    upright = [size for size in SIZES if size[1] > 400]
    assert dict(faults(page, (*ENDED, ".keep-games a"), upright)) == {}


@pytest.mark.parametrize("name", ["six", "profile", "board", "empty"])
def test_nothing_is_in_the_way_of_anybody(
    site: tuple[LiveSite, dict[str, str]], visitor: Callable[..., Page], name: str
) -> None:
    where, told = site
    page = visitor()
    signed_in(page, where, told)
    page.goto(f"{where.url}{told[name]}")
    assert_accessible(page)


def test_two_people_of_one_home_are_told_before_they_play(
    own_site: tuple[LiveSite, dict[str, str]], open_browser: Callable[..., Player]
) -> None:
    where, told = own_site
    maker, friend = (newcomer(open_browser, where) for _ in range(2))
    signed_in(maker.page, where, told)
    signed_in(friend.page, where, {"key": told["friend"]})
    maker.opens(f"{where.url}/games/new")
    maker.tap("Rated")
    maker.page.get_by_label("Seats").select_option("2")
    maker.tap("Create the table")
    maker.arrives(r"/games/(?!new)\w+$")
    table = maker.page.url
    friend.opens(table)
    expect(friend.page.locator("#differs summary")).to_contain_text("rated")
    friend.tap("Join")
    # Both come from the address of this machine.
    same = "Somebody else here plays from the same address"
    expect(friend.page.locator("#own")).to_contain_text(same)
    expect(maker.page.locator("#own")).to_contain_text(same)
    maker.tap("Start the game")
    expect(maker.page.locator("#table[data-phase]")).to_be_visible()
    expect(maker.page.locator(".is-rated")).to_have_count(0)


def test_who_hides_ratings_in_the_settings_meets_none(
    own_site: tuple[LiveSite, dict[str, str]], open_browser: Callable[..., Player]
) -> None:
    where, told = own_site
    reader: Robot = newcomer(open_browser, where)
    signed_in(reader.page, where, {"key": told["friend"]})
    reader.opens(f"{where.url}{told['two']}")
    expect(reader.page.locator(".rating-change")).to_be_visible()
    reader.opens(f"{where.url}/account/")
    reader.tap("Show ratings")
    with reader.page.expect_navigation():
        reader.tap("Save")
    for name in ("two", "profile", "board"):
        reader.opens(f"{where.url}{told[name]}")
        expect(reader.page.locator(".rating-change, .rating-now, .rating-points")).to_have_count(0)
