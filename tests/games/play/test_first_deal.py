"""What browsers add to the draws: parts, salts, those that come late, and who may not interfere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta

import pytest

from accounts.models import User
from games.contract import catalogue
from games.core import game_record, proof
from games.core.moves import Leave
from games.models import DrawProof, Game, Seat, SeatPart
from games.play import before_start, commands, due, first_deal, rematches, waiting_tables
from games.store import proofs, queries, record_export
from games.table import common
from tests.games.contract.kinds import every_kind
from tests.support.fast_games import START
from tests.support.game_driver import refusal_of
from tests.support.proven_games import verify

pytestmark = pytest.mark.django_db

LATER = START + first_deal.WAITS
AFTER = LATER + first_deal.WAITS
Salts = dict[User, bytes]


@pytest.fixture
def people(alice: User, bob: User, charlie: User) -> list[User]:
    return [alice, bob, charlie]


@pytest.fixture
def dana(db: None) -> User:
    return User.objects.create_user("dana")


def open_table(kind: catalogue.GameKind, people: Sequence[User]) -> Game:
    """A table of these people, with as many bots as the game needs."""
    bots = max(0, kind.rules.SEATS.start - len(people))
    settings = before_start.quick_settings(kind.key, bots=len(people) + bots - 1)
    game = before_start.open_game(people[0], settings, now=START)
    for user in people[1:]:
        before_start.sit(game.code, user, now=START)
    for _ in range(bots):
        before_start.add_bot(game.code, people[0], kind=next(iter(kind.bots)), now=START)
    return game


def send_parts(game: Game, people: Sequence[User], *, number: int = 1) -> Salts:
    """Each of these browsers sends the hash of a salt of its own."""
    salts = {user: bytes([number, *[user.pk % 256] * 31]) for user in people}
    for user, salt in salts.items():
        first_deal.add_part(game.code, user, part=proof.part(game.code, salt), now=START)
    return salts


def open_salts(game: Game, salts: Salts, *users: User) -> None:
    for user in users or salts:
        first_deal.add_salt(game.code, user, salt=salts[user], now=START)


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def finished(game: Game) -> game_record.Record:
    """The checked record of a game whose people leave it; verify.py agrees."""
    kind = catalogue.of(game.kind_key)
    for seat in Seat.objects.filter(game=game, bot="").order_by("number"):
        if fresh(game).status == Game.Status.PLAYING:
            commands.move(game.code, seat.number, Leave(), seen=None, now=AFTER)
    assert fresh(game).status == Game.Status.FINISHED
    written = record_export.as_json(fresh(game))
    code, lines = verify.verdict(json.loads(written))
    assert code == 0, lines
    return game_record.from_json(kind.rules, written)


def salts_of(game: Game) -> list[bytes | None]:
    told = finished(game).proof
    assert told is not None
    return list(told.salts)


@every_kind
def test_a_game_begins_with_the_last_salt_and_its_draws_follow_from_all(
    kind: catalogue.GameKind, people: list[User]
) -> None:
    game = open_table(kind, people)
    salts = send_parts(game, people)
    before_start.start(game.code, people[0], now=START)
    waiting = proofs.seal(game)
    assert waiting is not None and waiting.root and waiting.added == 3
    assert fresh(game).status == Game.Status.OPEN and fresh(game).due_at == LATER
    open_salts(game, salts, *people[:2])
    assert fresh(game).status == Game.Status.OPEN
    open_salts(game, salts, people[2])
    assert fresh(game).status == Game.Status.PLAYING
    assert proofs.seal(game) == waiting and not SeatPart.objects.exists()
    bots = len(Seat.objects.filter(game=game)) - 3
    assert salts_of(game) == [*salts.values(), *[None] * bots]


@every_kind
def test_who_sends_nothing_is_not_waited_for(kind: catalogue.GameKind, people: list[User]) -> None:
    game = open_table(kind, people)
    salts = send_parts(game, people[1:2])
    before_start.start(game.code, people[0], now=START)
    open_salts(game, salts)
    assert [bool(salt) for salt in salts_of(game)][:3] == [False, True, False]
    alone = open_table(kind, people)
    before_start.start(alone.code, people[0], now=START)
    assert fresh(alone).status == Game.Status.PLAYING


@every_kind
def test_a_late_salt_costs_all_others_theirs_and_begins_anew_without_it(
    kind: catalogue.GameKind, people: list[User]
) -> None:
    game = open_table(kind, people)
    first = send_parts(game, people)
    before_start.start(game.code, people[0], now=START)
    sealed = proofs.seal(game)
    open_salts(game, first, *people[1:])
    before_start.close_abandoned(game.code, now=LATER - timedelta(milliseconds=1))
    assert proofs.seal(game) == sealed
    before_start.close_abandoned(game.code, now=LATER)
    again = proofs.seal(game)
    assert again is not None and sealed is not None
    assert again.commitment != sealed.commitment and not again.root and list(again.late) == [0]
    assert fresh(game).status == Game.Status.OPEN and fresh(game).due_at == AFTER
    assert refusal_of(lambda: send_parts(game, people[:1])) == "begins"
    second = send_parts(game, people[1:2], number=2)
    assert refusal_of(lambda: open_salts(game, second)) == "wrong_salt", "no root is public"
    second |= send_parts(game, people[2:], number=2)
    assert proofs.is_frozen(game)
    assert refusal_of(lambda: open_salts(game, first, people[1])) == "wrong_salt"
    open_salts(game, second)
    assert fresh(game).status == Game.Status.PLAYING
    assert salts_of(game)[:3] == [None, second[people[1]], second[people[2]]]
    told = record_export.record_of(fresh(game)).proof
    assert told is not None and told.late == (0,)


@every_kind
def test_a_table_waits_for_new_parts_and_their_salts_no_longer_than_for_the_first(
    kind: catalogue.GameKind, people: list[User]
) -> None:
    game = open_table(kind, people)
    salts = send_parts(game, people)
    before_start.start(game.code, people[0], now=START)
    open_salts(game, salts, *people[:2])
    before_start.close_abandoned(game.code, now=LATER)
    salts = send_parts(game, people[:1], number=2)  # the second is late now
    before_start.close_abandoned(game.code, now=AFTER)
    assert proofs.is_frozen(game) and fresh(game).status == Game.Status.OPEN
    ends = fresh(game).due_at
    assert ends is not None
    before_start.close_abandoned(game.code, now=ends)  # and the first after that
    assert fresh(game).status == Game.Status.PLAYING
    told = finished(game).proof
    assert told is not None and set(told.salts) == {None} and told.late == (1, 2)
    assert told.parts[0] == proof.part(game.code, salts[people[0]])


def test_if_nobody_opens_the_game_begins_after_one_wait(people: list[User]) -> None:
    game = open_table(catalogue.default(), people)
    send_parts(game, people)
    before_start.start(game.code, people[0], now=START)
    before_start.close_abandoned(game.code, now=LATER)
    assert fresh(game).status == Game.Status.PLAYING
    assert salts_of(game) == [None, None, None]


def test_a_wrong_salt_and_those_of_others_change_nothing(people: list[User], dana: User) -> None:
    game = open_table(catalogue.default(), people)
    salts = send_parts(game, people)
    assert refusal_of(lambda: open_salts(game, salts, people[0])) == "wrong_salt"
    before_start.start(game.code, people[0], now=START)
    rows = list(SeatPart.objects.order_by("seat").values())
    for user, salt in ((people[0], salts[people[1]]), (people[0], bytes(32))):
        wrong = refusal_of(
            lambda user=user, salt=salt: first_deal.add_salt(  # type: ignore[misc]
                game.code, user, salt=salt, now=START
            )
        )
        assert wrong == "wrong_salt"
    assert refusal_of(lambda: send_parts(game, [dana])) == "not_seated"
    assert refusal_of(lambda: send_parts(game, people[:1], number=3)) == "begins"
    assert rows == list(SeatPart.objects.order_by("seat").values())


def test_nobody_changes_a_table_that_waits_for_salts(people: list[User], dana: User) -> None:
    game = open_table(catalogue.default(), people[:2])
    Game.objects.filter(pk=game.pk).update(size=4)
    send_parts(game, people[:2])
    before_start.start(game.code, people[0], now=START)
    host, guest = people[:2]
    before = fresh(game).due_at, list(Seat.objects.filter(game=game).values())
    for change in (
        lambda: before_start.sit(game.code, dana, now=START),
        lambda: before_start.stand(game.code, guest, now=START),
        lambda: before_start.add_bot(game.code, host, kind="steady", now=START),
        lambda: before_start.remove(game.code, host, number=1, now=START),
        lambda: before_start.start(game.code, host, now=START),
        lambda: before_start.set_chat(game.code, host, on=False, now=START),
        lambda: before_start.show_new_name(game.code, guest, now=START),
        lambda: before_start.close(game.code, host, now=START),
    ):
        assert refusal_of(change) == "begins"
    waiting_tables.give_back(lost=timedelta(minutes=1), now=START)
    assert before == (fresh(game).due_at, list(Seat.objects.filter(game=game).values()))


def test_the_salt_of_who_goes_is_not_waited_for(people: list[User]) -> None:
    """A seat that is left takes its part along; an account that ends lets the game begin."""
    game = open_table(catalogue.default(), people)
    salts = send_parts(game, people)
    before_start.stand(game.code, people[2], now=START)
    before_start.start(game.code, people[0], now=START)
    before_start.leave_everything(people[1], now=START)
    assert queries.seat_of(fresh(game), people[1]) is not None
    assert fresh(game).status == Game.Status.FINISHED, "of two one has left"
    told = record_export.record_of(fresh(game)).proof
    assert told is not None and told.late == (0, 1) and len(salts) == 3


@pytest.mark.parametrize("opened", [0, 1, 2])
def test_however_many_have_opened_an_account_that_ends_lets_the_game_begin(
    people: list[User], opened: int
) -> None:
    game = open_table(catalogue.default(), people)
    salts = send_parts(game, people)
    before_start.start(game.code, people[0], now=START)
    if opened:
        open_salts(game, salts, *people[:opened])
    before_start.leave_everything(people[2], now=START)
    assert fresh(game).status == Game.Status.PLAYING
    assert salts_of(game) == [None, None, None]


def test_a_seat_keeps_its_part_when_a_guest_becomes_an_account(
    people: list[User], dana: User
) -> None:
    game = open_table(catalogue.default(), people)
    salts = send_parts(game, people)
    before_start.start(game.code, people[0], now=START)
    assert before_start.give_seat(game.code, people[2], dana)
    salts[dana] = salts.pop(people[2])
    open_salts(game, salts)
    assert fresh(game).status == Game.Status.PLAYING and None not in salts_of(game)


def test_a_table_for_which_no_room_is_left_is_open_again(
    people: list[User], monkeypatch: pytest.MonkeyPatch, settings: object
) -> None:
    game = open_table(catalogue.default(), people)
    salts = send_parts(game, people)
    before_start.start(game.code, people[0], now=START)
    settings.RUNNING_GAMES = 0  # type: ignore[attr-defined]
    open_salts(game, salts)
    assert fresh(game).status == Game.Status.OPEN and not proofs.is_opening(game)
    assert fresh(game).due_at == first_deal.closing_time(START)
    assert not SeatPart.objects.exists()
    send_parts(game, people, number=2)
    refused = refusal_of(lambda: before_start.start(game.code, people[0], now=START))
    assert refused == "site_busy"
    settings.RUNNING_GAMES = 10  # type: ignore[attr-defined]
    second = send_parts(game, people, number=2)
    before_start.start(game.code, people[0], now=START)
    open_salts(game, second)
    assert fresh(game).status == Game.Status.PLAYING


def test_the_clock_begins_a_game_whose_salts_are_late_after_a_downtime_too(
    people: list[User],
) -> None:
    game = open_table(catalogue.default(), people)
    send_parts(game, people)
    before_start.start(game.code, people[0], now=START)
    waiting_tables.give_back(lost=timedelta(hours=1), now=START + timedelta(hours=1))
    assert game.code in due.find(now=START + timedelta(hours=1)).codes


def test_who_asked_for_a_rematch_is_led_there_while_it_waits_for_salts(
    alice: User, bob: User
) -> None:
    """Their page of the old game shows no more frames after that one."""
    kind = catalogue.default()
    old = open_table(kind, [alice, bob])
    before_start.start(old.code, alice, now=START)
    commands.move(old.code, 1, Leave(), seen=None, now=START)
    again = rematches.rematch(old.code, alice, now=START)
    before_start.sit(again.code, bob, now=START)
    Game.objects.filter(pk=again.pk).update(seats_kept_until=None)
    salts = send_parts(again, [alice])
    assert not common.next_table(fresh(old)).has_begun  # type: ignore[union-attr]
    before_start.start(again.code, alice, now=START)
    assert common.next_table(fresh(old)).has_begun  # type: ignore[union-attr]
    assert fresh(again).status == Game.Status.OPEN
    open_salts(again, salts)
    assert common.next_table(fresh(old)).has_begun  # type: ignore[union-attr]


def test_a_table_that_closes_forgets_what_was_added(people: list[User]) -> None:
    game = open_table(catalogue.default(), people)
    send_parts(game, people)
    before_start.close(game.code, people[0], now=START)
    assert not SeatPart.objects.exists()


def test_no_quick_table_takes_parts(alice: User) -> None:
    game = open_table(catalogue.default(), [alice])
    Game.objects.filter(pk=game.pk).update(origin=Game.Origin.QUICK)
    assert refusal_of(lambda: send_parts(game, [alice])) == "not_open"


def test_a_flood_of_parts_keeps_one_row(people: list[User]) -> None:
    game = open_table(catalogue.default(), people)
    for number in range(50):
        send_parts(game, people[:1], number=number)
    assert SeatPart.objects.count() == 1 and DrawProof.unsealed.count() == 1
