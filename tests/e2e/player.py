"""A player at a browser: what the page shows of a table, and the clicks and keys there."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, Response, expect
from playwright.sync_api import TimeoutError as TooLate

from tests.support.fixtures import PASSWORD
from tests.support.live_site import LiveSite

PATIENCE = 30  # seconds; a busy machine with two cores is slow now and then
GAME_PATIENCE = 90  # for a whole game of many moves

# The two fragments, without what only the passing time or the reader's script has put there.
SHOWN_STATE = """() => ["table", "own"].map((id) => {
  const shown = document.getElementById(id);
  const styled = shown.querySelectorAll("[style]"); // by a script, which a clone may not be
  for (const element of styled) element.removeAttribute("style");
  const part = shown.cloneNode(true);
  for (const clock of part.querySelectorAll(".clock")) clock.replaceChildren();
  for (const share of part.querySelectorAll("[data-share]")) share.replaceChildren(); // a script's
  for (const count of part.querySelectorAll("[data-count]")) {
    count.textContent = count.dataset.count;
  }
  for (const element of [part, ...part.querySelectorAll("*")]) {
    element.classList.remove("is-fresh", "is-told", "is-short", "is-new");
    if (!element.classList.length) element.removeAttribute("class");
    if (element.dataset.opens) element.removeAttribute("disabled");
    const all = [...element.attributes].map(({ name, value }) => [name, value]).sort();
    for (const [name] of all) element.removeAttribute(name);
    for (const [name, value] of all) element.setAttribute(name, value); // in one order
  }
  return part.outerHTML;
})"""

# The elements that stick out of the screen to the right, named so that the failure can be read. Not
# innerWidth: a phone zooms out until it holds the widest of them.
WIDER_THAN_SCREEN = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth <= clientWidth ? [] : [...document.querySelectorAll("body *")]
    .filter((e) => e.getBoundingClientRect().right > clientWidth)
    .map((e) => `${e.tagName}.${e.className?.baseVal ?? e.className}`);
}"""

# While the count climbs the button that goes on only skips to its end.
COUNTS = "() => 'suspense' in document.documentElement.dataset"

# What has just come takes no press for a moment (own.css). An animation that changes nothing one
# sees may end without its `finished` being resolved.
SETTLED = """async (e) => {
  const running = ({ playState }) => playState === "running";
  const last = performance.now() + 5000;
  while (performance.now() < last && e.getAnimations({ subtree: true }).some(running)) {
    await new Promise((go) => setTimeout(go, 20));
  }
}"""

CHOICES = """() => [...document.querySelectorAll("#own button:enabled")].map((e) => e.value)"""


class Player:
    """One person with one page, at any number of tables one after the other."""

    def __init__(self, page: Page, site: str, name: str = "") -> None:
        self.page, self.site, self.name = page, site, name
        self.calzas = 0  # how many more times to call calza when allowed
        self.errors: list[str] = []
        self.posts: list[str] = []  # what was sent and answered, shown in a failure
        self._excused = False
        page.on("pageerror", lambda error: self._note(f"script: {error}"))
        page.on("console", self._hear)
        page.on("requestfailed", self._miss)
        page.on("response", self._receive)

    # --- what goes wrong ------------------------------------------------------------------------

    def _note(self, trouble: str) -> None:
        if not self._excused:
            self.errors.append(trouble)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self._note(f"console: {message.text}")

    def _miss(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page was left before it came
            self._note(f"{request.method} {request.url}: {request.failure}")

    def _receive(self, response: Response) -> None:
        if response.request.method == "POST":
            action = re.search(r"\bdo=\w+", response.request.post_data or "")
            self.posts.append(
                f"{action[0] if action else 'sent'} {urlsplit(response.url).path} {response.status}"
            )
        if response.status >= 400:
            self._note(f"{response.request.method} {response.url}: {response.status}")

    @contextmanager
    def expecting_errors(self) -> Iterator[None]:
        """What breaks in here is meant to break."""
        self._excused = True
        yield
        self._excused = False

    # --- arriving -------------------------------------------------------------------------------

    def go(self, path: str) -> None:
        self.page.goto(f"{self.site}{path}")

    def post(self, path: str, **fields: str) -> str:
        """Send a form of the site without loading the page it is on; the path this leads to."""
        requests = self.page.context.request
        if not (token := self._form_token()):
            requests.get(f"{self.site}/account/login/")
            token = self._form_token()
        answer = requests.post(f"{self.site}{path}", form={"csrfmiddlewaretoken": token} | fields)
        assert answer.ok, answer.text()
        return urlsplit(answer.url).path

    def _form_token(self) -> str:
        cookies = self.page.context.cookies(self.site)
        return next((each["value"] for each in cookies if each["name"] == "csrftoken"), "")

    def register(self) -> None:
        """Create an account as the form does; no page is shown."""
        form = {"username": self.name, "password1": PASSWORD}
        assert self.post("/account/signup/", **form) == "/account/welcome"

    def register_by_form(self) -> None:
        self.go("/account/signup/")
        self.page.get_by_label("Name").fill(self.name)
        self.page.get_by_label("Password", exact=True).fill(PASSWORD)
        self.button("Create account").click()
        expect(self.page).to_have_url(f"{self.site}/account/welcome")

    def open_table(self, *, calza: bool = False, seats: int = 4) -> str:
        """Create a public table as the form does, and go there; its address."""
        kind = "calza" if calza else "standard"
        form = {"kind": kind, "seats": str(seats), "pace": "auto", "visibility": "public"}
        self.go(self.post("/games/new", **form, chat="on"))
        return self.address()

    def open_table_by_form(self, *, calza: bool = False, seats: int = 4) -> str:
        self.go("/games/new")
        choice = "With calza" if calza else "Standard"
        self.page.get_by_role("radio", name=re.compile(f"^{choice}")).check()
        self.page.get_by_label("Seats", exact=True).select_option(str(seats))
        self.button("Create the table").click()
        return self.address()

    def game_card(self, game: str = "Perudo") -> Locator:
        """The part of the page of bots that offers this game."""
        return self.page.get_by_role("region", name=game, exact=True)

    def play_now(self, bots: int) -> str:
        """Go to a new table against so many bots, as a guest if need be; its address."""
        self.go(self.post("/play-now", game="perudo", bots=str(bots), strength="mixed"))
        return self.address()

    def play_now_by_form(self, bots: int) -> str:
        self.go("/bots")
        self.game_card().get_by_label("Opponents").select_option(str(bots))
        self.game_card().get_by_role("button", name="Play now").click()
        return self.address()

    def sit(self, address: str) -> None:
        self.go(address)
        self.button(re.compile("^Join .*table$")).click()
        expect(self.button("Leave the table")).to_be_visible()

    def address(self) -> str:
        """The path of the table this person is at."""
        expect(self.page).to_have_url(re.compile(r"/games/[a-z0-9]{10}$"))
        self.page.wait_for_load_state()  # its style sheets too
        return urlsplit(self.page.url).path

    def move_by_post(self) -> None:
        """From the next page on, as where the script is missing that moves over the socket."""
        script = re.compile(r"/games/moves\.[^/]*js$")
        self.page.route(
            script, lambda route: route.fulfill(content_type="text/javascript", body="")
        )

    # --- looking --------------------------------------------------------------------------------

    def button(self, name: str | re.Pattern[str], *, exact: bool = False) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    def link(self, name: str) -> Locator:
        return self.page.get_by_role("link", name=name)

    @property
    def banner(self) -> Locator:
        return self.page.locator("#banner")

    @property
    def hand(self) -> Locator:
        return self.page.locator(".my-dice")

    @property
    def seq(self) -> int:
        """The number of what the page shows; -1 where there is no table."""
        read: int = self.page.evaluate(
            "Number(document.getElementById('table')?.dataset.seq ?? -1)"
        )
        return read

    @property
    def phase(self) -> str:
        read: str = self.page.evaluate("document.getElementById('table')?.dataset.phase ?? ''")
        return read

    @property
    def my_turn(self) -> bool:
        return bool(self.page.evaluate("!!document.querySelector('#own.is-turn')"))

    @property
    def choices(self) -> list[str]:
        """What the own place lets this person do now."""
        read: list[str] = self.page.evaluate(CHOICES)
        return read

    def can(self, do: str) -> bool:
        return do in self.choices

    def shown_state(self) -> list[str]:
        """The table and the own place, as far as they depend on the game alone."""
        seen: list[str] = self.page.evaluate(SHOWN_STATE)
        return seen

    def state_on_fresh_page(self) -> list[str]:
        """The same on a page that has just been loaded, in another tab of the same browser."""
        tab = self.page.context.new_page()
        tab.goto(self.page.url)
        seen = Player(tab, self.site).shown_state()
        tab.close()
        return seen

    def ranking(self) -> list[str]:
        """The names in order; where the page says "You", this player's."""
        shown = self.page.locator(".ranking li > span").all_inner_texts()
        return [self.name if each == "You" else each for each in shown]

    # --- playing --------------------------------------------------------------------------------

    def _choice(self, do: str) -> Locator:
        return self.page.locator(f"#own button[value={do}]:enabled")

    def choose(self, do: str) -> bool:
        """Presses a button of the own place; False when the table moved on under the finger."""
        before = self.seq
        if do == "confirm" and self.page.evaluate(COUNTS):
            self.page.keyboard.press("Escape")
        for _ in range(PATIENCE // 4):
            try:
                # A press too soon would be tried again, with the page scrolled.
                self._choice(do).evaluate(SETTLED, timeout=2_000)
                self._choice(do).click(timeout=2_000)
            except TooLate:  # the button is gone, or the machine is slow
                if self.seq == before and self.can(do):
                    continue
                return False
            self.wait_for_newer(before)
            return True
        return False

    def next_action(self) -> str:
        """What the table asks of this person, boldly; "" when it asks nothing."""
        choices = self.choices
        bold = ["confirm", *(["calza"] if self.calzas else []), "dudo", "bid"]
        return next((do for do in bold if do in choices), "")

    def act(self, do: str) -> None:
        self.calzas -= self.choose(do) and do == "calza"

    def wait_for_newer(self, seq: int) -> None:
        """Until the page shows something newer, with nobody reloading it."""
        try:
            wait_for(lambda: self.seq > seq, self)
        except AssertionError:
            notice = self.page.locator("#notice").inner_text()
            raise AssertionError(
                f"{self.name or 'somebody'} saw nothing after {seq}; the notice says {notice!r}, "
                f"sent and answered at last: {self.posts[-6:]}"
            ) from None

    def wait_for_turn(self) -> None:
        """Until this person is to speak; looks at revealed dice on the way."""
        play([self], until=lambda: self.my_turn and (self.can("bid") or self.can("dudo")))

    def wait_for_phase(self, phase: str) -> None:
        self.page.locator(f"#table[data-phase={phase}]").wait_for()


def signed_in(page: Page, site: LiveSite, told: dict[str, str]) -> Page:
    """The page with the session of the person whose `key` an arrangement has told."""
    page.context.add_cookies([{"name": "sessionid", "value": told["key"], "url": site.url}])
    return page


def wider_than_screen(page: Page) -> list[str]:
    """What is wider than the screen."""
    page.wait_for_load_state()  # a page that was just opened may still be without its styles
    found: list[str] = page.evaluate(WIDER_THAN_SCREEN)
    return found


def wait_for(true: Callable[[], bool], *players: Player, patience: float = PATIENCE) -> None:
    """Waits until something is so, while the browsers go on."""
    deadline = time.monotonic() + patience
    while not true():
        assert time.monotonic() < deadline, "waited in vain"
        players[0].page.wait_for_timeout(40)


def play(players: Sequence[Player], *, until: Callable[[], bool]) -> None:
    """All do what is asked of them until something is so; nobody does anything after that.

    Asking a browser costs more than waiting: while nobody has anything to do, `wait_for` is asked
    once.
    """

    def so() -> bool:
        for player in players:
            if do := player.next_action():
                if until():
                    return True
                player.act(do)
        return until()

    wait_for(so, *players, patience=GAME_PATIENCE)


def is_over(player: Player) -> bool:
    return player.phase == "over"
