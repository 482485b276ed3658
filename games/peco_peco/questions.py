"""Decisions of finished games of Peco Peco as questions: see `optional_parts.Questions`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Final

from django.utils.translation import gettext

from games.contract.game_values import ReplayMove, Side
from games.contract.shown import Player, Position
from games.core.chance import SystemChance
from games.core.contract import fold
from games.peco_peco import presenter, rules, scene, words
from games.peco_peco.bots.counting import truth_of_declaration
from games.peco_peco.moments import Moment
from games.peco_peco.moments import from_log as moments
from games.peco_peco.replay_moves import needed
from games.peco_peco.rules.events import RoundEnded
from games.peco_peco.rules.moves import Accuse, Declare, Move, Play
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import why_no_accusation
from games.peco_peco.shown import HeldCard, Table

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

FIELDS: Final[Sequence[str]] = ("do", "card", "target", "call", "partner")
CHALLENGE: Final = Accuse()
SHIPPED: Final = Path(__file__).parent / "daily_rounds.jsonl.gz"

_SIGNS: Final = {"E": "🐘", "C": "🐈", "M": "🐁"}


def doubt(known: State, seat: int) -> float | None:
    """How likely the declaration that this seat may accuse is true; None where there is none."""
    if known.declarer is None or why_no_accusation(known, seat) is not None:
        return None
    return truth_of_declaration(known, seat)


def undecided(state: State) -> State:
    """The state itself: nobody claims a move here."""
    return state


def summary(known: State, seat: int) -> tuple[str, str]:
    """What is asked, and the cards of the seat."""
    if known.declarer is not None and why_no_accusation(known, seat) is None:
        asked = gettext("“I can't play”: true or a bluff?")
    elif known.top is None:
        asked = gettext("What do you play?")
    else:
        asked = gettext("What do you play on %(card)s?") % {"card": words.card_played(known.top)}
    return asked, gettext("Your cards: %(cards)s.") % {"cards": words.cards(known.hand(seat))}


def sides(known: State, seat: int) -> tuple[Side, Side]:
    """To accuse, or to play on: the first card that fits, or else a declaration."""
    accuse = Side(
        word=gettext("A bluff!"), meaning=gettext("they can play"), fields={"do": "accuse"}
    )
    plays = (move for move in rules.legal_moves(known, seat) if isinstance(move, Play))
    card = next(plays, None)
    fields = {"do": "declare"}
    if card is not None:
        fields = {"do": "play", "card": card.card, "call": "on" if card.call else ""}
        fields["target"] = "" if card.target is None else str(card.target)
    return accuse, Side(word=gettext("Play on"), meaning=gettext("I believe it"), fields=fields)


def told(table: Table, *, challenged: bool) -> str:
    """Whether an accusation would have been right, to one who accused or played on."""
    if table.last.verdict == "caught":
        if challenged:
            return gettext("You were right: a bluff!")
        return gettext("A bluff: a card would have fitted.")
    if challenged:
        return gettext("It was true: no card fitted.")
    return gettext("You were right: it was true.")


def signs(known: State, seat: int) -> str:
    """The animals of a seat as the signs for them."""
    return "".join(_SIGNS[card[0]] for card in known.hand(seat))


def position(known: State, seat: int, players: Sequence[Player]) -> Position:
    """The table as this seat knew it, and what it held and could do."""
    names = [player["name"] for player in players]
    return Position(
        t=scene.of_state(known, players, narration=""), o=presenter.choices(known, seat, names)
    )


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
    state: State, seat: int, move: Move, since: Sequence[Moment], players: Sequence[Player]
) -> Table:
    """The table with every hand open; at an accusation with the hand it opens, and its verdict.

    If the accusation had ended the round, that is not shown: it did not.
    """
    shown, news, number = state, [], None
    if isinstance(move, Accuse):
        judged = rules.decide(state, seat, move, SystemChance())
        facts = list(takewhile(lambda fact: not isinstance(fact, RoundEnded), judged))
        news = [fact for fact in facts if fact.audience is None]
        shown, number = fold(rules, facts, state), 1
    table = scene.of_state(shown, players, narration="", news=news, hands=state.hands)
    return replace(table, move=number, held=[HeldCard(card=card) for card in state.hand(seat)])
