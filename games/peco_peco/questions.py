"""Decisions of finished games of Peco Peco as questions: see `optional_parts.Questions`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from django.utils.translation import gettext

from games.core.chance import SystemChance
from games.core.contract import fold
from games.game_values import ReplayMove
from games.models import Seat
from games.peco_peco import presenter, rules, words
from games.peco_peco.bots.counting import truth_of_declaration
from games.peco_peco.moments import Moment
from games.peco_peco.moments import from_log as moments
from games.peco_peco.replay_moves import needed
from games.peco_peco.rules.events import RoundEnded
from games.peco_peco.rules.moves import Accuse, Declare, Move, Play
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import why_no_accusation

__all__ = ["FIELDS", "SHIPPED", "doubt", "judged", "moments", "position", "revealed", "summary"]

FIELDS: Final[Sequence[str]] = ("do", "card", "target", "call", "partner")
SHIPPED: Final = Path(__file__).parent / "daily_rounds.jsonl.gz"


def doubt(known: State, seat: int) -> float | None:
    """How likely the declaration that this seat may accuse is true; None where there is none."""
    if known.declarer is None or why_no_accusation(known, seat) is not None:
        return None
    return truth_of_declaration(known, seat)


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


def revealed(
    state: State, seat: int, move: Move, since: Sequence[Moment], seats: Sequence[Seat]
) -> dict[str, Any]:
    """The table with every hand open; at an accusation with the hand it opens, and its verdict.

    If the accusation had ended the round, that is not shown: it did not. `held` are the cards of
    the seat, for `_hand.html`.
    """
    view = presenter.scene(state, seats, narration="")
    if isinstance(move, Accuse):
        judged = rules.decide(state, seat, move, SystemChance())
        facts = list(takewhile(lambda fact: not isinstance(fact, RoundEnded), judged))
        news = [fact for fact in facts if fact.audience is None]
        opened = fold(rules, facts, state)
        view = presenter.scene(opened, seats, narration="", news=news) | {"move": 1}
    for each in view["seats"]:
        each["hand"] = state.hands[each["number"]]
    return view | {"held": [{"card": card} for card in state.hand(seat)]}
