"""What a person has begun survives whatever the table, the chat or the lobby does meanwhile."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.e2e.boxes import Screens, arranged
from tests.e2e.conftest import QUICK
from tests.e2e.player import Player
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]

# --- at arranged tables: the same fragments come again --------------------------------------------

# The fragments as the server has them, on a page of their own.
FRAGMENTS = """async () => {
  const html = await (await fetch(location.href)).text();
  const page = new DOMParser().parseFromString(html, "text/html");
  return ["table", "own"].map((id) => page.getElementById(id).outerHTML).join("");
}"""
# Makes every choice that a person can make there, another than the server's, and opens and scrolls
# whatever can be; says how many that were.
BEGIN = """() => {
  const part = (selector) => [...document.querySelectorAll(`:is(#own, #table) ${selector}`)];
  const open = part("input:not([type=hidden], [readonly]):enabled, select:enabled");
  for (const field of open) {
    if (field.type === "radio" || field.type === "checkbox") field.checked || field.click();
    else field.value = field.max || "begun";
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  const details = part("summary");
  for (const summary of details) summary.click();
  const popovers = part("[popover]");
  for (const popover of popovers) popover.showPopover();
  const long = part("*").filter((each) => each.scrollHeight > each.clientHeight + 5
    && /auto|scroll/.test(getComputedStyle(each).overflowY));
  for (const each of long) each.scrollTop = 5;
  return open.length + details.length + popovers.length + long.length;
}"""
STATE = """() => {
  const part = (selector) => [...document.querySelectorAll(`:is(#own, #table) ${selector}`)];
  const at = document.activeElement;
  return {
    fields: part("input:not([type=hidden])").map((each) => [each.name, each.value, each.checked]),
    open: part(":is(details[open], :popover-open)").map(({ id, className }) => id || className),
    scrolled: part("*").map((each) => [each.className, each.scrollTop]).filter(([, top]) => top),
    focus: [at.localName, at.id, at.name, at.value, at.textContent],
    page: scrollY,
  };
}"""
CONTROLS = ":is(#own, #table) :is(a[href], button, input:not([type=hidden]), [tabindex='0'])"


class Again:
    """Sends a page the fragments of its table again, or others, over the socket that it has."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sockets: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/ws/"), self._connect)

    def _connect(self, route: WebSocketRoute) -> None:
        route.connect_to_server()
        self.sockets.append(route)

    def lead(self, screens: Screens, state: str, seats: int) -> None:
        """Open a table, and wait until its page has a socket."""
        before = len(self.sockets)
        screens.lead(self.page, state, seats)
        while len(self.sockets) == before:
            self.page.wait_for_timeout(20)

    def __call__(self, fragments: str = "") -> None:
        fragments = fragments or self.page.evaluate(FRAGMENTS)
        self.page.evaluate(
            "() => document.addEventListener('site:swapped', () => { window.again = true; }, "
            "{ once: true })"
        )
        self.sockets[-1].send(fragments)
        self.page.wait_for_function("() => window.again")


def test_nothing_begun_is_lost_in_any_state_of_a_table(game_screens: Screens) -> None:
    """Each choice, what is open or scrolled, and the focus on each control in turn."""
    page = game_screens.context.new_page()
    page.set_viewport_size({"width": 1366, "height": 625})
    again = Again(page)
    begun = focused = 0
    for state, tables in game_screens.tables.items():
        again.lead(game_screens, state, max(tables))
        begun += page.evaluate(BEGIN)
        page.wait_for_timeout(50)  # what is scrolled is told with the next frame
        fragments = page.evaluate(FRAGMENTS)
        for control in page.locator(CONTROLS).all()[:6]:
            if not control.is_visible() or not control.is_enabled():
                continue
            control.evaluate("(element) => element.focus()")
            before = page.evaluate(STATE)
            page.evaluate("window.again = false")
            again(fragments)
            assert page.evaluate(STATE) == before, state
            focused += 1
    assert begun > 40 and focused > 50
    page.close()


CHOSEN = "() => document.querySelector('#own [name=face]:checked')?.value"
# The fragments of the table with another value as the one that is offered.
OFFERING = FRAGMENTS.replace(
    "return",
    """for (const radio of page.querySelectorAll("#own [name=face]"))
    radio.toggleAttribute("checked", radio.value === value);
  return""",
).replace("()", "(value)", 1)


@pytest.mark.parametrize("game_screens", ["perudo"], indirect=True)
def test_a_choice_stays_whatever_becomes_the_default(game_screens: Screens) -> None:
    """Before one's turn the table moves on, and what the server would offer with it."""
    page = game_screens.context.new_page()
    page.set_viewport_size({"width": 360, "height": 740})
    again = Again(page)
    values = []
    for default in "23456":
        again.lead(game_screens, "turn", 2)
        fragments = page.evaluate(OFFERING, default)
        values = page.locator("#own [name=face]:enabled").evaluate_all(
            "(all) => all.map((e) => e.value)"
        )
        for chosen in values:
            page.locator(f"#own .face:has([value='{chosen}'])").evaluate("(label) => label.click()")
            again(fragments)
            assert page.evaluate(CHOSEN) == chosen, default
    assert len(values) >= 5
    page.close()


# --- among people ---------------------------------------------------------------------------------


UNTOUCHED = """() => [...document.querySelectorAll("#own input:not([type=hidden])")].every(
  (field) => field.checked === field.defaultChecked && field.value === field.defaultValue)"""


def three_at_a_table(
    site: LiveSite, open_browser: OpenBrowser, *names: str
) -> tuple[list[Player], str]:
    players = [open_browser(site, name) for name in names]
    for player in players:
        player.register()
    table = players[0].open_table(seats=3)
    for player in players[1:]:
        player.sit(table)
    players[0].button("Start the game").click()
    for player in players:
        player.wait_for_phase("turn")
    return players, table


def talk(player: Player, table: str, to: Player) -> None:
    player.post(f"{table}/say", phrase="hello")
    expect(to.page.locator("#talk li:not(.soft)")).not_to_have_count(0)


def leave(player: Player, table: str, *others: Player) -> None:
    before = [other.seq for other in others]
    player.post(f"{table}/move", do="leave", seen=str(player.seq))
    for other, seq in zip(others, before, strict=True):
        other.wait_for_newer(seq)


def test_a_half_made_bid_stays_while_others_talk_and_leave(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    players, table = three_at_a_table(unhurried_site, open_browser, "Hanna", "Hugo", "Hilda")
    (mine,) = (player for player in players if player.my_turn)
    first, second = (player for player in players if player is not mine)
    page = mine.page
    number, value = page.locator("#quantity"), page.locator("[name=face]:checked")
    page.locator(".face:has(:enabled:not(:checked))").last.click()
    chosen = value.input_value()
    number.fill("7")
    page.locator("button[data-step='1']").click()
    expect(number).to_have_value("8")

    talk(first, table, mine)
    leave(first, table, mine, second)
    assert mine.my_turn
    expect(number).to_have_value("8")
    expect(value).to_have_value(chosen)
    expect(page.locator("#own [data-said] b")).to_have_text("8")
    expect(page.locator("button[data-step='1']")).to_be_focused()


def test_a_number_may_be_typed_while_somebody_leaves(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    players, table = three_at_a_table(unhurried_site, open_browser, "Helga", "Hans", "Heidi")
    for _ in players:  # a round of bids: the next must be higher
        (mine,) = (player for player in players if player.my_turn)
        mine.page.locator(".face:has(:enabled:not(:checked))").last.click()
        assert mine.choose("bid")
        for player in players:
            player.wait_for_newer(mine.seq - 1)
    (mine,) = (player for player in players if player.my_turn)
    assert mine.page.evaluate(UNTOUCHED), "a new turn begins with what the server proposes"
    gone = next(player for player in players if player is not mine)
    number = mine.page.locator("#quantity")
    number.press("Control+a")
    number.press("1")  # of 12: fewer than any legal bid
    leave(gone, table, mine)
    expect(number).to_be_focused()
    expect(number).to_have_value("1")
    number.press("2")
    expect(number).to_have_value("12")


def test_a_card_and_a_call_stay_chosen_while_somebody_leaves(
    prepared_folder: Path, tmp_path: Path, open_browser: OpenBrowser
) -> None:
    settings = {"DJANGO_SETTINGS_MODULE": "games.peco_peco.tests.stacked_settings"}
    site = LiveSite.of(prepared_folder, tmp_path / "site", **QUICK | settings)
    told = json.loads(arranged(site, "games.peco_peco.tests.four_people"))
    site.start()
    players = {name: open_browser(site, name) for name in ("Ana", "Dan", "Ben")}
    for name, player in players.items():
        key = told["keys"][name]
        player.page.context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
        player.go(told["path"])
    ana = players["Ana"]
    card = ana.page.locator("#own .held:has([value=Ms])")
    card.click()
    expect(ana.page.locator("#own .victim")).to_have_count(3)
    before = ana.seq
    leave(players["Dan"], told["path"], ana)
    assert ana.seq > before
    expect(card.locator("input")).to_be_checked()
    expect(card.locator("input")).to_be_focused()
    expect(ana.page.locator("#own .victim").first).to_be_visible()
    site.kill()


# --- before the game ------------------------------------------------------------------------------


def test_a_waiting_room_keeps_what_is_typed_opened_and_about_to_be_pressed(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    host, first, second = (open_browser(unhurried_site, name) for name in ("Ida", "Ivo", "Ines"))
    for player in (host, first, second):
        player.register()
    table = host.open_table(seats=4)
    guest = open_browser(unhurried_site)
    guest.go(table)
    guest.page.get_by_label("Your name").fill("Half a na")
    guest.page.get_by_label("Your name").press("ArrowLeft")
    first.sit(table)
    second.sit(table)
    expect(host.page.locator(".seat.is-free")).to_have_count(1)

    host.page.locator("#to-remove > summary").click()
    remove = host.button("Remove Ines")
    remove.focus()
    first.button("Leave the table").click()
    expect(host.page.locator(".seat.is-free")).to_have_count(2)
    expect(remove).to_be_focused()
    second.button("Leave the table").click()
    expect(host.page.locator(".seat.is-free")).to_have_count(3)
    expect(first.page).to_have_url(f"{unhurried_site.url}/")  # where leaving leads
    first.sit(table)
    expect(host.page.locator(".seat.is-free")).to_have_count(2)
    expect(host.page.locator("#to-remove button", has_text="Ivo")).not_to_be_focused()

    expect(guest.page.get_by_label("Your name")).to_have_value("Half a na")
    expect(guest.page.get_by_label("Your name")).to_be_focused()
    assert guest.page.evaluate("document.activeElement.selectionStart") == len("Half a n")


def test_a_reader_of_old_messages_stays_there(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    reader, other = (
        open_browser(unhurried_site, name, viewport={"width": 1280, "height": 800})
        for name in ("Jana", "Jens")
    )
    reader.register()
    other.register()
    table = reader.open_table()
    other.sit(table)
    messages = reader.page.locator("#talk li")
    for count in range(1, 5):
        for player in (reader, other):
            player.post(f"{table}/say", text=f"{player.name}'s message {count} " + "and more " * 18)
    expect(messages).to_have_count(8)
    # The column scrolls; which message is seen first there, and where.
    top = """() => {
      const at = (box) => box.getBoundingClientRect();
      const edge = at(document.querySelector(".side")).top;
      const first = [...document.querySelectorAll("#talk li")].find((li) => at(li).bottom > edge);
      return [first.textContent, Math.round(at(first).top)];
    }"""
    reader.page.locator(".side").evaluate("(box) => box.scrollTo(0, box.scrollHeight)")
    reader.page.wait_for_timeout(50)
    before = reader.page.evaluate(top)
    assert reader.page.evaluate("document.querySelector('.side').scrollTop") > 0
    assert "message 4" not in before[0], "the newest two are out of sight"
    other.post(f"{table}/say", text="the last")
    expect(messages.first).to_contain_text("the last")
    assert reader.page.evaluate(top) == before


def test_the_next_message_may_be_begun_before_the_last_is_sent(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    player = open_browser(unhurried_site, "Karl", viewport={"width": 1280, "height": 800})
    player.register()
    player.open_table()
    field = player.page.get_by_label("Message the table")
    field.fill("One")
    player.page.route(
        "**/say", lambda route: (player.page.wait_for_timeout(300), route.continue_())
    )
    field.press("Enter")
    field.fill("Two, half")
    expect(player.page.locator("#talk li").first).to_contain_text("One")
    player.page.wait_for_timeout(300)
    expect(field).to_have_value("Two, half")


def test_the_lobby_keeps_what_is_chosen_focused_and_in_sight(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    host, other = open_browser(unhurried_site, "Lea"), open_browser(unhurried_site, "Leo")
    for player in (host, other):
        player.register()
    host.open_table()
    visitor = open_browser(unhurried_site, viewport={"width": 360, "height": 640})
    visitor.go("/")
    page = visitor.page
    language = page.get_by_label("Language")
    language.select_option("it")
    language.focus()
    language.scroll_into_view_if_needed()
    page.wait_for_timeout(100)
    ways = page.locator(".ways")
    before = ways.bounding_box()
    other.open_table()
    expect(page.get_by_role("button", name="Leo's table")).to_be_visible()
    page.wait_for_timeout(100)
    expect(language).to_have_value("it")
    expect(language).to_be_focused()
    assert ways.bounding_box() == before  # what stands above the list

    rules = page.locator(".table-row", has_text="Lea").get_by_role("link", name="View table")
    page.locator(".table-row", has_text="Lea").locator("summary").click()
    expect(rules).to_be_visible()
    join = page.get_by_role("button", name="Lea's table")
    join.focus()
    other.go("/")
    other.open_table(seats=2)
    expect(page.get_by_role("button", name="Leo's table")).to_have_count(2)
    expect(join).to_be_focused()
    expect(rules).to_be_visible()  # what was opened stays open
