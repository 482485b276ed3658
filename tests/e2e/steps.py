"""What people do at the pages in every browser that is driven over WebDriver, step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.conftest import PASSWORD
from tests.e2e.driven_player import DrivenPlayer
from tests.e2e.player import GAME_PATIENCE

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


def register(player: DrivenPlayer) -> None:
    player.go("/account/signup/")
    player.fill("[name=username]", player.name)
    player.fill("[name=password1]", PASSWORD)
    player.fill("[name=password2]", PASSWORD)
    player.click("button", "Create account")
    player.until_shown(".play-now")


def press_all(players: Sequence[DrivenPlayer], *, until: Callable[[], bool]) -> None:
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


def invite_and_join(host: DrivenPlayer, friend: DrivenPlayer) -> None:
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


def talk(host: DrivenPlayer, friend: DrivenPlayer) -> None:
    host.click("button", "Hello!")
    friend.until_shown("#table .seat .bubble", "Hello!")
    friend.until_shown(".talk-link .unread")
    host.click("button.react")
    friend.until_shown("#table .seat .bubble .reaction")


def bid_one_more_than_offered(*players: DrivenPlayer) -> None:
    """The player who opens presses + once and bids; both see it."""
    players[0].until(lambda: any("bid" in player.choices for player in players))
    opener = next(player for player in players if "bid" in player.choices)
    offered = number(opener)
    opener.click("#own [data-step='1']")
    opener.choose("bid")
    for player in players:
        player.until_shown("#table .bid", f"{offered + 1}×")


def share_the_replay(player: DrivenPlayer) -> None:
    player.click(".share-opener")
    player.click("#share-game .copy", "Copy link")
    player.until_shown("#share-game .share-says", "Link copied.")
    player.press("Escape")
    player.until(lambda: not player.shows("#share-game"))


def step_through_the_replay(player: DrivenPlayer) -> None:
    player.click("a", "Watch the replay")
    player.until_shown(".where", "1 of ")
    last = player.texts(".where")[0].split()[-1]
    steps = {"ArrowRight": "2", "End": last, "ArrowLeft": str(int(last) - 1), "Home": "1"}
    for key, moment in steps.items():
        player.until(lambda: player.evaluate("() => document.readyState") == "complete")
        player.press(key)  # before its script has run it would do nothing
        player.until(lambda now=f"{moment} of {last}": player.texts(".where") == [now])
        assert player.sticks_out() == []


def number(player: DrivenPlayer) -> int:
    return int(player.evaluate("() => document.getElementById('quantity').value"))


def the_first_steps_of_the_tutorial(player: DrivenPlayer) -> None:
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
