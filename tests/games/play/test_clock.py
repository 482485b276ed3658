"""The clock of a scheduler: what has passed counts, and what was missed is noticed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import pytest

from games.play.clock import LATE_MOVES_SECONDS, STANDSTILL, Clock, Downtime
from tests.support.fast_games import START

SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)


@dataclass
class Machine:
    """The two clocks of a machine."""

    wall = START
    passed = 100.0

    def __post_init__(self) -> None:
        self.clock = Clock(wall=lambda: self.wall, passed=lambda: self.passed)

    def wait(self, seconds: float, *, set_by: timedelta = timedelta()) -> None:
        """Let time pass; meanwhile somebody sets the system clock."""
        self.wall += timedelta(seconds=seconds) + set_by
        self.passed += seconds


@pytest.fixture
def machine() -> Machine:
    machine = Machine()
    machine.clock.note_run()
    return machine


def test_between_two_readings_only_what_has_passed_counts(machine: Machine) -> None:
    machine.wait(2, set_by=HOUR)
    assert machine.clock.now() == START + 2 * SECOND
    assert machine.clock.read() == machine.clock.now() == START + 2 * SECOND + HOUR


def test_a_new_process_may_have_missed_anything() -> None:
    clock = Machine().clock
    assert clock.is_new and clock.has_missed()
    clock.note_run()
    assert not clock.is_new and not clock.has_missed()


@pytest.mark.parametrize(
    ("seconds", "set_by", "missed"),
    [
        (0.1, timedelta(), False),
        (1.0, timedelta(), False),
        (1.0, 0.4 * SECOND, False),  # as time synchronisation slews it
        (1.0, -0.4 * SECOND, False),
        (4.0, timedelta(), True),
        (0.1, HOUR, True),
        (0.1, -60 * SECOND, True),
    ],
)
def test_a_process_that_stood_still_or_whose_clock_was_set_has_missed_something(
    machine: Machine, seconds: float, set_by: timedelta, missed: bool
) -> None:
    machine.wait(seconds, set_by=set_by)
    assert machine.clock.has_missed() is missed
    assert machine.clock.was_set() is (abs(set_by) > STANDSTILL)


def test_a_clock_that_drifts_a_little_all_the_time_is_never_set(machine: Machine) -> None:
    for _ in range(100):
        machine.wait(0.5, set_by=0.1 * SECOND)
        assert not machine.clock.has_missed()
        machine.clock.read()
        machine.clock.note_run()


def test_what_was_lost_is_said_or_what_this_process_missed(machine: Machine) -> None:
    machine.wait(20)
    machine.clock.read()
    machine.clock.note_downtime(timedelta(seconds=5))
    assert machine.clock.downtime == Downtime(START + 20 * SECOND, 5 * SECOND)
    machine.clock.note_downtime(None)
    assert machine.clock.downtime == Downtime(START + 20 * SECOND, 20 * SECOND)


def test_a_new_process_beside_others_has_missed_nothing() -> None:
    clock = Machine().clock
    clock.note_downtime(None)
    assert clock.downtime is None


def test_a_downtime_is_forgotten_when_no_move_from_before_can_still_arrive(
    machine: Machine,
) -> None:
    machine.clock.note_downtime(SECOND)
    machine.wait(LATE_MOVES_SECONDS - 1)
    assert machine.clock.downtime is not None
    machine.wait(2)
    assert machine.clock.downtime is None
