"""The count of games that end: it resumes from its file, and finds a game that does not end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab import endings, tournament
from tests.support import bot_games

COMMAND = "peco_peco --seats 4 --bots easy --games {games} --workers 1 --file {file}"


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endings, "CHUNK", 2)


def run(file: Path, games: int) -> None:
    endings.main(COMMAND.format(games=games, file=file).split())


def test_it_plays_only_what_its_file_does_not_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "endings.jsonl"
    run(file, 2)
    assert "2 games  0 stuck" in capsys.readouterr().out
    first = file.read_text()
    with file.open("a") as cut:
        cut.write('{"run": {"game"')  # the process was killed
    run(file, 6)
    assert file.read_text().startswith(first)
    assert "6 games  0 stuck" in capsys.readouterr().out
    lines = [json.loads(line) for line in file.read_text().splitlines() if line.endswith("}")]
    assert sorted(line["first"] for line in lines) == [0, 2, 4]
    assert all(len(line["moves"]) == 2 and all(line["moves"]) for line in lines)


def test_other_rules_start_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "endings.jsonl"
    run(file, 2)
    monkeypatch.setattr(endings, "sources", lambda game: "changed")
    run(file, 2)
    lines = [json.loads(line) for line in file.read_text().splitlines() if line]
    assert [line["first"] for line in lines] == [0, 0]


def test_a_game_that_does_not_end_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bot_games, "STUCK", 300)
    monkeypatch.setattr(endings, "CHUNK", 8)
    with pytest.raises(SystemExit, match="did not end"):
        run(tmp_path / "endings.jsonl", 8)
    line = capsys.readouterr().out
    assert "8 games" in line and "  0 stuck" not in line


def test_the_digest_is_of_rules_and_bots() -> None:
    assert len({endings.sources(game) for game in tournament.GAMES}) == len(tournament.GAMES)


@pytest.mark.parametrize("arguments", ["--seats 3", "--bots sharp"])
def test_it_refuses_what_the_game_does_not_have(arguments: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        endings.main([*f"peco_peco --file {tmp_path}/f".split(), *arguments.split()])
