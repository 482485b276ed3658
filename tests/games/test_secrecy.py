"""What a viewer is shown never depends on dice hidden from them: other dice, the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.views.debug import ExceptionReporter

from accounts.models import User
from games.models import FactRow, Game
from games.perudo import presenter, rules
from games.perudo.rules.options import PRESETS
from games.play import commands
from games.store import event_log, versioned_lru
from games.table import frames as screens
from games.table.common import look_at
from tests.support.fast_games import START, play_until, running_game
from tests.support.game_driver import DUDO, GameDriver, bid, deal_game

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))


class TakenBack(Exception):
    """Ends a transaction that must leave no trace."""


@contextmanager
def other_dice_for_all_but(number: int | None, game: Game) -> Iterator[None]:
    """Every die that this seat was not told falls otherwise, until the end of the block."""
    with pytest.raises(TakenBack), transaction.atomic():
        for row in FactRow.unsealed.filter(game=game, audience__isnull=False).exclude(
            audience=(number,)
        ):
            row.data["dice"] = [die % 6 + 1 for die in row.data["dice"]]
            row.save(update_fields=["data"])
        yield
        raise TakenBack


def knows(game: Game, number: int | None) -> list[Any]:
    """Everything that a viewer gets of a game, rendered again: its state, fragments and frame."""
    game = Game.objects.select_related("rematch").get(pk=game.pk)
    versioned_lru.clear_all()
    state = event_log.public_state(game) if number is None else event_log.seat_view(game, number)
    user = AnonymousUser()
    return [
        state,
        screens.table(game),
        screens.own(game, number, user=user),
        screens.frame(game, number, user=user).html,
        screens.story(game),
        None if number is None else rules.legal_moves(state, number),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("visible", [True, False])
def test_no_viewer_of_a_whole_game_learns_anothers_dice(
    alice: User, bob: User, charlie: User, preset: str, visible: bool
) -> None:
    game = running_game(
        alice, bob, charlie, "steady", preset=preset, calza="on", lost_dice_visible=visible
    )
    compared = 0
    while game.status == Game.Status.PLAYING:
        for viewer in (None, 0, 3):
            before = knows(game, viewer)
            with other_dice_for_all_but(viewer, game):
                assert knows(game, viewer) == before
            compared += 1
        further = game.seq + 12
        game = play_until(game, lambda state, upto=further: Game.objects.get().seq >= upto)
    assert compared > 20


def test_the_dice_that_are_swapped_are_the_ones_the_others_hold(alice: User, bob: User) -> None:
    game = running_game(alice, bob)
    own, others = knows(game, 0), knows(game, 1)
    with other_dice_for_all_but(0, game):
        assert knows(game, 0) == own
        assert knows(game, 1) != others


def test_odds_come_from_what_the_seat_knows_alone(alice: User, bob: User) -> None:
    game = running_game(alice, bob, bids=1, lost_dice_visible=True, show_odds=True)
    for viewer in (0, 1):
        before = knows(game, viewer)
        with other_dice_for_all_but(viewer, game):
            assert knows(game, viewer) == before


def test_hidden_lost_dice_are_not_told_by_the_screens(alice: User, bob: User) -> None:
    game = running_game(alice, bob, rounds=2, lost_dice_visible=False)
    view = presenter.table(look_at(game))
    assert [seat.dice for seat in view.seats] == [None, None]
    assert (view.total, view.lost_total) == (None, None)
    assert presenter.earlier_rounds(game) == []


def test_the_range_of_bids_is_the_same_with_any_number_of_dice_left(alice: User, bob: User) -> None:
    early = running_game(alice, bob, lost_dice_visible=False)
    late = running_game(alice, bob, rounds=3, lost_dice_visible=False)
    ranges = []
    for game in (early, late):
        seat = event_log.public_state(game).turn
        ranges.append([face.max for face in presenter.own(look_at(game), seat).controls.faces])
    assert ranges[0][:5] == ranges[1][:5] == [10] * 5


def test_a_state_does_not_show_hands_when_it_is_printed(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2])
    assert "hands" not in repr(event_log.unsealed(driver.game))


def test_a_report_of_an_error_in_a_move_shows_no_die(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2])
    driver.move(0, bid("2x3"))

    def breaks(*arguments: Any) -> None:
        hands = event_log.unsealed(driver.game).hands
        raise RuntimeError(f"trouble with {len(hands)} hands")

    monkeypatch.setattr(rules, "decide", breaks)
    with pytest.raises(RuntimeError) as error:
        commands.move(driver.code, 1, DUDO, seen=None, now=START.replace(hour=21))
    reporter = ExceptionReporter(None, error.type, error.value, error.tb, is_email=True)
    frames = reporter.get_traceback_frames()
    ours = [frame for frame in frames if frame["filename"].endswith(("play.py", "test_secrecy.py"))]
    shown = [value for frame in ours[1:] for _, value in frame["vars"]]
    assert shown and not any("2, 3, 4, 5, 6" in str(value) for value in shown)


def test_templates_for_everybody_are_given_no_hand(alice: User, bob: User) -> None:
    game = running_game(alice, bob)
    own, table = presenter.own(look_at(game), None), presenter.table(look_at(game))
    assert own.seat is None and own.hand == ()
    assert all(seat.hand is None for seat in table.seats)


def test_a_seat_sees_its_own_dice(alice: User, bob: User) -> None:
    driver: GameDriver = deal_game(alice, bob, hands=HANDS[:2])
    assert presenter.own(look_at(driver.game), 1).hand == list(HANDS[1])
