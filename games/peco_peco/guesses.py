"""Declarations of a reviewed game of Peco Peco as questions: see `optional_parts.Guesses`.

Who could accuse is asked how likely a bluff was by what they knew. Who bluffed is asked how likely
it was by what their accuser knew or, if nobody accused, who of those that could believed it least.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext

from games.contract.game_values import ChanceQuestion
from games.core.codec import key_of
from games.peco_peco import words
from games.peco_peco.bots.counting import unseen as unseen_cards
from games.peco_peco.moments import Moment
from games.peco_peco.rules.cards import BOMB, Animal
from games.peco_peco.rules.moves import Accuse
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import why_no_accusation
from games.peco_peco.shown import UnseenCards
from games.words import percent

# The chances at which one answer ends and the next begins. Two of three declarations that somebody
# could accuse are likelier than 75 % to be a bluff by the number of cards (1,831 in random games).
STEPS: Final = (0.5, 0.75, 0.9)
CLEAR: Final = 0.02  # what is nearer to such a chance is not asked
_ACCUSE: Final = key_of(Accuse())
_SIGNS: Final[Mapping[Animal, str]] = {"E": "elephant", "C": "cat", "M": "mouse"}


@dataclass(frozen=True, slots=True)
class _Found:
    """A question; whether it went badly for whom it asks, by an accusation, at which chance."""

    question: ChanceQuestion
    went_badly: bool
    was_accused: bool
    bluff: float

    @property
    def order(self) -> tuple[bool, bool, float]:
        return not self.went_badly, not self.was_accused, -self.bluff


def of_review(
    content: Mapping[str, Any], moments: Sequence[Moment], reader: int | None
) -> list[ChanceQuestion]:
    """First what went badly: accusing the truth, believing a bluff, being caught; of these what was
    accused, and of these the likeliest bluffs. Different answers take turns.
    """
    found = sorted(_questions(content, moments, reader), key=lambda each: each.order)
    earlier, turns = Counter[int](), []
    for each in found:
        turns.append((earlier[each.question.right], each.question))
        earlier[each.question.right] += 1
    return [question for _turn, question in sorted(turns, key=lambda each: each[0])]


def _questions(
    content: Mapping[str, Any], moments: Sequence[Moment], reader: int | None
) -> Iterator[_Found]:
    decisions = {each["number"]: each for each in content["decisions"]}
    for claim in content["game"]["declarations"]:
        number, bluff, declarer = claim["number"], claim["bluff"], claim["seat"]
        then = decisions.get(number + 1)
        accused = then is not None and then["played"] == _ACCUSE
        if then is not None and _is_asked(then, reader) and _could_accuse(then):
            seat = by = then["seat"]
            went_badly = accused != bluff
        elif bluff and _is_asked(decisions[number], reader):
            seat, went_badly = declarer, accused
            by = _least_believing(claim, moments[number - 1].state)
            if then is not None and accused:
                by = then["seat"]
        else:
            continue
        if by is None:
            continue
        chance = 1 - claim["true"][by]
        if all(abs(chance - step) >= CLEAR for step in STEPS):
            question = ChanceQuestion(number, seat, by, bisect(STEPS, chance))
            yield _Found(question, went_badly, accused, chance)


def _is_asked(decision: Mapping[str, Any], reader: int | None) -> bool:
    return decision["by"] == "person" and reader in (None, decision["seat"])


def _could_accuse(decision: Mapping[str, Any]) -> bool:
    return any(option["move"] == _ACCUSE for option in decision["options"])


def _least_believing(claim: Mapping[str, Any], state: State) -> int | None:
    """The seat that could accuse and held a declaration least likely; None if nobody could."""
    seats = (seat for seat in range(state.seats) if why_no_accusation(state, seat) is None)
    return min(seats, key=lambda seat: (claim["true"][seat], seat), default=None)


def choices() -> list[str]:
    """The lowest range first."""
    between = gettext("%(low)d–%(high)d%%")
    whole = [round(100 * step) for step in STEPS]
    return [
        gettext("under %(percent)s") % {"percent": percent(STEPS[0])},
        *(
            between % {"low": low, "high": high}
            for low, high in zip(whole, whole[1:], strict=False)
        ),
        gettext("over %(percent)s") % {"percent": percent(STEPS[-1])},
    ]


def ask(question: ChanceQuestion, names: Sequence[str]) -> str:
    if question.seat == question.by:
        return gettext("By the cards you've seen, how likely is a bluff?")
    form = gettext("You're bluffing. How likely is a bluff by the cards %(name)s has seen?")
    return form % {"name": names[question.by]}


def unseen(known: State, seat: int) -> list[UnseenCards]:
    """The animals without bombs, then the bombs."""
    cards = unseen_cards(known, seat)
    animals = [
        UnseenCards(sign=sign, name=words.animal(animal), count=cards.others[animal])
        for animal, sign in _SIGNS.items()
    ]
    return [*animals, UnseenCards(sign="bomb", name=words.icon(BOMB), count=cards.bombs)]
