"""Who presses, who answers, who is silent: where everybody sits afterwards."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.contract import catalogue
from games.core.moves import Leave
from games.errors import Refused
from games.lobby.matching import jobs, queue, searches
from games.models import Game, Mute, Result, Search, Seat, Tally
from games.play import before_start, commands, quick_tables, throws
from games.store import queries
from tests.support.cases import untouched
from tests.support.fast_games import START, running_game

pytestmark = pytest.mark.django_db
FIRST, SECOND = "perudo", "peco_peco"
LATER = START + quick_tables.COUNTDOWN


def press(user: User, choice: str = "", now: datetime = START, **more: object) -> Search:
    more.setdefault("holder", f"address of {user.username}")
    return searches.press(user, choice=choice, now=now, **more)  # type: ignore[arg-type]


def states(*people: User) -> list[str]:
    found = dict(Search.objects.values_list("user__username", "state"))
    return [found.get(person.username, "") for person in people]


def table() -> Game:
    """The one quick table that is open or played at."""
    return Game.objects.get(origin="quick", status__in=("open", "playing"))


def seated(game: Game) -> list[str]:
    """Who sits there; bots by their kind."""
    return [seat.user.username if seat.user else seat.bot for seat in game.seat_set.all()]


def warm_up(user: User) -> Game | None:
    return Game.objects.filter(origin="warm_up", status="playing", seat__user=user).first()


def test_who_is_alone_waits_at_a_table_of_four_and_warms_up(alice: User) -> None:
    search = press(alice)
    assert states(alice) == ["waiting"]
    game = table()
    assert (game.size, game.turn_seconds, game.starts_at) == (4, 30, None)
    assert (game.status, seated(game)) == ("open", ["alice"])
    assert search.table == game
    playing = warm_up(alice)
    assert playing is not None and playing.seat_set.exclude(bot="").count() == 3
    assert (playing.turn_seconds, playing.listed, playing.solo) == (None, False, True)
    assert playing.holder == "address of alice"


def test_when_a_second_comes_who_waited_is_asked(alice: User, bob: User) -> None:
    press(alice)
    press(bob)
    assert states(alice, bob) == ["asked", "ready"]
    assert (seated(table()), table().starts_at) == (["alice", "bob"], LATER)
    assert warm_up(bob) is None


def test_the_game_begins_as_soon_as_everybody_is_ready(alice: User, bob: User) -> None:
    press(alice)
    press(bob)
    searches.answer(alice, now=START)
    assert states(alice, bob) == ["seated", "seated"]
    game = table()
    assert game.status == "playing" and len(seated(game)) == 4
    assert {"alice", "bob"} < set(seated(game))
    assert warm_up(alice) is None
    assert Game.objects.get(origin="warm_up").status == "closed"


def test_silence_gives_the_place_back_and_the_newcomer_waits_in_a_warm_up(
    alice: User, bob: User
) -> None:
    press(alice)
    press(bob)
    jobs.end_countdowns(LATER - timedelta(milliseconds=1), 0)
    assert states(alice, bob) == ["asked", "ready"]
    jobs.end_countdowns(LATER, 0)
    assert states(alice, bob) == ["missed", "waiting"]
    assert (seated(table()), table().starts_at, table().host) == (["bob"], None, bob)
    assert warm_up(alice) and warm_up(bob)
    assert Search.objects.get(pk=alice.pk).met == [bob.pk]


def test_those_who_answered_play_without_those_who_did_not(
    alice: User, bob: User, charlie: User
) -> None:
    press(alice)
    press(bob)
    press(charlie, now=START + timedelta(seconds=4))
    assert table().starts_at == LATER
    jobs.end_countdowns(LATER, 0)
    assert states(alice, bob, charlie) == ["missed", "seated", "seated"]
    assert "alice" not in seated(table()) and len(seated(table())) == 4


def test_not_now_gives_the_place_back_and_leaves_the_warm_up(alice: User, bob: User) -> None:
    press(alice)
    press(bob)
    searches.leave(alice, now=START)
    assert states(alice, bob) == ["left", "waiting"]
    assert warm_up(alice) and warm_up(bob)


def test_when_the_newcomer_leaves_the_first_waits_on(alice: User, bob: User) -> None:
    press(alice)
    before = warm_up(alice)
    press(bob)
    searches.leave(bob, now=START)
    assert states(alice, bob) == ["waiting", "left"]
    assert (warm_up(alice), table().starts_at, seated(table())) == (before, None, ["alice"])


def test_to_stop_ends_the_warm_up_and_the_table(alice: User) -> None:
    press(alice)
    searches.leave(alice, stop=True, now=START)
    searches.leave(alice, stop=True, now=START)
    assert states(alice) == ["left"]
    assert not Game.objects.filter(status__in=("open", "playing")).exists()


def test_without_the_tick_of_one_no_bot_joins(alice: User, bob: User) -> None:
    press(alice, FIRST)
    press(bob, FIRST, bots=False)
    searches.answer(alice, now=START)
    assert sorted(seated(table())) == ["alice", "bob"]


def test_where_the_rules_ask_for_more_people_bots_join_nevertheless(alice: User, bob: User) -> None:
    press(alice, SECOND, bots=False)
    press(bob, SECOND, bots=False)
    searches.answer(alice, now=START)
    assert len(seated(table())) == catalogue.of(SECOND).rules.SEATS.start


@pytest.mark.parametrize("kind_key", [FIRST, SECOND])
def test_a_table_grows_as_far_as_its_game_allows(alice: User, kind_key: str) -> None:
    most = catalogue.of(kind_key).rules.SEATS[-1]
    press(alice, kind_key)
    others = [User.objects.create_user(f"person-{number}") for number in range(most)]
    for person in others:
        press(person, kind_key)
    counting, waiting = Game.objects.filter(origin="quick", status="open").order_by("pk")
    assert (counting.size, len(seated(counting)), seated(waiting)) == (
        most, most, [others[-1].username],
    )  # fmt: skip
    searches.answer(alice, now=START)
    counting.refresh_from_db()
    assert counting.status == "playing" and counting.seat_set.exclude(bot="").count() == 0


def test_any_meets_each_game_and_two_games_do_not_meet(alice: User, bob: User) -> None:
    press(alice, FIRST)
    press(bob, SECOND)
    assert states(alice, bob) == ["waiting", "waiting"]
    searches.leave(alice, stop=True, now=START)
    press(alice, "")
    assert states(alice, bob) == ["ready", "asked"]
    assert table().kind_key == SECOND


def test_who_takes_any_game_is_found_by_who_wants_another(alice: User, bob: User) -> None:
    press(alice)
    assert table().kind_key == FIRST
    press(bob, SECOND)
    assert states(alice, bob) == ["asked", "ready"]
    assert table().kind_key == SECOND and table().preset in catalogue.of(SECOND).stats.presets


def test_another_choice_while_one_waits_moves_the_place(alice: User) -> None:
    press(alice, FIRST)
    press(alice, SECOND)
    assert (table().kind_key, seated(table())) == (SECOND, ["alice"])


def test_nobody_is_seated_with_somebody_muted(
    alice: User, bob: User, subtests: pytest.Subtests
) -> None:
    for by_who_waits in [True, False]:
        for blocked in [True, False]:
            with subtests.test(blocked=blocked, by_who_waits=by_who_waits), untouched():
                by, whom = (alice, bob) if by_who_waits else (bob, alice)
                Mute.objects.create(by=by, whom=whom, blocked=blocked)
                press(alice)
                press(bob)
                assert states(alice, bob) == ["waiting", "waiting"]


def test_pressed_again_one_keeps_the_place_on_the_new_device(alice: User) -> None:
    press(alice, device="phone")
    press(alice, device="desk")
    assert Search.objects.get().device == "desk"
    assert Seat.objects.filter(user=alice, game__origin="quick").count() == 1
    assert Game.objects.filter(origin="warm_up").count() == 1


def test_pressed_again_when_somebody_came_it_is_an_answer(alice: User, bob: User) -> None:
    press(alice)
    press(bob)
    press(alice)
    assert states(alice, bob) == ["seated", "seated"]


def test_who_plays_with_people_is_shown_the_way_back(alice: User, bob: User) -> None:
    driver = running_game(alice, bob)
    with pytest.raises(Refused) as refused:
        press(alice)
    assert refused.value.code == "at_a_table"
    assert refused.value.details == {"table": driver.code}
    assert not Search.objects.exists()


def test_who_has_left_a_game_may_press(alice: User, bob: User) -> None:
    driver = running_game(alice, bob, "steady")
    number = next(seat.number for seat in driver.seat_set.all() if seat.user == alice)
    commands.move(driver.code, number, Leave(), seen=None, now=START)
    press(alice)
    assert states(alice) == ["waiting"]


def test_a_game_against_bots_goes_on_while_one_waits(alice: User) -> None:
    game = before_start.play_now(
        alice, before_start.quick_settings(FIRST, bots=1), bots=["steady"], now=START
    )
    press(alice)
    assert warm_up(alice) is None and queries.pastime(alice) == game


def test_a_quick_table_is_joined_by_the_button_alone(alice: User, bob: User) -> None:
    press(alice)
    for act in (
        lambda: before_start.sit(table().code, bob, now=START),
        lambda: before_start.start(table().code, alice, now=START),
        lambda: before_start.add_bot(table().code, alice, kind="steady", now=START),
        lambda: before_start.close(table().code, alice, now=START),
    ):
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.code == "quick_table"
    assert seated(table()) == ["alice"]


def test_of_a_warm_up_nothing_is_kept_but_what_was_thrown(alice: User) -> None:
    press(alice)
    game = warm_up(alice)
    assert game is not None
    number = next(seat.number for seat in game.seat_set.all() if seat.user == alice)
    commands.move(game.code, number, Leave(), seen=None, now=START)
    game.refresh_from_db()
    assert game.status == "finished"
    assert not Result.objects.exists()
    assert not Tally.objects.exclude(counter__startswith=throws.PREFIX).exists()


def test_who_leaves_again_and_again_is_refused_for_a_while(alice: User, bob: User) -> None:
    press(alice)
    for _ in range(queue.LEAVES_EACH):
        press(bob)
        searches.leave(bob, now=START)
    with pytest.raises(Refused) as refused:
        press(bob)
    assert refused.value.code == "leaves_too_often"
    assert states(alice) == ["waiting"]
    press(bob, now=START + queue.REMEMBERED)
    assert states(alice, bob) == ["asked", "ready"]


def test_a_countdown_that_ended_while_the_site_was_down_begins_again(
    alice: User, bob: User
) -> None:
    press(alice)
    press(bob)
    later = LATER + timedelta(minutes=1)
    jobs.end_countdowns(later, 0)
    assert states(alice, bob) == ["asked", "ready"]
    assert table().starts_at == later + quick_tables.COUNTDOWN


def test_where_there_is_no_room_the_game_begins_a_moment_later(
    alice: User, bob: User, settings: object
) -> None:
    press(alice)
    press(bob)
    settings.RUNNING_GAMES = 0  # type: ignore[attr-defined]
    searches.answer(alice, now=START)
    assert states(alice, bob) == ["ready", "ready"] and table().starts_at == LATER
    settings.RUNNING_GAMES = 10  # type: ignore[attr-defined]
    jobs.end_countdowns(LATER, 0)
    assert states(alice, bob) == ["seated", "seated"]


def test_a_game_that_is_not_in_the_catalogue_is_refused(alice: User) -> None:
    with pytest.raises(Refused) as refused:
        press(alice, "bridge")
    assert refused.value.code == "unknown_game"
    assert states(alice) == [""]
    assert not Game.objects.exists()


def test_many_tables_that_wait_cost_no_more_questions(alice: User) -> None:
    """Nobody there wants to play with anybody else who looks for people."""
    people = [User.objects.create_user(f"waiting{number}") for number in range(10)]
    pairs = [(by, whom) for by in people for whom in (alice, *people) if by != whom]
    Mute.objects.bulk_create(Mute(by=by, whom=whom) for by, whom in pairs)
    costs = []
    for some in (people[:2], people[2:]):
        for each in some:
            press(each)
        with CaptureQueriesContext(connection) as asked:
            assert queue.best(alice, queue.choices(alice, "", now=START)) is None
        costs.append(len(asked))
    assert Game.objects.filter(origin="quick", status="open").count() == len(people)
    assert costs[0] == costs[1] <= 5
