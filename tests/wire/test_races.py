"""Several people do the same thing at the same instant: one outcome, nothing lost, nobody crashed.

Every race is run with two processes on one SQLite file and with two on PostgreSQL, the commonest
with a single process too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from secrets import token_hex
from typing import TypeVar

import psycopg
import pytest

from games.contract import catalogue
from games.perudo.rules.events import (
    BidMade,
    CalzaClaimed,
    DieLost,
    DieRegained,
    GameStarted,
    Revealed,
    RoundStarted,
)
from tests.support import autopilot
from tests.support.deployments import Deployment
from tests.support.players import HttpPlayer, start_table, take_seats, wait_for
from tests.support.site_database import contiguous
from tests.wire.games import GAMES, WireGame

pytestmark = pytest.mark.real_server
T = TypeVar("T")
NewPlayer = Callable[..., HttpPlayer]
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def at_once(*actions: Callable[[], T]) -> list[T]:
    """Does all of them at the same instant, each in a thread of its own; what they gave."""
    start = threading.Barrier(len(actions))

    def when_all_are_ready(action: Callable[[], T]) -> T:
        start.wait()
        return action()

    with ThreadPoolExecutor(len(actions)) as threads:
        return list(threads.map(when_all_are_ready, actions))


def guests(new_player: NewPlayer, deployment: Deployment, number: int) -> list[HttpPlayer]:
    """People of the site, each with a name of their own, at the next of its processes."""
    processes = deployment.processes
    return [
        new_player(processes[place % len(processes)]).be_called(f"Visitor{token_hex(3)}")
        for place in range(number)
    ]


def in_turn(code: str, people: list[HttpPlayer]) -> list[HttpPlayer]:
    """The people from the one to speak on, to the left."""
    first = next(place for place, one in enumerate(people) if one.view(code).my_turn)
    return people[first:] + people[:first]


def opened(code: str, people: list[HttpPlayer]) -> list[HttpPlayer]:
    """After an opening of one die: from the bidder on, to the left, all having seen the bid."""
    bidder, *others = in_turn(code, people)
    assert bidder.move(code, "bid", quantity=1, face=3) == ""
    wait_for(lambda: all("dudo" in one.view(code).moves for one in others[:1]), "the bid")
    seq = others[0].view(code).seq
    wait_for(lambda: all(one.view(code).seq >= seq for one in people), "the bid everywhere")
    return [bidder, *others]


def everywhere(person: HttpPlayer, deployment: Deployment) -> list[HttpPlayer]:
    """The same person six times, at every process of the site."""
    twins = [person.at(site) for site in deployment.processes]
    return [twins[place % len(twins)] for place in range(6)]


@every_game
def test_the_same_move_six_times_is_made_once(
    game: WireGame, any_deployment: Deployment, new_player: NewPlayer
) -> None:
    people = guests(new_player, any_deployment, game.player.SEATS)
    code = start_table(people, **game.still_table)
    mover = in_turn(code, people)[0]
    view = mover.view(code)
    action = game.player.fixed_action(view, 0)
    assert action is not None and view.seat is not None
    words = at_once(
        *(
            partial(twin.move, code, seen=view.seq, **action)  # type: ignore[arg-type]
            for twin in everywhere(mover, any_deployment)
        )
    )
    assert sorted(words).count("") == 1
    assert all("moved on" in told or "not your turn" in told for told in words if told)
    facts = any_deployment.database.facts(code)
    assert len([one for one in facts if game.player.is_result_of(action, view.seat, one)]) == 1
    assert contiguous(any_deployment.database.log(code))


def test_different_bids_of_one_seat_leave_one(pair: Deployment, new_player: NewPlayer) -> None:
    people = guests(new_player, pair, 2)
    code = start_table(people)
    bidder = in_turn(code, people)[0]
    seen = bidder.view(code).seq
    bids = [(number, twin) for number, twin in enumerate(everywhere(bidder, pair), start=1)]
    words = at_once(
        *(
            lambda number=number, twin=twin: twin.move(
                code, "bid", seen=seen, quantity=number, face=4
            )
            for number, twin in bids
        )
    )
    [made] = pair.database.facts(code, BidMade)
    assert [number for (number, _), told in zip(bids, words, strict=True) if not told] == [
        made.bid.quantity
    ]


def test_the_last_seat_is_taken_once(any_deployment: Deployment, new_player: NewPlayer) -> None:
    host, *others = guests(new_player, any_deployment, 5)
    code = host.open_table(size=2)
    words = at_once(*(lambda one=one: one.action(code, "sit") for one in others))
    seated = [one for one, told in zip(others, words, strict=True) if not told]
    assert len(seated) == 1
    assert all("This table is full" in told or "was just taken" in told for told in words if told)
    assert len(any_deployment.database.seats(code)) == 2
    seated[0].open_page(code, listen=False)
    assert "Leave the table" in seated[0].view(code).own


def test_joining_twice_gives_one_seat(pair: Deployment, new_player: NewPlayer) -> None:
    host, other = guests(new_player, pair, 2)
    code = host.open_table(size=4)
    words = at_once(
        *(lambda twin=twin: twin.action(code, "sit") for twin in everywhere(other, pair))
    )
    assert words.count("") == 1
    assert len(pair.database.seats(code)) == 2


def test_a_dudo_prevails_over_a_calza_of_the_same_instant(
    any_deployment: Deployment, new_player: NewPlayer
) -> None:
    """P41: whichever reaches the server first."""
    people = guests(new_player, any_deployment, 3)
    code = start_table(people, calza="on")
    _, doubter, claimant = opened(code, people)
    dudo, calza = at_once(lambda: doubter.move(code, "dudo"), lambda: claimant.move(code, "calza"))
    assert dudo == ""
    assert calza == "" or "moved on" in calza
    [revealed] = any_deployment.database.facts(code, Revealed)
    assert revealed.call == "dudo"
    assert any_deployment.database.facts(code, DieRegained) == []
    assert len(any_deployment.database.facts(code, DieLost)) == 1
    any_deployment.database.check(code)


def test_of_two_calzas_the_nearest_prevails(pair: Deployment, new_player: NewPlayer) -> None:
    """P40: nearest to the bidder's left, whichever reaches the server first."""
    people = guests(new_player, pair, 4)
    code = start_table(people, calza="on")
    _, _, nearer, farther = opened(code, people)
    words = at_once(lambda: farther.move(code, "calza"), lambda: nearer.move(code, "calza"))
    wait_for(lambda: nearer.view(code).phase == "reveal", "the cups to go up")
    claims = {fact.seat for fact in pair.database.facts(code, CalzaClaimed)}
    assert words == ["", ""] and len(claims) == 2
    [revealed] = pair.database.facts(code, Revealed)
    assert (revealed.call, revealed.caller) == ("calza", nearer.view(code).seat)
    pair.database.check(code)


def test_the_same_calza_six_times_is_claimed_once(pair: Deployment, new_player: NewPlayer) -> None:
    people = guests(new_player, pair, 3)
    code = start_table(people, calza="on")
    _, _, claimant = opened(code, people)
    seen = claimant.view(code).seq
    words = at_once(
        *(
            lambda twin=twin: twin.move(code, "calza", seen=seen)
            for twin in everywhere(claimant, pair)
        )
    )
    assert words.count("") == 1
    assert len(pair.database.facts(code, CalzaClaimed)) == 1
    pair.database.check(code)


def test_sitting_down_while_the_host_starts(pair: Deployment, new_player: NewPlayer) -> None:
    host, second, third = guests(new_player, pair, 3)
    code = host.open_table(size=3)
    assert second.action(code, "sit") == ""
    started, sat = at_once(
        lambda: host.action(code, "start"),
        lambda: third.action(code, "sit"),
    )
    assert started == ""
    [game] = pair.database.facts(code, GameStarted)
    assert game.seats == len(pair.database.seats(code)) == (2 if sat else 3)
    assert sat == "" or "no longer open" in sat


def test_standing_up_while_the_host_starts(pair: Deployment, new_player: NewPlayer) -> None:
    host, *others = guests(new_player, pair, 3)
    code = take_seats([host, *others])
    started, stood = at_once(
        lambda: host.action(code, "start"),
        lambda: others[0].action(code, "stand"),
    )
    assert started == ""
    [game] = pair.database.facts(code, GameStarted)
    assert game.seats == len(pair.database.seats(code)) == (3 if stood else 2)
    assert [number for number, _, _ in pair.database.seats(code)] == list(range(game.seats))


@contextmanager
def nobody_writes(deployment: Deployment, table: str, *, until_waiting: int) -> Iterator[None]:
    """A writer waits there, after all its reads, until this many are waiting."""
    with psycopg.connect(deployment.database.postgres) as holder:
        holder.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
        yield

        def waiting() -> bool:
            [(count,)] = deployment.database.rows(
                "SELECT COUNT(*) FROM pg_stat_activity "
                "WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            return bool(count >= until_waiting)

        wait_for(waiting, "everybody at the gate")


def at_the_gate(deployment: Deployment, table: str, *actions: Callable[[], T]) -> list[T]:
    """Does all of them so that each has counted before any of them writes."""
    with ThreadPoolExecutor(len(actions)) as threads:
        with nobody_writes(deployment, table, until_waiting=len(actions)):
            done = [threads.submit(action) for action in actions]
        return [each.result() for each in done]


def test_who_opens_two_tables_at_once_gets_no_more_than_three(
    postgres_pair: Deployment, new_player: NewPlayer
) -> None:
    [host] = guests(new_player, postgres_pair, 1)
    twins = [host.at(site) for site in postgres_pair.processes]
    for _ in range(2):
        host.open_table(size=2)
    form = {"preset": "asmodee_fr", "seats": 2, "pace": "", "visibility": "public"}
    opening = [lambda twin=twin: twin.post("/games/new", htmx=False, **form) for twin in twins]
    answers = at_the_gate(postgres_pair, "games_game", *opening)
    assert sorted(answer.url.path == "/games/new" for answer in answers) == [False, True]
    open_ones = "SELECT COUNT(*) FROM games_game g JOIN accounts_user u ON u.id = g.host_id "
    assert postgres_pair.database.rows(f"{open_ones} WHERE u.username = ?", host.name) == [(3,)]


def test_who_sits_down_at_two_tables_at_once_gets_no_more_than_eight_seats(
    postgres_pair: Deployment, new_player: NewPlayer
) -> None:
    [sitter, *hosts] = guests(new_player, postgres_pair, 4)
    codes = [host.open_table(size=2) for host in hosts for _ in range(3)]
    for code in codes[:7]:
        assert sitter.action(code, "sit") == ""
    twins = zip([sitter.at(site) for site in postgres_pair.processes], codes[7:], strict=True)
    sitting = [lambda twin=twin, code=code: twin.action(code, "sit") for twin, code in twins]
    words = at_the_gate(postgres_pair, "games_seat", *sitting)
    assert words.count("") == 1
    assert sum(len(postgres_pair.database.seats(code)) for code in codes) == 9 + 8


def test_a_game_that_is_started_six_times_begins_once(
    pair: Deployment, new_player: NewPlayer
) -> None:
    people = guests(new_player, pair, 2)
    code = take_seats(people)
    words = at_once(
        *(lambda twin=twin: twin.action(code, "start") for twin in everywhere(people[0], pair))
    )
    assert words.count("") == 1
    assert len(pair.database.facts(code, GameStarted)) == 1
    assert len(pair.database.facts(code, RoundStarted)) == 1


def test_two_who_ask_for_a_rematch_meet_at_one_table(
    any_deployment: Deployment, new_player: NewPlayer
) -> None:
    people = guests(new_player, any_deployment, 2)
    code = start_table(people)
    assert people[1].move(code, "leave") == ""
    asking = [twin for person in people for twin in everywhere(person, any_deployment)[:2]]
    answers = at_once(*(lambda one=one: one.post(f"/games/{code}/rematch") for one in asking))
    [rematch] = any_deployment.database.game(code, "rematch_id")
    [(again,)] = any_deployment.database.rows("SELECT code FROM games_game WHERE id = ?", rematch)
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.headers.get("HX-Redirect") for answer in answers} <= {f"/games/{again}", None}
    assert len({user for _, user, _ in any_deployment.database.seats(again)}) == 2
    opened_by_them = any_deployment.database.rows(
        "SELECT COUNT(*) FROM games_game WHERE status <> 'finished' AND host_id IN "
        "(SELECT user_id FROM games_seat s JOIN games_game g ON g.id = s.game_id "
        "WHERE g.code = ?)",
        again,
    )
    assert opened_by_them == [(1,)]


@every_game
def test_everybody_confirms_twice_and_the_next_round_begins_once(
    game: WireGame, pair: Deployment, new_player: NewPlayer
) -> None:
    people = guests(new_player, pair, max(3, game.player.SEATS))
    code = start_table(people, **game.still_table)
    autopilot.play(
        code,
        people,
        until=lambda: all(one.view(code).must_confirm for one in people),
        choose=lambda view, rng: (
            None if view.must_confirm else game.player.random_action(view, rng)
        ),
        rng=autopilot.seeded(2),
    )
    seen = people[0].view(code).seq
    confirming = [twin for person in people for twin in everywhere(person, pair)[:2]]
    words = at_once(*(partial(one.move, code, "confirm", seen=seen) for one in confirming))
    assert words.count("") == len(people)
    facts = pair.database.facts(code)
    confirmed = [fact.seat for fact in facts if fact.kind == game.confirmed]
    assert sorted(confirmed) == list(range(len(people)))
    assert [fact.kind for fact in facts].count("round_started") == 2
    pair.database.check(code)
    assert contiguous(pair.database.log(code))


def test_leaving_while_the_other_bids(pair: Deployment, new_player: NewPlayer) -> None:
    people = guests(new_player, pair, 2)
    code = start_table(people)
    bidder, leaver = in_turn(code, people)
    at_once(
        lambda: bidder.move(code, "bid", quantity=1, face=2), lambda: leaver.move(code, "leave")
    )
    assert pair.database.game(code, "status") == ("finished",)
    assert contiguous(pair.database.log(code))
    pair.database.check(code)


# --- two processes -------------------------------------------------------------------------------


@every_game
def test_a_move_at_one_process_is_seen_at_the_other(
    game: WireGame, pair: Deployment, new_player: NewPlayer
) -> None:
    people = guests(new_player, pair, game.player.SEATS)
    code = start_table(people, **game.still_table)
    watchers = [new_player(site, stranger=True).open_page(code) for site in pair.processes]
    mover = in_turn(code, people)[0]
    action = game.player.fixed_action(mover.view(code), 0)
    assert action is not None and mover.move(code, **action) == ""  # type: ignore[arg-type]
    seq = pair.database.log(code)[-1].seq
    everybody = [*people, *watchers]
    wait_for(lambda: all(one.view(code).seq == seq for one in everybody), "the move everywhere")
    assert watchers[0].view(code).html == watchers[1].view(code).html


@every_game
def test_two_clocks_tick_and_each_turn_is_played_once(
    game: WireGame, pair: Deployment, new_player: NewPlayer
) -> None:
    """Bots against each other, and a person who seldom has to move: mostly the clocks do."""
    [ana] = guests(new_player, pair, 1)
    code = ana.open_table(size=4, **{**game.player.TABLE, **game.table, "visibility": "public"})
    kinds = [*catalogue.of(game.key).bots]
    for kind in (kinds * 2)[:3]:
        assert ana.action(code, "add-bot", kind=kind) == ""
    ana.open_page(code)
    assert ana.action(code, "start") == ""

    def played() -> bool:
        """A game of few rounds may be over before: a team can win all three dishes at once."""
        rounds = [fact.kind for fact in pair.database.facts(code)].count("round_started")
        return rounds > 3 or pair.database.game(code, "status") == ("finished",)

    autopilot.play(
        code,
        [ana],
        until=played,
        choose=game.player.random_action,
        rng=autopilot.seeded(3),
    )
    pair.database.check(code)
    assert contiguous(pair.database.log(code))
