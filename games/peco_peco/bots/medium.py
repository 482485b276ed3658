"""The medium bot: counts cards, keeps its bombs and its bluffs for when they are needed."""

from __future__ import annotations

from typing import Final

from games.core.contract import Chance
from games.peco_peco.bots.answer import answer, any_of, partners, plays
from games.peco_peco.bots.counting import Unseen, truth_of_declaration, unseen
from games.peco_peco.rules.cards import BOMB, DRAW, STEAL, icon
from games.peco_peco.rules.moves import Declare, Move, Play
from games.peco_peco.rules.state import State

DOUBTFUL: Final = 0.12  # a declaration less likely to be true than this is accused
ENOUGH_OTHERS: Final = 2  # so many seats still to answer: a bomb may wait for another turn
ICON_BONUS: Final = 0.15  # a card drawn or stolen is worth so much probability of being beaten


def medium(state: State, seat: int, chance: Chance) -> Move | None:
    """Plays whenever it can, the card that is hardest to beat; bombs last; accuses by the odds."""
    return answer(state, seat, chance, on_turn=_turn, accuses=_accuses, joins=_joins)


def _turn(state: State, seat: int, chance: Chance) -> Move:
    possible = plays(state, seat)
    without_bombs = [play for play in possible if icon(play.card) != BOMB]
    if not possible or (not without_bombs and _can_wait(state, seat)):
        return Declare()
    cards = unseen(state, seat)
    weighed = [(_worth(state, seat, play, cards), play) for play in without_bombs or possible]
    best = max(worth for worth, _ in weighed)
    return any_of([play for worth, play in weighed if worth == best], chance)


def _can_wait(state: State, seat: int) -> bool:
    """Whether enough others have still to answer the top card, so that the round will go on."""
    return len(state.pending - {seat}) >= ENOUGH_OTHERS


def _worth(state: State, seat: int, play: Play, cards: Unseen) -> float:
    """How hard the card is to beat, its icon, and how good the victim of a steal is."""
    others = sum(state.sizes[other] for other in state.active if other != seat)
    held = cards.none_beats(play.card, min(others, cards.total), inverse=state.inverse)
    bonus = ICON_BONUS if icon(play.card) in (DRAW, STEAL) else 0.0
    if play.target is not None:  # the fewer cards it holds, the sooner it is out
        bonus += 0.01 / state.sizes[play.target]
    return held + bonus


def _accuses(state: State, seat: int, chance: Chance) -> bool:
    """Whether the declaration is unlikely to be true, and not a partner's."""
    is_partner = state.declarer in state.side_of(seat)
    return not is_partner and truth_of_declaration(state, seat) < DOUBTFUL


def _joins(state: State, seat: int, chance: Chance) -> Move:
    return any_of(partners(state, seat), chance)
