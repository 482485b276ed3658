"""Every fact, code, card, stake and setting of Peco Peco has words for people."""

from __future__ import annotations

from itertools import chain, product
from typing import get_args

import pytest
from django.utils import translation

from games import words as common
from games.core.contract import may_know
from games.models import Game
from games.peco_peco import words
from games.peco_peco.rules import events as facts
from games.peco_peco.rules.cards import ANIMALS, CARDS, ICONS_PER_ANIMAL
from games.peco_peco.rules.midway_facts import LaidUnder, StartedMidway
from games.peco_peco.rules.options import CHOICES, PRESETS, SLAP_WINDOW_MS, Options
from games.peco_peco.rules.reasons import Reason
from games.peco_peco.rules.stakes import FOODS, STAKES
from games.peco_peco.tests.random_games import steps
from games.peco_peco.words import reasons
from tests.games.contract.random_games import seeded

MIDWAY = StartedMidway(
    0, ("F01",), ((0,), (1,), (2,), (3,)), ((), (), (), ()), (4, 4, 4, 4), "C", None, 1, 3,
    (0, 1, 2, 3), (), None, (), (), 0, 55, 0,
)  # fmt: skip
NAMES = ("Alice", "Bob", "Charlie", "Dora", "Emil", "Fay", "Gus", "Hal")
LANGUAGES = ("en", "fr", "it", "es")

SAID = [
    (facts.GameStarted(4, Options()), "The game starts."),
    (facts.FoodShuffled(("F01",)), ""),
    (facts.RoundStarted(1, "F01", 0), "Round 1 for 1 maki: Alice starts."),
    (
        facts.RoundStarted(3, "F15", 1),
        "Round 3 for 2 onigiri: Bob starts. "
        "Elephant beats mouse, mouse beats cat, cat beats elephant.",
    ),
    (MIDWAY, "It starts in the middle of another game."),
    (LaidUnder(1, ("C",)), ""),
    (facts.SoloJoined(0, 1), "Alice teams up with Bob."),
    (facts.HandsDealt((4, 4, 4, 4)), ""),
    (facts.HandReceived(1, ("C",)), ""),
    (facts.CardTurned("E"), "The first card is an elephant."),
    (facts.PileShuffled(("C",)), ""),
    (facts.DiscardReshuffled(), "The discard pile becomes the new draw pile."),
    (facts.CardPlayed(1, "C", False), "Bob plays a cat."),
    (facts.CardPlayed(1, "Mb", True), "Bob plays a mouse (bomb) and says “Peco Peco!”"),
    (
        facts.CardPlayed(1, "Er", False),
        "Bob plays an elephant (reverse). The direction of play changes.",
    ),
    (facts.CardsDrawn(2, 1), "Charlie draws 1 card."),
    (facts.CardsDrawn(2, 3), "Charlie draws 3 cards."),
    (facts.CardStolen(0, 1), "Alice takes a card from Bob and discards it."),
    (facts.CallForgotten(2), "Charlie didn't say “Peco Peco!” and loses their last card."),
    (facts.HandDiscarded(2), "Charlie discards their hand."),
    (facts.CardsBuried(2, ("C",)), ""),
    (facts.Declared(1), "Bob says they can't play."),
    (facts.BluffAdmitted(0, 1), "Alice accuses Bob: it was a bluff!"),
    (
        facts.HonestyShown(0, 1, ("C", "Mb")),
        "Alice accuses Bob, but it was true: cat, mouse (bomb).",
    ),
    (facts.CardTaken(0, 1), "Alice takes a card from Bob."),
    (facts.CardPassed(0, 1, "C"), ""),
    (facts.OutOfRound(1), "Bob is out of this round."),
    (facts.SlapWaived(1), ""),
    (facts.SlapWindowClosed(), ""),
    (facts.RoundEnded(1), "Bob wins the round!"),
    (facts.RoundEnded(None), "Nobody played a card: nobody wins this round."),
    (facts.RoundSeen(1), ""),
    (facts.Left(1), "Bob left the game."),
    (facts.Removed(1), "Bob is out."),
    (facts.GameEnded("set"), "One dish of each kind: the game is over."),
    (facts.GameEnded("pile"), "That was the last stake: the game is over."),
    (facts.GameEnded("others_left"), "Everyone else left: the game is over."),
]

SAID_TO_YOU = [
    (facts.RoundStarted(1, "F01", 1), "Round 1 for 1 maki: you start."),
    (facts.CardPlayed(1, "Md", False), "You play a mouse (draw)."),
    (facts.CardPlayed(1, "Cr", False), "You play a cat (reverse). The direction of play changes."),
    (facts.CardPlayed(1, "C", True), "You play a cat and say “Peco Peco!”"),
    (facts.Declared(1), "You say you can't play."),
    (facts.OutOfRound(1), "You're out of this round."),
    (facts.CardsDrawn(1, 1), "You draw 1 card."),
    (facts.CallForgotten(1), "You didn't say “Peco Peco!” and lose your last card."),
    (facts.HandDiscarded(1), "You discard your hand."),
    (facts.RoundEnded(1), "You win the round!"),
    (facts.BluffAdmitted(1, 0), "You accuse Alice: it was a bluff!"),
    (facts.BluffAdmitted(0, 1), "Alice accuses you: it was a bluff!"),
    (facts.HonestyShown(1, 0, ("C",)), "You accuse Alice, but it was true: cat."),
    (facts.HonestyShown(0, 1, ("C",)), "Alice accuses you, but it was true."),
    (facts.CardTaken(1, 0), "You take a card from Alice."),
    (facts.CardTaken(0, 1), "Alice takes a card from you."),
    (facts.CardStolen(1, 0), "You take a card from Alice and discard it."),
    (facts.CardStolen(0, 1), "Alice takes a card from you and discards it."),
    (facts.SoloJoined(0, 1), "You team up with Alice."),
    (facts.SoloJoined(1, 0), "You team up with Alice."),
    (facts.HandReceived(1, ("C", "Eb")), "You get a cat, an elephant (bomb)."),
    (facts.CardPassed(1, 0, "C"), "You get a cat."),
    (facts.CardPassed(0, 1, "C"), "You lose a cat."),
    (facts.CardsBuried(1, ("C",)), "You lose a cat."),
]  # fmt: skip
OF_NOBODY = [
    facts.GameStarted(4, Options()),
    facts.CardTurned("E"),
    facts.RoundEnded(None),
    facts.SlapWaived(1),
    facts.SlapWindowClosed(),
    facts.GameEnded("set"),
]


def test_facts_are_told_in_sentences() -> None:
    assert [(fact, words.narrate(fact, NAMES)) for fact, _ in SAID] == SAID


def test_every_fact_of_the_game_is_told() -> None:
    assert {type(fact) for fact, _ in SAID} == set(facts.FACTS.values())


def test_facts_about_the_reader_are_told_to_the_reader() -> None:
    told = [(fact, words.narrate_to_you(fact, 1, NAMES)) for fact, _ in SAID_TO_YOU]
    assert told == SAID_TO_YOU
    to_others = [words.narrate_to_you(fact, 2, NAMES) for fact, _ in SAID_TO_YOU]
    assert list(filter(None, to_others)) == []


def test_facts_about_nobody_are_told_to_everyone_alike() -> None:
    told = [words.narrate_to_you(fact, seat, NAMES) for fact in OF_NOBODY for seat in range(4)]
    assert told == [None] * len(told)


def test_every_fact_of_random_games_is_said_without_a_gap(subtests: pytest.Subtests) -> None:
    for language, preset in product(LANGUAGES, PRESETS):
        games = [steps(seeded(seed), seats=seats, options=PRESETS[preset]) for seed, seats in
                 enumerate((4, 5, 8), start=1)]  # fmt: skip
        met = set()
        with subtests.test(language=language, preset=preset), translation.override(language):
            for fact in chain.from_iterable(step.facts for step in chain.from_iterable(games)):
                said = [words.narrate(fact, NAMES)]
                said += [words.narrate_to_you(fact, seat, NAMES) or "" for seat in range(8)]
                met |= {fact.kind} if any(said) else set()
                for sentence in filter(None, said):
                    assert sentence[-1] in ".!”»" and "%" not in sentence
                    assert "None" not in sentence
                    assert len(sentence) < 200, "too long for a phone"
                if fact.audience is not None:
                    assert not said[0]
                    assert all(may_know(fact, seat) for seat in range(8) if said[seat + 1])
            assert len(met) > 15


def test_cards_and_icons_have_names_of_their_own(subtests: pytest.Subtests) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language), translation.override(language):
            assert len({words.card(card) for card in CARDS}) == len(CARDS)
            assert len({words.card_played(card) for card in CARDS}) == len(CARDS)
            assert len({words.animal(animal) for animal in ANIMALS}) == len(ANIMALS)
            icons = [icon for icon in ICONS_PER_ANIMAL if icon]
            assert len({words.icon(icon) for icon in icons}) == len(icons)
            assert all(words.icon_help(icon).endswith(".") for icon in icons)


def test_a_stake_says_its_dishes_its_rule_and_what_it_brings(subtests: pytest.Subtests) -> None:
    for stake in STAKES.values():
        with subtests.test(stake.id):
            assert words.stake(stake.id) == f"{stake.dishes} {stake.food}"
            assert words.rule_help(stake.rule).endswith(".")
            assert bool(words.rule(stake.rule)) == (stake.rule not in ("none", "first_feast"))
            assert len(words.prizes(stake)) == bool(stake.extra) + stake.tilt
            more = {0: "", 1: "+1 card", -1: "−1 card"}
            assert words.more_cards(stake.extra) == more[stake.extra]


def test_foods_and_directions_are_named() -> None:
    assert [words.food(food) for food in FOODS] == list(FOODS)
    assert words.direction(1) == "clockwise" and words.direction(-1) == "anticlockwise"


def test_the_words_know_exactly_the_codes_of_the_rules() -> None:
    assert set(reasons.RULES) == set(get_args(Reason))
    assert not (set(reasons.RULES) | set(reasons.PLAY)) & set(common.SITE)
    for code in (*get_args(Reason), *reasons.PLAY):
        assert words.reason(code).endswith("."), code


def test_a_card_that_does_not_beat_is_named() -> None:
    assert words.reason("does_not_beat", {"card": "C", "top": "Eb"}) == (
        "You can't play a cat on an elephant (bomb). Choose another card, or say you can't play."
    )


def test_every_setting_is_explained_for_each_of_its_values(subtests: pytest.Subtests) -> None:
    for name in CHOICES:
        with subtests.test(name=name):
            assert words.setting_label(name)
            sentences = [words.setting(name, value) for value in CHOICES[name]]
            assert all(sentence.endswith(".") for sentence in sentences)
            assert len(set(sentences)) == len(CHOICES[name])


def test_any_time_to_accuse_can_be_said(subtests: pytest.Subtests) -> None:
    for window, said in [(1000, "1 second"), (1500, "1.5 seconds"), (10_000, "10 seconds")]:
        with subtests.test(window=window):
            assert window in SLAP_WINDOW_MS
            assert words.setting("slap_window_ms", window) == f"{said} to accuse when anyone can."


def test_every_preset_and_bot_has_a_name() -> None:
    assert len({words.preset(key) for key in PRESETS}) == len(PRESETS)
    assert [words.bot(kind) for kind in ("easy", "medium", "hard")] == ["Easy", "Medium", "Hard"]


def test_the_rules_of_a_table_name_what_differs_from_the_preset() -> None:
    rules = words.options(
        Game(preset="peco_teams", options=Options(teams="on", peco_call="on").to_json(), size=4)
    )
    assert (rules.preset, rules.name) == ("peco_teams", "Teams of two")
    assert rules.differences == ("Say “Peco Peco!” when one card is left, or lose it.",)
    assert len(rules.all) == len(CHOICES)
    assert rules.badges == ("teams", "say “Peco Peco!”")


def test_partners_are_named_only_where_there_are_some() -> None:
    rules = words.options(
        Game(
            preset="peco_base",
            options=Options(team_accuse_partner=False, short_pile="on").to_json(),
            size=4,
        )
    )
    assert "Accusing your partner" not in dict(rules.all)
    assert rules.differences == ("A shorter game: 12 stakes, none for five cards.",)
    assert rules.badges == ("short game",)
