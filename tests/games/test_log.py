"""The log: facts in order under numbers that nobody shares, and states that follow from them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import catalogue
from games.core.contract import fold
from games.models import Event, Game
from games.perudo.rules.events import BidMade, Rolled
from games.store import event_log
from tests.games.evening import DUDO, Evening, all_rows, append, bid, dealt
from tests.games.playing import EVENING, finish, finished_game, play_until, running_game

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


@pytest.fixture
def evening(alice: User, bob: User) -> Evening:
    return dealt(alice, bob, hands=HANDS)


def test_facts_are_numbered_behind_the_games_own_number(evening: Evening) -> None:
    game = evening.game
    last = append(game, BidMade(0, bid("2x3")), BidMade(1, bid("3x3")))
    assert last == game.seq + 2
    assert list(Event.unsealed.order_by("-seq").values_list("seq", flat=True)[:2]) == [
        last,
        last - 1,
    ]


def test_of_two_writers_of_a_number_the_second_is_told_and_writes_nothing(
    evening: Evening,
) -> None:
    game = evening.game
    append(game, BidMade(0, bid("2x3")))
    before = all_rows()
    with pytest.raises(event_log.SomeoneWasFaster), transaction.atomic():
        append(game, Rolled(0, (2, 2)), BidMade(0, bid("2x4")))
    assert all_rows() == before


def test_a_fact_comes_back_from_the_log_as_it_went_in(evening: Evening) -> None:
    game = evening.game
    game.seq = append(game, BidMade(0, bid("4xP")))
    told = event_log.latest_public_facts(game)[-1]
    assert (told.seq, told.at, told.fact) == (game.seq, EVENING, BidMade(0, bid("4xP")))


def test_the_default_manager_knows_only_what_everybody_knows(evening: Evening) -> None:
    everything = set(Event.unsealed.values_list("kind", flat=True))
    assert everything - set(Event.objects.values_list("kind", flat=True)) == {"rolled"}
    assert not evening.game.event_set.filter(audience__isnull=False).exists()


def test_an_unreadable_fact_is_named_but_not_quoted(evening: Evening) -> None:
    Event.unsealed.filter(audience=(0,)).update(data={"only": 0, "dice": [2, 3, 4, 5, "six"]})
    with pytest.raises(ValueError, match=r"fact \d+ of game \w+ cannot be read") as broken:
        event_log.known_to(evening.game, 0)
    assert "six" not in str(broken.value) and broken.value.__suppress_context__


def test_the_public_state_equals_folding_everything_at_every_number(alice: User, bob: User) -> None:
    game = finished_game(alice, bob, "steady", calza="on")
    public = event_log.public_facts(game, after=0, upto=game.seq)
    for each in public:
        game.seq = each.seq
        so_far = [told.fact for told in public if told.seq <= each.seq]
        assert event_log.public_state(game) == fold(catalogue.of("perudo").rules, so_far)


def test_looking_back_in_time_does_not_change_the_present(evening: Evening) -> None:
    past = evening.game
    evening.says(0, bid("2x3"))
    present = event_log.public_state(evening.game)
    assert event_log.public_state(past).bids == ()
    assert event_log.public_state(evening.game) == present


def test_a_forgotten_game_is_remembered_from_its_facts(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, alice: User, bob: User
) -> None:
    evening.says(0, bid("2x3"))
    state = event_log.public_state(evening.game)
    monkeypatch.setattr(event_log._known, "most", 1)
    dealt(alice, bob, hands=HANDS).state  # noqa: B018
    assert evening.code not in event_log._known
    assert event_log.public_state(evening.game) == state


def test_a_seat_knows_its_own_dice_and_no_others(evening: Evening) -> None:
    assert event_log.known_to(evening.game, 0).hands == (HANDS[0], None)
    assert event_log.known_to(evening.game, 1).hands == (None, HANDS[1])
    assert event_log.public_state(evening.game).hands == (None, None)


def test_a_seat_forgets_its_dice_of_earlier_rounds(evening: Evening) -> None:
    evening.says(0, bid("2x3"))
    evening.says(1, DUDO)
    evening.clock_strikes(rolls=(2, 2, 2, 2, 2, 3, 3, 3, 3))
    assert event_log.known_to(evening.game, 1).hands == (None, (3, 3, 3, 3))


def test_dice_of_earlier_rounds_are_not_even_read(evening: Evening) -> None:
    evening.says(0, bid("2x3"))
    evening.says(1, DUDO)
    evening.clock_strikes(rolls=(2, 2, 2, 2, 2, 3, 3, 3, 3))
    spent = Event.unsealed.filter(kind="rolled", seq__lt=evening.game.deal_seq)
    assert spent.update(data={}) == 2
    assert event_log.unsealed(evening.game).hands == ((2, 2, 2, 2, 2), (3, 3, 3, 3))
    assert event_log.known_to(evening.game, 1).hands == (None, (3, 3, 3, 3))


def test_the_latest_facts_are_those_of_one_step(evening: Evening) -> None:
    evening.says(0, bid("2x3"))
    evening.says(1, DUDO)
    kinds = [told.fact.kind for told in event_log.latest_public_facts(evening.game)]
    assert kinds == ["revealed", "die_lost"]


def test_the_whole_log_of_a_running_game_stays_sealed(evening: Evening) -> None:
    with pytest.raises(ValueError, match="stays sealed"):
        event_log.unsealed_facts(evening.game)


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
            event_log.known_to(game, 0)
        return len(asked)

    early = running_game(alice, bob)
    late = running_game(alice, bob, rounds=4)
    assert queries(early) == queries(late) == 2
    assert finish(late).seq > 3 * early.seq
