"""A player at a page in Firefox: real presses of a finger, a mouse and keys; see player.Player."""

from __future__ import annotations

import json
from typing import Any

from tests.e2e.driven_player import FIND_PRESSABLE, BrowserRefused, DrivenPlayer
from tests.e2e.firefox import Firefox

BARE_EVENT = "[object Event]"


class FirefoxPlayer(DrivenPlayer):
    """One person in Firefox.

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
        super().__init__(site, name)
        self.firefox = firefox
        self._pointer = "touch" if touch else "mouse"
        self._user = firefox.command("browser.createUserContext")["userContext"]
        created = firefox.command("browsingContext.create", type="window", userContext=self._user)
        self._context: str = created["context"]
        firefox.listeners[self._context] = self._hear
        self.resize(*size)

    def close(self) -> list[str]:
        self.errors_so_far()
        del self.firefox.listeners[self._context]
        self.firefox.command("browser.removeUserContext", userContext=self._user)
        return self.errors

    def errors_so_far(self) -> str:
        self.evaluate("() => null")  # events arrive before the answer
        return " ".join(self.errors)

    def _hear(self, event: str, params: Any) -> None:
        """Notes what went wrong: script errors, warnings, blocked content, failed requests."""
        if event == "log.entryAdded":
            # A module still on its way when a page was left; one that fails is noted below.
            left = "error loading dynamically imported module" in params["text"]
            # A socket whose page was left before it was open; htmx notes the bare event.
            left |= "can’t establish a connection" in params["text"] or params["text"] == BARE_EVENT
            if params["level"] in {"error", "warn"} and not left:
                self.errors.append(f"{params['type']}: {params['text']}")
            return
        asked = f"{params['request']['method']} {params['request']['url']}"
        if event == "network.fetchError":
            if params["errorText"] != "NS_BINDING_ABORTED":  # the page was left before it came
                self.errors.append(f"{asked}: {params['errorText']}")
        elif params["response"]["status"] >= 400:
            self.errors.append(f"{asked}: {params['response']['status']}")

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
            raise BrowserRefused(answer["exceptionDetails"]["text"])
        return answer["result"]

    def evaluate(self, function: str, *arguments: str) -> Any:
        wrapped = f"async (...all) => JSON.stringify(await ({function})(...all))"
        told = self._call(wrapped, *arguments)
        return json.loads(told["value"]) if "value" in told else None  # nothing: undefined

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

    def try_press(self, selector: str, text: str) -> bool:
        element = self._call(FIND_PRESSABLE, selector, text)
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

    def send_keys(self, *strokes: tuple[str, str]) -> None:
        self.firefox.command("browsingContext.activate", context=self._context)
        actions = ({"type": how, "value": sign} for how, sign in strokes)
        self._perform({"type": "key", "id": "keyboard"}, *actions)

    def _perform(self, source: dict[str, Any], *actions: dict[str, Any]) -> None:
        sources = [{**source, "actions": [*actions]}]
        self.firefox.command("input.performActions", context=self._context, actions=sources)
