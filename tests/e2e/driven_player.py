"""A player at a page of a browser that is driven over WebDriver: real presses; see player.Player.

Playwright supports neither the Firefox that people install nor WebKit as Debian has it.
firefox_player.py and webkit_player.py tell their browsers what is described here.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from tests.e2e.player import CHOICES, COUNTS, PATIENCE, SHOWN_STATE, WIDER_THAN_SCREEN

POLL = 0.04  # seconds between two looks at a page

# Special keys, as WebDriver writes them.
KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "End": "\ue010",
    "Home": "\ue011",
    "Escape": "\ue00c",
    "ArrowLeft": "\ue012",
    "ArrowRight": "\ue014",
}
CONTROL = "\ue009"

_SHOWN = """(selector, text) => [...document.querySelectorAll(selector)]
  .some((element) => element.checkVisibility() && element.textContent.includes(text))"""
_TEXTS = """(selector) => [...document.querySelectorAll(selector)]
  .map((element) => element.innerText.trim())"""

# The first element that matches, has this text and can be pressed: its middle is on the screen and
# nothing lies over it. A page that is new, or scrolled for this, must first be drawn: until then a
# press may go to where things were.
FIND_PRESSABLE = """(selector, text) => {
  const next = requestAnimationFrame;
  const draw = () => next(() => next(() => (window.drawn = true)));
  const hit = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const top = width && height && document.elementFromPoint(x + width / 2, y + height / 2);
    return top && element.contains(top);
  };
  if (document.readyState !== "complete" || !window.drawn) return void draw();
  const found = [...document.querySelectorAll(selector)].filter((element) =>
    !element.matches(":disabled") && element.innerText.trim().startsWith(text));
  const ready = found.find(hit);
  if (ready) return ready;
  for (const element of found) {
    element.scrollIntoView({ block: "center", behavior: "instant" });
    if (hit(element)) return void (window.drawn = false);
  }
}"""


class BrowserRefused(Exception):
    """The browser did not do what it was told: the element or the page is gone, for example."""


class DrivenPlayer(ABC):
    """One person with cookies and storage of their own, and one window of their own."""

    def __init__(self, site: str, name: str) -> None:
        self.site, self.name = site, name
        self.errors: list[str] = []

    @abstractmethod
    def close(self) -> list[str]:
        """Close the page and forget the person; returns what went wrong meanwhile."""

    @abstractmethod
    def errors_so_far(self) -> str:
        """What went wrong so far, in one text."""

    @abstractmethod
    def evaluate(self, function: str, *arguments: str) -> Any:
        """What a function returns on the page; None for undefined. It may be asynchronous."""

    @abstractmethod
    def go(self, path: str) -> None: ...

    @abstractmethod
    def reload(self) -> None: ...

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Give the page this size, in CSS pixels."""

    @abstractmethod
    def try_press(self, selector: str, text: str) -> bool:
        """Press what REACH finds, at its middle; False: nothing yet."""

    @abstractmethod
    def send_keys(self, *strokes: tuple[str, str]) -> None:
        """Move keys: ("keyDown" or "keyUp", character or value of KEYS)."""

    # --- looking --------------------------------------------------------------------------------

    def is_shown(self, selector: str, text: str = "") -> bool:
        """Whether something visible matches that has this text in it."""
        return bool(self.evaluate(_SHOWN, selector, text))

    def texts(self, selector: str) -> list[str]:
        return list(self.evaluate(_TEXTS, selector))

    @property
    def seq(self) -> int:
        """The number of what the page shows; -1 where there is no table."""
        return int(self.evaluate("() => document.getElementById('table')?.dataset.seq ?? -1"))

    @property
    def phase(self) -> str:
        return str(self.evaluate("() => document.getElementById('table')?.dataset.phase ?? ''"))

    @property
    def choices(self) -> list[str]:
        """The buttons that the own place offers now, by value."""
        return list(self.evaluate(CHOICES))

    def shown_state(self) -> list[str]:
        """The table and the own place, as far as they depend on the game alone."""
        return list(self.evaluate(SHOWN_STATE))

    def wider_than_screen(self) -> list[str]:
        """What is wider than the screen."""
        return list(self.evaluate(WIDER_THAN_SCREEN))

    def wait_for(
        self, true: Callable[[], bool], patience: float = PATIENCE, what: str = ""
    ) -> None:
        """Waits until something is so; a page that is just being left is asked again."""
        deadline = time.monotonic() + patience
        refused: BrowserRefused | None = None
        while True:
            try:
                if true():
                    return
            except BrowserRefused as reason:
                refused = reason
            if time.monotonic() > deadline:
                who, at = self.name or "somebody", f"{self.phase} {self.seq} {self.choices}"
                raise AssertionError(f"{who} waited in vain {what} (at {at})") from refused
            time.sleep(POLL)

    def wait_until_shown(self, selector: str, text: str = "") -> None:
        self.wait_for(lambda: self.is_shown(selector, text), what=f"{selector} {text}")

    # --- doing ----------------------------------------------------------------------------------

    def click(self, selector: str, text: str = "", patience: float = PATIENCE) -> None:
        """Press the first match whose text begins like this, at its middle."""
        self.wait_for(lambda: self.try_press(selector, text), patience, f"{selector} {text}")

    def choose(self, do: str, where: str = "") -> bool:
        """Press a button of the own place, the one with this value or the one at `where`.

        False when the table moved on meanwhile.
        """
        before = self.seq
        if do == "confirm" and self.evaluate(COUNTS):
            self.press("Escape")
        try:
            self.click(where or f"#own button[value={do}]:enabled", patience=2)
        except AssertionError:
            return False
        self.wait_for(lambda: self.seq > before)
        return True

    def press(self, *keys: str) -> None:
        """Press keys one after the other: characters, or names of KEYS."""
        signs = [KEYS.get(key, key) for key in keys]
        self.send_keys(*((how, sign) for sign in signs for how in ("keyDown", "keyUp")))

    def tab_to(self, selector: str) -> None:
        """Press Tab until a match has the focus."""
        for _ in range(80):
            if self.evaluate("(s) => document.activeElement.matches(s)", selector):
                return
            self.press("Tab")
        raise AssertionError(f"Tab does not come to {selector}")

    def paste(self) -> None:
        """Press Ctrl+V."""
        self.send_keys(("keyDown", CONTROL), ("keyDown", "v"), ("keyUp", "v"), ("keyUp", CONTROL))

    def fill(self, selector: str, text: str) -> None:
        """Press a field and type; what it held is replaced."""
        self.click(selector)
        self.evaluate("(selector) => document.querySelector(selector).select()", selector)
        self.press(*text)
