"""A whole game played blind: every step chosen from the accessibility tree, every press a key."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import CDPSession

from tests.e2e.player import GAME_PATIENCE, Player
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]


@dataclass(frozen=True)
class Thing:
    """One entry of the tree a screen reader is given."""

    role: str
    name: str
    value: str
    disabled: bool
    focused: bool

    def is_ready(self, role: str, beginning: str) -> bool:
        return self.role == role and self.name.startswith(beginning) and not self.disabled


class Listener:
    """Somebody with a screen reader and a keyboard, and neither eyes nor a mouse."""

    def __init__(self, player: Player) -> None:
        self.keyboard = player.page.keyboard
        self.wait = player.page.wait_for_timeout
        self._reader: CDPSession = player.page.context.new_cdp_session(player.page)
        self._reader.send("Accessibility.enable")

    def things(self) -> list[Thing]:
        nodes = self._reader.send("Accessibility.getFullAXTree")["nodes"]
        return [_thing(node) for node in nodes if not node.get("ignored")]

    def finds(self, role: str, beginning: str) -> bool:
        return any(thing.is_ready(role, beginning) for thing in self.things())

    def tab_to(self, role: str, beginning: str) -> bool:
        """Tab until the reader says so; False when it is gone before that."""
        for _ in range(60):
            things = self.things()
            here = next((thing for thing in reversed(things) if thing.focused), None)
            if here and here.role == role and here.name.startswith(beginning):
                return True
            if not any(thing.is_ready(role, beginning) for thing in things):
                return False
            self.keyboard.press("Tab")
        raise AssertionError(f"Tab does not come to the {role} “{beginning}”")

    def press(self, role: str, beginning: str) -> None:
        if self.tab_to(role, beginning):
            self.keyboard.press("Enter")
            self.wait(150)

    def texts(self) -> list[str]:
        return [thing.name for thing in self.things() if thing.name]


def _thing(node: dict[str, Any]) -> Thing:
    properties = {p["name"]: p["value"].get("value") for p in node.get("properties", [])}
    return Thing(
        role=node.get("role", {}).get("value", ""),
        name=str(node.get("name", {}).get("value", "")),
        value=str(node.get("value", {}).get("value", "")),
        disabled=bool(properties.get("disabled")),
        focused=bool(properties.get("focused")),
    )


def test_a_whole_game_can_be_played_by_screen_reader_and_keyboard(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site)
    player.go("/bots")
    listener = Listener(player)
    assert listener.tab_to("combobox", "Opponents")
    listener.keyboard.press("1")  # one bot: a short game
    listener.press("button", "Play now")
    player.page.wait_for_url("**/games/*")
    listener = Listener(player)
    heard: set[str] = set()
    actions = {"bid": 0, "dudo": 0, "look": 0}
    deadline = time.monotonic() + 3 * GAME_PATIENCE
    while True:
        things = listener.things()
        if any(thing.is_ready("link", "Watch the replay") for thing in things):
            break
        assert time.monotonic() < deadline, things
        for name, action in (("Continue", "look"), ("Dudo!", "dudo"), ("Bid", "bid")):
            if any(thing.is_ready("button", name) for thing in things):
                heard.update(thing.name for thing in things)
                listener.press("button", name)
                actions[action] += 1
                break
        else:
            listener.wait(80)

    assert all(actions.values()), actions
    heard.update(listener.texts())
    everything = " ".join(heard)
    for needed in ("Your turn", "bids", "dudo", "loses a die", "Your dice", "Final ranking"):
        assert needed in everything, needed
    listener.press("link", "Watch the replay")
    player.page.wait_for_url("**/replay/*")
