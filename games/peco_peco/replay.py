"""The replay of a finished game of Peco Peco: its moments, each the table with every hand open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.contract.game_values import Highlight
from games.contract.shown import NamedSeat
from games.models import Game
from games.peco_peco import scene as scenes
from games.peco_peco import words
from games.peco_peco.highlights import highlights as find_highlights
from games.peco_peco.moments import Moment, from_log
from games.peco_peco.rules.outcome import outcome
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import is_playable
from games.peco_peco.shown import RoundView, Table
from games.store.moments import moments_of
from games.table import shown_seats

_A_BLUFF = _("That's a bluff.")


def moments(game: Game) -> Sequence[Moment]:
    """Every moment of a finished game, in order."""
    return moments_of(game, from_log)


def highlights(game: Game) -> list[Highlight]:
    """What was remarkable in a finished game."""
    return find_highlights(moments(game))


def bold_claims(game: Game) -> list[int]:
    """The moments of bluffs, those with the most playable cards first."""
    shown = moments(game)
    bluffs = [
        (-_playable(shown[number - 2].state, each.move.seat), number)
        for number, each in enumerate(shown, start=1)
        if each.bluff and each.move is not None
    ]
    return [number for _cards, number in sorted(bluffs)]


def _playable(state: State, seat: int) -> int:
    """How many cards of a seat's hand could be played."""
    return sum(is_playable(state, card) for card in state.hand(seat))


def scene(game: Game, moment: Moment, *, seat: int | None = None) -> Table:
    """The table of that moment with every hand open, or with a `seat` only its own."""
    seats, state = list(game.seat_set.select_related("user")), moment.state
    news = [fact for fact in moment.facts if fact.audience is None]
    narration = _narration(moment, [each.name for each in seats], seat)
    players = shown_seats.as_then(seats, gone=state.gone)
    hands = [hand if seat in (None, each) else None for each, hand in enumerate(state.hands)]
    return scenes.of_state(state, players, narration=narration, news=news, hands=hands)


def _narration(moment: Moment, names: Sequence[str], seat: int | None) -> str:
    """What happened, in sentences; with a `seat` only what it could know."""
    sentences = [words.narrate(fact, names) for fact in moment.facts]
    if moment.bluff and moment.move and seat in (None, moment.move.seat):
        sentences.append(str(_A_BLUFF))
    ended = outcome(moment.state)
    if ended and len(ended.winners) == 1:
        [winner] = ended.winners
        sentences.append(gettext("%(name)s wins the game.") % {"name": names[winner]})
    elif ended:
        winners = ", ".join(names[seat] for seat in ended.winners)
        sentences.append(gettext("%(names)s win the game.") % {"names": winners})
    return " ".join(filter(None, sentences))


def rounds(game: Game, seats: Sequence[NamedSeat]) -> list[RoundView]:
    """The rounds in order, each with its stake and who won it."""
    rows: dict[int, RoundView] = {}
    for moment in moments(game):
        state = moment.state
        number, result = state.number, state.result
        if number not in rows:
            stake = scenes.stake(state.stake_id)
            rows[number] = RoundView(number=number, stake=stake, winner=None)
        if result and result.winner is not None:
            rows[number] = replace(rows[number], winner=seats[result.winner])
    return list(rows.values())
