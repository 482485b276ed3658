"""Why a bid is refused: every sentence is true of that very bid, by every rule for bids (A4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import pytest
from django.utils import translation

from games.core.contract import IllegalMove
from games.perudo import words
from games.perudo.rules.bids import FACES, PACO, Bid, legal_bids
from games.perudo.rules.decide import decide
from games.perudo.rules.options import CHOICES, PRESETS, Options
from games.perudo.rules.state import State
from games.perudo.tests.tables import ANY_DICE, table

PLAYERS = 2
MOST = 5 * PLAYERS
TABLES = {
    **PRESETS,
    **{
        f"{rule}, {opening}": Options(raise_rule=rule, paco_opening=opening)
        for rule, opening in product(CHOICES["raise_rule"], CHOICES["paco_opening"])
    },
}
VALUES = {"paco": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "sixe": 6}


@dataclass(frozen=True)
class Refused:
    """A bid that was refused, what it was bid over, and what is legal there."""

    bid: Bid
    last: Bid | None
    palifico: bool
    legal: frozenset[Bid]

    def legal_if(self, fits: Callable[[Bid], bool]) -> set[Bid]:
        """The legal bids for which the claim `fits` is true."""
        return {each for each in self.legal if fits(each)}


def positions(options: Options) -> Iterator[State]:
    """Every bid that can stand on a table of two, and none, in both kinds of rounds."""
    every = [None, *(Bid(count, face) for count in range(1, MOST + 1) for face in FACES)]
    settings = {name: getattr(options, name) for name in CHOICES}
    for last, palifico in product(every, [None, 0]):
        bid, turn = (None, 0) if last is None else (str(last), None)
        yield table([[2] * 5, [3] * 5], bid=bid, turn=turn, palifico=palifico, **settings)


def refusals(options: Options) -> Iterator[tuple[Refused, str]]:
    """Every illegal bid on these tables and the sentence its player reads."""
    for state in positions(options):
        palifico = state.palifico is not None
        legal = frozenset(legal_bids(state.last_bid, options=options, palifico=palifico, most=MOST))
        for count, face in product(range(-1, MOST + 2), range(8)):
            bid = Bid(count, face)
            try:
                decide(state, state.turn, bid, ANY_DICE)
            except IllegalMove as refused:
                case = Refused(bid, state.last_bid, palifico, legal)
                yield case, words.reason(refused.code, refused.details)


# What each sentence claims. A claim is true when no legal bid contradicts it, and when it is about
# what was wrong with this bid.
CLAIMS: dict[str, Callable[[Refused], bool]] = {
    "Choose a value: paco, or two to six.": lambda r: r.bid.face not in FACES,
    "A bid needs at least one die.": lambda r: r.bid.quantity < 1,
    "There were never that many dice at this table.": lambda r: r.bid.quantity > MOST,
    "You can't open this round on pacos. Choose another value.": lambda r: (
        r.last is None
        and r.bid.face == PACO
        and not r.legal_if(lambda each: each.face == PACO)
        and {each.face for each in r.legal} == {2, 3, 4, 5, 6}
    ),
    "With the same value you must bid more dice.": lambda r: (
        r.last is not None
        and r.bid.face == r.last.face
        and r.bid.quantity <= r.last.quantity
        and not r.legal_if(
            lambda each: each.face == r.last.face and each.quantity <= r.last.quantity
        )
    ),
    "In a palifico round nobody can change the value.": lambda r: (
        r.palifico
        and r.last is not None
        and r.bid.face != r.last.face
        and not r.legal_if(lambda each: each.face != r.last.face)
    ),
    "To switch to pacos, bid at least half as many, rounded up.": lambda r: (
        r.last is not None
        and r.bid.face == PACO != r.last.face
        and 2 * r.bid.quantity < r.last.quantity
        and not r.legal_if(lambda each: each.face == PACO and 2 * each.quantity < r.last.quantity)
    ),
    "To go back from pacos, bid at least twice as many, plus one.": lambda r: (
        r.last is not None
        and r.last.face == PACO != r.bid.face
        and r.bid.quantity < 2 * r.last.quantity + 1
        and not r.legal_if(lambda each: each.face != PACO and each.quantity <= 2 * r.last.quantity)
    ),
    "You can't bid fewer dice, except when you switch to pacos.": lambda r: (
        r.last is not None
        and r.bid.quantity < r.last.quantity
        and r.bid.face != PACO
        and not r.legal_if(lambda each: each.quantity < r.last.quantity and each.face != PACO)
    ),
    "With the same number of dice the value must go up.": lambda r: (
        r.last is not None
        and r.bid.quantity == r.last.quantity
        and r.bid.face < r.last.face
        and not r.legal_if(
            lambda each: each.quantity == r.last.quantity and 1 < each.face <= r.last.face
        )
    ),
    "Even with more dice you can't go to a lower value.": lambda r: (
        r.last is not None
        and r.bid.quantity > r.last.quantity
        and 1 < r.bid.face < r.last.face
        and not r.legal_if(lambda each: 1 < each.face < r.last.face)
    ),
    "Raise the number or the value, not both at once.": lambda r: (
        r.last is not None
        and r.bid.quantity > r.last.quantity
        and r.bid.face > r.last.face
        and not r.legal_if(lambda each: each.quantity > r.last.quantity and each.face > r.last.face)
    ),
}
NOTHING = "No higher bid is possible: call dudo."


def named(sentence: str) -> set[Bid]:
    """The bids that "You can bid 5 fives or at least 6 fours." says are possible."""
    bids: set[Bid] = set()
    for least, count, value in re.findall(r"(at least )?(\d+) ([a-z]+?)s?\b", sentence):
        counts = range(int(count), MOST + 1) if least else [int(count)]
        bids |= {Bid(each, VALUES[value]) for each in counts}
    return bids


@pytest.mark.parametrize("options", TABLES.values(), ids=TABLES)
def test_every_refusal_of_a_bid_is_true_and_names_what_is_possible(options: Options) -> None:
    met = set()
    for case, sentence in refusals(options):
        [why] = [claim for claim in CLAIMS if sentence.startswith(claim)]
        met.add(why)
        assert CLAIMS[why](case), (case.last, case.bid, sentence)
        instead = sentence.removeprefix(why).strip()
        if not instead:
            assert why.endswith(("paco, or two to six.", "Choose another value."))
        elif instead == NOTHING:
            assert not case.legal, (case.last, case.bid, sentence)
        else:
            same_value = case.legal_if(lambda each, face=case.bid.face: each.face == face)
            assert named(instead) == (same_value or case.legal), (case.last, case.bid, sentence)
    always = set(CLAIMS) - {
        "Even with more dice you can't go to a lower value.",
        "Raise the number or the value, not both at once.",
    }
    assert met == set(CLAIMS) if options.raise_rule == "one_only" else met == always


def test_more_dice_on_a_lower_value_says_what_fits_by_each_rule_for_raises() -> None:
    """P10 and P11: the same bid of six threes over five fours."""
    refused = words.reason("face_lower", {"bid": "6x3", "last": "5x4", "legal": "6x4+ 5x5 3xP+"})
    assert refused == (
        "Even with more dice you can't go to a lower value. "
        "You can bid at least 6 fours, 5 fives or at least 3 pacos."
    )
    refused = words.reason("face_lower", {"bid": "5x3", "last": "5x4", "legal": "6x3+ 6x4+ 5x5+"})
    assert refused == (
        "With the same number of dice the value must go up. You can bid at least 6 threes."
    )


def test_what_is_possible_is_said_in_every_language(subtests: pytest.Subtests) -> None:
    details = {"bid": "6x3", "last": "5x4", "legal": "6x4+ 5x5 3xP+"}
    for language, sentence in [
        ("fr", "Tu peux annoncer au moins 6 quatre, 5 cinq ou au moins 3 pacos."),
        ("it", "Puoi dichiarare almeno 6 quattro, 5 cinque o almeno 3 paco."),
        ("es", "Puedes apostar al menos 6 cuatros, 5 cincos o al menos 3 pacos."),
    ]:
        with subtests.test(language=language), translation.override(language):
            assert words.reason("face_lower", details).endswith(sentence)
