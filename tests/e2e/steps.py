"""What people do at the pages in every browser that is driven over WebDriver, step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.e2e.driven_player import DrivenPlayer
from tests.e2e.player import GAME_PATIENCE
from tests.support.fixtures import PASSWORD

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

# The seconds of each file that is played.
NOTE_SOUNDS = """() => {
  window.played = [];
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (...when) {
    played.push(this.buffer.duration);
    return start.apply(this, when);
  };
}"""
# The seconds of each file of the game, as this browser decodes them.
DECODE_SOUNDS = """async () => {
  const decoder = new OfflineAudioContext(1, 1, 44_100);
  const files = document.getElementById("sound").dataset.sounds.trim().split(/\\s+/);
  return Promise.all(files.map(async (file) => {
    const answer = await fetch(file);
    return (await decoder.decodeAudioData(await answer.arrayBuffer())).duration;
  }));
}"""


def register(player: DrivenPlayer) -> None:
    player.go("/account/signup/")
    player.fill("[name=username]", player.name)
    player.fill("[name=password1]", PASSWORD)
    player.click("button", "Create account")
    player.wait_until_shown(".two-ways")


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

    players[0].wait_for(so, GAME_PATIENCE)


def invite_and_join(host: DrivenPlayer, friend: DrivenPlayer) -> None:
    """The link goes through the clipboard; the friend gives a name and presses one button."""
    host.go("/games/new")
    host.click("button", "Create the table")
    host.click("button", "Copy link")
    host.wait_until_shown(".share-says", "Link copied.")
    host.click("#say-text")
    host.paste()
    address = str(host.evaluate("() => location.href"))
    host.wait_for(
        lambda: host.evaluate("() => document.getElementById('say-text').value") == address
    )
    friend.go(address.removeprefix(friend.site))
    assert friend.wider_than_screen() == []
    friend.fill("#guest-name", friend.name)
    friend.click("button", f"Join {host.name}'s table")
    host.wait_until_shown("#table .seat-name", friend.name)
    friend.wait_until_shown("#table .seat", "you")


def talk(host: DrivenPlayer, friend: DrivenPlayer) -> None:
    host.click("button", "Hello!")
    friend.wait_until_shown("#table .seat .bubble", "Hello!")
    friend.wait_until_shown(".talk-link .unread")
    host.click("button.react")
    friend.wait_until_shown("#table .seat .bubble .reaction")


def ranked(player: DrivenPlayer) -> list[str]:
    """The names of the ranking in order; where a page says "You", its player's."""
    shown = player.texts("#table .ranking li > span")
    assert "You" in shown
    return [player.name if each == "You" else each for each in shown]


def play_a_whole_game(host: DrivenPlayer, friend: DrivenPlayer) -> None:
    """From the sign-up and an invitation to the rematch and the replay; the friend reloads once."""
    register(host)
    invite_and_join(host, friend)
    talk(host, friend)
    host.click("button", "Start the game")
    bid_one_more_than_offered(host, friend)
    press_all([host, friend], until=lambda: "confirm" in friend.choices)
    friend.wait_for(
        lambda: not friend.is_shown("#table .bubble")
    )  # a message stands at its seat awhile
    before = friend.shown_state()
    friend.reload()
    assert friend.shown_state() == before
    assert friend.wider_than_screen() == []
    press_all([host, friend], until=lambda: host.phase == friend.phase == "over")
    host.wait_for(lambda: host.seq == friend.seq)
    host.wait_for(lambda: host.shown_state()[0] == friend.shown_state()[0], what="for one table")
    ranking = ranked(host)
    assert ranking == ranked(friend)
    assert sorted(ranking) == sorted([host.name, friend.name])
    share_the_replay(host)
    friend.click("button", "Rematch")
    host.wait_until_shown("#own button", "Go to the rematch")
    step_through_the_replay(host)


def a_reveal_moves_until_skipped(player: DrivenPlayer, skip: Callable[[], None]) -> None:
    """Against bots: the cups open, `skip` ends the animation, and the next dice are rolled."""
    player.evaluate(NOTE_ANIMATIONS)
    press_all([player], until=lambda: "dudo" in player.choices)
    player.choose("dudo")
    player.wait_until_shown("#table .reveal.is-fresh")
    player.wait_for(lambda: "uncup" in player.evaluate("() => begun"))
    skip()
    player.wait_until_shown("#table .reveal.is-told")
    assert player.evaluate(COUNT_SHOWN)
    player.evaluate("() => void rolls.splice(0)")
    press_all([player], until=lambda: player.phase == "turn")
    player.wait_for(lambda: "tumble" in player.evaluate("() => rolls"))


def begin_by_keys(player: DrivenPlayer) -> None:
    """To a table against bots by Tab and Enter."""
    player.go("/bots")
    player.tab_to("#hero-perudo ~ .play-now button")
    player.press("Enter")
    player.wait_until_shown(".my-dice .die")


def bid_by_keys(player: DrivenPlayer) -> None:
    player.wait_for(lambda: "bid" in player.choices)
    player.tab_to("#own input[name=face]:checked")
    offered = bid_quantity(player)

    def raised() -> bool:
        player.press("p", "+")  # of other values only the bid one higher may be legal
        return bid_quantity(player) > offered

    player.wait_for(raised)  # the script of the keys may still be on its way
    bid, before = f"{bid_quantity(player)}×", player.seq
    player.press("Enter")
    player.wait_for(lambda: player.seq > before)
    player.wait_until_shown("#table .bids li", bid)


def bid_one_more_than_offered(*players: DrivenPlayer) -> None:
    """The player who opens presses + once and bids; both see it."""
    players[0].wait_for(lambda: any("bid" in player.choices for player in players))
    opener = next(player for player in players if "bid" in player.choices)
    offered = bid_quantity(opener)
    opener.click("#own [data-step='1']")
    opener.choose("bid")
    for player in players:
        player.wait_until_shown("#table .bid", f"{offered + 1}×")


def share_the_replay(player: DrivenPlayer) -> None:
    player.click(".share-opener")
    player.click("#share-game .copy", "Copy link")
    player.wait_until_shown("#share-game .share-says", "Link copied.")
    player.press("Escape")
    player.wait_for(lambda: not player.is_shown("#share-game"))


def step_through_the_replay(player: DrivenPlayer) -> None:
    player.click("a", "Watch the replay")
    player.wait_until_shown(".where", " of ")  # at the last reveal of one's own
    player.wait_for(lambda: player.evaluate("() => document.readyState") == "complete")
    player.press("Home")
    player.wait_for(lambda: player.texts(".where")[0].startswith("1 of "))
    last = player.texts(".where")[0].split()[-1]
    steps = {"ArrowRight": "2", "End": last, "ArrowLeft": str(int(last) - 1), "Home": "1"}
    for key, moment in steps.items():
        player.wait_for(lambda: player.evaluate("() => document.readyState") == "complete")
        player.press(key)  # before its script has run it would do nothing
        player.wait_for(lambda now=f"{moment} of {last}": player.texts(".where") == [now])
        assert player.wider_than_screen() == []


def bid_quantity(player: DrivenPlayer) -> int:
    return int(player.evaluate("() => document.getElementById('quantity').value"))


def do_first_tutorial_steps(player: DrivenPlayer) -> None:
    player.go("/learn/perudo")
    player.click("a", "Start with step 1")
    for step, (quantity, face) in enumerate(((3, 5), (3, 4)), start=1):
        player.wait_until_shown(".where", f"Step {step} of 10")
        assert player.wider_than_screen() == []
        player.click(f"#own .face:has([value='{face}'])")
        while quantity > bid_quantity(player):
            player.click("#own [data-step='1']")
        player.click("#own .say")
        player.wait_until_shown(".reply.is-right")
        assert player.wider_than_screen() == []
        player.click("a", "Next step")
    player.wait_until_shown(".where", "Step 3 of 10")


def sounds_are_decoded_and_played(player: DrivenPlayer) -> None:
    """Against bots, in every game: the sound is turned on and heard, and no file is unreadable."""
    for game in ("perudo", "peco_peco"):
        player.go("/bots")
        player.click(f"#hero-{game} ~ .play-now button")
        player.wait_until_shown("#sound")
        player.evaluate(NOTE_SOUNDS)
        if game != "perudo":
            player.click("#sound")  # off: the choice is kept
        player.click("#sound")
        player.wait_for(lambda: bool(player.evaluate("() => window.played")))
        assert all(0.1 < seconds < 1 for seconds in player.evaluate(DECODE_SOUNDS))
