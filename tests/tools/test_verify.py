"""verify.py proves honest games, and finds every change of a proof."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from copy import deepcopy
from itertools import count
from pathlib import Path

import pytest

from games.core import proof
from games.peco_peco.rules.cards import DECK
from games.peco_peco.rules.stakes import STAKES
from tests.games.contract.arenas import ARENAS
from tests.games.contract.random_games import seeded
from tests.support.proven_games import CODE, FILE, problems, proven_game, verify

every_game = pytest.mark.parametrize("key", list(ARENAS))

# --- honest games --------------------------------------------------------------------------------


def proves_games(key: str, seeds: range) -> None:
    for seed in seeds:
        record, server = proven_game(ARENAS[key], seed)
        code, lines = verify.verdict(record)
        rounds = sum(fact["kind"] == "round_started" for fact in record["facts"])
        assert code == 0, (seed, lines)
        text = "\n".join(lines)
        assert text.startswith(f"PROVED. All {len(server.drawn)} draws in {rounds} rounds match")
        assert record["proof"]["commitment"] in text and record["proof"]["root"] in text


@every_game
def test_every_draw_of_an_honest_game_is_proved(key: str) -> None:
    proves_games(key, range(50))


@pytest.mark.long
@every_game
def test_every_draw_of_a_thousand_honest_games_is_proved(key: str) -> None:
    proves_games(key, range(50, 1_050))


@every_game
def test_it_says_who_added_a_part_and_what_that_proves(key: str) -> None:
    said = set()
    for seed in range(20):
        record, _ = proven_game(ARENAS[key], seed)
        _, lines = verify.verdict(record)
        for seat, name in enumerate(record["players"]):
            part, salt = (record["proof"][each][seat] for each in ("parts", "salts"))
            left_out = part or seat in record["proof"]["late"]
            how = "a part of" if salt else "left out" if left_out else "no part of"
            assert any(line.startswith(f"  seat {seat} ({name}): {how}") for line in lines)
        nobody = not any(record["proof"]["salts"])
        assert ("Nobody chose a draw" in "\n".join(lines)) != nobody
        assert ("does not prove that the site did not choose" in "\n".join(lines)) == nobody
        unopened = [*map(bool, record["proof"]["parts"])] != [*map(bool, record["proof"]["salts"])]
        left_out = unopened or record["proof"]["late"] != []
        assert ("could choose between two" in "\n".join(lines)) == left_out
        said.add(nobody)
    assert said == {True, False}


# --- seals ---------------------------------------------------------------------------------------


def flipped(text: str, place: int, bit: int) -> str:
    data = bytearray.fromhex(text)
    data[place] ^= 1 << bit
    return data.hex()


@every_game
def test_a_flipped_bit_in_any_byte_of_the_proof_is_found(key: str) -> None:
    record = next(
        record
        for record in (proven_game(ARENAS[key], seed)[0] for seed in count())
        if None in record["proof"]["salts"] and len(set(record["proof"]["salts"])) > 2
    )
    generator, given = seeded(8), record["proof"]
    for place in range(proof.LENGTH):
        for name in ("secret", "commitment", "root"):
            bit = generator.randrange(8)
            changed = {**given, name: flipped(given[name], place, bit)}
            told = "secret" if name != "root" else "root"
            assert told in problems({**record, "proof": changed})[0]
        for name in ("salts", "parts"):
            for seat, text in enumerate(given[name]):
                if text is None:
                    continue
                texts = [*given[name]]
                texts[seat] = flipped(text, place, generator.randrange(8))
                line = problems({**record, "proof": {**given, name: texts}})[0]
                assert f"seat {seat} " in line if given["salts"][seat] else "root" in line


@every_game
def test_another_secret_under_seals_that_fit_it_is_found(key: str) -> None:
    """What a host would have to forge after a game."""
    record, _ = proven_game(ARENAS[key], 9)
    given = record["proof"]
    secret = flipped(given["secret"], 0, 0)
    committed = proof.commitment(CODE, bytes.fromhex(secret))
    forged = {**given, "secret": secret, "commitment": committed.hex()}
    forged["root"] = verify.root_of(key, record["options"], forged)
    lines = problems({**record, "proof": forged})
    assert lines[0].startswith(("Before round 1", "Round 1"))
    assert len(lines) == 21 and lines[-1].endswith(" more")


@every_game
def test_what_the_root_names_cannot_be_exchanged(key: str) -> None:
    record, _ = proven_game(ARENAS[key], 10)
    given, name = record["proof"], next(iter(record["options"]))
    seat = next(seat for seat, salt in enumerate(given["salts"]) if salt)
    without = [None if at == seat else each for at, each in enumerate(given["salts"])]
    assert "root" in problems({**record, "proof": {**given, "won_before": [3]}})[0]
    assert "secret" in problems({**record, "proof": {**given, "code": "other"}})[0]
    assert "root" in problems({**record, "options": {**record["options"], name: "other"}})[0]
    # To say that a salt did not come changes the key of all draws.
    assert len(problems({**record, "proof": {**given, "salts": without}})) > 1
    started = {**record["facts"][0], "options": {**record["options"], name: "other"}}
    told = problems({**record, "facts": [started, *record["facts"][1:]]})[0]
    assert told.startswith("The game began with other seats or options")
    assert "hexadecimal" in problems({**record, "proof": {**given, "root": "-"}})[0]


# --- files that cannot be checked ----------------------------------------------------------------


def run(*arguments: str) -> tuple[int, str]:
    """The program alone: no other package, and none of this project."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(FILE), *arguments], capture_output=True, encoding="utf-8"
    )
    assert not done.stderr
    return done.returncode, done.stdout


def test_the_program_proves_a_file_finds_fault_and_refuses_what_it_cannot_read(
    tmp_path: Path,
) -> None:
    record, _ = proven_game(ARENAS["perudo"], 5)
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    code, said = run(str(file))
    assert code == 0 and said.startswith("PROVED. ")
    next(fact for fact in record["facts"] if fact["kind"] == "rolled")["dice"][0] += 1
    file.write_text(json.dumps(record))
    assert run(str(file))[0] == 1
    file.write_text("{")
    refused = [run(), run(str(tmp_path / "none.json")), run(str(file)), run(str(FILE), str(FILE))]
    assert all(code == 2 and "python verify.py record.json" in said for code, said in refused)


@every_game
def test_a_game_without_a_proof_or_begun_midway_is_said_to_have_none(key: str) -> None:
    record, _ = proven_game(ARENAS[key], 4)
    midway = {**record, "facts": [record["facts"][0], {"kind": "started_midway"}]}
    unknown = {**record, "proof": {**record["proof"], "version": 2}}
    del record["proof"]
    for each, told in [
        (record, "no proof"),
        ({**record, "proof": None}, "no proof"),
        (midway, "no proof"),
        (unknown, "does not know"),
    ]:
        code, [line] = verify.verdict(each)
        assert code == 2 and told in line


@every_game
def test_nothing_that_is_missing_stops_the_program(
    key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each member of a proof, and members of facts at random."""
    record, _ = proven_game(ARENAS[key], 6)
    file, generator = tmp_path / "record.json", seeded(6)
    for name in [*record, *record["proof"]]:
        broken = deepcopy(record)
        (broken if name in broken else broken["proof"]).pop(name)
        file.write_text(json.dumps(broken))
        expected = 0 if name in ("version", "date") else 2
        assert verify.main([str(file)]) == expected, name
    for _ in range(50):
        broken = deepcopy(record)
        fact = generator.choice(broken["facts"])
        fact[generator.choice(sorted(fact))] = generator.choice([None, "no", -1, 99, [], {}])
        file.write_text(json.dumps(broken))
        assert verify.main([str(file)]) in (0, 1, 2)
    assert "Traceback" not in capsys.readouterr().out


def test_no_name_reaches_the_terminal_with_what_it_obeys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, _ = proven_game(ARENAS["perudo"], 5)
    record["players"][0] = "A\x1b[2J\n\ud800"
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    assert verify.main([str(file)]) == 0
    assert "seat 0 (A?[2J??)" in capsys.readouterr().out


# --- the file itself -----------------------------------------------------------------------------


def test_it_needs_the_standard_library_and_python_3_8_alone() -> None:
    tree = ast.parse(FILE.read_text(), feature_version=(3, 8))
    names = {alias.name for node in ast.walk(tree) for alias in getattr(node, "names", [])}
    assert names == {"hmac", "json", "re", "sys", "sha256", "zip_longest"}


def test_it_has_the_cards_of_the_game() -> None:
    deck, stakes = verify.DECK, verify.STAKES
    assert deck == list(DECK) and list(stakes) == list(STAKES)
    assert stakes == {stake.id: (stake.deal, stake.extra) for stake in STAKES.values()}
