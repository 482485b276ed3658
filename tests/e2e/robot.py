"""A stranger with a phone who only taps and types what they see.

No form is posted for them and no address opened but the first one or a link that somebody sent.
What they tap has to be on the screen, uncut, with nothing over it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from django.utils.translation import gettext, ngettext, override, pgettext
from playwright.sync_api import Locator, expect

from tests.e2e.player import Player, wider_than_screen
from tests.support.live_site import LiveSite

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
PATIENCE = 30  # seconds

_FINGER = Path(__file__).with_name("robot.js").read_text().rstrip().removesuffix(";")
TAPPABLE = f"(e) => {_FINGER}('tappable', e)"
_HIDDEN_NOTICES = f"() => {_FINGER}('hiddenNotices')"
_SETTLED = f"() => {_FINGER}('settled')"


class Robot:
    """A person at a phone in one language."""

    def __init__(self, player: Player, language: str) -> None:
        self.player, self.page, self.language = player, player.page, language

    def word(
        self, english: str, *, context: str = "", count: int | None = None, **values: object
    ) -> str:
        """What the site says in this person's language; `english` is the message."""
        with override(self.language):
            if count is not None:
                said = ngettext(english, english, count)
            else:
                said = pgettext(context, english) if context else gettext(english)
        return said % values if values else said

    # --- coming ------------------------------------------------------------------------------

    def opens(self, link: str) -> None:
        """The first address, or one that somebody sent."""
        self.page.goto(link)
        expect(self.page.locator("html")).to_have_attribute("lang", self.language)

    # --- looking -----------------------------------------------------------------------------

    def sees(self, english: str, **how: object) -> Locator:
        """The words are on the page, and can be read once scrolled to."""
        found = self.page.get_by_text(self.word(english, **how)).filter(visible=True).first  # type: ignore[arg-type]
        expect(found).to_be_visible()
        self.bring(found)
        return found

    def arrives(self, path: str) -> None:
        expect(self.page).to_have_url(re.compile(path))
        self.page.wait_for_load_state()

    def read(self, field: str) -> str:
        found = self.page.get_by_label(field, exact=True).filter(visible=True).first
        expect(found).to_be_visible()
        return found.input_value()

    # --- tapping -----------------------------------------------------------------------------

    def control(self, words: str) -> Locator:
        """What one can tap and says this: nothing more, before what only begins so."""
        page = self.page

        def candidates(name: re.Pattern[str]) -> Locator:
            found = page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name))
            found = found.or_(page.locator("summary, label").filter(has_text=name))
            return found.filter(visible=True)

        whole, start = (
            re.compile(rf"^\s*{re.escape(words)}{end}") for end in (r"\s*( – .*)?$", "")
        )
        deadline = time.monotonic() + PATIENCE
        while True:
            for name in (whole, start):
                if (found := candidates(name)).count():
                    return found.first
            assert time.monotonic() < deadline, f"nothing to tap says {words!r} at {page.url}"
            page.wait_for_timeout(100)

    def tap(self, english: str, **how: object) -> None:
        self.tap_at(self.control(self.word(english, **how)))  # type: ignore[arg-type]

    def tap_at(self, target: Locator) -> None:
        """A finger on the middle of what is seen there."""
        x, y = self.bring(target)
        hidden = self.page.evaluate(_HIDDEN_NOTICES)
        assert not hidden, f"something lies over {hidden} at {self.page.url}"
        self.page.touchscreen.tap(x, y)

    def bring(self, target: Locator) -> tuple[float, float]:
        """Scroll until it can be tapped; where that is."""
        expect(target).to_be_enabled()
        self.page.evaluate(_SETTLED)
        deadline = time.monotonic() + 5
        while True:
            told = ""
            for block in ("nearest", "center", "start"):
                target.evaluate(
                    f"(e) => e.scrollIntoView({{ block: '{block}', behavior: 'instant' }})"
                )
                told = target.evaluate(TAPPABLE)
                if not isinstance(told, str):
                    wide = wider_than_screen(self.page)
                    assert not wide, f"{wide} is wider than the screen at {self.page.url}"
                    return told[0], told[1]
            assert time.monotonic() < deadline, f"{target} at {self.page.url} {told}"
            self.page.wait_for_timeout(100)

    # --- typing ------------------------------------------------------------------------------

    def types(self, label: str, text: str) -> None:
        field = self.page.get_by_label(label, exact=True).filter(visible=True).first
        self.tap_at(field)
        expect(field).to_be_focused()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)
        expect(field).to_have_value(text)

    def picks(self, label: str, option: str) -> None:
        """An option of a list, which the phone shows by itself when it is tapped."""
        field = self.page.get_by_label(label, exact=True).filter(visible=True).first
        self.bring(field)
        field.select_option(label=option)


def newcomer(open_browser: Callable[..., Player], site: LiveSite, language: str = "en") -> Robot:
    """A stranger without any cookie."""
    player = open_browser(site, locale=language, **PHONE)
    assert player.page.context.cookies() == []
    return Robot(player, language)
