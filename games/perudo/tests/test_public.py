"""Which numbers of dice each viewer sees: P43 to P48."""

from __future__ import annotations

from games.perudo.rules.bids import PACO, Bid
from games.perudo.rules.moves import Dudo
from games.perudo.rules.options import PRESETS, SITE_OPTIONS, differences
from games.perudo.rules.state import shown_dice
from games.perudo.rules.turns import legal_moves
from games.perudo.tests.tables import after, table

HANDS = [[2, 2, 2], [3, 3], [], [4]]


def test_with_lost_dice_visible_everyone_sees_every_number() -> None:
    """P44."""
    state = table(HANDS, bid="1x2")
    assert [shown_dice(state, viewer) for viewer in (None, 0, 1, 2)] == [(3, 2, 0, 1)] * 4


def test_with_lost_dice_hidden_viewers_see_only_their_own_number() -> None:
    """P43, P45, P47: eliminations are public all the same."""
    state = table(HANDS, bid="1x2", lost_dice_visible=False)
    assert shown_dice(state, 0) == (3, None, 0, None)
    assert shown_dice(state, None) == shown_dice(state, 2) == (None, None, 0, None)


def test_a_reveal_shows_every_number_in_both_modes() -> None:
    """P46."""
    state = after(table(HANDS, bid="9x2", lost_dice_visible=False), (1, Dudo()))
    assert shown_dice(state, None) == (2, 2, 0, 1)


def test_a_finished_game_shows_every_number_in_both_modes() -> None:
    """P46: the last reveal stays."""
    over = after(table([[2, 2], [3], []], bid="1x2", lost_dice_visible=False), (1, Dudo()))
    assert over.phase == "over"
    assert shown_dice(over, None) == (2, 0, 0)


def test_the_range_of_bids_does_not_tell_how_many_dice_are_left() -> None:
    """P48, P9."""
    few = table([[2], [3], [], []], lost_dice_visible=False)
    many = table([[2] * 5, [3] * 5, [4] * 5, [5] * 5], lost_dice_visible=False)
    assert legal_moves(few, 0) == legal_moves(many, 0)
    assert max(move.quantity for move in legal_moves(few, 0) if isinstance(move, Bid)) == 20
    assert Bid(20, PACO) in legal_moves(table([[2], [3], [], []], bid="2x2"), 1)


def test_the_site_plays_the_french_rulebook_with_lost_dice_visible() -> None:
    assert differences(SITE_OPTIONS, "asmodee_fr") == {"lost_dice_visible": True}


def test_a_preset_differs_from_itself_in_nothing() -> None:
    found = {preset: differences(options, preset) for preset, options in PRESETS.items()}
    assert not any(found.values()), found
