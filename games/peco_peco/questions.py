"""Decisions of finished games of Peco Peco as questions: see `optional_parts.Questions`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.utils.translation import gettext

from games.game_values import ReplayMove
from games.models import Seat
from games.peco_peco import presenter, words
from games.peco_peco.bots.counting import truth_of_declaration
from games.peco_peco.replay_moves import needed
from games.peco_peco.rules.moves import Accuse, Declare, Move, Play
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import why_no_accusation

FIELDS: Final[Sequence[str]] = ("do", "card", "target", "call", "partner")


def summary(known: State, seat: int) -> tuple[str, str]:
    """What is asked, and the cards of the seat."""
    if known.declarer is not None and why_no_accusation(known, seat) is None:
        asked = gettext("“I can't play”: true or a bluff?")
    elif known.top is None:
        asked = gettext("What do you play?")
    else:
        asked = gettext("What do you play on %(card)s?") % {"card": words.card_played(known.top)}
    return asked, gettext("Your cards: %(cards)s.") % {"cards": words.cards(known.hand(seat))}


def position(known: State, seat: int, seats: Sequence[Seat]) -> dict[str, Any]:
    """The table as this seat knew it, and what it held and could do."""
    return {
        "t": presenter.scene(known, seats, narration="") | {"seq": 0},
        "o": presenter.choices(known, seat, seats) | {"seat": seat, "seq": 0},
    }


def judged(state: State, known: State, seat: int, move: Move) -> ReplayMove:
    """A card, a declaration or an accusation, with what the seat had not seen then."""
    chance = None
    match move:
        case Play(card, victim, called):
            code, values = "play", {"card": card, "called": called, "victim": victim}
        case Accuse():
            assert known.declarer is not None  # noqa: S101  # nobody could accuse
            code = "accuse"
            values = needed(state, known, seat, declarer=known.declarer)
            chance = 1 - truth_of_declaration(known, seat)
        case Declare():
            code, values = "pass", needed(state, known, seat, declarer=seat)
        case _:
            raise ValueError(f"no question asks for {move.kind}")
    return ReplayMove(seat, code, values, seconds=0.0, automatic=False, chance=chance)


def revealed(state: State, seats: Sequence[Seat]) -> dict[str, Any]:
    """The table with every hand open."""
    view = presenter.scene(state, seats, narration="")
    for each in view["seats"]:
        each["hand"] = state.hands[each["number"]]
    return view
