"""Makes the sound files of the games: `.venv/bin/python -m tools.sounds`.

Each is a hit on something that lies on a table, or a note; the pages play them at other pitches and
one after another (`sound.js` of each game). A rate is as low as its sound allows: a game may load
60 KB (`tests/tools/test_sounds.py`). `tools/synthesis.py` has the means.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from tools.synthesis import Sound, burst, noise, partials, room, silence, write

GAMES = Path(__file__).resolve().parent.parent / "games"
BRIGHT, WARM, DULL = 16_000, 11_025, 8_000  # samples per second

# Partials as (times the pitch, loud, seconds).
_BONE = ((1, 0.5, 0.07), (1.62, 0.6, 0.05), (2.71, 0.4, 0.03))
_WOOD = ((1, 1, 0.3), (1.52, 0.6, 0.22), (2.46, 0.5, 0.15), (3.71, 0.35, 0.09), (5.8, 0.2, 0.05))
_MARIMBA = ((1, 1, 0.75), (1.004, 0.25, 0.6), (3.93, 0.22, 0.16), (9.2, 0.06, 0.05))
_BOWL = ((1, 1, 0.75), (1.003, 0.4, 0.75), (2.34, 0.4, 0.5), (2.346, 0.2, 0.5), (4.06, 0.18, 0.2))


def note() -> Sound:
    """A marimba's A (440 Hz) with a soft mallet."""
    sound = silence(0.75, WARM)
    partials(sound, WARM, at=0, pitch=440, loud=0.8, of=_MARIMBA)
    burst(sound, WARM, at=0, pitches=(900, 500), loud=0.25, seconds=0.03, seed=3)
    return room(sound, WARM, 0.2)


def knock() -> Sound:
    """A fist on a wooden table."""
    sound = silence(0.32, DULL)
    partials(sound, DULL, at=0, pitch=118, loud=0.8, of=_WOOD)
    burst(sound, DULL, at=0, pitches=(900, 350), loud=0.9, seconds=0.05, seed=5)
    return room(sound, DULL, 0.35)


def die() -> Sound:
    """A die of bone that is put down on wood."""
    sound = silence(0.17, BRIGHT)
    partials(sound, BRIGHT, at=0, pitch=1_150, loud=0.8, of=_BONE)
    partials(sound, BRIGHT, at=0, pitch=392, loud=0.5, of=[(1, 1, 0.12), (2.7, 0.5, 0.05)])
    burst(sound, BRIGHT, at=0, pitches=(4_200, 2_600), loud=0.25, seconds=0.012, seed=7)
    return room(sound, BRIGHT, 0.3)


def roll() -> Sound:
    """Five dice in a leather cup: shaken to and fro, then the cup is turned over onto the table."""
    sound = silence(0.64, BRIGHT)
    chance = noise(29)
    for shake in (0.0, 0.13, 0.26):
        burst(sound, BRIGHT, at=shake, pitches=(420, 260), loud=0.5, seconds=0.09, seed=11)
        for nth in range(5):
            at = shake + 0.012 + 0.016 * nth + 0.006 * next(chance)
            _clatter(sound, at, 1_500 + 450 * next(chance), 0.34 + 0.14 * next(chance))
    partials(sound, BRIGHT, at=0.42, pitch=128, loud=0.55, of=_WOOD)
    burst(sound, BRIGHT, at=0.42, pitches=(800, 300), loud=0.7, seconds=0.06, seed=13)
    for at, loud in ((0.425, 0.5), (0.447, 0.42), (0.478, 0.3), (0.521, 0.2)):
        _clatter(sound, at, 1_250 + 300 * next(chance), loud)
    return room(sound, BRIGHT, 0.25)


def _clatter(sound: Sound, at: float, pitch: float, loud: float) -> None:
    """Add a die that hits another."""
    partials(sound, BRIGHT, at=at, pitch=pitch, loud=loud, of=_BONE)
    burst(sound, BRIGHT, at=at, pitches=(3_800, 2_400), loud=loud, seconds=0.01, seed=round(pitch))


def lift() -> Sound:
    """The leather rim of a cup that leaves the table, and air."""
    sound = silence(0.27, BRIGHT)
    burst(sound, BRIGHT, at=0, pitches=(600, 2_400), loud=0.5, seconds=0.24, attack=0.07, seed=17)
    burst(sound, BRIGHT, at=0.01, pitches=(240, 420), loud=0.5, seconds=0.1, narrow=2, seed=19)
    return room(sound, BRIGHT, 0.2)


def card() -> Sound:
    """A card that is put down on others: the snap of its edge, then its face."""
    sound = silence(0.15, BRIGHT)
    burst(sound, BRIGHT, at=0, pitches=(3_400, 1_800), loud=0.5, seconds=0.018, seed=23)
    burst(sound, BRIGHT, at=0.014, pitches=(1_300, 700), loud=0.8, seconds=0.05, seed=31)
    burst(sound, BRIGHT, at=0.014, pitches=(260, 170), loud=0.9, seconds=0.07, narrow=2, seed=37)
    return room(sound, BRIGHT, 0.25)


def slide() -> Sound:
    """A card that is drawn quickly out of a hand."""
    sound = silence(0.27, BRIGHT)
    burst(sound, BRIGHT, at=0, pitches=(1_500, 4_000), loud=0.6, seconds=0.2, attack=0.11, seed=41)
    burst(sound, BRIGHT, at=0.135, pitches=(3_600, 2_200), loud=0.9, seconds=0.02, seed=43)
    return room(sound, BRIGHT, 0.25)


def bowl() -> Sound:
    """A porcelain bowl that is touched with a chopstick."""
    sound = silence(0.75, WARM)
    partials(sound, WARM, at=0, pitch=1_046.5, loud=0.6, of=_BOWL)
    burst(sound, WARM, at=0, pitches=(3_800, 2_800), loud=0.3, seconds=0.012, seed=47)
    return room(sound, WARM, 0.2)


# By their place below the folder of games.
FILES: dict[str, tuple[Callable[[], Sound], int]] = {
    "static/games/sounds/knock.wav": (knock, DULL),
    "static/games/sounds/note.wav": (note, WARM),
    "perudo/static/perudo/sounds/die.wav": (die, BRIGHT),
    "perudo/static/perudo/sounds/lift.wav": (lift, BRIGHT),
    "perudo/static/perudo/sounds/roll.wav": (roll, BRIGHT),
    "peco_peco/static/peco_peco/sounds/bowl.wav": (bowl, WARM),
    "peco_peco/static/peco_peco/sounds/card.wav": (card, BRIGHT),
    "peco_peco/static/peco_peco/sounds/slide.wav": (slide, BRIGHT),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=GAMES, help="a folder laid out like games/")
    to = parser.parse_args().to
    for place, (make, rate) in FILES.items():
        file = to / place
        file.parent.mkdir(parents=True, exist_ok=True)
        write(make(), rate, file)
        print(f"{file.name}: {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
