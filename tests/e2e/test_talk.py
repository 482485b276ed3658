"""Chat between two players: announced, shown, counted, muted; and without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest
from playwright.sync_api import expect

from tests.e2e.player import Player, wait_for
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 800}


def two_at_a_table(
    site: LiveSite, open_browser: Callable[..., Player], at_desk: str, on_phone: str
) -> tuple[Player, Player, str]:
    """One player at a desk and one with a phone, at the table of the first; its address."""
    desk = open_browser(site, at_desk, viewport=DESK)
    phone = open_browser(site, on_phone, viewport=PHONE, has_touch=True)
    for player in (desk, phone):
        player.register()
    table = desk.open_table()
    phone.sit(table)
    return desk, phone, table


def test_two_people_talk_at_a_table(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    desk, phone, table = two_at_a_table(unhurried_site, open_browser, "Dora", "Emil")

    # A phrase: on the phone it is counted at the folded panel, said aloud and shown at the seat.
    desk.button("Good luck!").click()
    expect(phone.page.locator(".talk-link .unread b")).to_have_text("1")
    expect(phone.page.locator("#overheard")).to_have_text("Dora: Good luck!")
    expect(phone.page.locator(".seat[data-seat='0'] .bubble")).to_have_text("Good luck!")
    expect(desk.page.locator("#overheard")).to_be_empty()  # one's own words are known

    # Opening the panel reads it; words of one's own go out with Enter, and the field is empty.
    phone.page.locator(".talk-link").tap()
    expect(phone.page.locator(".talk-link .unread")).to_be_hidden()
    field = phone.page.get_by_label("Message the table")
    field.fill("<i>Thanks</i>, see www.example.org")
    field.press("Enter")
    expect(desk.page.locator("#talk li").first).to_contain_text("Emil: <i>Thanks</i>, see [link]")
    expect(field).to_have_value("")
    expect(field).to_be_focused()

    # A half-written sentence stays while others talk and while the table moves.
    field.fill("I am still wri")
    desk.button("Hello!").click()
    expect(phone.page.locator("#talk li").first).to_contain_text("Hello!")
    desk.button("Start the game").click()
    phone.wait_for_phase("turn")
    expect(field).to_have_value("I am still wri")
    if phone.my_turn:  # the panel has folded: see test_due.py
        phone.page.locator(".talk-link").tap()
        field.focus()
    expect(field).to_be_focused()

    # The whole chat can be muted, and stays so after a reload.
    phone.button("Mute chat").tap()
    expect(phone.page.locator("#talk")).to_be_hidden()
    desk.button("Let me think.").click()
    expect(desk.page.locator("#talk li").first).to_contain_text("Let me think.")
    expect(phone.page.locator("#talk li").first).to_contain_text("Let me think.")
    expect(phone.page.locator("#overheard")).to_be_empty()
    expect(phone.page.locator(".bubble")).to_have_count(0)
    phone.page.reload()
    phone.page.locator(".talk-link").tap()
    expect(phone.page.locator("#talk")).to_be_hidden()
    phone.button("Mute chat").tap()
    expect(phone.page.locator("#talk")).to_be_visible()

    # Muting a person happens beside the table, which stays where it is.
    desk.link("Mute, block or report Emil").first.click()
    desk.page.get_by_role("button", name="Mute", exact=True).click()
    expect(desk.page.get_by_text("You've muted Emil")).to_be_visible()
    expect(desk.page.locator("#talk")).not_to_contain_text("Thanks")
    desk.link("Back to the table").click()
    expect(desk.page.locator("#person")).to_have_count(0)
    assert desk.address() == table


# A reaction in the middle of its two seconds: what moves, where the middle of it lies, and how far
# it is from the middle of the board, compared with its face.
LANDED = """(flying) => {
  const moving = flying.getAnimations()[0];
  const moved = moving.effect.getKeyframes().flatMap(Object.keys);
  moving.pause();
  moving.currentTime = 1000;
  const centre = (e) => {
    const { left, top, width, height } = e.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const board = document.querySelector(".board");
  const far = ([x, y]) => Math.hypot(x - centre(board)[0], y - centre(board)[1]);
  const from = board.getBoundingClientRect();
  const { left, top } = flying.style;
  const begun = [from.left + parseFloat(left), from.top + parseFloat(top)];
  const [x, y] = centre(flying);
  const nearer = far(centre(flying)) / far(begun);
  const isBelow = flying.compareDocumentPosition(board.querySelector(".seats")) === 4;
  moving.play();
  const lasts = moving.effect.getTiming().duration;
  return { moved, box: { x: x - 6, y: y - 6, width: 12, height: 12 }, nearer, isBelow, lasts };
}"""
NEEDED = ".seat :is(.tally, .seat-name), .middle :is(.bid, .said-by, .speaks, .discard, .clock)"
_SHOWN = """(all) => all.filter((e) => e.checkVisibility()).map((e) => {
  const { x, y, width, height } = e.getBoundingClientRect();
  return { x, y, width, height };
})"""


@pytest.mark.parametrize("size", [DESK, PHONE])
@pytest.mark.parametrize("key", ["perudo", "peco_peco"])
def test_a_reaction_flies_onto_free_wood_and_is_gone_after_two_seconds(
    unhurried_site: LiveSite,
    open_browser: Callable[..., Player],
    key: str,
    size: Mapping[str, int],
) -> None:
    player = open_browser(unhurried_site, viewport=size, reduced_motion="no-preference")
    page = player.page
    player.go(player.post("/play-now", game=key, bots="3", strength="mixed"))
    wait_for(lambda: player.my_turn, player)  # from now on nothing folds under the finger
    tears = player.button("Tears")
    if not tears.is_visible():
        # On a turn they are folded into one button, against bots into the chat.
        page.locator(".talk-link:visible, #talk-panel > summary:visible").first.click()
    tears.click()
    flying = page.locator("#table .bubble.flies")
    landed = flying.evaluate(LANDED)
    assert landed["lasts"] == 2_000
    of_a_keyframe = {"offset", "easing", "composite", "computedOffset"}
    assert set(landed["moved"]) - of_a_keyframe == {"translate", "scale", "rotate", "opacity"}
    assert landed["isBelow"] and landed["nearer"] < 1
    needed = page.locator(NEEDED).evaluate_all(_SHOWN)
    assert len(needed) >= 5
    assert not any(overlap(landed["box"], each) for each in needed)
    expect(page.locator("#table .bubble")).to_have_count(0, timeout=4_000)


def test_with_less_motion_a_reaction_stands_at_its_seat_and_covers_no_count_of_dice(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    desk, phone, _ = two_at_a_table(unhurried_site, open_browser, "Rosa", "Silvio")
    desk.button("Start the game").click()
    phone.wait_for_phase("turn")
    desk.button("Suspicion").click()
    expect(phone.page.locator("#overheard")).to_have_text("Rosa: Suspicion")
    for player in (desk, phone):
        rising = player.page.locator(".seat[data-seat='0'] .bubble .reaction")
        expect(rising).to_be_visible()
        face = rising.bounding_box()
        assert face and face["width"] >= 28
        # A symbol that is missing draws nothing.
        assert rising.locator("use").evaluate("use => use.getBBox().width") > 20
    tally = phone.page.locator(".seat[data-seat='0'] .tally").bounding_box()
    face = phone.page.locator(".seat[data-seat='0'] .bubble .reaction").bounding_box()
    assert tally and (face is None or not overlap(face, tally))  # it may have risen by now
    expect(desk.page.locator("#talk li").first).to_have_text(re.compile(r"Rosa:\s+Suspicion"))
    expect(desk.page.locator("#table .bubble")).to_have_count(0, timeout=4_000)
    # One tap on the phone while they wait: the reactions come first in the row.
    wait_for(lambda: phone.my_turn or desk.my_turn, desk)
    waiting = phone if desk.my_turn else desk
    waiting.button("Laughter").click()
    place = waiting.page.locator("#own").get_attribute("data-seat")
    other = desk if waiting is phone else phone
    rising = other.page.locator(f".seat[data-seat='{place}'] .bubble .reaction use")
    expect(rising).to_have_attribute("href", re.compile("#laughter$"))


def overlap(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    return (
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )


def test_without_a_script_people_talk_too(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    with_script = open_browser(unhurried_site, "Fritz", viewport=DESK)
    with_script.register()
    table = with_script.open_table()
    with_script.button("Hello!").click()
    expect(with_script.page.locator("#talk")).to_contain_text("Hello!")
    state = with_script.page.context.storage_state()

    plain = open_browser(unhurried_site, "Fritz", java_script_enabled=False, storage_state=state)
    plain.go(table)
    plain.page.locator("#talk-panel summary").click()
    plain.page.get_by_label("Message the table").fill("Nobody here yet?")
    plain.button("Send").click()
    plain.page.locator("#talk-panel summary").click()
    expect(plain.page.locator("#talk li").first).to_contain_text("Fritz: Nobody here yet?")
    expect(with_script.page.locator("#talk li").first).to_contain_text("Nobody here yet?")


def test_what_stands_below_the_chat_is_never_cut_off(
    unhurried_site: LiveSite, open_browser: Callable[..., Player]
) -> None:
    """On a low screen the messages scroll behind it; Spanish phrases take the most room."""
    player = open_browser(unhurried_site, viewport=DESK, locale="es-ES")
    player.go("/bots")
    player.game_card().get_by_role("button", name="Jugar ya").click()
    player.wait_for_turn()
    expect(player.page.locator(".phrases")).to_be_hidden()  # nobody is there to talk to
    player.page.locator("#talk-panel > summary").click()
    for phrase in player.page.locator(".phrases button").all()[:3]:
        phrase.click()
    quiet = player.button("Silenciar el chat")
    side, button = player.page.locator(".side").bounding_box(), quiet.bounding_box()
    assert side and button
    assert button["y"] + button["height"] <= side["y"] + side["height"]
    assert player.page.locator(".side").evaluate("e => getComputedStyle(e).maskImage") == "none"
