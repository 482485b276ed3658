"""kill -9: what was acknowledged is there once, the game goes on, and nobody pays for the pause."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

import aiohttp
import pytest

from games.perudo.rules.events import Revealed
from tests.faults.player import Attempt
from tests.games.perudo.robot import Controls, careless, is_made
from tests.live import LiveSite
from tests.wire.autopilot import seeded
from tests.wire.deployments import QUICK, troubles
from tests.wire.ledger import Entry, Ledger
from tests.wire.people import Person, wait_until

pytestmark = pytest.mark.real_server
Come = Callable[..., Person]
LONG_AGO = "2001-01-01 00:00:00"


class Hand(threading.Thread):
    """Plays for one person as fast as it can, and notes what was acknowledged."""

    def __init__(self, person: Person, code: str, *, rng: random.Random) -> None:
        super().__init__(daemon=True)
        self.person, self.code, self.rng = person, code, rng
        self.yes: list[Attempt] = []
        self.stopped = threading.Event()

    def run(self) -> None:
        acted = -1
        while not self.stopped.is_set():
            view = self.person.sees(self.code)
            action = careless(view, self.rng) if view.seq > acted else None
            acted = max(acted, view.seq)
            if action is None:
                time.sleep(0.005)
                continue
            try:
                refusal = self.person.action(self.code, "move", seen=view.seq, **action)
            except (aiohttp.ClientError, OSError):
                return  # cut off in the middle: nobody knows whether it was made
            if not refusal and view.seat is not None:
                self.yes.append(Attempt(self.code, view.seat, view.seq, action, yes=True))


@pytest.fixture
def site(new_site: Callable[..., LiveSite]) -> LiveSite:
    site = new_site(**QUICK)
    site.start()
    return site


def sit_two(site: LiveSite, come: Come, **settings: object) -> tuple[str, list[Person]]:
    people = [come(site), come(site)]
    code = people[0].open_table(size=3, **settings)
    assert people[1].action(code, "sit") == ""
    for person in people:
        person.look_at(code)
    assert people[0].action(code, "start") == ""
    wait_until(lambda: all(one.sees(code).phase == "turn" for one in people), "the first turn")
    return code, people


def test_no_acknowledged_move_is_lost_and_none_is_made_twice(site: LiveSite, come: Come) -> None:
    """Killed again and again in the middle of moves, the table goes on from where it stood."""
    code, people = sit_two(site, come)
    ledger, rng = Ledger(site.folder), seeded(5)
    yes: list[Attempt] = []
    for _ in range(3):
        hands = [Hand(person, code, rng=seeded(rng.random())) for person in people]
        for hand in hands:
            hand.start()
        time.sleep(rng.uniform(0.15, 0.5))
        site.kill()
        for hand in hands:
            hand.stopped.set()
            hand.join(10)
            yes += hand.yes
        site.start()
        for person in people:
            person.look_at(code)
        assert ledger.check(code).phase in ("turn", "reveal", "over")
        if people[0].sees(code).phase == "over":
            break
    log = ledger.log(code)
    for move in yes:
        made = [
            entry
            for entry in log
            if entry.seq > move.seen
            and is_made(move.action, move.seat, entry.fact)
            and round_at(log, entry.seq) == round_at(log, move.seen)
        ]
        assert len(made) == 1, f"{move} was acknowledged, and the log has {made}"
    assert len(yes) > 10
    assert troubles(site.log) == []


def round_at(log: list[Entry], seq: int) -> int:
    """How many times the cups had gone up before this number."""
    return sum(1 for entry in log if isinstance(entry.fact, Revealed) and entry.seq < seq)


def test_a_socket_that_comes_back_sees_what_a_fresh_page_shows(site: LiveSite, come: Come) -> None:
    code, people = sit_two(site, come)
    speaker = next(one for one in people if one.sees(code).my_turn)
    assert speaker.move(code, "bid", quantity=2, face=5) == ""
    old_socket = people[0].sockets[0]
    site.kill()
    wait_until(lambda: old_socket.closed is not None, "the socket to end")
    assert old_socket.closed == 1006  # the browser comes back after this one
    site.start()
    for person in people:
        again = person.listen(old_socket.path.split("?")[0] + "?seen=0&lang=en")
        wait_until(lambda again=again: again.frames, "the first frame")
        fresh = person.get(f"/games/{code}").text
        view = person.sees(code)
        assert view.table in again.frames[0] and view.table in fresh
        assert view.own in again.frames[0] and view.own in fresh
        assert Controls.of(view).hand == next(
            entry.fact.dice
            for entry in Ledger(site.folder).log(code)
            if entry.fact.audience == (view.seat,)
        )


def test_nobody_loses_time_to_a_downtime(site: LiveSite, come: Come) -> None:
    code, people = sit_two(site, come, pace="15")
    ledger = Ledger(site.folder)
    speaker = next(one for one in people if one.sees(code).my_turn)
    site.kill()
    before = ledger.log(code)
    ledger.write("UPDATE games_game SET due_at = ?, turn_ends_at = ?", LONG_AGO, LONG_AGO)
    ledger.write("UPDATE games_hours SET open_at = ?", LONG_AGO)
    site.start()
    opened = time.time()
    for person in people:
        person.look_at(code)
    time.sleep(0.5)  # the clock has ticked
    assert ledger.log(code) == before
    [left] = ledger.rows("SELECT strftime('%s', turn_ends_at) FROM games_game")
    assert int(left[0]) - opened > 10
    wait_until(lambda: speaker.sees(code).my_turn, "his turn, still")
    assert speaker.move(code, "bid", quantity=1, face=2) == ""
    assert ledger.rows("SELECT DISTINCT missed, asleep FROM games_seat") == [(0, 0)]


def test_a_bot_that_was_cut_off_moves_after_the_restart(
    new_site: Callable[..., LiveSite], come: Come
) -> None:
    site = new_site(**QUICK | {"BOT_SECONDS": "0.5"})  # time to be killed before it moves
    site.start()
    person, ledger = come(site), Ledger(site.folder)
    code = person.open_table(size=2)
    assert person.action(code, "add-bot", kind="steady") == ""
    person.look_at(code)
    assert person.action(code, "start") == ""
    wait_until(lambda: person.sees(code).my_turn, "his turn")
    face, counts = next(iter(Controls.of(person.sees(code)).faces.items()))
    assert person.move(code, "bid", quantity=counts[0], face=face) == ""
    site.kill()
    before = ledger.facts(code)
    site.start()
    person.look_at(code)
    wait_until(
        lambda: person.sees(code).my_turn or person.sees(code).must_confirm, "the bot's move"
    )
    facts = ledger.facts(code)
    assert len(facts) > len(before)
    assert facts[: len(before)] == before
    ledger.check(code)
