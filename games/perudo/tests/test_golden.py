"""Finished games of every preset, kept as records: an upgrade cannot change history.

`pytest tests/games/perudo --regenerate-golden` plays them again; review the diff before you commit
it. The record `by_hand` was written by hand and stays as it is, and so does `midway`, of a game
that begins in the middle of another.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from games.core.game_record import Record, from_json, to_json
from games.perudo import rules
from games.perudo.rules.notation import to_text
from games.perudo.rules.options import PRESETS, SITE_OPTIONS, Options
from games.perudo.tests.random_games import steps
from tests.games.contract.random_games import facts_of, seeded

GOLDEN = Path(__file__).parent / "golden"
HOUSE_RULES = Options(
    starter="two_dice",
    raise_rule="any_face_if_more",
    palifico_repeat="once",
    palifico_min_players=3,
    calza="on",
    calza_needs_lost_die=True,
)
OPTIONS = {
    **PRESETS,
    **{f"{preset}+calza": replace(options, calza="on") for preset, options in PRESETS.items()},
    "site": SITE_OPTIONS,
    "house": HOUSE_RULES,
}
GAMES = {name: (OPTIONS[name], seed) for seed, name in enumerate(sorted(OPTIONS))}
GAMES["house_of_four"] = (HOUSE_RULES, 7)
KEPT = ("by_hand", "midway")
NAMES = ("Alice", "Bob", "Charlie", "Dana", "Éloïse", 'Frank "the toucan"')


def play(name: str) -> Record:
    options, seed = GAMES[name]
    facts = tuple(facts_of(steps(seeded(seed), leaving=0.004, options=options)))
    seats: int = facts[0].seats  # type: ignore[attr-defined]
    return Record("perudo", NAMES[:seats], facts, date="2024-02-29")


def test_games_of_the_past_replay_and_read_as_they_did(
    regenerate: bool, subtests: pytest.Subtests
) -> None:
    for name in [*GAMES, *KEPT]:
        with subtests.test(name=name):
            facts, text = GOLDEN / f"{name}.json", GOLDEN / f"{name}.txt"
            if regenerate and name in GAMES:
                facts.write_text(to_json(play(name)), encoding="utf-8")
            written = facts.read_text(encoding="utf-8")
            record = from_json(rules, written)
            assert to_json(record) == written
            if name in GAMES:
                assert record.options == GAMES[name][0]
            if regenerate and name in GAMES:
                text.write_text(to_text(record), encoding="utf-8")
            assert text.read_text(encoding="utf-8") == to_text(record)


def test_every_kept_game_is_tested() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == {*GAMES, *KEPT}


def test_the_kept_games_show_every_kind_of_fact() -> None:
    texts = [path.read_text(encoding="utf-8") for path in GOLDEN.glob("*.json")]
    kinds = {fact.kind for text in texts for fact in from_json(rules, text).facts}
    assert kinds == set(rules.FACTS)
