"""Decisions of finished games of Perudo as questions: see `optional_parts.Questions`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from django.utils.translation import gettext

from games.contract.game_values import ReplayMove, Side
from games.contract.shown import Player, Position
from games.core.chance import SystemChance
from games.core.contract import fold
from games.perudo import bid_control, presenter, replay, reveal, rules, scene, words
from games.perudo.moments import Moment
from games.perudo.moments import from_log as moments
from games.perudo.replay_moves import judged as with_odds
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Dudo, Move
from games.perudo.rules.odds import odds
from games.perudo.rules.state import State
from games.perudo.shown import Table

__all__ = [
    "CHALLENGE",
    "FIELDS",
    "SHIPPED",
    "doubt",
    "judged",
    "moments",
    "position",
    "revealed",
    "sides",
    "signs",
    "summary",
    "told",
    "undecided",
]

FIELDS: Final[Sequence[str]] = ("do", "quantity", "face")
CHALLENGE: Final = Dudo()
SHIPPED: Final = Path(__file__).parent / "daily_rounds.jsonl.gz"


def doubt(known: State, seat: int) -> float | None:
    """How likely the last bid is true by the dice of this seat; None before the first bid."""
    if known.last_bid is None:
        return None
    palifico, dice = known.palifico is not None, sum(known.dice)
    return odds(known.last_bid, dice=dice, hand=known.hand(seat), palifico=palifico).true


def undecided(state: State) -> State:
    """The state before any claim of calza, as the judge of reviews sees it."""
    return replace(state, phase="turn", claims=()) if state.phase == "claims" else state


def summary(known: State, seat: int) -> tuple[str, str]:
    """ "9 sixes: dudo or raise?", and the dice of the seat."""
    last = known.last_bid
    if last and known.turn != seat:
        asked = gettext("%(bid)s, and it isn't your turn: calza or pass?")
        return asked % {"bid": words.bid(last)}, words.hand(known.hand(seat))
    asked = (
        gettext("%(bid)s: dudo or raise?") % {"bid": words.bid(last)}
        if last
        else gettext("You start the round: what do you bid?")
    )
    return asked, words.hand(known.hand(seat))


def sides(known: State, seat: int) -> tuple[Side, Side]:
    """Dudo, or the bid that a table's control has ready; calza where no bid is higher."""
    dudo = Side(word=gettext("Dudo!"), meaning=gettext("they're bluffing"), fields={"do": "dudo"})
    _faces, ready = bid_control.faces(known, known.hand(seat))
    if ready is None:
        return dudo, Side(
            word=gettext("Calza!"), meaning=gettext("It's exact"), fields={"do": "calza"}
        )
    fields = {"do": "bid", "quantity": str(ready.quantity), "face": str(ready.face)}
    return dudo, Side(word=gettext("Bid more"), meaning=gettext("it could be true"), fields=fields)


def told(table: Table, *, challenged: bool) -> str:
    """Whether dudo would have been right, to one who said so or went on."""
    result = table.result
    assert result is not None  # noqa: S101  # a dudo reveals
    if result.right:
        if challenged:
            return gettext("You were right: a bluff!")
        return gettext("A bluff! “Dudo!” would have caught it.")
    if challenged:
        return gettext("It was true: “Dudo!” costs you a die.")
    return gettext("You were right: it was true.")


def signs(known: State, seat: int) -> str:
    """The dice of a seat as the signs for them."""
    return "".join(chr(ord("⚀") + face - 1) for face in known.hand(seat))


def position(known: State, seat: int, players: Sequence[Player]) -> Position:
    """The table as this seat knew it, and what it held and could do."""
    return Position(
        t=scene.of_state(known, players, narration=""),
        o=presenter.choices(known, seat, by_hand=False),
    )


def judged(state: State, known: State, seat: int, move: Move) -> ReplayMove:
    """A bid or a call with its odds by the dice of this seat."""
    if isinstance(move, Bid):
        return with_odds(state, seat, move.kind, move)
    assert state.last_bid is not None  # noqa: S101  # nobody could call
    return with_odds(state, seat, move.kind, state.last_bid)


def revealed(
    state: State, seat: int, move: Move, since: Sequence[Moment], players: Sequence[Player]
) -> Table:
    """The cups go up: at a call for the bid it is about, else for the one that was called."""
    if isinstance(move, Bid):
        opened = since[-1].state
    else:
        opened = fold(rules, rules.decide(state, seat, move, SystemChance()), state)
    held = state.hand(seat)
    if opened.result is None:
        return replace(replay.open_table(state, players), held=held)
    shown = replay.with_nothing_hidden(replace(opened, phase="reveal"))
    table = scene.of_state(shown, players, narration="")
    return replace(table, held=held, open=reveal.opened(shown, seat))
