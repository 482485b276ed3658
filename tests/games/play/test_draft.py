"""A draft writes what was changed in it, under an optimistic lock, and nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Game, Seat
from games.play.draft import GameDraft
from games.store.event_log import SomeoneWasFaster
from tests.support.fast_games import START, running_game

LATER = START + timedelta(seconds=5)


@pytest.fixture
def draft(alice: User, bob: User) -> GameDraft:
    game = running_game(alice, bob)
    return GameDraft(game, list(game.seat_set.order_by("number")))


def test_the_games_row_is_written_before_its_seats(draft: GameDraft) -> None:
    draft.change_seat(1, gone=True)
    draft.change(watched_at=LATER)
    with CaptureQueriesContext(connection) as asked:
        draft.save(seq=draft.game.seq + 1)
    tables = [query["sql"].split('"')[1] for query in asked if query["sql"].startswith("UPDATE")]
    assert tables == ["games_game", "games_seat"]
    game = Game.objects.get()
    assert (game.seq, game.seats_seq, game.watched_at) == (draft.game.seq, game.seq, LATER)
    assert [seat.gone for seat in Seat.objects.order_by("number")] == [False, True]


def test_what_others_wrote_without_counting_stays(draft: GameDraft) -> None:
    """Presence and the scheduler write columns of their own; the rows of the draft may be older."""
    Seat.objects.update(seen_at=LATER)
    Game.objects.update(watched_at=LATER, due_at=LATER)
    draft.change_seat(0, skips=True)
    draft.save(seq=draft.game.seq + 1)
    game = Game.objects.get()
    assert (game.watched_at, game.due_at) == (LATER, LATER)
    assert set(Seat.objects.values_list("seen_at", "skips")) == {(LATER, True), (LATER, False)}


def test_a_draft_of_a_game_that_has_moved_on_writes_no_seat(draft: GameDraft) -> None:
    Game.objects.update(seq=draft.game.seq + 1)
    draft.change_seat(0, gone=True)
    with pytest.raises(SomeoneWasFaster):
        draft.save(seq=draft.game.seq + 1)
    assert not Seat.objects.filter(gone=True).exists()


def test_a_seat_that_did_not_change_leaves_the_seats_as_they_were_cached(draft: GameDraft) -> None:
    before = draft.game.seats_seq
    draft.change(watched_at=LATER)
    draft.save(seq=draft.game.seq + 1)
    assert Game.objects.get().seats_seq == before
