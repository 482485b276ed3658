"""Every code, fact, setting and die has words for people, in whole sentences."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import get_args

from django.utils import translation

from games import words as common
from games.perudo import words
from games.perudo.rules import KEY, SEATS
from games.perudo.rules import events as facts
from games.perudo.rules.bids import FACES, Bid, ceiling
from games.perudo.rules.options import CHOICES, Options
from games.perudo.rules.reasons import Reason
from games.perudo.words import reasons

GAMES = Path(words.__file__).resolve().parents[2]
NAMES = ("Alice", "Bob", "Charlie")
BID = Bid(7, 4)

SAID = [
    (facts.GameStarted(3, Options()), "The game starts."),
    (
        facts.StarterRolled(((0, (5, 1)), (1, (3, 2)))),
        "Rolls to decide who starts: Alice 5 + 1, Bob 3 + 2.",
    ),
    (facts.StartedMidway(2, (5, 4, 5), (), ()), "It starts in the middle of another game."),
    (facts.RoundStarted(2, 1, None), "Round 2: Bob starts."),
    (facts.Rolled(1, (1, 2, 3)), ""),
    (facts.BidMade(1, BID), "Bob bids 7 fours."),
    (facts.CalzaClaimed(2), "Charlie calls calza!"),
    (
        facts.Revealed("dudo", 2, ((1,), (2,), (3,)), 8),
        "Charlie calls dudo! The count is 8.",
    ),
    (
        facts.Revealed("calza", 0, ((1,), (2,), (3,)), 8),
        "Alice calls calza! The count is 8.",
    ),
    (facts.DieLost(1), "Bob loses a die."),
    (facts.DieRegained(0), "Alice wins back a die."),
    (facts.PalificoAnnounced(0), "Alice is down to one die: the next round is palifico."),
    (facts.Eliminated(1), "Bob is out."),
    (facts.RevealSeen(2), ""),
    (facts.Left(2), "Charlie left the game."),
]


def refusals_in_the_code() -> set[str]:
    """The first argument of every IllegalMove(…) and Refused(…) under games/.

    Without those of Peco Peco, whose words are tested beside its rules.
    """
    codes = set()
    for file in GAMES.rglob("*.py"):
        if {"peco_peco", "tests"} & set(file.parts):
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "IllegalMove",
                "Refused",
            ):
                codes |= {a.value for a in node.args[:1] if isinstance(a, ast.Constant)}
    return codes


def test_every_refusal_of_the_code_has_words():
    assert len(refusals_in_the_code()) > 10
    for code in refusals_in_the_code():
        assert common.reason(code, kind_key=KEY).endswith("."), code


def test_the_words_know_exactly_the_codes_of_the_rules():
    assert set(reasons.RULES) == set(get_args(Reason))


def test_facts_are_told_in_sentences():
    assert [(fact, words.narrate(fact, NAMES)) for fact, _ in SAID] == SAID


def test_every_fact_of_the_game_is_told():
    assert {type(fact) for fact, _ in SAID} == set(facts.FACTS.values())


def test_a_palifico_round_is_announced_with_its_rules():
    told = words.narrate(facts.RoundStarted(4, 0, 0), NAMES)
    assert "Alice is palifico. Pacos aren't wild" in told
    assert "nobody can change the value" in told


def test_every_face_has_a_name_and_a_plural(subtests):
    for face in FACES:
        with subtests.test(face=face):
            assert words.face(face)
            assert words.dice(1, face).startswith("1 ")
            assert words.dice(1, face)[2:] == words.face(face)
            assert words.dice(2, face)[2:] != words.face(face)


def test_a_bid_and_a_hand_are_read_out():
    assert words.bid(Bid(4, 1)) == "4 pacos"
    assert words.hand((1, 2, 2)) == "Your dice: paco, two, two."


def test_a_round_ends_with_who_was_right(subtests):
    for call, right, sentence, to_bidder in [
        ("dudo", True, "Bob bid too high.", "You bid too high."),
        ("dudo", False, "Bob's bid was true.", "Your bid was true."),
        ("calza", True, "Exact!", "Exact!"),
        ("calza", False, "Not exact.", "Not exact."),
    ]:
        with subtests.test(call=call, right=right):
            assert words.verdict(call=call, bidder="Bob", right=right) == sentence
            assert words.verdict(call=call, bidder=None, right=right) == to_bidder


def test_every_setting_is_explained_for_each_of_its_values(subtests):
    for name in CHOICES:
        with subtests.test(name=name):
            assert words.setting_label(name)
            sentences = [words.setting(name, value) for value in CHOICES[name]]
            assert all(sentence.endswith(".") for sentence in sentences)
            assert len(set(sentences)) == len(CHOICES[name])


def test_a_pace_is_said_in_the_unit_people_use():
    expected = {
        None: "No time limit",
        1: "1 second per turn",
        45: "45 seconds per turn",
        90: "90 seconds per turn",
        180: "3 minutes per turn",
        86400: "24 hours per turn",
    }
    assert {seconds: common.pace(seconds) for seconds in expected} == expected


def test_the_words_are_chosen_when_they_are_said():
    with translation.override("xx"):
        assert words.face(1) == "paco"  # no catalogue: the source text, and no error


def test_the_dice_of_a_full_table_can_all_be_named():
    assert words.dice(ceiling(SEATS[-1]), 6) == "30 sixes"
