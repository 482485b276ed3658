"""kill -9: what was acknowledged is there once, the game goes on, and nobody pays for the pause."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

import aiohttp
import pytest

from games.perudo.rules.events import Revealed
from games.perudo.tests.page_player import Controls, is_result_of, random_action
from tests.faults.player import Attempt
from tests.support.autopilot import seeded
from tests.support.deployments import QUICK, error_entries
from tests.support.live_site import LiveSite
from tests.support.players import HttpPlayer, wait_for
from tests.support.site_database import LogEntry, SiteDatabase

pytestmark = pytest.mark.real_server
NewPlayer = Callable[..., HttpPlayer]
LONG_AGO = "2001-01-01 00:00:00"


class Hand(threading.Thread):
    """Plays for one person as fast as it can, and notes what was acknowledged."""

    def __init__(self, person: HttpPlayer, code: str, *, rng: random.Random) -> None:
        super().__init__(daemon=True)
        self.person, self.code, self.rng = person, code, rng
        self.yes: list[Attempt] = []
        self.stopped = threading.Event()

    def run(self) -> None:
        acted = -1
        while not self.stopped.is_set():
            view = self.person.view(self.code)
            action = random_action(view, self.rng) if view.seq > acted else None
            acted = max(acted, view.seq)
            if action is None:
                time.sleep(0.005)
                continue
            try:
                refusal = self.person.move(self.code, seen=view.seq, **action)
            except (aiohttp.ClientError, OSError):
                return  # cut off in the middle: nobody knows whether it was made
            if not refusal and view.seat is not None:
                self.yes.append(Attempt(self.code, view.seat, view.seq, action, yes=True))


@pytest.fixture
def site(new_site: Callable[..., LiveSite]) -> LiveSite:
    site = new_site(**QUICK)
    site.start()
    return site


def sit_two(
    site: LiveSite, new_player: NewPlayer, **settings: object
) -> tuple[str, list[HttpPlayer]]:
    people = [new_player(site), new_player(site)]
    code = people[0].open_table(size=3, **settings)
    assert people[1].action(code, "sit") == ""
    for person in people:
        person.open_page(code)
    assert people[0].action(code, "start") == ""
    wait_for(lambda: all(one.view(code).phase == "turn" for one in people), "the first turn")
    return code, people


def test_no_acknowledged_move_is_lost_and_none_is_made_twice(
    site: LiveSite, new_player: NewPlayer
) -> None:
    """Killed again and again in the middle of moves, the table goes on from where it stood."""
    code, people = sit_two(site, new_player)
    database, rng = SiteDatabase(site.folder), seeded(5)
    yes: list[Attempt] = []
    for _ in range(3):
        hands = [Hand(person, code, rng=seeded(rng.random())) for person in people]
        for hand in hands:
            hand.start()
        enough = rng.randint(4, 12)
        wait_for(
            lambda hands=hands, enough=enough: (
                sum(len(hand.yes) for hand in hands) >= enough
                or people[0].view(code).phase == "over"
            ),
            "some moves",
            patience=60,
        )
        time.sleep(rng.uniform(0, 0.1))
        site.kill()
        for hand in hands:
            hand.stopped.set()
            hand.join(10)
            yes += hand.yes
        site.start()
        for person in people:
            person.open_page(code)
        assert database.check(code).phase in ("turn", "reveal", "over")
        if people[0].view(code).phase == "over":
            break
    log = database.log(code)
    for move in yes:
        made = [
            entry
            for entry in log
            if entry.seq > move.seen
            and is_result_of(move.action, move.seat, entry.fact)
            and round_at(log, entry.seq) == round_at(log, move.seen)
        ]
        assert len(made) == 1, f"{move} was acknowledged, and the log has {made}"
    assert len(yes) > 10
    assert error_entries(site.log) == []


def round_at(log: list[LogEntry], seq: int) -> int:
    """How many times the cups had gone up before this number."""
    return sum(1 for entry in log if isinstance(entry.fact, Revealed) and entry.seq < seq)


def test_a_socket_that_comes_back_sees_what_a_fresh_page_shows(
    site: LiveSite, new_player: NewPlayer
) -> None:
    code, people = sit_two(site, new_player)
    speaker = next(one for one in people if one.view(code).my_turn)
    assert speaker.move(code, "bid", quantity=2, face=5) == ""
    old_socket = people[0].sockets[0]
    site.kill()
    wait_for(lambda: old_socket.closed is not None, "the socket to end")
    assert old_socket.closed == 1006  # the browser comes back after this one
    site.start()
    for person in people:
        again = person.listen(old_socket.path.split("?")[0] + "?seen=0&lang=en")
        wait_for(lambda again=again: again.frames, "the first frame")
        fresh = person.get(f"/games/{code}").text
        view = person.view(code)
        assert view.table in again.frames[0] and view.table in fresh
        assert view.own in again.frames[0] and view.own in fresh
        assert Controls.of(view).hand == next(
            entry.fact.dice
            for entry in SiteDatabase(site.folder).log(code)
            if entry.fact.audience == (view.seat,)
        )


def test_nobody_loses_time_to_a_downtime(site: LiveSite, new_player: NewPlayer) -> None:
    code, people = sit_two(site, new_player, pace="15")
    database = SiteDatabase(site.folder)
    speaker = next(one for one in people if one.view(code).my_turn)
    site.kill()
    before = database.log(code)
    database.write("UPDATE games_game SET due_at = ?, turn_ends_at = ?", LONG_AGO, LONG_AGO)
    database.write("UPDATE games_hours SET open_at = ?", LONG_AGO)
    site.start()
    opened = time.time()
    for person in people:
        person.open_page(code)
    time.sleep(0.5)  # the clock has ticked
    assert database.log(code) == before
    [left] = database.rows("SELECT strftime('%s', turn_ends_at) FROM games_game")
    assert int(left[0]) - opened > 10
    wait_for(lambda: speaker.view(code).my_turn, "his turn, still")
    assert speaker.move(code, "bid", quantity=1, face=2) == ""
    assert database.rows("SELECT DISTINCT missed, asleep FROM games_seat") == [(0, 0)]


def test_a_bot_that_was_cut_off_moves_after_the_restart(
    new_site: Callable[..., LiveSite], new_player: NewPlayer
) -> None:
    site = new_site(**QUICK | {"BOT_SECONDS": "0.5"})  # time to be killed before it moves
    site.start()
    person, database = new_player(site), SiteDatabase(site.folder)
    code = person.open_table(size=2)
    assert person.action(code, "add-bot", kind="steady") == ""
    person.open_page(code)
    assert person.action(code, "start") == ""
    wait_for(lambda: person.view(code).my_turn, "his turn")
    face, counts = next(iter(Controls.of(person.view(code)).faces.items()))
    assert person.move(code, "bid", quantity=counts[0], face=face) == ""
    site.kill()
    before = database.facts(code)
    site.start()
    person.open_page(code)
    wait_for(lambda: person.view(code).my_turn or person.view(code).must_confirm, "the bot's move")
    facts = database.facts(code)
    assert len(facts) > len(before)
    assert facts[: len(before)] == before
    database.check(code)
