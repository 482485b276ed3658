"""A reviewed decision of Perudo in words: every kind of move, to its player and to others."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from django.utils.translation import override

from games.core.codec import key_of
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.words import review as words

LANGUAGES = ("en", "fr", "it", "es")
BID, OTHER = key_of(Bid(7, 5)), key_of(Bid(3, 1))
DUDO, CALZA = key_of(Dudo()), key_of(Calza())
MOVES = {"bid": BID, "other": OTHER, "dudo": DUDO, "calza": CALZA, "pass": "pass"}


def decision(played: str, best: str = "", **parts: Any) -> dict[str, Any]:
    """A decision with 12 unseen dice, of which the last bid needed 4 and the one made 6."""
    odds = parts.pop("odds", 0.18)
    return {
        "played": played,
        "best": best or played,
        "options": [
            {"move": each, "odds": odds, "value": 0.0} for each in dict.fromkeys((played, best))
        ],
        "regret": 0.31 if best else 0.0,
        "forced": False,
        "game": {"last": [12, 4], "played": [12, 6]},
    } | parts


def told(name: str | None, *args: Any, **parts: Any) -> str:
    with override("en"):
        return words.why(decision(*args, **parts), name)


def test_a_bid_is_told_by_what_it_needed() -> None:
    assert told(None, BID, DUDO) == (
        "Your bid needed 6 of the 12 dice you couldn't see: it was 18% likely to be true. "
        "Dudo was worth 0.3 dice more."
    )
    assert told("Anna", BID, OTHER) == (
        "The bid needed 6 of the 12 dice Anna couldn't see: it was 18% likely to be true. "
        "Bidding 3 pacos was worth 0.3 dice more."
    )


def test_a_call_is_told_by_what_the_bid_before_it_needed() -> None:
    assert told("Anna", DUDO, CALZA) == (
        "The bid needed 4 of the 12 dice Anna couldn't see: dudo was 18% likely to be right. "
        "Calza was worth 0.3 dice more."
    )
    assert told(None, CALZA, "pass") == (
        "Calza needed exactly 4 of the 12 dice you couldn't see: it was 18% likely to be right. "
        "Not calling calza was worth 0.3 dice more."
    )


def test_what_the_bids_told_is_said_beside_the_dice_alone() -> None:
    def heard(played: str, best: str, after: float | None) -> str:
        found = decision(played, best)
        found["options"][0]["after"] = after
        found["options"][0]["odds"] = 0.18 if after not in (0.3, 0.46) else 0.54
        with override("en"):
            return words.odds(found, None)

    assert heard(BID, OTHER, 0.6).endswith("to be true. After those bids, 60%.")
    assert heard(DUDO, DUDO, 0.6).endswith("to be right. After those bids, 60%.")
    with override("en"):
        almost = words.odds(decision(BID, odds=1.0), None)
    assert "it was >99% likely to be true." in almost  # needs six of twelve, and odds are rounded
    assert heard(BID, OTHER, 0.004).endswith("But after those bids, less than 1%.")
    assert heard(BID, OTHER, 0.996).endswith("After those bids, more than 99%.")
    assert heard(BID, OTHER, 0.01).endswith("to be true. But after those bids, only 1%.")
    assert heard(DUDO, BID, 0.3).endswith("54% likely to be right. But after those bids, only 30%.")
    # As near as this, it is said where the dice alone say the opposite.
    assert heard(DUDO, BID, 0.46).endswith("But after those bids, only 46%.")
    assert "after" not in heard(BID, OTHER, 0.2).lower()  # about as likely
    assert "after" not in heard(BID, OTHER, None).lower()  # by an older judge


def test_what_ones_own_dice_decide_is_said_so() -> None:
    known = {"game": {"last": [12, 0], "played": [12, 0]}}
    assert told(None, DUDO, BID, odds=0.0, **known).startswith("Your own dice alone made the bid")
    assert told("Bob", BID, odds=1.0, **known) == (
        "Bob's own dice alone made the bid true. Nothing was worth more."
    )
    assert told("Bob", CALZA, "pass", odds=0.0, **known).startswith(
        "Bob's own dice alone were more than the bid."
    )
    assert told("Bob", CALZA, "pass", odds=0.02, **known).startswith(
        "Calza needed none of the other dice"
    )
    most = {"game": {"last": [2, 3], "played": [2, 3]}}
    assert told(None, BID, odds=0.0, **most).startswith(
        "With your own dice, the bid could not be true."
    )
    assert told("Bob", DUDO, odds=1.0, **most).startswith(
        "With Bob's own dice, the bid could not be true."
    )


def test_without_odds_only_the_values_are_told() -> None:
    assert told(None, "pass", CALZA, odds=None) == "Calza was worth 0.3 dice more."
    assert told("Anna", DUDO, game={}, odds=None) == "Nothing was worth more."


def test_what_was_forced_or_hardly_worse_is_no_error() -> None:
    assert told(None, DUDO, forced=True).endswith("There was no other move.")
    assert told(None, BID, DUDO, regret=0.004).endswith("Nothing was worth more.")
    assert told(None, BID, DUDO, regret=0.04).endswith("Dudo was worth 0.04 dice more.")


def test_every_sentence_is_whole_in_every_language(subtests: pytest.Subtests) -> None:
    for hidden, language in product([1, 2, 12], LANGUAGES):
        known = {"last": [hidden, 1], "played": [hidden, 1]}
        with subtests.test(hidden=hidden, language=language), override(language):
            for played, best, name in product(MOVES.values(), MOVES.values(), (None, "Anna")):
                said = words.why(decision(played, best, game=known), name)
                assert said and "%" not in said.replace("%.", "").replace("% ", ""), said
                assert said.endswith(".") and "  " not in said
                assert "None" not in said


def test_one_die_is_one_die() -> None:
    one = {"game": {"last": [1, 1], "played": [1, 1]}}
    assert told(None, BID, **one).startswith("Your bid needed the one die you")
    assert "the one die Anna couldn't see" in told("Anna", DUDO, **one)


def test_moves_values_and_costs_have_their_names() -> None:
    with override("en"):
        assert [words.move(each) for each in MOVES.values()] == [
            "7 fives",
            "3 pacos",
            "dudo",
            "calza",
            "pass",
        ]
        assert [words.value(each) for each in (0.123, -0.35, 0.001, -0.001)] == [
            "+0.12",
            "−0.35",
            "0.00",
            "0.00",
        ]
        assert [words.cost(each) for each in (0.04, 0.1, 0.96)] == [
            "0.04 dice",
            "0.1 dice",
            "1.0 dice",
        ]
        assert words.unit() == "Dice won or lost, on average"
    with override("fr"):
        assert words.value(-0.35) == "−0,35"
