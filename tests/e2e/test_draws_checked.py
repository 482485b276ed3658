"""A reader's browser computes the draws of a finished game, and agrees with verify.py."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.player import Player
from tests.games.contract.arenas import ARENAS
from tests.games.contract.random_games import seeded
from tests.support.live_site import LiveSite
from tests.support.proven_games import proven_game, verify

pytestmark = pytest.mark.e2e

VERDICT = """async ([script, general, record]) => {
  const [{ Draws }, { verdict }] = await Promise.all([import(script), import(general)]);
  return verdict(JSON.parse(record), Draws);
}"""


def cheated(key: str, seed: int) -> dict[str, Any]:
    """A game whose server exchanged one draw for another."""
    _, server = proven_game(ARENAS[key], seed)
    at, _ = seeded(seed).choice([(at, drawn) for at, drawn in server.drawn if at.round])
    elsewhere = at._replace(number=at.number + 1_000)
    record, _ = proven_game(ARENAS[key], seed, at=at, change=lambda _, draw: draw(elsewhere))
    return record


def flipped(record: dict[str, Any], generator: Any) -> dict[str, Any]:
    """A record in which one digit of its proof is another."""
    record = deepcopy(record)
    name = generator.choice(["secret", "commitment", "root"])
    digits = record["proof"][name]
    record["proof"][name] = f"{int(digits[0], 16) ^ 1:x}{digits[1:]}"
    return record


@pytest.mark.parametrize("key", ARENAS)
def test_a_browser_finds_what_the_file_finds(
    key: str, open_browser: Callable[..., Player], unhurried_site: LiveSite
) -> None:
    player = open_browser(unhurried_site)
    player.go("/rules")
    page = player.page
    caught = 0
    for seed in range(40):
        record, server = proven_game(ARENAS[key], seed)
        told = checked(page, key, record)
        assert told == {"count": len(server.drawn), "sealed": True, "problems": []}, seed
        changed = cheated(key, seed)
        told = checked(page, key, changed)
        code, lines = verify.verdict(changed)
        assert bool(told["problems"]) == (code == 1), (seed, told, lines)
        assert min(20, len(told["problems"])) == min(20, len(lines) - 1 if code else 0)
        caught += code
        assert checked(page, key, flipped(record, seeded(seed)))["sealed"] is False
    assert caught >= 20  # another card may be of the same kind


def checked(page: Page, key: str, record: dict[str, Any]) -> Any:
    scripts = [f"/static/{key}/draws.js", "/static/games/draws.js"]
    return page.evaluate(VERDICT, [*scripts, json.dumps(record)])


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_stranger_checks_a_game_by_one_press(
    open_browser: Callable[..., Player], own_site: LiveSite, language: str
) -> None:
    """A game of bots is over as soon as its only person has left, and they have played it out."""
    with own_site.guest() as guest:
        form = {"preset": "asmodee_fr", "seats": "2", "pace": "", "visibility": "link"}
        path = guest.post("/games/new", data=form).url.path
        guest.post(f"{path}/add-bot", data={"kind": "steady"}).raise_for_status()
        guest.post(f"{path}/start").raise_for_status()
        guest.post(f"{path}/move", data={"do": "leave"}).raise_for_status()
    stranger = open_browser(own_site, locale=language, viewport={"width": 360, "height": 740})
    stranger.go(f"{path}/fair")
    page = stranger.page
    page.locator("#check-draws").click()
    said = page.locator("#draws-checked")
    expect(said.locator(".proved")).to_contain_text(
        {"en": "follow from the seal"}.get(language, "sceau")
    )
