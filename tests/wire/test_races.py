"""Several people do the same thing at the same instant: one outcome, nothing lost, nobody crashed.

Every race is run with two processes on one SQLite file and with two on PostgreSQL, the commonest
with a single process too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import psycopg
import pytest

from games.perudo.rules.events import (
    BidMade,
    CalzaClaimed,
    DieLost,
    DieRegained,
    GameStarted,
    Revealed,
    RevealSeen,
    RoundStarted,
)
from tests.wire import autopilot
from tests.wire.deployments import Deployment
from tests.wire.ledger import contiguous
from tests.wire.people import Person, begin, take_seats, wait_until

pytestmark = pytest.mark.real_server
T = TypeVar("T")
Come = Callable[..., Person]


def at_once(*actions: Callable[[], T]) -> list[T]:
    """Does all of them at the same instant, each in a thread of its own; what they gave."""
    start = threading.Barrier(len(actions))

    def when_all_are_ready(action: Callable[[], T]) -> T:
        start.wait()
        return action()

    with ThreadPoolExecutor(len(actions)) as threads:
        return list(threads.map(when_all_are_ready, actions))


def guests(come: Come, deployment: Deployment, number: int) -> list[Person]:
    """People of the site, each at the next of its processes."""
    processes = deployment.processes
    return [come(processes[place % len(processes)]) for place in range(number)]


def in_turn(code: str, people: list[Person]) -> list[Person]:
    """The people from the one to speak on, to the left."""
    first = next(place for place, one in enumerate(people) if one.sees(code).my_turn)
    return people[first:] + people[:first]


def opened(code: str, people: list[Person]) -> list[Person]:
    """After an opening of one die: from the bidder on, to the left, all having seen the bid."""
    bidder, *others = in_turn(code, people)
    assert bidder.move(code, "bid", quantity=1, face=3) == ""
    wait_until(lambda: all("dudo" in one.sees(code).moves for one in others[:1]), "the bid")
    seq = others[0].sees(code).seq
    wait_until(lambda: all(one.sees(code).seq >= seq for one in people), "the bid everywhere")
    return [bidder, *others]


def everywhere(person: Person, deployment: Deployment) -> list[Person]:
    """The same person six times, at every process of the site."""
    twins = [person.at(site) for site in deployment.processes]
    return [twins[place % len(twins)] for place in range(6)]


def test_the_same_bid_six_times_is_made_once(any_deployment: Deployment, come: Come) -> None:
    people = guests(come, any_deployment, 2)
    code = begin(people)
    bidder = in_turn(code, people)[0]
    seen = bidder.sees(code).seq
    words = at_once(
        *(
            lambda twin=twin: twin.move(code, "bid", seen=seen, quantity=2, face=4)
            for twin in everywhere(bidder, any_deployment)
        )
    )
    assert sorted(words).count("") == 1
    assert all("moved on" in told or "not your turn" in told for told in words if told)
    assert len(any_deployment.ledger.facts(code, BidMade)) == 1
    assert contiguous(any_deployment.ledger.log(code))


def test_different_bids_of_one_seat_leave_one(pair: Deployment, come: Come) -> None:
    people = guests(come, pair, 2)
    code = begin(people)
    bidder = in_turn(code, people)[0]
    seen = bidder.sees(code).seq
    bids = [(number, twin) for number, twin in enumerate(everywhere(bidder, pair), start=1)]
    words = at_once(
        *(
            lambda number=number, twin=twin: twin.move(
                code, "bid", seen=seen, quantity=number, face=4
            )
            for number, twin in bids
        )
    )
    [made] = pair.ledger.facts(code, BidMade)
    assert [number for (number, _), told in zip(bids, words, strict=True) if not told] == [
        made.bid.quantity
    ]


def test_the_last_seat_is_taken_once(any_deployment: Deployment, come: Come) -> None:
    host, *others = guests(come, any_deployment, 5)
    code = host.open_table(size=2)
    words = at_once(*(lambda one=one: one.action(code, "sit") for one in others))
    seated = [one for one, told in zip(others, words, strict=True) if not told]
    assert len(seated) == 1
    assert all("This table is full" in told or "was just taken" in told for told in words if told)
    assert len(any_deployment.ledger.seats(code)) == 2
    seated[0].look_at(code, listen=False)
    assert "Leave the table" in seated[0].sees(code).own


def test_joining_twice_gives_one_seat(pair: Deployment, come: Come) -> None:
    host, other = guests(come, pair, 2)
    code = host.open_table(size=4)
    words = at_once(
        *(lambda twin=twin: twin.action(code, "sit") for twin in everywhere(other, pair))
    )
    assert words.count("") == 1
    assert len(pair.ledger.seats(code)) == 2


def test_a_dudo_prevails_over_a_calza_of_the_same_instant(
    any_deployment: Deployment, come: Come
) -> None:
    """P41: whichever reaches the server first."""
    people = guests(come, any_deployment, 3)
    code = begin(people, calza="on")
    _, doubter, claimant = opened(code, people)
    dudo, calza = at_once(lambda: doubter.move(code, "dudo"), lambda: claimant.move(code, "calza"))
    assert dudo == ""
    assert calza == "" or "moved on" in calza
    [revealed] = any_deployment.ledger.facts(code, Revealed)
    assert revealed.call == "dudo"
    assert any_deployment.ledger.facts(code, DieRegained) == []
    assert len(any_deployment.ledger.facts(code, DieLost)) == 1
    any_deployment.ledger.check(code)


def test_of_two_calzas_the_nearest_prevails(pair: Deployment, come: Come) -> None:
    """P40: nearest to the bidder's left, whichever reaches the server first."""
    people = guests(come, pair, 4)
    code = begin(people, calza="on")
    _, _, nearer, farther = opened(code, people)
    words = at_once(lambda: farther.move(code, "calza"), lambda: nearer.move(code, "calza"))
    wait_until(lambda: nearer.sees(code).phase == "reveal", "the cups to go up")
    claims = {fact.seat for fact in pair.ledger.facts(code, CalzaClaimed)}
    assert words == ["", ""] and len(claims) == 2
    [revealed] = pair.ledger.facts(code, Revealed)
    assert (revealed.call, revealed.caller) == ("calza", nearer.sees(code).seat)
    pair.ledger.check(code)


def test_the_same_calza_six_times_is_claimed_once(pair: Deployment, come: Come) -> None:
    people = guests(come, pair, 3)
    code = begin(people, calza="on")
    _, _, claimant = opened(code, people)
    seen = claimant.sees(code).seq
    words = at_once(
        *(
            lambda twin=twin: twin.move(code, "calza", seen=seen)
            for twin in everywhere(claimant, pair)
        )
    )
    assert words.count("") == 1
    assert len(pair.ledger.facts(code, CalzaClaimed)) == 1
    pair.ledger.check(code)


def test_sitting_down_while_the_host_starts(pair: Deployment, come: Come) -> None:
    host, second, third = guests(come, pair, 3)
    code = host.open_table(size=3)
    assert second.action(code, "sit") == ""
    started, sat = at_once(
        lambda: host.action(code, "start"),
        lambda: third.action(code, "sit"),
    )
    assert started == ""
    [game] = pair.ledger.facts(code, GameStarted)
    assert game.seats == len(pair.ledger.seats(code)) == (2 if sat else 3)
    assert sat == "" or "no longer open" in sat


def test_standing_up_while_the_host_starts(pair: Deployment, come: Come) -> None:
    host, *others = guests(come, pair, 3)
    code = take_seats([host, *others])
    started, stood = at_once(
        lambda: host.action(code, "start"),
        lambda: others[0].action(code, "stand"),
    )
    assert started == ""
    [game] = pair.ledger.facts(code, GameStarted)
    assert game.seats == len(pair.ledger.seats(code)) == (3 if stood else 2)
    assert [number for number, _, _ in pair.ledger.seats(code)] == list(range(game.seats))


@contextmanager
def nobody_writes(deployment: Deployment, table: str, *, until_waiting: int) -> Iterator[None]:
    """A writer waits there, after all its reads, until this many are waiting."""
    with psycopg.connect(deployment.ledger.postgres) as holder:
        holder.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
        yield

        def waiting() -> bool:
            [(count,)] = deployment.ledger.rows(
                "SELECT COUNT(*) FROM pg_stat_activity "
                "WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            return bool(count >= until_waiting)

        wait_until(waiting, "everybody at the gate")


def at_the_gate(deployment: Deployment, table: str, *actions: Callable[[], T]) -> list[T]:
    """Does all of them so that each has counted before any of them writes."""
    with ThreadPoolExecutor(len(actions)) as threads:
        with nobody_writes(deployment, table, until_waiting=len(actions)):
            done = [threads.submit(action) for action in actions]
        return [each.result() for each in done]


def test_who_opens_two_tables_at_once_gets_no_more_than_three(
    postgres_pair: Deployment, come: Come
) -> None:
    [host] = guests(come, postgres_pair, 1)
    twins = [host.at(site) for site in postgres_pair.processes]
    for _ in range(2):
        host.open_table(size=2)
    form = {"preset": "asmodee_fr", "seats": 2, "pace": "", "public": "yes"}
    opening = [lambda twin=twin: twin.post("/games/new", htmx=False, **form) for twin in twins]
    answers = at_the_gate(postgres_pair, "games_game", *opening)
    assert sorted(answer.url.path == "/games/new" for answer in answers) == [False, True]
    open_ones = "SELECT COUNT(*) FROM games_game g JOIN accounts_user u ON u.id = g.host_id "
    assert postgres_pair.ledger.rows(f"{open_ones} WHERE u.username = ?", host.name) == [(3,)]


def test_who_sits_down_at_two_tables_at_once_gets_no_more_than_eight_seats(
    postgres_pair: Deployment, come: Come
) -> None:
    [sitter, *hosts] = guests(come, postgres_pair, 4)
    codes = [host.open_table(size=2) for host in hosts for _ in range(3)]
    for code in codes[:7]:
        assert sitter.action(code, "sit") == ""
    twins = zip([sitter.at(site) for site in postgres_pair.processes], codes[7:], strict=True)
    sitting = [lambda twin=twin, code=code: twin.action(code, "sit") for twin, code in twins]
    words = at_the_gate(postgres_pair, "games_seat", *sitting)
    assert words.count("") == 1
    assert sum(len(postgres_pair.ledger.seats(code)) for code in codes) == 9 + 8


def test_a_game_that_is_started_six_times_begins_once(pair: Deployment, come: Come) -> None:
    people = guests(come, pair, 2)
    code = take_seats(people)
    words = at_once(
        *(lambda twin=twin: twin.action(code, "start") for twin in everywhere(people[0], pair))
    )
    assert words.count("") == 1
    assert len(pair.ledger.facts(code, GameStarted)) == 1
    assert len(pair.ledger.facts(code, RoundStarted)) == 1


def test_two_who_ask_for_a_rematch_meet_at_one_table(
    any_deployment: Deployment, come: Come
) -> None:
    people = guests(come, any_deployment, 2)
    code = begin(people)
    assert people[1].move(code, "leave") == ""
    asking = [twin for person in people for twin in everywhere(person, any_deployment)[:2]]
    answers = at_once(*(lambda one=one: one.post(f"/games/{code}/rematch") for one in asking))
    [rematch] = any_deployment.ledger.game(code, "rematch_id")
    [(again,)] = any_deployment.ledger.rows("SELECT code FROM games_game WHERE id = ?", rematch)
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.headers.get("HX-Redirect") for answer in answers} <= {f"/games/{again}", None}
    assert len({user for _, user, _ in any_deployment.ledger.seats(again)}) == 2
    opened_by_them = any_deployment.ledger.rows(
        "SELECT COUNT(*) FROM games_game WHERE status = 'open' AND host_id IN "
        "(SELECT user_id FROM games_seat s JOIN games_game g ON g.id = s.game_id "
        "WHERE g.code = ?)",
        again,
    )
    assert opened_by_them == [(1,)]


def test_everybody_confirms_twice_and_the_next_round_begins_once(
    pair: Deployment, come: Come
) -> None:
    people = guests(come, pair, 3)
    code = begin(people)
    _, doubter, _ = opened(code, people)
    assert doubter.move(code, "dudo") == ""
    wait_until(lambda: all(one.sees(code).must_confirm for one in people), "the cups to go up")
    seen = doubter.sees(code).seq
    confirming = [twin for person in people for twin in everywhere(person, pair)[:2]]
    words = at_once(*(lambda one=one: one.move(code, "confirm", seen=seen) for one in confirming))
    assert words.count("") == 3
    confirmed = [fact.seat for fact in pair.ledger.facts(code, RevealSeen)]
    assert sorted(confirmed) == [0, 1, 2]
    assert len(pair.ledger.facts(code, RoundStarted)) == 2
    assert contiguous(pair.ledger.log(code))


def test_leaving_while_the_other_bids(pair: Deployment, come: Come) -> None:
    people = guests(come, pair, 2)
    code = begin(people)
    bidder, leaver = in_turn(code, people)
    at_once(
        lambda: bidder.move(code, "bid", quantity=1, face=2), lambda: leaver.move(code, "leave")
    )
    assert pair.ledger.game(code, "status") == ("finished",)
    assert contiguous(pair.ledger.log(code))
    pair.ledger.check(code)


# --- two processes -------------------------------------------------------------------------------


def test_a_move_at_one_process_is_seen_at_the_other(pair: Deployment, come: Come) -> None:
    here, there = pair.processes
    ana, bruno = come(here), come(there)
    code = begin([ana, bruno])
    watchers = [come(site, stranger=True).look_at(code) for site in pair.processes]
    opened(code, [ana, bruno])
    seq = pair.ledger.log(code)[-1].seq
    everybody = [ana, bruno, *watchers]
    wait_until(lambda: all(one.sees(code).seq == seq for one in everybody), "the bid everywhere")
    assert watchers[0].sees(code).html == watchers[1].sees(code).html


def test_two_clocks_tick_and_each_turn_is_played_once(pair: Deployment, come: Come) -> None:
    """Three bots against each other after the only person has left: nobody but the clocks moves."""
    [ana] = guests(come, pair, 1)
    code = ana.open_table(size=4, calza="on")
    for kind in ("steady", "sharp", "beginner"):
        assert ana.action(code, "add-bot", kind=kind) == ""
    ana.look_at(code)
    assert ana.action(code, "start") == ""
    autopilot.play(
        code,
        [ana],
        until=lambda: len(pair.ledger.facts(code, RoundStarted)) > 3,
        rng=autopilot.seeded(3),
    )
    pair.ledger.check(code)
    assert contiguous(pair.ledger.log(code))
