"""Marks are awarded once, to whom they belong, whoever awards them and whatever fails."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.contract import catalogue
from games.contract.game_values import Earned
from games.models import Game, Mark, Seat
from games.peco_peco.tests import fast_games as cards
from games.perudo import marks as perudo_marks
from games.play import commands, marks_due
from games.store import archive
from games.study.marks import awards
from games.study.review import reviews
from perudo_site import data_export, deletion, handover, jobs
from tests.support.fast_games import START, finish_game, finished_game, running_game
from tests.support.game_driver import LEAVE, GameDriver

pytestmark = pytest.mark.django_db

LATER = START + timedelta(days=1)


def held() -> set[tuple[str, str]]:
    """Who has which mark."""
    return set(Mark.objects.values_list("user__username", "key"))


def earned_in(game: Game) -> set[tuple[int, str]]:
    kind = catalogue.of(game.kind_key)
    assert kind.marks is not None
    return {(each.seat, each.key) for each in kind.marks.earned(kind.replay.moments(game))}


def gives(monkeypatch: pytest.MonkeyPatch, *found: Earned) -> None:
    """Each game earns just this, so that rare marks can be tested with short games."""
    monkeypatch.setattr(perudo_marks, "earned", lambda moments: list(found))


def run() -> bool:
    return awards.run(LATER, 5.0)


@pytest.mark.parametrize("play", [finished_game, cards.played_game])
def test_the_job_awards_what_people_earned(
    play: Callable[..., Game], alice: User, bob: User, charlie: User
) -> None:
    game = play(alice, bob, charlie, "easy" if play is cards.played_game else "steady")
    assert game.marks_due_at is not None and game.marks_version == 0
    assert not Mark.objects.exists()
    run()
    names = dict(game.seat_set.filter(user__isnull=False).values_list("number", "user__username"))
    assert held() == {(names[seat], key) for seat, key in earned_in(game) if seat in names}
    assert held(), "something is earned in every game"
    for mark in Mark.objects.all():
        assert (mark.game, mark.at, mark.kind_key) == (game, game.finished_at, game.kind_key)
        assert 1 <= mark.moment <= len(catalogue.of(game.kind_key).replay.moments(game))
    game.refresh_from_db()
    assert (game.marks_due_at, game.marks_version) == (None, 1)


def test_the_job_is_in_the_list_of_the_site(alice: User, bob: User) -> None:
    assert [each.run for each in jobs.IN_THE_BACKGROUND if each.name == "marks"] == [awards.run]


def test_a_running_game_and_one_that_counts_for_nothing_have_none(alice: User, bob: User) -> None:
    game = running_game(alice, bob, rounds=1)
    assert game.marks_due_at is None
    with pytest.raises(ValueError, match="sealed"):
        awards.award(game)
    warm_up = running_game(alice, bob, rounds=1)
    Game.objects.filter(pk=warm_up.pk).update(origin=Game.Origin.WARM_UP)
    warm_up = finish_game(Game.objects.get(pk=warm_up.pk))
    assert warm_up.status == Game.Status.FINISHED and warm_up.marks_due_at is None
    run()
    assert not Mark.objects.exists()


def test_a_mark_is_earned_once_and_in_the_first_game(alice: User, bob: User) -> None:
    first, second = finished_game(alice, bob), finished_game(alice, bob)
    run()
    firsts = set(Mark.objects.values_list("pk", "game"))
    assert {game for _pk, game in firsts} == {first.pk}, "the same game twice adds nothing"
    for game in (first, second):
        awards.award(game)
    assert set(Mark.objects.values_list("pk", "game")) == firsts


ALONE, RARE = "first_win", "untouched"


def test_against_bots_only_three_can_be_earned(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(perudo_marks.ALONE) == 3
    every = [Earned(seat, key, 1) for seat in (0, 1) for key in perudo_marks.KEYS]
    gives(monkeypatch, *every)
    finished_game(alice, "steady")
    run()
    assert held() == {("alice", key) for key in perudo_marks.ALONE}
    finished_game(alice, bob, now=START + timedelta(hours=1))
    run()
    assert held() == {(name, key) for name in ("alice", "bob") for key in perudo_marks.KEYS}


@pytest.mark.parametrize("how", ["gone", "asleep"])
def test_who_left_earns_nothing_and_is_no_company(
    how: str, alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    gives(monkeypatch, *(Earned(seat, key, 1) for seat in range(3) for key in (ALONE, RARE)))
    for people in ((alice, bob), (alice, bob, charlie)):
        game = finished_game(*people)
        Seat.objects.filter(game=game, user=bob).update(**{how: True})
        awards.award(game)
        if len(people) == 2:
            assert held() == {("alice", ALONE)}, "alone with bots in the end"
    assert held() == {(name, key) for name in ("alice", "charlie") for key in (ALONE, RARE)}


def test_guests_earn_marks_and_take_them_along(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the account has too stays with the guest and goes with them; what it lacks moves."""
    guest = User.objects.create_user("guest-1", is_guest=True)
    gives(monkeypatch, Earned(0, ALONE, 1), Earned(0, RARE, 1))
    awards.award(finished_game(guest, bob))
    gives(monkeypatch, Earned(0, ALONE, 1))
    awards.award(finished_game(alice, bob))
    assert len(held()) == 3
    handover.take_along(guest, alice, now=LATER)
    assert held() == {("alice", ALONE), ("alice", RARE)}


def test_a_deleted_account_has_none_and_gets_none(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    awards.award(game)
    assert {name for name, _key in held()} == {"alice", "bob"}
    deletion.delete_account(alice, now=LATER)
    assert {name for name, _key in held()} == {"bob"}
    Game.objects.update(marks_version=0, marks_due_at=LATER)
    run()
    assert {name for name, _key in held()} == {"bob"}


def test_the_export_has_ones_own_marks(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    run()
    mine = list(data_export.everything_about(alice)["marks"])  # type: ignore[call-overload]
    assert {each["mark"] for each in mine} == {key for name, key in held() if name == "alice"}
    assert mine[0]["game"] == game.code and mine[0]["of"] == "perudo" and mine[0]["earned"]


def test_a_packed_log_tells_the_same(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    archive.pack(game.code, now=LATER)
    assert Game.objects.get(pk=game.pk).pack_at is None
    run()
    assert len(held()) == len(earned_in(game)) > 0


# --- failures ------------------------------------------------------------------------------------


def test_a_game_that_cannot_be_read_is_set_aside_and_delays_no_other(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, fine = finished_game(alice, bob), finished_game(alice, bob)
    real = awards.award

    def fails(game: Game) -> None:
        if game.pk == broken.pk:
            raise ValueError("fact 7 cannot be read")
        real(game)

    monkeypatch.setattr(awards, "award", fails)
    assert run() is False
    assert set(Mark.objects.values_list("game", flat=True)) == {fine.pk}
    broken.refresh_from_db()
    assert broken.marks_due_at == LATER + timedelta(days=1)
    monkeypatch.setattr(awards, "award", real)
    awards.run(LATER + timedelta(days=2), 5.0)
    broken.refresh_from_db()
    assert broken.marks_due_at is None and broken.marks_version == 1


def test_a_process_that_dies_in_between_leaves_it_due(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Marks and the note that they were awarded are one transaction."""
    game = finished_game(alice, bob)
    with monkeypatch.context() as patching:

        def killed(*given: Any) -> None:
            raise KeyboardInterrupt

        patching.setattr(marks_due, "done", killed)
        with pytest.raises(KeyboardInterrupt):
            awards.award(game)
    assert not Mark.objects.exists()
    assert Game.objects.get(pk=game.pk).marks_due_at is not None
    run()
    assert Mark.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_processes_that_award_at_once_write_each_mark_once(
    alice: User, bob: User, charlie: User
) -> None:
    """Two games of the same people, each twice, in the opposite order: no deadlock either."""
    games = [finished_game(alice, bob, charlie), finished_game(charlie, bob, alice, seed=2)]
    expected: set[tuple[str, str]] = set()
    for game in games:
        names = dict(game.seat_set.values_list("number", "user__username"))
        expected |= {(names[seat], key) for seat, key in earned_in(game)}
    for _ in range(4):
        Mark.objects.all().delete()
        barrier = Barrier(4)

        def awarded(order: int, barrier: Barrier = barrier) -> None:
            barrier.wait()
            try:
                for game in games[::order]:
                    awards.award(game)
            finally:
                connection.close()

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(awarded, (1, -1, 1, -1)))
        assert held() == expected
        assert Mark.objects.count() == len(expected)


# --- reviews -------------------------------------------------------------------------------------


def flawless(game: Game) -> dict[str, Any]:
    """A review of this game in which everybody made no error."""
    content = catalogue.of("perudo").review.analyse(reviews.log_of(game))  # type: ignore[union-attr]
    for each in content["accounts"]:
        each |= {"accuracy": 1.0, "decisions": 30, "boldest": None}
        each |= {"inaccuracies": 0, "mistakes": 0, "blunders": 0}
    return content


def store(game: Game) -> None:
    reviews.write(game.pk, "a judge", flawless(game), now=LATER)


def test_a_review_awards_its_marks_when_it_is_stored(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    store(game)
    assert held() == {("alice", "no_error"), ("bob", "no_error")}
    store(game)
    assert Mark.objects.count() == 2
    assert Game.objects.get(pk=game.pk).marks_due_at is not None, "those of the log are still due"


def test_a_review_of_an_earlier_time_counts_too(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    store(game)
    Mark.objects.all().delete()
    awards.award(game)
    assert {("alice", "no_error"), ("bob", "no_error")} < held()


def test_a_review_of_a_game_against_bots_or_of_a_warm_up_awards_none(
    alice: User, bob: User
) -> None:
    store(finished_game(alice, "steady"))
    warm_up = finished_game(alice, bob)
    Game.objects.filter(pk=warm_up.pk).update(origin=Game.Origin.WARM_UP)
    store(Game.objects.get(pk=warm_up.pk))
    assert held() == set()


# --- costs ---------------------------------------------------------------------------------------


def test_the_end_of_a_game_takes_no_statement_more(alice: User, bob: User) -> None:
    """That marks are due is written with the game's own row."""
    driver = GameDriver(running_game(alice, bob, rounds=1))
    with CaptureQueriesContext(connection) as asked:
        commands.move(driver.code, 1, LEAVE, seen=None, now=driver.now)
    due = [each["sql"] for each in asked if "marks_due_at" in each["sql"]]
    assert [sql.split()[0] for sql in due if not sql.startswith("SELECT")] == ["UPDATE"]
    assert "games_mark" not in " ".join(each["sql"] for each in asked)
    assert driver.game.marks_due_at is not None


def test_the_job_finds_due_games_by_their_index(alice: User, bob: User) -> None:
    finished_game(alice, bob)
    if connection.vendor == "postgresql":  # which reads a table this small from end to end
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_sort = off")
    plan = Game.objects.filter(marks_due_at__lte=LATER).order_by("marks_due_at")[:20].explain()
    assert "game_marks" in plan
