"""A player at a page in WebKit: real presses of a mouse and keys; see player.Player.

The driver knows no fingers, and reports neither the console nor failed requests: pages are asked.
"""

from __future__ import annotations

import json
import time
from typing import Any

from tests.e2e.driven_player import FIND_PRESSABLE, POLL, DrivenPlayer
from tests.e2e.player import PATIENCE
from tests.e2e.webkit import WebKit

# Each page is watched from the first time that it is asked something. A module that failed before
# fails again, with the same error, when it is imported again.
WATCHED = """if (!window.troubles) {
  const troubles = (window.troubles = []);
  addEventListener("error", ({ message, target }) =>
    troubles.push(message ?? `${target.src ?? target.href}`), true);
  addEventListener("unhandledrejection", ({ reason }) => troubles.push(`${reason}`));
  document.addEventListener("securitypolicyviolation", (event) =>
    troubles.push(`Content-Security-Policy: ${event.effectiveDirective} ${event.blockedURI}`));
  for (const level of ["error", "warn"]) {
    const write = console[level];
    console[level] = (...words) => (troubles.push(words.join(" ")), write.apply(console, words));
  }
  for (const { src } of document.querySelectorAll("script[type=module]"))
    import(src).catch((error) => troubles.push(`${error}`));
  const judge = (status, address) => status >= 400 && troubles.push(`${address}: ${status}`);
  const { fetch } = window;
  window.fetch = async (...asked) => {
    const answer = await fetch(...asked);
    judge(answer.status, answer.url);
    return answer;
  };
  const { open } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (...asked) {
    this.addEventListener("load", () => judge(this.status, this.responseURL));
    return open.apply(this, asked);
  };
}"""


class WebKitPlayer(DrivenPlayer):
    """One person with a browser process of their own."""

    def __init__(
        self, webkit: WebKit, site: str, name: str = "", *, size: tuple[int, int] = (1280, 800)
    ) -> None:
        super().__init__(site, name)
        self.webkit = webkit
        self.resize(*size)

    def close(self) -> list[str]:
        self.errors_so_far()
        return self.errors

    def errors_so_far(self) -> str:
        self.evaluate("() => null")
        return " ".join(self.errors)

    # --- looking --------------------------------------------------------------------------------

    def call(self, function: str, *arguments: Any) -> Any:
        """What a function returns on the page, which is not watched for it."""
        return self._call(f"return ({function})(...arguments)", *arguments)

    def _call(self, script: str, *arguments: Any) -> Any:
        """Run the body of a function on the page; what it returns."""
        within = 15  # a page that is just being left may never answer
        words = [*arguments]
        return self.webkit.command(
            "POST", "/execute/sync", within=within, script=script, args=words
        )

    def evaluate(self, function: str, *arguments: str) -> Any:
        told = self._call(
            f"""{WATCHED}
            return (async (...all) => {{
              const result = await ({function})(...all);
              return JSON.stringify({{ result, troubles: window.troubles.splice(0) }});
            }})(...arguments)""",
            *arguments,
        )
        answer = json.loads(told)
        self.errors += answer["troubles"]
        return answer.get("result")  # nothing: undefined

    def cookies(self) -> dict[str, str]:
        told = self.webkit.command("GET", "/cookie")
        return {cookie["name"]: cookie["value"] for cookie in told}

    def come_back_with(self, key: str) -> None:
        """Be the person of this session key."""
        self.go("/healthz")  # a cookie is for the site of the page
        self.webkit.command("POST", "/cookie", cookie={"name": "sessionid", "value": key})

    # --- doing ----------------------------------------------------------------------------------

    def go(self, path: str) -> None:
        self.webkit.command("POST", "/url", url=f"{self.site}{path}")

    def reload(self) -> None:
        self.webkit.command("POST", "/refresh")

    def resize(self, width: int, height: int) -> None:
        """Give the page this size: the window has an edge besides, and follows in its own time."""
        deadline = time.monotonic() + PATIENCE
        edge = [0, 0]
        while True:
            wanted = {"width": width + edge[0], "height": height + edge[1]}
            self.webkit.command("POST", "/window/rect", **wanted)
            time.sleep(POLL)
            inner, outer = self.call("() => [[innerWidth, innerHeight], [outerWidth, outerHeight]]")
            if inner == [width, height]:
                return
            assert time.monotonic() < deadline, f"the page stays {inner} in a window of {outer}"
            edge = [out - into for out, into in zip(outer, inner, strict=True)]

    def try_press(self, selector: str, text: str) -> bool:
        element = self.call(FIND_PRESSABLE, selector, text)
        if element is None:
            return False
        self._perform(
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}},
            {"type": "pointerMove", "x": 0, "y": 0, "origin": element},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        )
        return True

    def send_keys(self, *strokes: tuple[str, str]) -> None:
        actions = ({"type": how, "value": sign} for how, sign in strokes)
        self._perform({"type": "key", "id": "keyboard"}, *actions)

    def _perform(self, source: dict[str, Any], *actions: dict[str, Any]) -> None:
        self.webkit.command("POST", "/actions", actions=[{**source, "actions": [*actions]}])
