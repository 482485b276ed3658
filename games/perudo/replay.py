"""The replay of a finished game of Perudo: its moments, each the table with every hand open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext

from games.game_values import Highlight
from games.models import Game, Seat
from games.perudo import presenter as perudo
from games.perudo import words
from games.perudo.highlights import highlights as find_highlights
from games.perudo.moments import Moment, from_log
from games.perudo.rules.bids import matching
from games.perudo.rules.outcome import outcome
from games.perudo.rules.state import State
from games.rendering import replay_page
from games.store.moments import moments_of


def moments(game: Game) -> Sequence[Moment]:
    """Every moment of a finished game, in order."""
    return moments_of(game, from_log)


def highlights(game: Game) -> list[Highlight]:
    """What was remarkable in a finished game."""
    return find_highlights(moments(game))


def scene(game: Game, moment: Moment, *, seat: int | None = None) -> dict[str, Any]:
    """The table of that moment with nothing hidden: P45 closes the log of running games only.

    With a `seat` the cups of all others are down until their reveal.
    """
    seats, state = list(game.seat_set.select_related("user")), moment.state
    if seat is not None:
        state = _as_known(state, seat)
    view = open_table(state, seats, narration=_narration(moment, [seat.name for seat in seats]))
    replay_page.show_as_then(view["seats"], seats, gone=state.gone)
    return view


def open_table(state: State, seats: Sequence[Seat], *, narration: str = "") -> dict[str, Any]:
    """The table with every hand open that `state` has, and every number of dice."""
    view = perudo.scene(with_nothing_hidden(state), seats, narration=narration)
    for each in view["seats"]:
        each["hand"] = _open_hand(state, each["number"])
    return view


def with_nothing_hidden(state: State) -> State:
    """The same where everybody sees how many dice each seat has."""
    return replace(state, options=replace(state.options, lost_dice_visible=True))


def _as_known(state: State, seat: int) -> State:
    """The state without the hands that this seat could not see."""
    if state.result is not None:
        return state
    own = (hand if each == seat else hand and None for each, hand in enumerate(state.hands))
    return replace(state, hands=tuple(own))


def _open_hand(state: State, number: int) -> list[dict[str, Any]] | None:
    """The dice of a seat, each with whether it counts for the bid of that moment (P12, P25); None
    while they are hidden.
    """
    bid, palifico, hand = state.last_bid, state.palifico is not None, state.hands[number]
    if hand is None:
        return None

    def counts(die: int) -> bool:
        return bid is not None and matching((die,), bid.face, palifico=palifico) == 1

    return [{"face": die, "matches": counts(die)} for die in hand]


def _narration(moment: Moment, names: Sequence[str]) -> str:
    sentences = [words.narrate(fact, names) for fact in moment.facts]
    ended = outcome(moment.state)
    if ended:
        sentences.append(gettext("%(name)s wins the game.") % {"name": names[ended.winners[0]]})
    return " ".join(filter(None, sentences))


def rounds(game: Game, seats: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rounds that were counted, in order."""
    return perudo.rounds(game, seats)[::-1]
