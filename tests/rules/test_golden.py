"""Finished games of every preset, kept as records: an upgrade cannot change history.

`pytest tests/rules --regenerate-golden` plays them anew; review the diff before you commit it.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from games.rules.perudo.events import GameStarted
from games.rules.perudo.notation import to_text
from games.rules.perudo.options import PRESETS, SITE_OPTIONS, Options
from games.rules.perudo.reading import from_text
from games.rules.perudo.record import Record, from_json, to_json
from tests.rules.random_games import facts_of, seeded, steps

GOLDEN = Path(__file__).parent / "golden"
GAMES = {
    **PRESETS,
    **{f"{preset}+calza": replace(options, calza="on") for preset, options in PRESETS.items()},
    "site": SITE_OPTIONS,
    "house": Options(
        starter="two_dice",
        raise_rule="any_face_if_more",
        palifico_repeat="once",
        palifico_min_players=3,
        calza="on",
        calza_needs_lost_die=True,
    ),
}


def play(options: Options, generator: random.Random) -> Record:
    facts = tuple(facts_of(steps("perudo", generator, leaving=0.004, options=options)))
    assert isinstance(facts[0], GameStarted)
    names = ("Alice", "Bob", "Charlie", "Dana", "Éloïse", 'Frank "the toucan"')
    return Record(players=names[: facts[0].seats], facts=facts, date="2024-02-29")


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_the_past_replays_as_it_was_played(name: str, regenerate: bool) -> None:
    path = GOLDEN / f"{name}.txt"
    if regenerate:
        record = play(GAMES[name], seeded(sorted(GAMES).index(name)))
        path.write_text(to_text(record), encoding="utf-8")
    written = path.read_text(encoding="utf-8")
    record = from_text(written)
    assert record.options == GAMES[name]
    assert to_text(record) == written


def test_the_json_form_of_the_past_is_still_read_and_written(regenerate: bool) -> None:
    path = GOLDEN / "house.json"
    if regenerate:
        path.write_text(to_json(play(GAMES["house"], seeded(7))), encoding="utf-8")
    written = path.read_text(encoding="utf-8")
    assert to_json(from_json(written)) == written


def test_every_kept_game_is_tested() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(GAMES)


def test_the_kept_games_show_every_kind_of_fact() -> None:
    records = [from_text(path.read_text(encoding="utf-8")) for path in GOLDEN.glob("*.txt")]
    kinds = {fact.kind for record in records for fact in record.facts}
    assert kinds == {
        "game_started",
        "starter_rolled",
        "round_started",
        "rolled",
        "bid_made",
        "calza_claimed",
        "revealed",
        "die_lost",
        "die_regained",
        "palifico_announced",
        "eliminated",
        "reveal_seen",
        "left",
    }
