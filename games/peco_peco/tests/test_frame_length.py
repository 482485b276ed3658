"""What somebody on the line learns of a hand from the length of compressed frames."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest
from django.utils import translation

from accounts.models import User
from games.models import Game
from games.peco_peco.tests.fast_games import running_game
from games.peco_peco.tests.test_same_work import deal
from games.store import event_log
from games.table import frames
from tests.support.fixtures import rolled_back
from tests.support.packed_frames import lengths, needed_to_tell

pytestmark = pytest.mark.django_db


def on_the_line(game: Game, hand: list[str]) -> list[tuple[int, int]]:
    """Of the frames of who is on turn: without cards, with this hand, and with it once more."""
    with rolled_back():
        deal(game, hand, "C")
        game = Game.objects.get(pk=game.pk)
        number = event_log.public_state(game).turn
        told = [frames.frame(game, seat, user=None) for seat in (None, number, number)]
        return list(lengths(told))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_length_of_a_frame_tells_no_hand(
    alice: User, bob: User, charlie: User, language: str
) -> None:
    """As that of Perudo (tests/security/test_compression.py); some of these hands have a card that
    fits, and some none.
    """
    game = running_game(alice, bob, charlie, User.objects.create_user("dora"))
    hands = [list(hand) for hand in combinations_with_replacement("CEM", 4)]
    with translation.override(language):
        seen = [on_the_line(game, hand) for hand in hands]
    for moment in zip(*seen, strict=True):
        tables, own = zip(*moment, strict=True)
        assert len(set(tables)) == 1
        assert needed_to_tell(own) > 5
