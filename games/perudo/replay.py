"""The replay of a finished game of Perudo: its moments, each the table with every hand open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext

from games.contract.game_values import Highlight
from games.contract.shown import NamedSeat, Player
from games.models import Game
from games.perudo import presenter, reveal, words
from games.perudo import scene as scenes
from games.perudo.highlights import BOLD
from games.perudo.highlights import highlights as find_highlights
from games.perudo.moments import Moment, from_log
from games.perudo.rules.outcome import outcome
from games.perudo.rules.state import State
from games.perudo.shown import OpenDie, RoundView, Table
from games.store.moments import moments_of
from games.table import shown_seats


def moments(game: Game) -> Sequence[Moment]:
    """Every moment of a finished game, in order."""
    return moments_of(game, from_log)


def highlights(game: Game) -> list[Highlight]:
    """What was remarkable in a finished game."""
    return find_highlights(moments(game))


def bold_claims(game: Game) -> list[int]:
    """The moments of bids that were less likely than not by the dice of whoever made them."""
    bids = [
        (each.move.chance, number)
        for number, each in enumerate(moments(game), start=1)
        if each.move is not None and each.move.code == "bid" and each.move.chance is not None
    ]
    return [number for chance, number in sorted(bids) if chance < BOLD]


def scene(game: Game, moment: Moment, *, seat: int | None = None) -> Table:
    """The table of that moment with nothing hidden: P45 closes the log of running games only.

    With a `seat` the cups of all others are down until their reveal.
    """
    seats, state = list(game.seat_set.select_related("user")), moment.state
    if seat is not None:
        state = _as_known(state, seat)
    narration = _narration(moment, [seat.name for seat in seats])
    players = shown_seats.as_then(seats, gone=state.gone)
    return open_table(state, players, narration=narration)


def open_table(state: State, players: Sequence[Player], *, narration: str = "") -> Table:
    """The table with every hand open that `state` has, and every number of dice."""
    hands = [_open_hand(state, number) for number in range(state.seats)]
    return scenes.of_state(with_nothing_hidden(state), players, narration=narration, hands=hands)


def with_nothing_hidden(state: State) -> State:
    """The same where everybody sees how many dice each seat has."""
    return replace(state, options=replace(state.options, lost_dice_visible=True))


def _as_known(state: State, seat: int) -> State:
    """The state without the hands that this seat could not see."""
    if state.result is not None:
        return state
    own = (hand if each == seat else hand and None for each, hand in enumerate(state.hands))
    return replace(state, hands=tuple(own))


def _open_hand(state: State, number: int) -> list[OpenDie] | None:
    """The dice of a seat, judged by the bid of that moment; None while they are hidden."""
    bid, hand = state.last_bid, state.hands[number]
    if hand is None:
        return None
    face = None if bid is None else bid.face
    return reveal.judged(hand, face, palifico=state.palifico is not None)


def _narration(moment: Moment, names: Sequence[str]) -> str:
    sentences = [words.narrate(fact, names) for fact in moment.facts]
    ended = outcome(moment.state)
    if ended:
        sentences.append(gettext("%(name)s wins the game.") % {"name": names[ended.winners[0]]})
    return " ".join(filter(None, sentences))


def rounds(game: Game, seats: Sequence[NamedSeat]) -> list[RoundView]:
    """The rounds that were counted, in order."""
    return presenter.rounds(game, seats)[::-1]
