"""Before the first roll: who sits, who hosts, who may start, and when a table closes."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from accounts.models import User
from games.models import Game, Mute, Seat, TableSettings
from games.perudo.rules import KEY
from games.perudo.rules.options import SITE_OPTIONS, SITE_PRESET
from games.play import before_start, quotas
from games.store import event_log, queries
from tests.support.fast_games import START, open_table, play_until, running_game
from tests.support.game_driver import LEAVE, all_rows, deal_game, refusal_of, seat_names

HOUR = timedelta(hours=1)
SOON = START + timedelta(minutes=10)


@pytest.fixture
def table(alice: User, bob: User, charlie: User) -> str:
    """An open table of three: Alice hosts, Bob and Charlie sit."""
    return open_table(alice, bob, charlie).code


def game(code: str) -> Game:
    return Game.objects.get(code=code)


# --- opening and sitting -------------------------------------------------------------------------


def test_a_host_sits_at_their_table_from_the_start(alice: User) -> None:
    assert seat_names(_empty(alice)) == ["alice", None, None]


def _empty(host: User, size: int = 3) -> str:
    return before_start.open_game(
        host,
        TableSettings(
            kind_key=KEY,
            preset=SITE_PRESET,
            options=SITE_OPTIONS.to_json(),
            size=size,
            turn_seconds=45,
        ),
        now=START,
    ).code


def test_a_character_sits_once_at_a_table(alice: User) -> None:
    code = _empty(alice, size=4)
    before_start.add_bot(code, alice, kind="fanfo", now=SOON)
    again = refusal_of(lambda: before_start.add_bot(code, alice, kind="fanfo", now=SOON))
    assert again == "character_here"
    before_start.add_bot(code, alice, kind="zigo", now=SOON)
    before_start.add_bot(code, alice, kind="expert", now=SOON)
    assert [seat.name for seat in Seat.objects.filter(game__code=code)][1:3] == ["Fanfo", "Zigo"]
    before_start.remove(code, alice, number=1, now=SOON)
    before_start.add_bot(code, alice, kind="fanfo", now=SOON)
    assert seat_names(code) == ["alice", "fanfo", "zigo", "expert"]


def test_people_and_bots_take_the_first_free_seat(alice: User, bob: User, charlie: User) -> None:
    code = _empty(alice, size=4)
    before_start.sit(code, bob, now=SOON)
    before_start.add_bot(code, alice, kind="sharp", now=SOON)
    before_start.stand(code, bob, now=SOON)
    before_start.sit(code, charlie, now=SOON)
    assert seat_names(code) == ["alice", "charlie", "sharp", None]


def test_nobody_sits_twice(table: str, bob: User) -> None:
    assert refusal_of(lambda: before_start.sit(table, bob, now=SOON)) == "already_seated"


def test_a_full_table_takes_nobody(alice: User, bob: User, charlie: User) -> None:
    code = open_table(alice, bob).code
    assert refusal_of(lambda: before_start.sit(code, charlie, now=SOON)) == "table_full"
    assert (
        refusal_of(lambda: before_start.add_bot(code, alice, kind="sharp", now=SOON))
        == "table_full"
    )


def test_whom_the_host_has_blocked_does_not_sit_there(alice: User, bob: User) -> None:
    code = _empty(alice)
    Mute.objects.create(by=alice, whom=bob, blocked=True)
    assert refusal_of(lambda: before_start.sit(code, bob, now=SOON)) == "blocked"


def test_nobody_sits_down_in_a_running_game(alice: User, bob: User, charlie: User) -> None:
    running = deal_game(alice, bob, hands=((2,) * 5, (3,) * 5))
    assert refusal_of(lambda: before_start.sit(running.code, charlie, now=SOON)) == "not_open"


def test_a_person_opens_three_tables_at_once_and_no_more(alice: User) -> None:
    for _ in range(quotas.OPEN_TABLES_EACH):
        _empty(alice)
    assert refusal_of(lambda: _empty(alice)) == "too_many_tables"


def test_a_person_sits_at_eight_tables_at_once_and_no_more(alice: User, bob: User) -> None:
    hosts = [User.objects.create_user(f"host-{number}") for number in range(9)]
    codes = [_empty(host) for host in hosts]
    for code in codes[: quotas.SEATS_EACH]:
        before_start.sit(code, bob, now=SOON)
    assert refusal_of(lambda: before_start.sit(codes[-1], bob, now=SOON)) == "too_many_seats"
    assert refusal_of(lambda: _empty(bob)) == "too_many_seats"
    before_start.stand(codes[0], bob, now=SOON)
    before_start.sit(codes[-1], bob, now=SOON)


def test_who_left_a_running_game_may_sit_elsewhere(alice: User, bob: User, charlie: User) -> None:
    driver = deal_game(alice, bob, charlie, hands=((2,) * 5, (3,) * 5, (4,) * 5))
    assert queries.seats_in_progress(bob).count() == 1
    driver.move(1, LEAVE)
    assert queries.seats_in_progress(bob).count() == 0


def test_there_is_no_bot_of_an_unknown_kind(alice: User) -> None:
    code = _empty(alice)
    assert (
        refusal_of(lambda: before_start.add_bot(code, alice, kind="god", now=SOON)) == "unknown_bot"
    )


# --- standing up and being removed ---------------------------------------------------------------


def test_when_the_host_stands_up_the_next_person_hosts(
    alice: User, bob: User, charlie: User
) -> None:
    code = open_table(alice, "steady", bob, charlie).code
    before_start.stand(code, alice, now=SOON)
    assert game(code).host == bob
    before_start.stand(code, bob, now=SOON)
    assert (game(code).host, seat_names(code)) == (charlie, [None, "steady", None, "charlie"])


def test_a_table_closes_when_the_last_person_leaves(alice: User) -> None:
    code = open_table(alice, "steady").code
    before_start.stand(code, alice, now=SOON)
    assert (game(code).status, game(code).due_at) == (Game.Status.CLOSED, None)


def test_a_guest_who_leaves_frees_the_seat_and_changes_nothing_else(
    table: str, alice: User, bob: User
) -> None:
    before_start.stand(table, bob, now=SOON)
    assert (game(table).host, seat_names(table)) == (alice, ["alice", None, "charlie"])


def test_only_who_sits_can_stand_up(alice: User, bob: User) -> None:
    code = _empty(alice)
    assert refusal_of(lambda: before_start.stand(code, bob, now=SOON)) == "not_seated"


def test_the_host_removes_people_and_bots(alice: User, bob: User) -> None:
    code = open_table(alice, bob, "steady").code
    before_start.remove(code, alice, number=1, now=SOON)
    before_start.remove(code, alice, number=2, now=SOON)
    assert seat_names(code) == ["alice", None, None]


def test_neither_the_host_nor_a_free_seat_can_be_removed(
    alice: User, bob: User, subtests: pytest.Subtests
) -> None:
    code = open_table(alice, bob, "steady").code
    before_start.remove(code, alice, number=2, now=SOON)
    for number in (0, 2, 7, 99):
        remove = partial(before_start.remove, code, alice, number=number, now=SOON)
        with subtests.test(number=number):
            assert refusal_of(remove) == "someone_faster"


def test_only_the_host_does_what_a_host_does(table: str, bob: User) -> None:
    for action in (
        lambda: before_start.remove(table, bob, number=2, now=SOON),
        lambda: before_start.add_bot(table, bob, kind="sharp", now=SOON),
        lambda: before_start.start(table, bob, now=SOON),
        lambda: before_start.close(table, bob, now=SOON),
        lambda: before_start.set_chat(table, bob, on=False, now=SOON),
    ):
        assert refusal_of(action) == "not_host"


# --- starting and closing ------------------------------------------------------------------------


def test_the_seats_close_up_when_the_game_starts(table: str, alice: User, bob: User) -> None:
    before_start.stand(table, bob, now=SOON)
    before_start.start(table, alice, now=SOON)
    seats = Seat.objects.filter(game__code=table)
    assert [(seat.number, seat.user.username) for seat in seats if seat.user] == [
        (0, "alice"),
        (1, "charlie"),
    ]
    assert (game(table).status, game(table).started_at) == (Game.Status.PLAYING, SOON)


def test_nobody_starts_alone(alice: User) -> None:
    code = _empty(alice)
    assert refusal_of(lambda: before_start.start(code, alice, now=SOON)) == "too_few"


def test_nobody_starts_twice(table: str, alice: User) -> None:
    before_start.start(table, alice, now=SOON)
    assert refusal_of(lambda: before_start.start(table, alice, now=SOON)) == "not_open"


def test_the_host_closes_the_table_for_good(table: str, alice: User, bob: User) -> None:
    before_start.close(table, alice, now=SOON)
    assert game(table).status == Game.Status.CLOSED
    assert refusal_of(lambda: before_start.stand(table, bob, now=SOON)) == "not_open"
    assert not queries.seats_in_progress(bob).exists()


def test_every_change_keeps_a_table_open_for_another_hour(table: str, bob: User) -> None:
    before_start.stand(table, bob, now=SOON)
    before_start.close_abandoned(table, now=START + HOUR)
    assert game(table).status == Game.Status.OPEN
    before_start.close_abandoned(table, now=SOON + HOUR)
    assert game(table).status == Game.Status.CLOSED


def test_a_running_game_is_not_an_abandoned_table(alice: User, bob: User) -> None:
    running = deal_game(alice, bob, hands=((2,) * 5, (3,) * 5))
    before = all_rows()
    before_start.close_abandoned(running.code, now=START + 48 * HOUR)
    assert all_rows() == before


def test_every_change_of_an_open_table_is_a_number_further(table: str, bob: User) -> None:
    seq = game(table).seq
    before_start.stand(table, bob, now=SOON)
    before_start.sit(table, bob, now=SOON)
    assert game(table).seq == seq + 2


# --- playing at once, again, and no more ---------------------------------------------------------


def test_play_now_is_a_running_game_against_bots(alice: User) -> None:
    settings = before_start.quick_settings(KEY, bots=2)
    played = before_start.play_now(alice, settings, bots=["beginner", "sharp"], now=SOON)
    assert seat_names(played.code) == ["alice", "beginner", "sharp"]
    assert game(played.code).status == Game.Status.PLAYING
    assert not game(played.code).chat


def test_leaving_everything_stands_up_and_leaves_and_forgets_no_table(
    alice: User, bob: User, charlie: User
) -> None:
    hosted, joined = open_table(bob, alice).code, open_table(alice, bob).code
    running = deal_game(alice, bob, charlie, hands=((2,) * 5, (3,) * 5, (4,) * 5))
    before_start.leave_everything(bob, now=SOON)
    assert game(hosted).host == alice
    assert seat_names(joined) == ["alice", None]
    assert running.seat(1).gone
    assert not queries.seats_in_progress(bob).exists()


def test_who_is_out_already_has_nothing_to_leave(alice: User, bob: User, charlie: User) -> None:
    running = play_until(running_game(alice, bob, charlie), lambda state: bool(state.out))
    [number, *_] = event_log.public_state(running).out
    before = all_rows()
    before_start.leave_everything((alice, bob, charlie)[number], now=SOON)
    assert all_rows() == before
