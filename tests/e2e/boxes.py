"""Looks at a table on screens of many sizes and says what a player cannot see there."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from coloraide import Color
from django.conf import settings
from playwright.sync_api import Browser, CDPSession, Locator, Page

from tests.support.live_site import LiveSite, manage, one_at_a_time

Size = tuple[int, int]
Faults = dict[str, list[str]]
Tables = dict[str, dict[int, tuple[str, str]]]  # state: seats: path, the viewer's session key

SMALLEST: Sequence[Size] = ((320, 568), (640, 360))
OTHER_SIZES: Sequence[Size] = (
    (360, 640),
    (375, 560),
    (360, 740),
    (390, 844),
    (740, 360),
    (844, 390),
    (768, 1024),
    (1280, 720),
    (1366, 625),
    (1280, 800),
)
SIZES: Sequence[Size] = (*SMALLEST, *OTHER_SIZES)
PHONE: Size = (360, 740)
# Wide windows of little height, as of a browser on a small laptop.
LOW: Sequence[Size] = ((960, 600), (1024, 600), (1180, 600), (1280, 600), (1366, 620))
# Text of so many pixels instead of 16, and whether only the text grows.
LARGER_BY_A_THIRD = (21, False)
TWICE: Sequence[tuple[int, bool]] = ((32, False), (32, True))
LARGER: Sequence[tuple[int, bool]] = (LARGER_BY_A_THIRD, *TWICE)
_PROTOCOL: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()
LOOK = (Path(__file__).parent / "boxes.js").read_text().rstrip().removesuffix(";")
_WIDTH = """() => {
  const range = document.createRange();
  let width = 0;
  for (const part of document.querySelectorAll("#table .board, #move-form")) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode()); ) {
      if (node.parentElement.closest(".visually-hidden, .clock")) continue;
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) width += line.width;
    }
  }
  return width;
}"""
# From so many pixels on the chat stands beside the table. A page loaded there comes with the chat
# open; it can be folded, as on a page that was loaded on a narrow screen.
_WIDE = 960
_LONGEST_HINT = """() => {
  const lines = [...document.querySelectorAll("#hints [data-when]")];
  const open = lines.filter(({ dataset }) => document.querySelector(dataset.when));
  const longest = open.sort((a, b) => b.textContent.length - a.textContent.length)[0];
  for (const line of lines) line.hidden = line !== longest;
}"""
_PIXELS = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const paper = new OffscreenCanvas(image.width, image.height).getContext("2d");
  paper.drawImage(image, 0, 0);
  return [...paper.getImageData(0, 0, image.width, image.height).data];
}"""


def arranged(site: LiveSite, module: str) -> str:
    """Puts tables into the data of a site not yet started; JSON of what the module says."""
    # In the shell of manage.py, because that is forked with the libraries loaded.
    command = f"import runpy; runpy.run_module({module!r}, run_name='__main__')"
    done = manage("shell", "-v", "0", "-c", command, patience=300, **site.environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def arranged_once(prepared: Path, folder: Path, module: str) -> tuple[Path, Any]:
    """A copy of a prepared folder, for sites that are copies of it, with what the module arranges;
    and what the module says of it.

    Of several processes with the same `folder` one makes it and the others wait.
    """
    data, told = folder / "data", folder / "told.json"
    with one_at_a_time(folder):
        if not told.exists():
            told.write_text(arranged(LiveSite.of(prepared, data), module))
    return data, json.loads(told.read_text())


def tables_of(told: Any) -> Tables:
    """The tables of which such a module says where they are."""
    return {
        state: {int(seats): (path, key) for seats, (path, key) in of_state.items()}
        for state, of_state in told.items()
    }


def resize(page: Page, size: Size, *, scale: float = 0.1) -> None:
    """Show a page on a screen of another size, by default drawn small, which takes less time.

    At any scale it is laid out and measured alike; clicks need 1, and screenshots another page.
    What has been resized so is not to be resized in another way.
    """
    if page not in _PROTOCOL:
        _PROTOCOL[page] = page.context.new_cdp_session(page)
    screen = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
    _PROTOCOL[page].send("Emulation.setDeviceMetricsOverride", screen | {"scale": scale})


class Screens:
    """One page in each language, led from table to table by the session keys of their viewers.

    They are pages of one browser, so that each file is fetched and compiled once; a service worker
    would only stand in the way of each visit.
    """

    def __init__(self, browser: Browser, site: LiveSite, tables: Tables) -> None:
        self.site, self.tables = site, tables
        self._longest: dict[str, str] = {}
        self.context = browser.new_context(reduced_motion="reduce", service_workers="block")
        # Each visit is somebody else's, and a page of another session would load itself again.
        self.context.add_init_script("delete window.BroadcastChannel")
        self.pages = {language: self.context.new_page() for language, _ in settings.LANGUAGES}
        for language, page in self.pages.items():
            page.set_extra_http_headers({"Accept-Language": language})

    def close(self) -> None:
        self.context.close()

    def go(self, language: str, state: str, seats: int) -> Page:
        page = self.pages[language]
        resize(page, PHONE)
        self.lead(page, state, seats)
        assert page.locator("html").get_attribute("lang") == language
        page.evaluate(_LONGEST_HINT)
        return page

    def lead(self, page: Page, state: str, seats: int, viewer: str = "player") -> None:
        """To a table, as the player it was arranged for, as a signed-in spectator or a stranger."""
        path, key = self.tables[state][seats]
        if viewer == "spectator":  # every table has people of its own; it is nobody's turn there
            key = next(other for _, other in self.tables["over"].values() if other != key)
        self.context.clear_cookies()
        if viewer != "stranger":
            self.context.add_cookies([{"name": "sessionid", "value": key, "url": self.site.url}])
        page.goto(f"{self.site.url}{path}")

    def visits(self, state: str) -> Iterator[tuple[str, Page]]:
        """The fullest table of a state in each language; after that the longest one is known.

        The pages stay there until they are led elsewhere.
        """
        seats = max(self.tables[state])
        widths: dict[str, float] = {}
        for language in self.pages:
            page = self.go(language, state, seats)
            widths[language] = self._width(page)
            yield language, page
        self._longest[state] = max(widths, key=lambda language: widths[language])

    def longest(self, state: str) -> str:
        """The language whose words for this state of a table are widest on one line."""
        if state not in self._longest:
            for _ in self.visits(state):
                pass
        return self._longest[state]

    def _width(self, page: Page) -> float:
        resize(page, (3_000, 1_000))
        width: float = page.evaluate(_WIDTH)
        return width


def look(
    page: Page,
    needed: Sequence[str],
    *,
    scrolls: bool = False,
    moving: bool = False,
    chat_is_open: bool | None = None,
) -> list[str]:
    """What cannot be seen on the screen as it is, or with the chat so; see boxes.js."""
    page.wait_for_load_state()  # a page that was just opened may still be without its styles
    how = {"scrolls": scrolls, "moving": moving, "chat": chat_is_open}
    found: list[str] = page.evaluate(LOOK, {"needed": [*needed], **how})
    return found


def faults(
    page: Page, needed: Sequence[str], sizes: Sequence[Size], **how: bool
) -> Iterator[tuple[Size, list[str]]]:
    """For each size what cannot be seen, with the chat open or folded; nothing if all is well."""
    for size in sizes:
        resize(page, size)
        for chat_is_open in (False, True) if size[0] >= _WIDE else (False,):
            if found := look(page, needed, chat_is_open=chat_is_open, **how):
                yield size, found


def sizes_in(language: str) -> Sequence[Size]:
    """The screens to look at in this language: all in French, which is the longest."""
    return SIZES if language == "fr" else SMALLEST


def faults_with_larger_text(
    page: Page,
    needed: Sequence[str],
    *,
    sizes: Sequence[Size] = (PHONE, (1280, 720)),
    texts: Sequence[tuple[int, bool]] = TWICE,
    moving: bool = False,
) -> Faults:
    """What is cut off or lost on these screens with larger text, where a page may be scrolled."""
    found: Faults = {}
    for size in sizes:
        resize(page, size)
        for pixels, alone in texts:
            with larger_text(page, pixels=pixels, alone=alone):
                told = look(page, needed, scrolls=True, moving=moving)
            if told:
                found[f"{size}, {pixels} px, {alone=}"] = told
    return found


@contextmanager
def larger_text(page: Page, *, pixels: int, alone: bool) -> Iterator[None]:
    """Text of so many pixels instead of 16, as the system or the browser is told to show it.

    `alone`: only the text grows; otherwise media queries in rem know of it too.
    """
    if alone:
        page.evaluate("px => (document.documentElement.style.fontSize = `${px}px`)", pixels)
        yield
        page.evaluate("document.documentElement.style.fontSize = ''")
        return
    browser = page.context.new_cdp_session(page)
    browser.send("Page.setFontSizes", {"fontSizes": {"standard": pixels, "fixed": pixels}})
    page.wait_for_function(
        "px => getComputedStyle(document.documentElement).fontSize === `${px}px`", arg=pixels
    )
    yield
    browser.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
    page.wait_for_function("() => getComputedStyle(document.documentElement).fontSize === '16px'")
    browser.detach()


# What a notice lies over is laid out differently on each of these screens.
NOTICED: Sequence[Size] = (*SMALLEST, PHONE, (412, 915), (1280, 720))
# As long as the longest refusal of a move in any language, and longer than most.
NOTICE = (
    "Questo dado non basta: dopo un'offerta di cinque assi servono almeno undici dadi di altro."
)
# What cannot be seen of a notice, with the page scrolled to its top and to its end.
_SAY = """(text) => [0, document.documentElement.scrollHeight].flatMap((y) => {
  const words = Object.assign(document.createElement("p"), { className: "notice error" });
  words.textContent = text;
  document.getElementById("notice").replaceChildren(words);
  scrollTo({ top: y, behavior: "instant" });
  const { left, top, right, bottom, width, height } = words.getBoundingClientRect();
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = words;
  const faults = [];
  const isOn = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  if (!isOn) faults.push("not on the screen");
  if (scrollWidth > clientWidth || scrollHeight > clientHeight + 1) faults.push("cut off");
  for (const x of [.02, .5, .98]) for (const y of [.1, .5, .9]) {
    const over = document.elementFromPoint(left + width * x, top + height * y);
    if (over !== words) faults.push(`behind ${over?.outerHTML.slice(0, 60)}`);
  }
  return faults;
})"""


def faults_of_a_notice(page: Page) -> Faults:
    """What cannot be seen of a notice, with usual text and with text twice as large."""
    found: Faults = {}
    for size in NOTICED:
        resize(page, size)
        found[str(size)] = page.evaluate(_SAY, NOTICE)
    for size in (PHONE, (1280, 720)):
        resize(page, size)
        with larger_text(page, pixels=32, alone=True):
            found[f"{size}, larger text"] = page.evaluate(_SAY, NOTICE)
    return {size: told for size, told in found.items() if told}


def contrast_within(element: Locator) -> float:
    """The contrast (WCAG 2.2) between the commonest colour of a die as drawn and its darkest."""
    picture = base64.b64encode(element.screenshot()).decode()
    data = element.page.evaluate(_PIXELS, picture)
    pixels = [tuple(data[start : start + 3]) for start in range(0, len(data), 4)]
    body = max(set(pixels), key=pixels.count)
    one, other = (
        Color("srgb", [part / 255 for part in pixel]) for pixel in (body, min(pixels, key=sum))
    )
    return float(one.contrast(other, method="wcag21"))
