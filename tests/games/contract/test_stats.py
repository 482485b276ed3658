"""The statistics of every game: what is counted has figures, and the past has presets in words."""

from __future__ import annotations

import pytest
from django.utils import translation

from accounts.models import User
from games.contract import catalogue
from games.models import Tally
from games.study.players.history import export
from tests.games.contract.arenas import ARENAS
from tests.games.contract.kinds import LANGUAGES, every_kind, finished_game
from tests.games.contract.test_presenter import unplain


@pytest.mark.slow
@every_kind
def test_the_figures_are_facts_in_words(
    kind: catalogue.GameKind, alice: User, subtests: pytest.Subtests
) -> None:
    game = finished_game(kind, alice, stays=True)
    counted = kind.stats.count_game(game, list(game.seat_set.order_by("number")))
    counters = {name for each in counted.values() for name in each}
    for language in LANGUAGES:
        with subtests.test(language=language), translation.override(language):
            figures = kind.stats.figures(dict.fromkeys(counters, 7))
            assert figures and all(label and value for label, value in figures)
            assert len({label for label, _ in figures}) == len(figures)
            assert len(kind.stats.figures({})) < len(figures)  # what never happened is left out


@every_kind
def test_every_counter_of_a_game_is_in_some_figure(kind: catalogue.GameKind, alice: User) -> None:
    game = finished_game(kind, alice, stays=True)
    seats = list(game.seat_set.order_by("number"))
    counted = kind.stats.count_game(game, seats)
    counters = {name for each in counted.values() for name in each}
    for counter in counters:
        assert kind.stats.figures({counter: 7}) != kind.stats.figures({}), counter
        assert counter != "left" and not counter.startswith("place_")


@every_kind
def test_a_finished_game_is_counted_once_for_its_person(
    kind: catalogue.GameKind, alice: User
) -> None:
    game = finished_game(kind, alice)
    counted = dict(Tally.objects.filter(user=alice).values_list("counter", "value"))
    assert counted["left"] == 1 and not any(name.startswith("place_") for name in counted)
    assert set(Tally.objects.values_list("kind_key", flat=True)) == {game.kind_key}


@every_kind
def test_the_presets_of_results_are_those_of_the_rules(kind: catalogue.GameKind) -> None:
    assert list(kind.stats.presets) == list(ARENAS[kind.key].presets)


@every_kind
def test_every_filter_has_words_and_tells_variants_apart(
    kind: catalogue.GameKind, subtests: pytest.Subtests
) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language), translation.override(language):
            for one in kind.stats.filters:
                labels = [str(label) for label, _ in one.choices.values()]
                assert str(one.label) and all(labels) and len(set(labels)) == len(labels)
                variants = [variant for _, variant in one.choices.values()]
                assert len(set(variants)) == len(variants)


@every_kind
def test_a_person_can_export_their_rounds_as_plain_values(
    kind: catalogue.GameKind, alice: User
) -> None:
    finished_game(kind, alice, stays=True)
    [game] = [dict(each) for each in export(alice)["games"]]
    assert game["rounds"] and unplain(game["rounds"]) == []
