"""Firefox: a whole game of two people, its animations, keys alone, and pages on a small phone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.conftest import PASSWORD
from tests.e2e.firefox_player import FirefoxPlayer
from tests.e2e.player import GAME_PATIENCE
from tests.live import LiveSite

# Among the first, and so one after the other: each worker that comes to one launches a Firefox.
pytestmark = [pytest.mark.e2e, pytest.mark.slow]

Arrive = Callable[..., FirefoxPlayer]
PHONE = (360, 740)
SMALLEST = (320, 640)

# What began to move, and what is to move after each swap: a bot may move before a frame is drawn.
NOTE_ANIMATIONS = """() => {
  window.begun = [];
  window.rolls = [];
  addEventListener("animationstart", ({ animationName }) => begun.push(animationName));
  document.addEventListener("site:swapped", () => {
    const own = document.getElementById("own").getAnimations({ subtree: true });
    rolls.push(...own.map(({ animationName }) => animationName));
  });
}"""
COUNT_SHOWN = """() => [...document.querySelectorAll("[data-count]")]
  .every((e) => e.textContent === e.dataset.count)"""


def register(player: FirefoxPlayer) -> None:
    player.go("/account/signup/")
    player.fill("[name=username]", player.name)
    player.fill("[name=password1]", PASSWORD)
    player.fill("[name=password2]", PASSWORD)
    player.click("button", "Create account")
    player.until_shown(".play-now")


def press_all(players: Sequence[FirefoxPlayer], *, until: Callable[[], bool]) -> None:
    """All press what their own place offers, boldly, until something is so."""

    def so() -> bool:
        for player in players:
            for do in ("confirm", "dudo", "bid"):
                if do in player.choices:
                    if until():
                        return True
                    player.choose(do)
                    break
        return until()

    players[0].until(so, GAME_PATIENCE)


def test_two_people_play_a_whole_game(quick_site: LiveSite, arrive: Arrive) -> None:
    host = arrive(quick_site, "Renate")
    friend = arrive(quick_site, "Rainer", size=PHONE, touch=True)
    register(host)
    invite_and_join(host, friend)
    talk(host, friend)
    host.click("button", "Start the game")
    bid_one_more_than_offered(host, friend)
    press_all([host, friend], until=lambda: "confirm" in friend.choices)
    friend.until(lambda: not friend.shows("#table .bubble"))  # a message stands at its seat awhile
    before = friend.sees()
    friend.reload()
    assert friend.sees() == before
    assert friend.sticks_out() == []
    press_all([host, friend], until=lambda: host.phase == friend.phase == "over")
    host.until(lambda: host.seq == friend.seq)
    assert host.sees()[0] == friend.sees()[0]
    assert host.texts("#table .ranking li > span") == friend.texts("#table .ranking li > span")
    assert sorted(host.texts("#table .ranking li > span")) == ["Rainer", "Renate"]
    share_the_replay(host)
    friend.click("button", "Rematch")
    host.until_shown("#own a", "Go to the rematch")
    step_through_the_replay(host)


def invite_and_join(host: FirefoxPlayer, friend: FirefoxPlayer) -> None:
    """The link goes through the clipboard; the friend gives a name and presses one button."""
    host.go("/games/new")
    host.click("button", "Create the table")
    host.click("button", "Copy link")
    host.until_shown(".share-says", "Link copied.")
    host.click("#say-text")
    host.paste()
    address = str(host.evaluate("() => location.href"))
    host.until(lambda: host.evaluate("() => document.getElementById('say-text').value") == address)
    friend.go(address.removeprefix(friend.site))
    assert friend.sticks_out() == []
    friend.fill("#guest-name", friend.name)
    friend.click("button", f"Join {host.name}'s table")
    host.until_shown("#table .seat-name", friend.name)
    friend.until_shown("#table .seat", "you")


def talk(host: FirefoxPlayer, friend: FirefoxPlayer) -> None:
    host.click("button", "Hello!")
    friend.until_shown("#table .seat .bubble", "Hello!")
    friend.until_shown(".talk-link .unread")
    host.click("button.react")
    friend.until_shown("#table .seat .bubble .reaction")


def bid_one_more_than_offered(*players: FirefoxPlayer) -> None:
    """The player who opens presses + once and bids; both see it."""
    players[0].until(lambda: any("bid" in player.choices for player in players))
    opener = next(player for player in players if "bid" in player.choices)
    offered = number(opener)
    opener.click("#own [data-step='1']")
    opener.choose("bid")
    for player in players:
        player.until_shown("#table .bid", f"{offered + 1}×")


def share_the_replay(player: FirefoxPlayer) -> None:
    player.click(".share-opener")
    player.click("#share-game .copy", "Copy link")
    player.until_shown("#share-game .share-says", "Link copied.")
    player.press("Escape")
    player.until(lambda: not player.shows("#share-game"))


def step_through_the_replay(player: FirefoxPlayer) -> None:
    player.click("a", "Watch the replay")
    player.until_shown(".where", "1 of ")
    last = player.texts(".where")[0].split()[-1]
    steps = {"ArrowRight": "2", "End": last, "ArrowLeft": str(int(last) - 1), "Home": "1"}
    for key, moment in steps.items():
        player.until(lambda: player.evaluate("() => document.readyState") == "complete")
        player.press(key)  # before its script has run it would do nothing
        player.until(lambda now=f"{moment} of {last}": player.texts(".where") == [now])
        assert player.sticks_out() == []


def test_a_reveal_moves_until_a_tap_skips_it(quick_site: LiveSite, arrive: Arrive) -> None:
    player = arrive(quick_site, size=PHONE, touch=True)
    player.go("/")
    player.click("#hero-perudo ~ .play-now button")
    player.until_shown(".my-dice .die")
    player.evaluate(NOTE_ANIMATIONS)
    press_all([player], until=lambda: "dudo" in player.choices)
    player.choose("dudo")
    player.until_shown("#table .reveal.is-fresh")
    player.until(lambda: "open" in player.evaluate("() => begun"))
    player.click("#table .count")
    player.until_shown("#table .reveal.is-told")
    assert player.evaluate(COUNT_SHOWN)
    player.evaluate("() => void rolls.splice(0)")
    press_all([player], until=lambda: player.phase == "turn")
    player.until(lambda: "tumble" in player.evaluate("() => rolls"))


def test_keys_alone_make_a_bid(quick_site: LiveSite, arrive: Arrive) -> None:
    player = arrive(quick_site)
    player.go("/")
    player.tab_to("#hero-perudo ~ .play-now button")
    player.press("Enter")
    player.until(lambda: "bid" in player.choices)
    player.tab_to("#own input[name=face]:checked")
    offered = number(player)

    def raised() -> bool:
        player.press("p", "+")  # of other values only the bid one higher may be legal
        return number(player) > offered

    player.until(raised)  # the script of the keys may still be on its way
    bid = f"{number(player)}×"
    before = player.seq
    player.press("Enter")
    player.until(lambda: player.seq > before)
    player.until_shown("#table .bids li", bid)


def number(player: FirefoxPlayer) -> int:
    return int(player.evaluate("() => document.getElementById('quantity').value"))


def test_pages_fit_a_small_phone(quick_site: LiveSite, arrive: Arrive) -> None:
    player = arrive(quick_site, "Roswitha", size=SMALLEST, touch=True)
    register(player)
    for path in ("/", "/rules", "/rules/perudo", "/games/new", f"/players/{player.name}"):
        player.go(path)
        assert player.sticks_out() == [], path
    the_first_steps_of_the_tutorial(player)
    an_avatar_and_a_theme(player)


def the_first_steps_of_the_tutorial(player: FirefoxPlayer) -> None:
    player.go("/learn/perudo")
    player.click("a", "Start with step 1")
    for step, (quantity, face) in enumerate(((3, 5), (3, 4)), start=1):
        player.until_shown(".where", f"Step {step} of 10")
        assert player.sticks_out() == []
        player.click(f"#own .face:has([value='{face}'])")
        while quantity > number(player):
            player.click("#own [data-step='1']")
        player.click("#own .say")
        player.until_shown(".reply.is-right")
        assert player.sticks_out() == []
        player.click("a", "Next step")
    player.until_shown(".where", "Step 3 of 10")


def an_avatar_and_a_theme(player: FirefoxPlayer) -> None:
    player.go("/account/")
    assert player.sticks_out() == []
    player.click(".faces-grid label", "Puma")
    player.tab_to("select[name=theme]")
    player.press("End")
    player.click("button", "Save")
    player.until_shown(".messages", "Settings saved.")
    assert player.evaluate("() => document.documentElement.dataset.theme") == "dark"
    assert player.evaluate("() => document.querySelector('[value=puma]').checked")
    assert player.sticks_out() == []


def test_what_breaks_on_a_page_is_noticed(quick_site: LiveSite, arrive: Arrive) -> None:
    player = arrive(quick_site)
    player.go("/")
    assert player.troubles == []
    player.evaluate("() => void setTimeout(() => { nothingAtAll(); })")
    player.until(lambda: "nothingAtAll" in player.troubles_now())
    player.evaluate(
        """() => document.body.append(
          Object.assign(document.createElement("script"), { textContent: "0" }))"""
    )
    player.until(lambda: "Content-Security-Policy" in player.troubles_now())
    player.evaluate("() => fetch('/games/nobody').then(() => null)")
    player.until(lambda: "/games/nobody: 404" in player.troubles_now())
    player.troubles.clear()
