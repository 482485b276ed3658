"""Finished games of every preset, kept as records: an upgrade cannot change history.

`pytest tests/games/peco_peco --regenerate-golden` plays them again, by the present version of the
rules; review the diff before you commit it. `set_of_a_leaver` ended by version 1 in a way in which
no game can end any more, and stays as it is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from games.core.game_record import VERSIONS, Record, from_json, to_json
from games.peco_peco import rules
from games.peco_peco.rules.notation import to_text
from games.peco_peco.rules.options import PRESETS, Options
from games.peco_peco.tests.random_games import steps
from tests.games.contract.random_games import NAMES, facts_of, seeded

GOLDEN = Path(__file__).parent / "golden"
GAMES = {
    **{preset: (4, options) for preset, options in PRESETS.items()},
    "five_in_teams": (5, PRESETS["peco_teams"]),
    "teams_of_today": (4, PRESETS["peco_teams"]),
    "eight_custom": (
        8,
        Options(first_feast_on_top=False, short_pile="off", peco_call="on", slap_window_ms=5000),
    ),
}


def play(name: str) -> Record:
    seats, options = GAMES[name]
    generator = seeded(sorted(GAMES).index(name))
    facts = tuple(facts_of(steps(generator, leaving=0.001, seats=seats, options=options)))
    return Record("peco_peco", NAMES[:seats], facts, date="2024-02-29")


def test_games_of_the_past_replay_and_read_as_they_did(
    regenerate: bool, subtests: pytest.Subtests
) -> None:
    for name in [*GAMES, "set_of_a_leaver"]:
        with subtests.test(name=name):
            facts, text = GOLDEN / f"{name}.json", GOLDEN / f"{name}.txt"
            if regenerate and name in GAMES:
                facts.write_text(to_json(play(name)), encoding="utf-8")
            written = facts.read_text(encoding="utf-8")
            record = from_json(rules, written)
            if name in GAMES:
                assert record.options == GAMES[name][1]
            assert to_json(record) == written
            if regenerate and name in GAMES:
                text.write_text(to_text(record), encoding="utf-8")
            assert text.read_text(encoding="utf-8") == to_text(record)


def test_every_kept_game_is_tested() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == {*GAMES, "set_of_a_leaver"}


def test_games_of_every_version_of_the_rules_are_kept() -> None:
    records = [from_json(rules, path.read_text(encoding="utf-8")) for path in GOLDEN.glob("*.json")]
    assert {record.version for record in records} == set(VERSIONS)
