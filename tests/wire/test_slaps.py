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
    RoundStarted,
    SlapWaived,
    SlapWindowClosed,
)
from games.peco_peco.rules.stakes import STAKES
from games.peco_peco.tests import page_player
from games.peco_peco.tests.page_player import Controls
from tests.support import autopilot
from tests.support.deployments import Deployment
from tests.support.players import HttpPlayer, open_pages, take_seats, wait_for
from tests.support.site_database import contiguous
from tests.wire.test_races import at_once, everywhere, guests

pytestmark = pytest.mark.real_server
NewPlayer = Callable[..., HttpPlayer]
ACCUSED = (BluffAdmitted, HonestyShown)
LATE = "moved on"


# A table without a clock.
TABLE = page_player.TABLE | {"pace": "", "first_feast_on_top": "false"}


def by_rule(
    deployment: Deployment, new_player: NewPlayer, rule: str, **settings: object
) -> tuple[str, list[HttpPlayer]]:
    """A table whose first stake has this rule, and its people in the order of turns.

    Which stake comes first is drawn: another process of the site starts the game, and there the
    draw puts such a stake on top.
    """
    people = guests(new_player, deployment, 4)
    code = take_seats(people, **TABLE | settings)
    stake = next(stake for stake in STAKES.values() if stake.rule == rule)
    deployment.site.manage("shell", "-v", "0", "-c", START.format(code=code, stake=stake.id))
    open_pages(people, code)
    [begun] = deployment.database.facts(code, RoundStarted)
    assert begun.stake == stake.id
    return code, [people[(begun.starter + step * stake.direction) % 4] for step in range(4)]


START = """
from datetime import UTC, datetime
from games.core.chance import SystemChance
from games.models import Game
from games.play import before_start

class Chance(SystemChance):
    def shuffled(self, items, at=None):
        return tuple(sorted(super().shuffled(items), key=lambda item: item != "{stake}"))

game = Game.objects.get(code="{code}")
before_start.start(game.code, game.host, now=datetime.now(UTC), chance=Chance())
"""


def moves(person: HttpPlayer, code: str) -> frozenset[str]:
    return person.view(code).moves


def test_of_two_slaps_at_once_the_first_is_heard(pair: Deployment, new_player: NewPlayer) -> None:
    """Q33: the order of receipt decides; the other is told that the game has moved on."""
    code, people = by_rule(pair, new_player, "slap", slap_window_ms="10000")
    declarer, *others = people
    assert declarer.move(code, "declare") == ""
    wait_for(lambda: all("accuse" in moves(one, code) for one in others), "the window")
    words = at_once(*(partial(one.move, code, "accuse") for one in others))
    assert sorted(words)[0] == "" and all(LATE in told for told in sorted(words)[1:])
    log = pair.database.log(code)
    [made] = [entry.fact for entry in log if isinstance(entry.fact, ACCUSED)]
    winner = others[words.index("")].view(code).seat
    assert (made.accuser, made.accused) == (winner, declarer.view(code).seat)
    pair.database.check(code)
    assert contiguous(log)


def test_the_same_slap_six_times_is_one(pair: Deployment, new_player: NewPlayer) -> None:
    code, people = by_rule(pair, new_player, "slap", slap_window_ms="10000")
    declarer, _, accuser, _ = people
    assert declarer.move(code, "declare") == ""
    wait_for(lambda: "accuse" in moves(accuser, code), "the window")
    seen = accuser.view(code).seq
    twins = everywhere(accuser, pair)
    words = at_once(*(partial(twin.move, code, "accuse", seen=seen) for twin in twins))
    assert words.count("") == 1
    log = pair.database.log(code)
    assert len([entry for entry in log if isinstance(entry.fact, ACCUSED)]) == 1
    pair.database.check(code)
    assert contiguous(log)


def test_a_slap_while_the_others_let_it_pass(pair: Deployment, new_player: NewPlayer) -> None:
    """The window stays open for the player who has not let it pass: the slap counts."""
    code, people = by_rule(pair, new_player, "slap", slap_window_ms="10000")
    declarer, accuser, *others = people
    assert declarer.move(code, "declare") == ""
    wait_for(lambda: all("waive" in moves(one, code) for one in people[1:]), "the window")
    slap, *waived = at_once(
        partial(accuser.move, code, "accuse"), *(partial(one.move, code, "waive") for one in others)
    )
    log = pair.database.log(code)
    assert slap == "", "nobody else has acted"
    assert len([entry for entry in log if isinstance(entry.fact, ACCUSED)]) == 1
    assert len(pair.database.facts(code, SlapWaived)) == waived.count("")
    assert [told for told in waived if told and LATE not in told] == []
    pair.database.check(code)
    assert contiguous(log)


def test_a_slap_against_the_next_players_move(pair: Deployment, new_player: NewPlayer) -> None:
    """After the window the next player may act, and a slap is possible until then (Q33)."""
    code, people = by_rule(pair, new_player, "slap", slap_window_ms="2000")
    declarer, following, accuser, _ = people
    assert declarer.move(code, "declare") == ""
    wait_for(lambda: following.view(code).my_turn, "the end of the window")
    wait_for(lambda: accuser.view(code).seq == following.view(code).seq, "the same screen")
    assert len(pair.database.facts(code, SlapWindowClosed)) == 1
    controls = Controls.of(following.view(code))
    action = {"do": "declare"}
    if controls.playable:
        action = page_player.play(controls, controls.playable[0], autopilot.seeded(1))
    played, slapped = at_once(
        partial(following.move, code, **action), partial(accuser.move, code, "accuse")
    )
    assert sorted([played, slapped])[0] == ""
    assert LATE in (played or slapped)
    log = pair.database.log(code)
    accused = [entry.fact for entry in log if isinstance(entry.fact, ACCUSED)]
    acted = [
        entry.fact
        for entry in log
        if isinstance(entry.fact, CardPlayed | Declared)
        and entry.fact.seat == following.view(code).seat
    ]
    assert (len(accused), len(acted)) == ((1, 0) if slapped == "" else (0, 1))
    pair.database.check(code)
    assert contiguous(log)


def test_an_accusation_against_the_clock(pair: Deployment, new_player: NewPlayer) -> None:
    """The time of a turn runs out while the player on turn accuses: they did, or were too late."""
    code, people = by_rule(pair, new_player, "none", pace="180")
    declarer, accuser = people[:2]
    assert declarer.move(code, "declare") == ""
    wait_for(lambda: "accuse" in moves(accuser, code), "the turn")
    seat, seen = accuser.view(code).seat, accuser.view(code).seq
    soon = datetime.now(UTC) + timedelta(seconds=0.05)
    pair.database.write(
        "UPDATE games_game SET due_at = ?, turn_ends_at = ? WHERE code = ?",
        *(moment(pair, soon), moment(pair, soon), code),
    )
    time.sleep(0.05)
    told = accuser.move(code, "accuse", seen=seen)

    def settled() -> bool:
        return any(entry.seq > seen for entry in pair.database.log(code))

    wait_for(settled, "the accusation or the clock")
    first = next(entry.fact for entry in pair.database.log(code) if entry.seq > seen)
    if told == "":
        assert isinstance(first, ACCUSED) and first.accuser == seat
    else:
        assert LATE in told
        assert isinstance(first, CardPlayed | Declared) and first.seat == seat
    log = pair.database.log(code)
    assert len([entry for entry in log if isinstance(entry.fact, ACCUSED)]) <= 1
    pair.database.check(code)
    assert contiguous(log)


def moment(deployment: Deployment, at: datetime) -> object:
    """A time as this database takes it."""
    return at if deployment.database.postgres else at.strftime("%Y-%m-%d %H:%M:%S.%f")
