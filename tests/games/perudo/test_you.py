"""What concerns the reader is said to the reader, in their own fragment; others read the name."""

from __future__ import annotations

import re

import pytest

from accounts.models import User
from games.rendering import frames
from tests.games.evening import DUDO, Evening, bid, dealt

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))


@pytest.fixture
def evening(alice: User, bob: User, charlie: User) -> Evening:
    return dealt(alice, bob, charlie, hands=HANDS)


def own(evening: Evening, seat: int | None) -> str:
    return frames.own(evening.game, seat, user=None)


def test_the_player_who_opens_is_told_so(evening: Evening) -> None:
    assert "You start this round" in own(evening, 0)
    assert 'Round 1: you start. Your turn."' in own(evening, 0)
    assert "data-alone" not in own(evening, 1)
    evening.says(0, bid("3x3"))
    assert "You start this round" not in own(evening, 1)


def test_a_bidder_hears_of_their_own_bid_and_the_others_of_the_name(evening: Evening) -> None:
    evening.says(0, bid("3x3"))
    assert 'data-alone="You bid 3 threes."' in own(evening, 0)
    for other in (1, 2, None):
        assert "data-alone" not in own(evening, other)
    assert 'data-told="alice bids 3 threes."' in frames.table(evening.game)


def test_the_player_who_loses_a_die_reads_it_above_the_button(evening: Evening) -> None:
    evening.says(0, bid("3x3"))
    evening.says(1, DUDO)  # there are three: the doubter loses
    assert re.search(r'<p class="became is-loss"[^>]*>You lose a die.</p>', own(evening, 1))
    assert "You call dudo! The count is" in own(evening, 1)
    assert "You lose a die" not in own(evening, 0) + own(evening, 2)


def test_the_shared_fragment_is_the_same_for_all(evening: Evening) -> None:
    evening.says(0, bid("3x3"))
    assert "You" not in frames.table(evening.game)
