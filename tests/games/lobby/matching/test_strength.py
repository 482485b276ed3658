"""Where more people wait than one table holds, those of like strength play together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from accounts.models import User
from games.contract import catalogue
from games.lobby.matching import searches, strength
from games.models import Game, Mute, Search
from games.play import quick_tables
from tests.games.lobby.matching.test_races import assert_everybody_has_one_place
from tests.games.lobby.matching.test_searches import press, seated, states
from tests.games.lobby.matching.test_views import strip
from tests.games.play.test_races import at_once
from tests.support.fast_games import START
from tests.support.fixtures import signed_in
from tests.support.rated_people import rate

pytestmark = pytest.mark.django_db
BEGINS = START + quick_tables.COUNTDOWN
# The first six fill a table of Perudo; the last comes too late for it.
SEVEN = (1400, 1700, 1410, 1720, 1390, 1690, 1710)


def people(strengths: Sequence[float], kind_key: str = "perudo") -> list[User]:
    """One person of each strength, named by it."""
    return [rate(f"{mu:g}", mu, now=START, kind_key=kind_key).user for mu in strengths]


def tables(status: str = "open") -> list[set[str]]:
    found = Game.objects.filter(origin="quick", status=status).order_by("pk")
    return [set(seated(game)) for game in found]


def come(company: Sequence[User], kind_key: str = "perudo") -> None:
    """They press one after the other; the first one has not answered yet."""
    for each in company:
        press(each, kind_key)


def test_two_tables_of_like_strength_begin_when_the_full_one_would_have() -> None:
    *six, late = people(SEVEN)
    come(six)
    assert len(tables()) == 1
    press(late, now=START + timedelta(seconds=4))
    assert tables() == [{"1390", "1400", "1410"}], "the first of them has to answer"
    assert tables("playing") == [{"1690", "1700", "1710", "1720"}], "all of them were ready"
    assert Game.objects.get(origin="quick", status="open").starts_at == BEGINS
    assert states(six[0], six[2], *six[1:2], late) == ["asked", "ready", "seated", "seated"]
    assert_everybody_has_one_place([*six, late])


def test_who_has_to_answer_takes_the_countdown_along() -> None:
    *six, late = people([*SEVEN[:-1], 1380])
    come(six)
    press(late, now=START + timedelta(seconds=4))
    assert tables("playing") == [{"1410", "1690", "1700", "1720"}]
    waiting = Game.objects.get(origin="quick", status="open")
    assert (waiting.host, waiting.starts_at) == (late, BEGINS)
    assert tables() == [{"1380", "1390", "1400"}]


def test_a_home_moves_with_its_person() -> None:
    *six, late = people(SEVEN)
    for each in six:
        press(each, "perudo", home=f"home of {each.username}")
    press(late, home="home of 1710")
    seats = Game.objects.get(origin="quick", status="open").seat_set.all()
    assert {seat.home for seat in seats} == {f"home of {each}" for each in (1390, 1400, 1410)}


@pytest.mark.parametrize(
    ("strengths", "muted"),
    [
        pytest.param((), False, id="nobody is rated"),
        pytest.param([1500 + 10 * number for number in range(7)], False, id="they hardly differ"),
        pytest.param(SEVEN, True, id="one is muted"),
    ],
)
def test_else_nobody_is_moved(strengths: Sequence[float], muted: bool) -> None:
    company = people(strengths) or [
        User.objects.create_user(f"person-{number}") for number in range(7)
    ]
    if muted:
        Mute.objects.create(by=company[-1], whom=company[0])
    come(company)
    names = [each.username for each in company]
    assert tables() == [{*names[:-1]}, {names[-1]}]
    assert states(company[-1]) == ["waiting"]


def test_each_table_keeps_as_many_as_its_game_needs() -> None:
    most, fewest = 8, 4
    sizes = catalogue.of("peco_peco").rules.SEATS
    assert (sizes[-1], sizes.start) == (most, fewest)
    come(people([1400 + 40 * number for number in range(most + 1)], "peco_peco"), "peco_peco")
    halves = [*tables(), *tables("playing")]
    assert sorted(len(half) for half in halves) == [fewest, fewest + 1]
    assert {"1400", "1440", "1480", "1520"} in halves


def counting(*companies: Sequence[User], starts_at: Sequence[timedelta]) -> list[Game]:
    """Tables that count down, each with these people, who have to answer."""
    found = []
    for (host, *others), after in zip(companies, starts_at, strict=True):
        game = quick_tables.open_table(host, "perudo", holder="", now=START)
        for other in others:
            quick_tables.sit(game, other, now=START)
        quick_tables.count_down(game, until=START + after, now=START)
        for each in (host, *others):
            Search.objects.create(
                user=each, state="asked", table=game, changed_at=START, seen_at=START
            )
        found.append(game)
    return found


@pytest.mark.parametrize(
    ("weak", "strong", "seconds", "joins"),
    [
        pytest.param((1400, 1410, 1390), (1700, 1710, 1720), (9, 9), 1, id="as soon"),
        pytest.param((1400, 1410, 1390), (1700, 1710, 1720), (8, 9), 0, id="it would wait"),
        pytest.param((1400, 1410, 1390), (1700, 1710), (9, 9), 0, id="one table holds all"),
    ],
)
def test_who_joins_one_of_two_tables_joins_their_like(
    weak: Sequence[float], strong: Sequence[float], seconds: tuple[int, int], joins: int
) -> None:
    two = counting(
        people(weak), people(strong), starts_at=[timedelta(seconds=each) for each in seconds]
    )
    [newcomer] = people([1730])
    press(newcomer)
    assert [newcomer.username in seated(game) for game in two] == [joins == 0, joins == 1]


def test_a_game_without_ratings_knows_no_strength(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other, newcomer = (user.pk for user in people([1400, 1700, 1690]))
    assert strength.nearest(newcomer, [[one], [other]], "perudo") == 1
    unrated = replace(catalogue.of("perudo"), ratings=None)
    monkeypatch.setattr(catalogue, "of", lambda _key: unrated)
    assert strength.nearest(newcomer, [[one], [other]], "perudo") == 0


def test_who_was_moved_is_led_from_the_old_table_to_the_new_one() -> None:
    *six, late = people(SEVEN)
    come(six[::-1])
    old = Game.objects.get(origin="quick")
    stays, moves = (signed_in(person) for person in (six[0], six[1]))
    Search.objects.filter(user=six[3]).update(state="asked")  # so that nothing begins
    press(late)
    new = Game.objects.get(origin="quick", status="open", seat__user=late)
    assert f'data-go="/games/{new.code}"' in strip(moves, f"/games/{old.code}")
    assert "data-go" not in strip(moves, f"/games/{new.code}")
    assert "data-go" not in strip(moves), "a page of another kind is left in peace"
    assert f'data-go="/games/{old.code}"' in strip(stays), "their game has begun"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_", range(2))
def test_those_who_come_too_late_at_once_have_one_place_each(_: int) -> None:
    company = people([*SEVEN, 1380, 1730])
    come(company[:6])
    late = company[6:]
    assert at_once(*(partial(press, each) for each in late)) == ["done"] * len(late)
    assert_everybody_has_one_place(company)
    searches.answer(company[0], now=START)
    assert_everybody_has_one_place(company)
