"""Whatever state a table is in, something looks at it, and it ends when its people are gone."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from accounts.models import User
from games.contract import catalogue
from games.core.chance import SeededChance
from games.core.contract import IllegalMove
from games.errors import Refused
from games.models import FactRow, Game, TableSettings
from games.play import abandoned, before_start, commands, due, housekeeping
from games.store import event_log
from games.store.queries import tables_by_status
from tests.games.contract.arenas import ARENAS
from tests.games.contract.random_games import Arena, seeded
from tests.support.cases import untouched
from tests.support.fast_games import START, end_downtime, finished_game, open_table
from tests.support.game_driver import GameDriver, bid, deal_game, hand_to_bots_now

pytestmark = pytest.mark.django_db
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
every_game = pytest.mark.parametrize("arena", ARENAS.values(), ids=list(ARENAS))


def never_seen() -> list[str]:
    """The codes of tables that are not over and that the scheduler will never look at."""
    alive = Game.objects.filter(status__in=(Game.Status.OPEN, Game.Status.PLAYING))
    return list(alive.filter(due_at=None).values_list("code", flat=True))


# --- every state of a game -----------------------------------------------------------------------


def begun(arena: Arena, rng: Random, *opponents: User | str, host: User, clock: bool) -> Game:
    """A game that has begun, with options drawn by chance."""
    key = arena.rules.KEY
    game = before_start.open_game(
        host,
        TableSettings(
            kind_key=key,
            preset=next(iter(arena.presets)),
            options=arena.options(rng).to_json(),
            size=len(opponents) + 1,
            turn_seconds=45 if clock else None,
        ),
        now=START,
    )
    for opponent in opponents:
        if isinstance(opponent, str):
            before_start.add_bot(game.code, host, kind=opponent, now=START)
        else:
            before_start.sit(game.code, opponent, now=START)
    before_start.start(game.code, host, now=START, chance=SeededChance(rng))
    return Game.objects.get(pk=game.pk)


def step(game: Game, rng: Random, *, now: datetime, idle: bool) -> tuple[datetime, str]:
    """What happens next, by chance: a person's move, or what is due. When, and the phase it was."""
    rules = catalogue.of(game.kind_key).rules
    state = event_log.public_state(game)
    people = [seat.number for seat in game.seat_set.all() if not seat.held]
    able = [number for number in rules.to_act(state) if number in people]
    phase = state.phase
    if able and not idle and rng.random() < 0.8:
        number = rng.choice(able)
        moves = rules.legal_moves(event_log.seat_view(game, number), number)
        then = max(now + timedelta(milliseconds=50), game.opens_at or now)
        if moves and (game.due_at is None or then < game.due_at):
            try:
                move = rng.choice(moves)
                commands.move(
                    game.code, number, move, seen=None, now=then, chance=SeededChance(rng)
                )
            except (Refused, IllegalMove):
                pass
            else:
                return then, phase
    assert game.due_at is not None, f"nothing is due in the phase {phase}"
    then = max(now, game.due_at)
    before = (game.seq, game.due_at)
    commands.play_due(game.code, now=then, chance=SeededChance(rng))
    after = Game.objects.get(pk=game.pk)
    assert (after.seq, after.due_at) != before, "it moves on, or it is looked at later"
    return then, phase


@pytest.mark.slow
@every_game
@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no clock"])
def test_in_every_state_something_is_due_and_without_people_every_game_ends(
    alice: User, bob: User, arena: Arena, clock: bool
) -> None:
    """People play for a while and then never again: what is due by itself ends the game."""
    phases = Counter[str]()
    for seed in range(6):
        phases += plays_until_nobody_does(alice, bob, arena, clock=clock, rng=seeded(seed))
    assert phases.keys() == {"turn", "claims", "reveal"}


def plays_until_nobody_does(
    alice: User, bob: User, arena: Arena, *, clock: bool, rng: Random
) -> Counter[str]:
    """How often something happened in which phase of such a game."""
    now, phases = START, Counter[str]()
    kind = next(iter(catalogue.of(arena.rules.KEY).bots))
    game = begun(arena, rng, bob, kind, kind, host=alice, clock=clock)
    leaves_off, last_move = rng.randrange(5, 90), START
    for number in range(3_000):
        assert never_seen() == []
        idle = number >= leaves_off
        now, phase = step(game, rng, now=now, idle=idle)
        phases[phase] += 1
        if not idle:
            last_move = now
        game.refresh_from_db()
        if game.status == Game.Status.FINISHED:
            break
    assert game.status == Game.Status.FINISHED and game.due_at is None
    # Each of the two people is waited for once without a clock, and twice with one.
    silence = timedelta(minutes=20) if clock else 2 * DAY + timedelta(minutes=20)
    assert now - last_move <= silence + abandoned.UNWATCHED_AT_MOST
    return phases


def test_every_status_of_a_table_is_tried_here(alice: User, bob: User) -> None:
    """An open table, a running one; those that are over wait for nothing."""
    open_table(alice, bob)
    deal_game(alice, bob, hands=HANDS, turn_seconds=None)
    finished_game(alice, bob)
    closed = open_table(alice, bob)
    before_start.close(closed.code, alice, now=START)
    assert set(Game.objects.values_list("status", flat=True)) == set(Game.Status.values)
    over = Game.objects.filter(status__in=(Game.Status.FINISHED, Game.Status.CLOSED))
    assert never_seen() == [] and not over.exclude(due_at=None).exists()


# --- a table without a time limit ----------------------------------------------------------------


def test_a_turn_without_a_limit_lasts_a_day_and_then_the_stand_in_plays(
    alice: User, bob: User, settings: Any
) -> None:
    driver = deal_game(alice, bob, hands=HANDS, turn_seconds=None)
    game = driver.game
    assert game.turn_ends_at is None, "no page shows a clock"
    assert game.due_at == game.silence_ends_at == START + DAY
    due.run_due(driver.code, now=START + DAY - SECOND)
    assert driver.state.bidder is None
    due.run_due(driver.code, now=START + DAY)
    assert driver.state.bidder == 0
    assert driver.seat(0).asleep, "nobody waits for a second day"
    assert driver.game.due_at == START + 2 * DAY, "now for Bob"


def test_the_longest_silence_is_a_setting(alice: User, bob: User, settings: Any) -> None:
    settings.SILENCE_HOURS = 2
    assert deal_game(alice, bob, hands=HANDS, turn_seconds=None).game.due_at == START + DAY / 12


def test_a_player_who_is_back_after_the_silence_takes_over(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS, turn_seconds=None)
    due.run_due(driver.code, now=START + DAY)
    driver.now = START + DAY
    driver.come_back(0)
    assert (driver.seat(0).asleep, driver.seat(0).missed) == (False, 0)


def test_bots_are_asked_for_a_calza_and_the_silence_still_ends(alice: User, bob: User) -> None:
    driver = deal_game(
        *(alice, bob, "steady"),
        hands=((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6)),
        turn_seconds=None,
        calza="on",
        calza_needs_lost_die=False,
    )
    driver.move(0, bid("1x2"))
    asked = driver.game.due_at
    assert asked is not None and asked < driver.now + 5 * SECOND
    driver.run_due(rolls=None)
    assert driver.game.due_at == driver.game.silence_ends_at is not None


def test_a_downtime_is_not_charged_to_a_table_without_a_limit(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS, turn_seconds=None)
    end_downtime(3 * DAY, now=START + 3 * DAY)
    assert driver.game.due_at == START + 4 * DAY


# --- rows without a deadline ---------------------------------------------------------------------


def playing_without(alice: User, bob: User) -> Game:
    return deal_game(alice, bob, hands=HANDS, turn_seconds=None).game


def bots_turn_without(alice: User, bob: User) -> Game:
    driver = deal_game(alice, bob, hands=HANDS)
    hand_to_bots_now(driver, 0, 1)
    return driver.game


def test_a_table_that_has_no_deadline_is_given_one(
    alice: User, bob: User, subtests: pytest.Subtests
) -> None:
    """As those without a time limit had none, before the version that gives them one."""
    for of in [playing_without, bots_turn_without, open_table]:
        with subtests.test(of=of.__name__), untouched():
            game = of(alice, bob)
            Game.objects.update(due_at=None, silence_ends_at=None, turn_ends_at=None)
            assert never_seen() == [game.code]
            housekeeping.run(now=START + DAY)
            assert never_seen() == []
            due = Game.objects.get().due_at
            assert due is not None and START + DAY < due <= START + 2 * DAY
            before = Game.objects.values().get()
            housekeeping.run(now=START + DAY)
            assert Game.objects.values().get() == before, "once"


def test_a_broken_game_without_a_deadline_keeps_no_other_from_getting_one(
    alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = playing_without(alice, bob), playing_without(alice, bob)
    FactRow.unsealed.filter(game=broken).update(data={})
    Game.objects.update(due_at=None)
    housekeeping.run(now=START)
    assert never_seen() == []
    assert f"setting a deadline failed game={broken.code}" in caplog.text
    assert sound.code not in caplog.text


def tries_of(driver: GameDriver) -> list[float]:
    """When the scheduler looks at a game until it is closed, in minutes after the first time."""
    first = driver.game.due_at
    tries: list[float] = []
    assert first is not None
    while (due_at := driver.game.due_at) is not None:
        due.run_due(driver.code, now=due_at)
        tries.append((due_at - first) / timedelta(minutes=1))
    return tries


def test_a_game_that_fails_at_every_try_is_tried_ever_less_often_and_closed_after_a_day(
    alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    FactRow.unsealed.filter(game__code=driver.code).update(data={})
    assert tries_of(driver) == [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 872, 1232, 1592]
    assert driver.game.status == Game.Status.CLOSED
    assert not driver.game.seat_set.filter(live=True).exists(), "its people may play elsewhere"
    first, *again, last = caplog.records
    assert first.getMessage() == f"game set aside game={driver.code}" and first.exc_info
    assert again[-1].getMessage() == (
        f"game still fails game={driver.code} minutes=1232 error=ValueError"
    )
    assert last.getMessage() == f"broken game closed game={driver.code}"
    assert [each.exc_info for each in (*again, last)] == [None] * 13


def test_a_failing_game_is_counted_until_a_step_of_it_is_done(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    rows = FactRow.unsealed.filter(game__code=driver.code, kind="rolled")
    kept = list(rows)
    rows.update(data={})
    later = START + timedelta(minutes=5)
    due.run_due(driver.code, now=later)
    assert tables_by_status() == {"open": 0, "playing": 1, "failing": 1}
    FactRow.unsealed.bulk_update(kept, ["data"])
    due.run_due(driver.code, now=later + timedelta(minutes=1))
    assert tables_by_status() == {"open": 0, "playing": 1, "failing": 0}
    assert driver.state.bidder == 0
    rows.update(data={})
    due.run_due(driver.code, now=later + 2 * DAY)
    assert driver.game.status == Game.Status.PLAYING, "its time begins anew"


def test_nobody_is_told_of_housekeeping_where_nothing_is_to_be_done(
    alice: User, bob: User, django_assert_max_num_queries: Any
) -> None:
    playing_without(alice, bob)
    open_table(alice, bob)
    before = list(Game.objects.values())
    with django_assert_max_num_queries(3):
        housekeeping.run(now=START)
    assert list(Game.objects.values()) == before
