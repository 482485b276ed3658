"""Several players of Peco Peco act at the same instant: one outcome, nothing lost."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from games.peco_peco.rules.events import (
    BluffAdmitted,
    CardPlayed,
    Declared,
    HonestyShown,
    RoundEnded,
    RoundSeen,
    RoundStarted,
    SlapWaived,
    SlapWindowClosed,
)
from games.peco_peco.rules.stakes import STAKES
from tests.games.peco_peco import robot
from tests.games.peco_peco.robot import Controls
from tests.wire import autopilot
from tests.wire.deployments import Deployment
from tests.wire.ledger import contiguous
from tests.wire.people import Person, begin, look, take_seats, wait_until
from tests.wire.test_races import at_once, everywhere, guests

pytestmark = pytest.mark.real_server
Come = Callable[..., Person]
ACCUSED = (BluffAdmitted, HonestyShown)
LATE = "moved on"


# A table without a clock.
TABLE = robot.TABLE | {"pace": "", "first_feast_on_top": "false"}


def by_rule(
    deployment: Deployment, come: Come, rule: str, **settings: object
) -> tuple[str, list[Person]]:
    """A table whose first stake has this rule, and its people in the order of turns.

    Which stake comes first is drawn: another process of the site starts the game, and there the
    draw puts such a stake on top.
    """
    people = guests(come, deployment, 4)
    code = take_seats(people, **TABLE | settings)
    stake = next(stake for stake in STAKES.values() if stake.rule == rule)
    deployment.site.manage("shell", "-v", "0", "-c", START.format(code=code, stake=stake.id))
    look(people, code)
    [begun] = deployment.ledger.facts(code, RoundStarted)
    assert begun.stake == stake.id
    return code, [people[(begun.starter + step * stake.direction) % 4] for step in range(4)]


START = """
from datetime import UTC, datetime
from games.core.chance import SystemChance
from games.models import Game
from games.play import before_start

class Chance(SystemChance):
    def shuffled(self, items):
        return tuple(sorted(super().shuffled(items), key=lambda item: item != "{stake}"))

game = Game.objects.get(code="{code}")
before_start.start(game.code, game.host, now=datetime.now(UTC), chance=Chance())
"""


def moves(person: Person, code: str) -> frozenset[str]:
    return person.sees(code).moves


def test_of_two_slaps_at_once_the_first_is_heard(pair: Deployment, come: Come) -> None:
    """Q33: the order of receipt decides; the other is told that the game has moved on."""
    code, people = by_rule(pair, come, "slap", slap_window_ms="10000")
    declarer, *others = people
    assert declarer.move(code, "declare") == ""
    wait_until(lambda: all("accuse" in moves(one, code) for one in others), "the window")
    words = at_once(*(partial(one.move, code, "accuse") for one in others))
    assert sorted(words)[0] == "" and all(LATE in told for told in sorted(words)[1:])
    log = pair.ledger.log(code)
    [made] = [entry.fact for entry in log if isinstance(entry.fact, ACCUSED)]
    winner = others[words.index("")].sees(code).seat
    assert (made.accuser, made.accused) == (winner, declarer.sees(code).seat)
    pair.ledger.check(code)
    assert contiguous(log)


def test_the_same_slap_six_times_is_one(pair: Deployment, come: Come) -> None:
    code, people = by_rule(pair, come, "slap", slap_window_ms="10000")
    declarer, _, accuser, _ = people
    assert declarer.move(code, "declare") == ""
    wait_until(lambda: "accuse" in moves(accuser, code), "the window")
    seen = accuser.sees(code).seq
    twins = everywhere(accuser, pair)
    words = at_once(*(partial(twin.move, code, "accuse", seen=seen) for twin in twins))
    assert words.count("") == 1
    log = pair.ledger.log(code)
    assert len([entry for entry in log if isinstance(entry.fact, ACCUSED)]) == 1
    pair.ledger.check(code)
    assert contiguous(log)


def test_a_slap_while_the_others_let_it_pass(pair: Deployment, come: Come) -> None:
    """The window stays open for the player who has not let it pass: the slap counts."""
    code, people = by_rule(pair, come, "slap", slap_window_ms="10000")
    declarer, accuser, *others = people
    assert declarer.move(code, "declare") == ""
    wait_until(lambda: all("waive" in moves(one, code) for one in people[1:]), "the window")
    slap, *waived = at_once(
        partial(accuser.move, code, "accuse"), *(partial(one.move, code, "waive") for one in others)
    )
    log = pair.ledger.log(code)
    assert slap == "", "nobody else has acted"
    assert len([entry for entry in log if isinstance(entry.fact, ACCUSED)]) == 1
    assert len(pair.ledger.facts(code, SlapWaived)) == waived.count("")
    assert all(LATE in told for told in waived if told)
    pair.ledger.check(code)
    assert contiguous(log)


def test_a_slap_against_the_next_players_move(pair: Deployment, come: Come) -> None:
    """After the window the next player may act, and a slap is possible until then (Q33)."""
    code, people = by_rule(pair, come, "slap", slap_window_ms="2000")
    declarer, following, accuser, _ = people
    assert declarer.move(code, "declare") == ""
    wait_until(lambda: following.sees(code).my_turn, "the end of the window")
    wait_until(lambda: accuser.sees(code).seq == following.sees(code).seq, "the same screen")
    assert len(pair.ledger.facts(code, SlapWindowClosed)) == 1
    controls = Controls.of(following.sees(code))
    action = {"do": "declare"}
    if controls.playable:
        action = robot.play(controls, controls.playable[0], autopilot.seeded(1))
    played, slapped = at_once(
        partial(following.move, code, **action), partial(accuser.move, code, "accuse")
    )
    assert sorted([played, slapped])[0] == ""
    assert LATE in (played or slapped)
    log = pair.ledger.log(code)
    accused = [entry.fact for entry in log if isinstance(entry.fact, ACCUSED)]
    acted = [
        entry.fact
        for entry in log
        if isinstance(entry.fact, CardPlayed | Declared)
        and entry.fact.seat == following.sees(code).seat
    ]
    assert (len(accused), len(acted)) == ((1, 0) if slapped == "" else (0, 1))
    pair.ledger.check(code)
    assert contiguous(log)


def test_an_accusation_against_the_clock(pair: Deployment, come: Come) -> None:
    """The time of a turn runs out while the player on turn accuses: they did, or were too late."""
    code, people = by_rule(pair, come, "none", pace="180")
    declarer, accuser = people[:2]
    assert declarer.move(code, "declare") == ""
    wait_until(lambda: "accuse" in moves(accuser, code), "the turn")
    seat, seen = accuser.sees(code).seat, accuser.sees(code).seq
    soon = datetime.now(UTC) + timedelta(seconds=0.05)
    pair.ledger.write(
        "UPDATE games_game SET due_at = ?, turn_ends_at = ? WHERE code = ?",
        *(moment(pair, soon), moment(pair, soon), code),
    )
    time.sleep(0.05)
    told = accuser.move(code, "accuse", seen=seen)

    def settled() -> bool:
        return any(entry.seq > seen for entry in pair.ledger.log(code))

    wait_until(settled, "the accusation or the clock")
    first = next(entry.fact for entry in pair.ledger.log(code) if entry.seq > seen)
    if told == "":
        assert isinstance(first, ACCUSED) and first.accuser == seat
    else:
        assert LATE in told
        assert isinstance(first, CardPlayed | Declared) and first.seat == seat
    log = pair.ledger.log(code)
    assert len([entry for entry in log if isinstance(entry.fact, ACCUSED)]) <= 1
    pair.ledger.check(code)
    assert contiguous(log)


def moment(deployment: Deployment, at: datetime) -> object:
    """A time as this database takes it."""
    return at if deployment.ledger.postgres else at.strftime("%Y-%m-%d %H:%M:%S.%f")


def test_everybody_confirms_twice_and_the_next_round_begins_once(
    pair: Deployment, come: Come
) -> None:
    people = guests(come, pair, 4)
    code = begin(people, **TABLE)
    autopilot.play(
        code,
        people,
        until=lambda: all(one.sees(code).must_confirm for one in people),
        choose=lambda view, rng: None if view.must_confirm else robot.careless(view, rng),
        rng=autopilot.seeded(2),
    )
    seen = people[0].sees(code).seq
    confirming = [twin for person in people for twin in everywhere(person, pair)[:2]]
    words = at_once(*(partial(one.move, code, "confirm", seen=seen) for one in confirming))
    assert words.count("") == 4
    assert sorted(fact.seat for fact in pair.ledger.facts(code, RoundSeen)) == [0, 1, 2, 3]
    assert len(pair.ledger.facts(code, RoundEnded)) == 1
    assert len(pair.ledger.facts(code, RoundStarted)) == 2
    pair.ledger.check(code)
    assert contiguous(pair.ledger.log(code))
