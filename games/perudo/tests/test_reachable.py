"""Positions in the middle of a game: those that a game comes to are accepted, all others are not.

What a game comes to is counted out here, round by round, from who may lose or win back a die and
who leaves; the settings decide. `reachable` says it at once, from the position alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

import pytest

from games.core.chance import SeededChance
from games.perudo import rules
from games.perudo.rules.events import GameStarted, RoundStarted, StartedMidway
from games.perudo.rules.options import CHOICES, SITE_OPTIONS, Options
from games.perudo.tests.random_games import steps
from tests.games.contract.random_games import facts_of, seeded

CALZA: tuple[dict[str, Any], ...] = (
    {"calza": "off"},
    {"calza": "on"},
    {"calza": "on", "calza_needs_lost_die": True},
    {"calza": "on", "calza_who": "any_but_bidder_and_next"},
    {"calza": "on", "calza_min_players": 3},
    {"calza": "on", "calza_in_palifico": False},
)
SETTINGS = [
    replace(Options(), palifico_min_players=least, palifico_repeat=repeat, **calza)
    for least, repeat, calza in product((2, 3), ("every_time", "once"), CALZA)
]


class Position(NamedTuple):
    dice: tuple[int, ...]
    out: tuple[int, ...]
    been: frozenset[int]
    opener: int
    palifico: int | None


def is_accepted(options: Options, at: Position, number: int) -> bool:
    facts = [
        GameStarted(len(at.dice), options),
        StartedMidway(number, at.dice, at.out, tuple(sorted(at.been))),
        RoundStarted(number, at.opener, at.palifico),
    ]
    try:
        rules.restart(facts, SeededChance(0))
    except ValueError:
        return False
    return True


def test_with_two_players_exactly_what_a_game_comes_to_is_accepted(
    subtests: pytest.Subtests,
) -> None:
    for number, options in enumerate(SETTINGS):
        with subtests.test(number=number):
            compare(options, seats=2, rounds=13)


@pytest.mark.parametrize("options", SETTINGS[::5], ids=range(len(SETTINGS[::5])))
def test_with_three_players_too(options: Options) -> None:
    compare(options, seats=3, rounds=6)


def compare(options: Options, *, seats: int, rounds: int) -> None:
    every = set(positions(seats))
    reached = {Position((5,) * seats, (), frozenset(), seat, None) for seat in range(seats)}
    for number in range(1, rounds + 1):
        assert reached <= every
        accepted = {at for at in every if is_accepted(options, at, number)}
        assert (accepted - reached, reached - accepted) == (set(), set()), number
        reached = {then for at in reached for then in after_a_round(at, options)}


def positions(seats: int) -> Iterator[Position]:
    """Every position in which two have dice, and those who have none are out in some order."""
    for dice in product(range(6), repeat=seats):
        inside = [seat for seat in range(seats) if dice[seat]]
        without = [seat for seat in range(seats) if not dice[seat]]
        been = [frozenset(some) for n in range(seats + 1) for some in combinations(range(seats), n)]
        if len(inside) > 1:
            for out, some, opener in product(permutations(without), been, inside):
                yield Position(dice, out, some, opener, None)
                if dice[opener] == 1 and opener in some:
                    yield Position(dice, out, some, opener, opener)


def after_a_round(at: Position, options: Options) -> Iterator[Position]:
    """What a round may lead to: somebody loses or wins back a die, and some leave, before the
    reveal or while it is shown.
    """
    inside = [seat for seat, dice in enumerate(at.dice) if dice]
    for gains, seat in [*((False, seat) for seat in inside), *callers(at, inside, options)]:
        for count in range(len(inside) - 1):
            for leaving in permutations(inside, count):
                for early in range(count + 1):
                    yield from _ended(at, options, gains, seat, leaving[:early], leaving[early:])


def callers(at: Position, inside: Sequence[int], options: Options) -> Iterator[tuple[bool, int]]:
    """Who may have called a right calza (P35 to P38, P42)."""
    third = options.calza_who == "any_but_bidder_and_next"
    fits = options.calza_in_palifico or at.palifico is None
    if options.calza == "on" and fits and len(inside) >= max(options.calza_min_players, 2 + third):
        for seat in inside:
            if at.dice[seat] < 5 or not options.calza_needs_lost_die:
                yield True, seat


def _ended(
    at: Position,
    options: Options,
    gains: bool,
    seat: int,
    gone: Sequence[int],
    later: Sequence[int],
) -> Iterator[Position]:
    dice, out = list(at.dice), list(at.out)
    dice[seat] = min(5, dice[seat] + 1) if gains else dice[seat] - 1
    if not dice[seat]:
        out.append(seat)
    for each in (*gone, *later):
        if dice[each]:
            out.append(each)
            dice[each] = 0
        elif each in later:
            return  # who is out does not leave
    players = sum(map(bool, dice))
    if players < 2:
        return
    opener = seat
    while not dice[opener]:
        opener = (opener + 1) % len(dice)
    again = seat in at.been and options.palifico_repeat == "once"
    fell = not gains and at.dice[seat] == 2 and seat not in gone and not again
    is_palifico = fell and opener == seat and players >= options.palifico_min_players
    been = at.been | {seat} if is_palifico else at.been
    yield Position(tuple(dice), tuple(out), been, opener, seat if is_palifico else None)


def test_every_round_of_games_under_any_settings_is_accepted() -> None:
    generator, rounds = seeded(11), 0
    for number in range(60):
        options = Options(**{name: generator.choice(each) for name, each in CHOICES.items()})
        state: Any = None
        for fact in facts_of(steps(seeded(number), leaving=0.01, options=options)):
            state = rules.evolve(state, fact)
            if isinstance(fact, RoundStarted):
                been = state.have_been_palifico
                at = Position(state.dice, state.out, been, fact.opener, fact.palifico)
                assert is_accepted(options, at, fact.number), (options, at, fact.number)
                rounds += 1
    assert rounds > 400


def test_positions_that_contradict_the_settings_are_refused() -> None:
    cases = [
        (1, Position((4, 5), (), frozenset(), 0, None)),  # nobody has lost a die yet
        (9, Position((5, 5), (), frozenset(), 0, None)),  # eight rounds, and no die is lost
        (2, Position((4, 5), (), frozenset(), 1, None)),  # the other one lost it
        (5, Position((1, 5), (), frozenset(), 0, None)),  # that is a palifico round
        (6, Position((1, 4), (), frozenset(), 1, None)),  # seat 0 has not been palifico
        (7, Position((2, 4), (), frozenset({0}), 1, None)),  # no die comes back without calza
        (1, Position((0, 5, 5), (0,), frozenset(), 1, None)),  # nobody is out before a reveal
        (60, Position((0, 1, 1), (0,), frozenset({0, 1, 2}), 1, 1)),  # more rounds than dice
    ]
    assert [(number, at) for number, at in cases if is_accepted(SITE_OPTIONS, at, number)] == []
