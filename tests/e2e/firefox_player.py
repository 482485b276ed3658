"""A player at a page in Firefox: real presses of a finger, a mouse and keys; see player.Player."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from tests.e2e.firefox import Firefox, Refused
from tests.e2e.player import CHOICES, PATIENCE, SIGHT, WIDER

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
_REACH = """(selector, text) => {
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


class FirefoxPlayer:
    """One person with cookies and storage of their own, and one window of their own.

    In a window beside others a page is visible, in a tab behind others it would stand still.
    """

    def __init__(
        self,
        firefox: Firefox,
        site: str,
        name: str = "",
        *,
        size: tuple[int, int] = (1280, 800),
        touch: bool = False,
    ) -> None:
        self.firefox, self.site, self.name = firefox, site, name
        self._pointer = "touch" if touch else "mouse"
        self.troubles: list[str] = []
        self._user = firefox.command("browser.createUserContext")["userContext"]
        created = firefox.command("browsingContext.create", type="window", userContext=self._user)
        self._context: str = created["context"]
        firefox.listeners[self._context] = self._hear
        self.resize(*size)

    def leave(self) -> list[str]:
        """Close the page and forget the person; returns what went wrong meanwhile."""
        self.troubles_now()
        del self.firefox.listeners[self._context]
        self.firefox.command("browser.removeUserContext", userContext=self._user)
        return self.troubles

    def troubles_now(self) -> str:
        """What went wrong so far, in one text."""
        self.evaluate("() => null")  # events arrive before the answer
        return " ".join(self.troubles)

    def _hear(self, event: str, params: Any) -> None:
        """Notes what went wrong: script errors, warnings, blocked content, failed requests."""
        if event == "log.entryAdded":
            # A module still on its way when a page was left; one that fails is noted below.
            left = "error loading dynamically imported module" in params["text"]
            if params["level"] in {"error", "warn"} and not left:
                self.troubles.append(f"{params['type']}: {params['text']}")
            return
        asked = f"{params['request']['method']} {params['request']['url']}"
        if event == "network.fetchError":
            if params["errorText"] != "NS_BINDING_ABORTED":  # the page was left before it came
                self.troubles.append(f"{asked}: {params['errorText']}")
        elif params["response"]["status"] >= 400:
            self.troubles.append(f"{asked}: {params['response']['status']}")

    # --- looking --------------------------------------------------------------------------------

    def _call(self, function: str, *arguments: str) -> Any:
        """Call a function on the page; returns what it returns as the protocol writes it."""
        answer = self.firefox.command(
            "script.callFunction",
            within=5,  # a page that is just being left may never answer
            functionDeclaration=function,
            arguments=[{"type": "string", "value": each} for each in arguments],
            target={"context": self._context},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise Refused(answer["exceptionDetails"]["text"])
        return answer["result"]

    def evaluate(self, function: str, *arguments: str) -> Any:
        wrapped = f"async (...all) => JSON.stringify(await ({function})(...all))"
        told = self._call(wrapped, *arguments)
        return json.loads(told["value"]) if "value" in told else None  # nothing: undefined

    def shows(self, selector: str, text: str = "") -> bool:
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

    def sees(self) -> list[str]:
        """The table and the own place, as far as they depend on the game alone."""
        return list(self.evaluate(SIGHT))

    def sticks_out(self) -> list[str]:
        """What is wider than the screen."""
        return list(self.evaluate(WIDER))

    def until(self, true: Callable[[], bool], patience: float = PATIENCE, what: str = "") -> None:
        """Waits until something is so; a page that is just being left is asked again."""
        deadline = time.monotonic() + patience
        refused: Refused | None = None
        while True:
            try:
                if true():
                    return
            except Refused as reason:
                refused = reason
            if time.monotonic() > deadline:
                who = self.name or "somebody"
                raise AssertionError(f"{who} waited in vain {what}") from refused
            time.sleep(POLL)

    def until_shown(self, selector: str, text: str = "") -> None:
        self.until(lambda: self.shows(selector, text), what=f"{selector} {text}")

    # --- doing ----------------------------------------------------------------------------------

    def go(self, path: str) -> None:
        address = f"{self.site}{path}"
        self.firefox.command(
            "browsingContext.navigate", context=self._context, url=address, wait="complete"
        )

    def reload(self) -> None:
        self.firefox.command("browsingContext.reload", context=self._context, wait="complete")

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        self.firefox.command("browsingContext.setViewport", context=self._context, viewport=size)

    def click(self, selector: str, text: str = "", patience: float = PATIENCE) -> None:
        """Press the first match whose text begins like this, at its middle."""

        def pressed() -> bool:
            element = self._call(_REACH, selector, text)
            if element["type"] != "node":
                return False
            kind = self._pointer
            origin = {"type": "element", "element": {"sharedId": element["sharedId"]}}
            self._perform(
                {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}},
                {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
                {"type": "pointerDown", "button": 0},
                {"type": "pointerUp", "button": 0},
            )
            return True

        self.until(pressed, patience, f"{selector} {text}")

    def choose(self, do: str, where: str = "") -> bool:
        """Press a button of the own place, the one with this value or the one at `where`.

        False when the table moved on meanwhile.
        """
        before = self.seq
        try:
            self.click(where or f"#own button[value={do}]:enabled", patience=2)
        except AssertionError:
            return False
        self.until(lambda: self.seq > before)
        return True

    def press(self, *keys: str) -> None:
        """Press keys one after the other: characters, or names of KEYS."""
        signs = [KEYS.get(key, key) for key in keys]
        self._type(*((how, sign) for sign in signs for how in ("keyDown", "keyUp")))

    def tab_to(self, selector: str) -> None:
        """Press Tab until a match has the focus."""
        for _ in range(80):
            if self.evaluate("(s) => document.activeElement.matches(s)", selector):
                return
            self.press("Tab")
        raise AssertionError(f"Tab does not come to {selector}")

    def paste(self) -> None:
        """Press Ctrl+V."""
        self._type(("keyDown", CONTROL), ("keyDown", "v"), ("keyUp", "v"), ("keyUp", CONTROL))

    def fill(self, selector: str, text: str) -> None:
        """Press a field and type."""
        self.click(selector)
        self.press(*text)

    def _type(self, *strokes: tuple[str, str]) -> None:
        self.firefox.command("browsingContext.activate", context=self._context)
        actions = ({"type": how, "value": sign} for how, sign in strokes)
        self._perform({"type": "key", "id": "keyboard"}, *actions)

    def _perform(self, source: dict[str, Any], *actions: dict[str, Any]) -> None:
        sources = [{**source, "actions": [*actions]}]
        self.firefox.command("input.performActions", context=self._context, actions=sources)
