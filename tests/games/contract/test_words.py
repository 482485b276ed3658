"""The words of every game: each fact, refusal, setting, preset and bot, in four languages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple
from functools import cache
from typing import Any

import pytest
from django.utils import translation

from accounts.models import User
from games import words as site_words
from games.contract import catalogue
from games.core.chance import SeededChance
from games.core.contract import Fact, IllegalMove
from games.models import Game
from tests.games.contract.arenas import ARENAS
from tests.games.contract.kinds import LANGUAGES, every_kind, finished_game
from tests.games.contract.random_games import facts_of, seeded, steps
from tests.games.contract.test_contract import reasons_of

NAMES = ("Ana", "Bojan", "Cleo", "Dagny", "Éloïse", "Finnegan", "Gustave", "Hal “the cat”")


@cache
def some_facts(key: str) -> list[Fact]:
    """Facts of random games, each once: every preset, few and many seats, some who leave."""
    arena = ARENAS[key]
    seats = (arena.rules.SEATS[0], arena.rules.SEATS[-1])
    games = [
        steps(arena, seeded(seed), leaving=0.01, seats=seats[seed % 2], options=options)
        for seed, options in enumerate([*arena.presets.values()] * 2)
    ]
    return list({repr(fact): fact for game in games for fact in facts_of(game)}.values())


def refusals(key: str) -> Iterator[IllegalMove]:
    """Refusals of moves that were tried in a random game, each code once."""
    arena, met = ARENAS[key], set()
    for step in steps(arena, seeded(3), leaving=0.01):
        for move in arena.universe(step.after)[::3]:
            try:
                arena.rules.decide(step.after, 0, move, SeededChance(0))
            except IllegalMove as illegal:
                if illegal.code not in met:
                    met.add(illegal.code)
                    yield illegal


def is_sentence(text: str) -> bool:
    """Whether it ends like one, and no value is missing or printed raw."""
    return text[-1:] in (*".!?”»",) and not any(odd in text for odd in ("%", "None", "{"))


def numbers_in(value: Any) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, Iterable) and not isinstance(value, str):
        for each in value:
            yield from numbers_in(each)


@every_kind
def test_a_fact_is_told_in_a_sentence_or_not_announced(
    kind: catalogue.GameKind, subtests: pytest.Subtests
) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language):
            announced = set()
            with translation.override(language):
                for fact in some_facts(kind.key):
                    told = kind.words.narrate(fact, NAMES)
                    assert told == "" or (is_sentence(told) and len(told) < 300), told
                    announced |= {fact.kind} if told else set()
            assert len(announced) > 8


@every_kind
def test_what_only_some_may_know_is_not_announced(kind: catalogue.GameKind) -> None:
    sealed = [fact for fact in some_facts(kind.key) if fact.audience is not None]
    assert sealed and not any(kind.words.narrate(fact, NAMES) for fact in sealed)


@every_kind
def test_it_is_not_announced_that_somebody_goes_on(kind: catalogue.GameKind) -> None:
    """Everybody does, after every round."""
    seen = [fact for fact in some_facts(kind.key) if fact.kind.endswith("_seen")]
    assert seen and not any(kind.words.narrate(fact, NAMES) for fact in seen)


@every_kind
def test_a_sentence_names_nobody_who_is_not_in_the_fact(
    kind: catalogue.GameKind, subtests: pytest.Subtests
) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language):
            named = set()
            with translation.override(language):
                for fact in some_facts(kind.key):
                    told = kind.words.narrate(fact, NAMES)
                    who = {seat for seat, name in enumerate(NAMES) if name in told}
                    assert who <= set(numbers_in(astuple(fact))), told  # type: ignore[call-overload]
                    named |= who
            assert len(named) == kind.rules.SEATS[-1]


@every_kind
def test_every_code_with_which_the_rules_refuse_has_a_sentence(
    kind: catalogue.GameKind, subtests: pytest.Subtests
) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language), translation.override(language):
            for code in (*reasons_of(kind.rules), "too_soon"):
                assert is_sentence(site_words.reason(code, kind_key=kind.key)), code
            told = [
                site_words.reason(each.code, each.details, kind_key=kind.key)
                for each in refusals(kind.key)
            ]
            assert len(told) > 3 and all(map(is_sentence, told)), told


@every_kind
def test_no_code_means_two_things_and_an_unknown_one_is_a_bug(kind: catalogue.GameKind) -> None:
    assert not {*reasons_of(kind.rules), "too_soon"} & set(site_words.SITE)
    for ask in (kind.words.reason, kind.words.preset, kind.words.bot):
        with pytest.raises(KeyError):
            ask("no_such_code")
    with pytest.raises(KeyError):
        site_words.reason(reasons_of(kind.rules)[0])  # a code of a game, and none is named


@every_kind
def test_the_game_its_presets_and_its_bots_have_names_of_their_own(
    kind: catalogue.GameKind, subtests: pytest.Subtests
) -> None:
    presets = ARENAS[kind.key].presets
    for language in LANGUAGES:
        with subtests.test(language=language), translation.override(language):
            assert all((kind.words.name(), kind.words.tagline(), kind.words.summary()))
            assert len({kind.words.preset(key) for key in presets}) == len(presets)
            assert len({kind.words.bot(bot) for bot in kind.bots}) == len(kind.bots)


def rules_of(kind: catalogue.GameKind, preset: str, **changed: Any) -> Any:
    options = ARENAS[kind.key].presets[preset].to_json() | changed
    return kind.words.options(
        Game(kind_key=kind.key, preset=preset, options=options, size=kind.rules.SEATS[-1])
    )


@every_kind
def test_a_preset_as_it_is_has_no_differences_and_all_its_settings_in_words(
    kind: catalogue.GameKind, subtests: pytest.Subtests
) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language), translation.override(language):
            for preset in ARENAS[kind.key].presets:
                found = rules_of(kind, preset)
                assert (found.preset, found.name) == (preset, kind.words.preset(preset))
                assert found.differences == ()
                assert found.all and all(label and is_sentence(text) for label, text in found.all)


@every_kind
def test_a_setting_that_differs_from_its_preset_is_said_in_a_sentence(
    kind: catalogue.GameKind, subtests: pytest.Subtests
) -> None:
    arena = ARENAS[kind.key]
    for language in LANGUAGES:
        with subtests.test(language=language), translation.override(language):
            for preset, options in arena.presets.items():
                for name, values in arena.choices.items():
                    said = [
                        rules_of(kind, preset, **{name: value}).differences
                        for value in values
                        if value != getattr(options, name)
                    ]
                    assert all(map(is_sentence, (each for one in said for each in one)))
                    assert len(set(said)) == len(said) or not any(said), name


@every_kind
def test_a_highlight_is_told_in_a_sentence(
    kind: catalogue.GameKind, alice: User, subtests: pytest.Subtests
) -> None:
    game = finished_game(kind, alice)
    for language in LANGUAGES:
        with subtests.test(language=language), translation.override(language):
            for found in kind.replay.highlights(game):
                assert is_sentence(kind.words.highlight(found, NAMES)), found
                to_all, to_them = (
                    kind.words.key_moment(found, NAMES, who) for who in (None, found.seat)
                )
                assert NAMES[found.seat] in to_all and NAMES[found.seat] not in to_them, found
                assert not is_sentence(to_all), "it stands after a colon"
