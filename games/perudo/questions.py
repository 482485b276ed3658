"""Decisions of finished games of Perudo as questions: see `optional_parts.Questions`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.utils.translation import gettext

from games.game_values import ReplayMove
from games.models import Seat
from games.perudo import presenter, replay, words
from games.perudo.replay_moves import judged as with_odds
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Move
from games.perudo.rules.state import State

FIELDS: Final[Sequence[str]] = ("do", "quantity", "face")


def summary(known: State, seat: int) -> tuple[str, str]:
    """ "9 sixes: dudo or raise?", and the dice of the seat."""
    last = known.last_bid
    asked = (
        gettext("%(bid)s: dudo or raise?") % {"bid": words.bid(last)}
        if last
        else gettext("You start the round: what do you bid?")
    )
    return asked, words.hand(known.hand(seat))


def position(known: State, seat: int, seats: Sequence[Seat]) -> dict[str, Any]:
    """The table as this seat knew it, and what it held and could do."""
    return {
        "t": presenter.scene(known, seats, narration="") | {"seq": 0},
        "o": presenter.choices(known, seat, by_hand=False)
        | {"seat": seat, "seq": 0, "most": known.most},
    }


def judged(state: State, known: State, seat: int, move: Move) -> ReplayMove:
    """A bid or a call with its odds by the dice of this seat."""
    if isinstance(move, Bid):
        return with_odds(state, seat, move.kind, move)
    assert state.last_bid is not None  # noqa: S101  # nobody could call
    return with_odds(state, seat, move.kind, state.last_bid)


def revealed(state: State, seats: Sequence[Seat]) -> dict[str, Any]:
    """The table with every hand open."""
    return replay.open_table(state, seats)
