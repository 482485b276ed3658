"""Every finished game takes each step of one list once, however it ended."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.models import Game, Result, Tally
from games.play import close_by_staff, commands
from games.play import finish as results
from tests.games.play.test_finish import assert_the_past_is_true
from tests.games.play.test_skip import lose, plays_on, skips
from tests.support.cases import untouched
from tests.support.fast_games import finish_game, running_game
from tests.support.game_driver import LEAVE, GameDriver, all_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the steps that finished games take from now on."""
    names: list[str] = []

    def counted(step: results.Step) -> results.Step:
        def take(*given: Any) -> None:
            names.append(step.name)
            step.take(*given)

        return replace(step, take=take)

    monkeypatch.setattr(results, "STEPS", tuple(map(counted, results.STEPS)))
    return names


def by_a_dudo(alice: User, bob: User) -> Game:
    return finish_game(running_game(alice, bob))


def by_leaving(alice: User, bob: User) -> Game:
    driver = GameDriver(running_game(alice, bob, rounds=1))
    commands.move(driver.code, 1, LEAVE, seen=None, now=driver.now)
    return driver.game


def by_everybody_leaving(alice: User, bob: User) -> Game:
    driver = GameDriver(running_game(alice, bob, "steady", "sharp", rounds=1))
    for number in (0, 1):
        commands.move(driver.code, number, LEAVE, seen=None, now=driver.now)
    return driver.game


def by_timeouts(alice: User, bob: User) -> Game:
    driver = GameDriver(running_game(alice, bob))
    while driver.game.status == Game.Status.PLAYING:
        Game.objects.update(watched_at=driver.game.due_at)  # somebody looks on
        driver.run_due(rolls=None)
    return driver.game


def by_nobody_watching(alice: User, bob: User) -> Game:
    driver = GameDriver(running_game(alice, bob))
    driver.hand_to_bots(0, 1)
    driver.now += timedelta(hours=1)
    driver.run_due(rolls=None)
    return driver.game


def by_skipping(alice: User, bob: User) -> Game:
    driver = GameDriver(running_game(alice, "steady", "steady", "steady"))
    lose(driver, 0)
    skips(driver, 0)
    assert driver.game.skipping
    plays_on(driver)
    return driver.game


ENDS = [by_a_dudo, by_leaving, by_everybody_leaving, by_timeouts, by_nobody_watching, by_skipping]


def test_every_finished_game_takes_each_step_once(
    taken: list[str], alice: User, bob: User, subtests: pytest.Subtests
) -> None:
    for ends in ENDS:
        with subtests.test(ends=ends.__name__), untouched():
            taken.clear()
            game = ends(alice, bob)
            assert (game.status, game.holder, game.due_at) == (Game.Status.FINISHED, "", None)
            assert game.pack_at is not None and game.finished_at is not None
            assert taken == [
                "status",
                "packing time",
                "marks due",
                "throws noted",
                "holder freed",
                "places",
                "who stayed",
                "screens told",
                "lobby told",
                "results",
                "tallies",
                "ratings",
            ]
            assert_the_past_is_true()


def test_a_game_that_staff_closes_takes_no_step(taken: list[str], alice: User, bob: User) -> None:
    assert close_by_staff.close(running_game(alice, bob, rounds=1).code)
    assert taken == []
    assert not Result.objects.exists() and not Tally.objects.exists()


def test_nothing_of_the_last_move_stays_when_a_step_fails(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for broken in results.STEPS:
        with subtests.test(step=broken.name), untouched(), monkeypatch.context() as patching:

            def fail(*given: Any, broken: results.Step = broken) -> None:
                broken.take(*given)
                raise OSError("disk full")

            driver = GameDriver(running_game(alice, bob, rounds=1))
            steps = [replace(step, take=fail) if step is broken else step for step in results.STEPS]
            patching.setattr(results, "STEPS", steps)
            before = all_rows()
            with pytest.raises(OSError, match="disk full"):
                commands.move(driver.code, 1, LEAVE, seen=None, now=driver.now)
            assert all_rows() == before
            assert not Result.objects.exists() and not Tally.objects.exists()
