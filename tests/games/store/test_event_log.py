"""The log: facts in order under numbers that nobody shares, and states that follow from them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.contract import catalogue
from games.core.contract import fold
from games.models import FactRow, Game
from games.perudo.rules.events import BidMade, Rolled
from games.store import event_log
from tests.support.fast_games import START, finish_game, finished_game, play_until, running_game
from tests.support.game_driver import DUDO, GameDriver, all_rows, append_facts, bid, deal_game

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


@pytest.fixture
def driver(alice: User, bob: User) -> GameDriver:
    return deal_game(alice, bob, hands=HANDS)


def test_facts_are_numbered_behind_the_games_own_number(driver: GameDriver) -> None:
    game = driver.game
    last = append_facts(game, BidMade(0, bid("2x3")), BidMade(1, bid("3x3")))
    assert last == game.seq + 2
    assert list(FactRow.unsealed.order_by("-seq").values_list("seq", flat=True)[:2]) == [
        last,
        last - 1,
    ]


def test_of_two_writers_of_a_number_the_second_is_told_and_writes_nothing(
    driver: GameDriver,
) -> None:
    game = driver.game
    append_facts(game, BidMade(0, bid("2x3")))
    before = all_rows()
    with pytest.raises(event_log.SomeoneWasFaster), transaction.atomic():
        append_facts(game, Rolled(0, (2, 2)), BidMade(0, bid("2x4")))
    assert all_rows() == before


def test_a_fact_comes_back_from_the_log_as_it_went_in(driver: GameDriver) -> None:
    game = driver.game
    game.seq = append_facts(game, BidMade(0, bid("4xP")))
    told = event_log.latest_public_facts(game)[-1]
    assert (told.seq, told.at, told.fact) == (game.seq, START, BidMade(0, bid("4xP")))


def test_the_default_manager_knows_only_what_everybody_knows(driver: GameDriver) -> None:
    everything = set(FactRow.unsealed.values_list("kind", flat=True))
    assert everything - set(FactRow.objects.values_list("kind", flat=True)) == {"rolled"}
    assert not driver.game.factrow_set.filter(audience__isnull=False).exists()


def test_an_unreadable_fact_is_named_but_not_quoted(driver: GameDriver) -> None:
    FactRow.unsealed.filter(audience=(0,)).update(data={"only": 0, "dice": [2, 3, 4, 5, "six"]})
    with pytest.raises(ValueError, match=r"fact \d+ of game \w+ cannot be read") as broken:
        event_log.seat_view(driver.game, 0)
    assert "six" not in str(broken.value) and broken.value.__suppress_context__


def test_the_public_state_equals_folding_everything_at_every_number(alice: User, bob: User) -> None:
    game = finished_game(alice, bob, "steady", calza="on")
    public = event_log.public_facts(game, after=0, upto=game.seq)
    for each in public:
        game.seq = each.seq
        so_far = [told.fact for told in public if told.seq <= each.seq]
        assert event_log.public_state(game) == fold(catalogue.of("perudo").rules, so_far)


def test_looking_back_in_time_does_not_change_the_present(driver: GameDriver) -> None:
    past = driver.game
    driver.move(0, bid("2x3"))
    present = event_log.public_state(driver.game)
    assert event_log.public_state(past).bids == ()
    assert event_log.public_state(driver.game) == present


def test_a_forgotten_game_is_remembered_from_its_facts(
    driver: GameDriver, monkeypatch: pytest.MonkeyPatch, alice: User, bob: User
) -> None:
    driver.move(0, bid("2x3"))
    state = event_log.public_state(driver.game)
    monkeypatch.setattr(event_log._known, "most", 1)
    deal_game(alice, bob, hands=HANDS).state  # noqa: B018
    assert driver.code not in event_log._known
    assert event_log.public_state(driver.game) == state


def test_a_seat_knows_its_own_dice_and_no_others(driver: GameDriver) -> None:
    assert event_log.seat_view(driver.game, 0).hands == (HANDS[0], None)
    assert event_log.seat_view(driver.game, 1).hands == (None, HANDS[1])
    assert event_log.public_state(driver.game).hands == (None, None)


def test_a_seat_forgets_its_dice_of_earlier_rounds(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    driver.move(1, DUDO)
    driver.run_due(rolls=(2, 2, 2, 2, 2, 3, 3, 3, 3))
    assert event_log.seat_view(driver.game, 1).hands == (None, (3, 3, 3, 3))


def test_dice_of_earlier_rounds_are_not_even_read(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    driver.move(1, DUDO)
    driver.run_due(rolls=(2, 2, 2, 2, 2, 3, 3, 3, 3))
    spent = FactRow.unsealed.filter(kind="rolled", seq__lt=driver.game.deal_seq)
    assert spent.update(data={}) == 2
    assert event_log.unsealed(driver.game).hands == ((2, 2, 2, 2, 2), (3, 3, 3, 3))
    assert event_log.seat_view(driver.game, 1).hands == (None, (3, 3, 3, 3))


def test_the_latest_facts_are_those_of_one_step(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    driver.move(1, DUDO)
    kinds = [told.fact.kind for told in event_log.latest_public_facts(driver.game)]
    assert kinds == ["revealed", "die_lost"]


def test_the_whole_log_of_a_running_game_stays_sealed(driver: GameDriver) -> None:
    with pytest.raises(ValueError, match="stays sealed"):
        event_log.unsealed_facts(driver.game)


def test_the_whole_log_of_a_finished_game_is_open_and_in_order(alice: User, bob: User) -> None:
    facts = event_log.unsealed_facts(finished_game(alice, bob))
    assert any(isinstance(told.fact, Rolled) for told in facts)
    assert all(one.seq < two.seq and one.at <= two.at for one, two in pairwise(facts))


def test_knowing_a_state_costs_the_same_however_long_the_game(alice: User, bob: User) -> None:
    def queries(game: Game) -> int:
        event_log.public_state(game)  # as the last frame left it
        play_until(game, lambda state: state.last_bid is not None or state.phase == "reveal")
        game.refresh_from_db()
        with CaptureQueriesContext(connection) as asked:
            event_log.unsealed(game)
            event_log.seat_view(game, 0)
        return len(asked)

    early = running_game(alice, bob)
    late = running_game(alice, bob, rounds=4)
    assert queries(early) == queries(late) == 2
    assert finish_game(late).seq > 3 * early.seq
