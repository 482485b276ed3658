"""What a game waits for, and that general code plays it whatever the game: turns and windows."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from accounts.models import User
from games.contract import catalogue
from games.core.chance import SeededChance
from games.core.contract import Waiting, fold
from games.models import Game, Seat
from games.peco_peco import pace, rules
from games.peco_peco.rules.moves import Accuse, Declare
from games.peco_peco.rules.options import Options
from games.perudo import rules as perudo
from games.play import commands
from tests.support.fast_games import START
from tests.support.game_driver import CALZA, CONFIRM, DUDO, LEAVE, GameDriver, bid, deal_game

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))


def test_perudo_waits_for_a_turn_a_window_and_a_reveal(
    alice: User, bob: User, charlie: User
) -> None:
    driver = deal_game(alice, bob, charlie, hands=HANDS, calza="on")
    assert perudo.waiting(driver.state) == Waiting("turn", 0)
    driver.move(0, bid("2x3"))
    assert perudo.waiting(driver.state) == Waiting("turn", 1, (2,))
    driver.move(2, CALZA)
    assert perudo.waiting(driver.state) == Waiting("window", 1)
    driver.move(1, DUDO)
    assert perudo.waiting(driver.state) == Waiting("reveal", to_acknowledge=(0, 1, 2))
    driver.move(1, CONFIRM)
    waiting = perudo.waiting(driver.state)
    assert waiting is not None and waiting.seats == (0, 2)
    driver.move(0, LEAVE)
    driver.move(1, LEAVE)
    assert perudo.waiting(driver.state) is None


# --- the other game, as far as it goes without pages ---------------------------------------------


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Peco Peco is in the catalogue; its bots declare on their turn, and out of turn do `calls`."""
    out_of_turn: list[Any] = []

    def bot(state: Any, seat: int, chance: Any) -> Any:
        assert state.hand(seat), "a bot knows its own hand"
        return Declare() if state.phase == "turn" else next(iter(out_of_turn), None)

    game: Any = replace(
        catalogue.of("perudo"),
        key=rules.KEY,
        rules=rules,  # type: ignore[arg-type]
        pace=pace,
        bots={"steady": bot},
        stand_in="steady",
    )
    monkeypatch.setitem(catalogue._kinds, rules.KEY, game)
    return out_of_turn


def seeded(seed: int) -> SeededChance:
    return SeededChance(random.Random(seed))  # noqa: S311


def in_a_slap_window(host: User) -> GameDriver:
    """A game of a person and three bots in which a bot has just declared under a slap stake."""
    options = Options(first_feast_on_top=False)

    def begins_before_the_person(seed: int) -> bool:
        state: Any = fold(rules, rules.start(4, options, seeded(seed)))
        return state.stake.rule == "slap" and (state.turn + state.direction) % 4 == 0

    seed = next(seed for seed in range(1_000) if begins_before_the_person(seed))
    game = Game.objects.create(
        host=host, kind_key=rules.KEY, preset="peco_base", options=options.to_json(), size=4,
        turn_seconds=45, status=Game.Status.PLAYING, started_at=START,
    )  # fmt: skip
    seats = [Seat.objects.create(game=game, number=0, user=host)]
    seats += [Seat.objects.create(game=game, number=n, bot="steady") for n in (1, 2, 3)]
    commands.begin(game, seats, now=START, chance=seeded(seed))
    driver = GameDriver(game)
    driver.run_due(rolls=None)
    return driver


def test_a_window_with_nobody_on_turn_closes_by_itself(alice: User, calls: list[Any]) -> None:
    driver = in_a_slap_window(alice)
    waiting = rules.waiting(driver.state)
    assert waiting is not None and (waiting.kind, waiting.on_turn) == ("window", None)
    assert driver.times == (None, 3, 1.5), "the table's window; bots are asked in the middle"
    driver.run_due(rolls=None)
    assert driver.times == (None, 1.5, 1.5), "none of them slaps"
    driver.run_due(rolls=None)
    assert driver.kinds[-1] == "slap_window_closed"
    assert rules.waiting(driver.state) == Waiting("turn", 0, (1, 2)), "a late slap is possible"
    assert driver.times == (0, 45, 45)


def test_a_bot_may_interrupt_in_a_window(alice: User, calls: list[Any]) -> None:
    driver = in_a_slap_window(alice)
    calls.append(Accuse())
    driver.run_due(rolls=None)
    assert {"bluff_admitted", "honesty_shown"} & set(driver.kinds)


def test_a_person_who_times_out_plays_from_their_own_hand(alice: User, calls: list[Any]) -> None:
    driver = in_a_slap_window(alice)
    for _ in range(2):  # no bot slaps, the window closes
        driver.run_due(rolls=None)
    played = len(driver.kinds)
    driver.run_due(rolls=None)
    assert driver.kinds[played] in ("card_played", "declared")
    assert driver.seat(0).missed == 1
