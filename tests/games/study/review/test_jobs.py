"""The job that reviews games of late: while nothing else is to do, and fairly, also in a flood."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import lifecycle
from accounts.models import User
from games.models import Game, GameReview, ReviewedPlay, Seat
from games.peco_peco.tests import fast_games
from games.play import worker
from games.study.review import jobs, reviews
from perudo_site import jobs as all_jobs
from tests.games.study.review.desk import Desk
from tests.support.cases import untouched

pytestmark = pytest.mark.django_db

START = fast_games.START
NOW = START + timedelta(hours=12)
MINUTE = timedelta(minutes=1)


def games_of(*people: User, count: int = 1, minutes: float = 0, **columns: Any) -> list[Game]:
    """Finished games without a log, so many minutes after START, each a second after another."""
    first = START + minutes * MINUTE
    made = Game.objects.bulk_create(
        Game(
            kind_key="peco_peco",
            preset="peco_base",
            options={},
            size=4,
            host=people[0],
            status=Game.Status.FINISHED,
            finished_at=first + number * timedelta(seconds=1),
            **columns,
        )
        for number in range(count)
    )
    Seat.objects.bulk_create(
        Seat(game=game, number=number, user=person)
        for game in made
        for number, person in enumerate(people)
    )
    return made


def reviewed(games: Iterable[Game]) -> None:
    """What is kept once these are reviewed."""
    for game in games:
        GameReview.objects.create(game=game, judge="counts 3", made_at=NOW, content=b"")
        for seat in Seat.objects.filter(game=game, user__is_guest=False):
            ReviewedPlay.objects.create(
                user=seat.user,
                game=game,
                kind_key=game.kind_key,
                judge="counts 3",
                finished_at=game.finished_at,
                judged=False,
                decisions=1,
                inaccuracies=0,
                mistakes=0,
                blunders=0,
            )


def chosen(most: int) -> list[Game]:
    """The games that are chosen one after the other, each reviewed before the next."""
    found: list[Game] = []
    while len(found) < most and (game := jobs.next_game(NOW)):
        reviewed([game])
        found.append(game)
    return found


def test_it_is_one_of_the_jobs_that_may_take_their_time() -> None:
    assert [each.run for each in all_jobs.IN_THE_BACKGROUND if each.name == "reviews"] == [jobs.run]


def test_a_game_is_reviewed_while_nothing_else_is_to_do(
    alice: User, bob: User, charlie: User, desk: Desk
) -> None:
    game = fast_games.played_game(alice, bob, charlie, "easy")
    now = game.finished_at + MINUTE if game.finished_at else NOW
    assert jobs.run(now, 0.5)
    assert not jobs.run(now, 0.5)  # one at a time
    desk.compute()
    assert not jobs.run(now, 0.5)  # not written yet
    worker.results.run(now, 1.0)
    assert reviews.of_game(game) is not None
    assert not jobs.run(now, 0.5) and not desk.asked


def test_a_worker_that_draws_pictures_is_left_alone(
    alice: User, bob: User, charlie: User, desk: Desk
) -> None:
    fast_games.played_game(alice, bob, charlie, "easy")
    desk.ask(len, "a picture")
    assert not jobs.run(NOW, 0.5)
    assert len(desk.asked) == 1


def test_the_latest_comes_first_and_what_is_old_not_at_all(alice: User, bob: User) -> None:
    [old] = games_of(alice, minutes=-13 * 60)
    [early] = games_of(alice)
    [late] = games_of(bob, minutes=5)
    assert chosen(9) == [late, early]
    assert old.pk is not None


def test_some_games_are_not_reviewed(alice: User, subtests: pytest.Subtests) -> None:
    games_of(alice)
    for columns in [
        {"status": Game.Status.PLAYING},
        {"status": Game.Status.CLOSED},
        {"origin": Game.Origin.WARM_UP},
        {"kind_key": "draughts"},
    ]:
        with subtests.test(columns=columns), untouched():
            Game.objects.update(**columns)
            assert jobs.next_game(NOW) is None


def test_games_of_guests_alone_and_of_the_suspended_wait_until_somebody_asks(alice: User) -> None:
    games_of(lifecycle.guest())
    games_of(alice)
    lifecycle.ban(alice)
    assert jobs.next_game(NOW) is None
    lifecycle.lift_ban(alice)
    assert jobs.next_game(NOW) is not None


def test_a_thousand_games_of_a_stranger_take_nobodys_turn(alice: User, bob: User) -> None:
    """His are the latest, more than are looked at; still hers come, after ten at most."""
    stranger = User.objects.create_user("stranger")
    hers = games_of(alice, bob, count=3)
    games_of(stranger, count=jobs._LOOKED_AT + 200, minutes=60)
    found = chosen(100)
    assert len(found) == jobs.MOST_OF_A_PERSON + len(hers)
    places = [found.index(game) for game in hers]
    assert max(places) < jobs.MOST_OF_A_PERSON + len(hers)
    # A game that ends meanwhile is the next, also when it is older than all of his.
    fresh = games_of(User.objects.create_user("fresh"), minutes=1)
    assert chosen(1) == fresh


def test_who_has_had_fewer_comes_first(alice: User, bob: User) -> None:
    [hers] = games_of(alice)
    many = games_of(bob, count=5, minutes=30)
    reviewed(many[:2])
    assert jobs.next_game(NOW) == hers
    shared = games_of(alice, bob, minutes=10)  # counts with her, and is later
    assert chosen(9) == [*shared, hers, many[4], many[3], many[2]]


def test_many_strangers_who_share_games_count_with_the_one_who_has_had_fewest(
    alice: User, bob: User
) -> None:
    full = games_of(bob, count=jobs.MOST_OF_A_PERSON)
    reviewed(full)
    games_of(bob, count=5, minutes=20)
    assert jobs.next_game(NOW) is None
    [together] = games_of(alice, bob, minutes=10)
    assert jobs.next_game(NOW) == together


def test_those_that_fail_are_passed_over(
    alice: User, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = games_of(alice, count=2)
    monkeypatch.setattr(reviews, "log_of", lambda game: {})
    tried = []
    while jobs.run(NOW, 0.5):
        tried.append(set(reviews._under_way))
        desk.fail()
    assert tried == [{second.pk}, {first.pk}]
    assert sorted(reviews.failed()) == sorted([first.pk, second.pk])


def test_a_flood_costs_few_queries_and_little_time(alice: User) -> None:
    games_of(User.objects.create_user("stranger"), count=3000)
    games_of(alice)
    jobs.next_game(NOW)
    with CaptureQueriesContext(connection) as queries:
        assert jobs.next_game(NOW) is not None
    assert len(queries) == 4, [each["sql"] for each in queries]
    assert sum(float(each["time"]) for each in queries) < 1.0


# --- warm-ups ------------------------------------------------------------------------------------

WARM_UP: dict[str, Any] = {"kind_key": "perudo", "origin": Game.Origin.WARM_UP}


def warm_ups_of(person: User, *, count: int = 1, **columns: Any) -> list[Game]:
    games = games_of(person, count=count)
    Game.objects.filter(pk__in=[each.pk for each in games]).update(**WARM_UP | columns)
    return [Game.objects.get(pk=each.pk) for each in games]


def test_a_warm_up_is_reviewed_once_no_other_game_waits(alice: User) -> None:
    [warm_up] = warm_ups_of(alice)
    [other] = games_of(alice)
    assert jobs.next_game(NOW) == other
    assert jobs.next_warm_up(NOW) == warm_up
    GameReview.objects.create(game=warm_up, judge="expert", made_at=NOW, content=b"")
    assert jobs.next_warm_up(NOW) is None


def test_at_most_ten_warm_ups_of_a_person_are_reviewed_in_a_day(alice: User, bob: User) -> None:
    games = warm_ups_of(alice, count=jobs.MOST_OF_A_PERSON + 2)
    for game in games[: jobs.MOST_OF_A_PERSON]:
        GameReview.objects.create(game=game, judge="expert", made_at=NOW, content=b"")
    assert jobs.next_warm_up(NOW) is None
    [theirs] = warm_ups_of(bob)
    assert jobs.next_warm_up(NOW) == theirs


def test_only_warm_ups_of_late_of_account_holders_and_of_judged_moves_are(alice: User) -> None:
    guest = User.objects.create_user("guest", is_guest=True)
    warm_ups_of(guest)
    warm_ups_of(alice, kind_key="peco_peco")
    warm_ups_of(alice, finished_at=NOW - jobs.RECENT)
    warm_ups_of(alice, origin=Game.Origin.AGAIN)
    assert jobs.next_warm_up(NOW) is None
