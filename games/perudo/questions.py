"""Decisions of finished games of Perudo as questions: see `optional_parts.Questions`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from django.utils.translation import gettext

from games.core.chance import SystemChance
from games.core.contract import fold
from games.game_values import ReplayMove
from games.models import Seat
from games.perudo import presenter, replay, reveal, rules, words
from games.perudo.moments import Moment
from games.perudo.moments import from_log as moments
from games.perudo.replay_moves import judged as with_odds
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Move
from games.perudo.rules.odds import odds
from games.perudo.rules.state import State

__all__ = ["FIELDS", "SHIPPED", "doubt", "judged", "moments", "position", "revealed", "summary"]

FIELDS: Final[Sequence[str]] = ("do", "quantity", "face")
SHIPPED: Final = Path(__file__).parent / "daily_rounds.jsonl.gz"


def doubt(known: State, seat: int) -> float | None:
    """How likely the last bid is true by the dice of this seat; None before the first bid."""
    if known.last_bid is None:
        return None
    palifico, dice = known.palifico is not None, sum(known.dice)
    return odds(known.last_bid, dice=dice, hand=known.hand(seat), palifico=palifico).true


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


def revealed(
    state: State, seat: int, move: Move, since: Sequence[Moment], seats: Sequence[Seat]
) -> dict[str, Any]:
    """The cups go up: at a call for the bid it is about, else for the one that was called.

    `held` are the dice of the seat, `open` the same while the cups are up.
    """
    if isinstance(move, Bid):
        opened = since[-1].state
    else:
        opened = fold(rules, rules.decide(state, seat, move, SystemChance()), state)
    held = {"held": state.hand(seat), "open": None}
    if opened.result is None:
        return replay.open_table(state, seats) | held
    shown = replay.with_nothing_hidden(replace(opened, phase="reveal"))
    own = reveal.panel(shown, [each.name for each in seats], seat)
    return presenter.scene(shown, seats, narration="") | held | {"open": own["open"]}
