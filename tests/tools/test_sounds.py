"""The committed sound files are what the script makes, light, and those that the games load."""

from __future__ import annotations

import wave
from itertools import chain
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from games.contract import catalogue
from tools.sounds import FILES, GAMES
from tools.synthesis import PEAK, write

MOST_BYTES = 60_000  # of all sounds of a game


def test_each_file_is_what_the_script_makes(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for place in FILES:
        with subtests.test(place=place):
            make, rate = FILES[place]
            made = tmp_path / "made.wav"
            write(make(), rate, made)
            assert made.read_bytes() == (GAMES / place).read_bytes(), "run python -m tools.sounds"


def test_each_file_is_short_and_as_loud_as_the_others_without_a_click_at_its_end(
    subtests: pytest.Subtests,
) -> None:
    for place in FILES:
        with subtests.test(place=place):
            with wave.open(str(GAMES / place)) as file:
                assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
                assert file.getnframes() / file.getframerate() < 1
                data = file.readframes(file.getnframes())
            samples = [
                int.from_bytes(data[at : at + 2], "little", signed=True)
                for at in range(0, len(data), 2)
            ]
            assert max(map(abs, samples)) == round(PEAK * 32_767)
            assert abs(samples[-1]) < 10


@pytest.mark.parametrize("kind", [*catalogue.every()], ids=lambda kind: kind.key)
def test_the_sounds_of_a_game_are_light(kind: catalogue.GameKind) -> None:
    files = [Path(str(finders.find(name))) for name in kind.assets.sound_files]
    assert files
    assert len({file.stem for file in files}) == len(files), "pages know them by their names"
    assert sum(file.stat().st_size for file in files) <= MOST_BYTES


def test_every_file_is_loaded_by_a_game_and_made_by_the_script() -> None:
    loaded = set(chain.from_iterable(kind.assets.sound_files for kind in catalogue.every()))
    made = {place.split("static/", 1)[1] for place in FILES}
    assert made == loaded
    assert {file.relative_to(GAMES).as_posix() for file in GAMES.rglob("*.wav")} == set(FILES)
