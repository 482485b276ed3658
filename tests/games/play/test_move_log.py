"""The journal: a line for every move and every refusal, and what is in none of them."""

from __future__ import annotations

import logging

import pytest
from prometheus_client import REGISTRY

from accounts.models import User
from games.store import queries
from tests.support.fixtures import signed_in
from tests.support.game_driver import DUDO, GameDriver, bid, deal_game, refusal_of

pytestmark = pytest.mark.django_db(transaction=True)
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
# What every record has; the rest is what a line says.
COMMON = set(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


@pytest.fixture
def driver(alice: User, bob: User) -> GameDriver:
    return deal_game(alice, bob, hands=HANDS)


@pytest.fixture(autouse=True)
def _listening(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "games.play.move_log")


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    """What each line says, its message as `what`."""
    return [
        {"what": record.message}
        | {name: value for name, value in vars(record).items() if name not in COMMON}
        for record in caplog.records
        if record.name == "games.play.move_log"
    ]


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0


def test_a_move_is_one_line_that_says_who_did_what_where(
    driver: GameDriver, caplog: pytest.LogCaptureFixture
) -> None:
    driver.move(0, bid("3x5"))
    [line] = lines(caplog)
    assert line.pop("ms") >= 0  # type: ignore[operator]
    assert line == {
        "what": "moved",
        "game": driver.code,
        "seat": 0,
        "do": "bid",
        "seq": driver.game.seq,
    }


def test_a_refused_move_is_no_line_of_a_move(
    driver: GameDriver, caplog: pytest.LogCaptureFixture
) -> None:
    assert refusal_of(lambda: driver.move(0, DUDO)) == "no_bid"
    assert lines(caplog) == []


def test_moves_are_counted_by_how_they_went(driver: GameDriver) -> None:
    before = {
        how: counted("perudo_moves_total", do=do, result=how)
        for do, how in (("bid", "done"), ("dudo", "refused"))
    }
    refusal_of(lambda: driver.move(0, DUDO))
    driver.move(0, bid("3x5"))
    assert counted("perudo_moves_total", do="bid", result="done") == before["done"] + 1
    assert counted("perudo_moves_total", do="dudo", result="refused") == before["refused"] + 1


def test_a_refusal_is_a_line_with_its_reason(
    driver: GameDriver, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    before = counted("perudo_refusals_total", reason="not_your_turn")
    form = {"do": "bid", "quantity": 3, "face": 5, "seen": driver.game.seq}
    signed_in(bob).post(f"/games/{driver.code}/move", form)
    assert lines(caplog) == [
        {"what": "refused", "game": driver.code, "action": "move", "reason": "not_your_turn"}
    ]
    assert counted("perudo_refusals_total", reason="not_your_turn") == before + 1


def test_a_forged_move_puts_no_word_of_its_own_into_a_line(
    driver: GameDriver, alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    signed_in(alice).post(f"/games/{driver.code}/move", {"do": "x\nERROR y", "seen": "1"})
    assert [line["reason"] for line in lines(caplog)] == ["malformed"]
    assert "ERROR" not in caplog.text


def test_tables_are_counted_that_are_not_over(driver: GameDriver) -> None:
    assert queries.tables_by_status() == {"open": 0, "playing": 1, "failing": 0}
