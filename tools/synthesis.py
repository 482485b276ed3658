"""Building blocks of sounds: decaying partials, filtered noise, a small room, and WAV files.

A sound is a list of samples at `rate` samples per second; blocks add themselves to it from `at`
seconds. `loud` is a factor: only `write` brings a sound to a fixed level. The same arguments give
the same bytes on every machine: beyond arithmetic there are only sines and cosines, rounded so that
the last digits of a C library do not matter.
"""

from __future__ import annotations

import math
import wave
from collections.abc import Iterable, Iterator
from pathlib import Path

PEAK = 0.89  # of full scale, in every file
SILENT = 6.9  # a factor of a thousand, as a power of e: after it, what decays is not heard
_ATTACK = 0.0015  # seconds: a sharper edge would crackle
_FADE = 0.03  # seconds at the end of a file

# Delays of the room in seconds and how much of each comes back; small, with wooden walls.
_ECHOES = ((0.0113, 0.62), (0.0137, 0.6), (0.0161, 0.57), (0.0189, 0.55))
_DIFFUSERS = ((0.0051, 0.5), (0.0017, 0.5))

Sound = list[float]


def silence(seconds: float, rate: int) -> Sound:
    return [0.0] * round(seconds * rate)


def partial(
    sound: Sound, rate: int, *, at: float, pitch: float, loud: float, seconds: float
) -> None:
    """Add a sine of `pitch` Hz that fades to a thousandth in `seconds`."""
    start, length = round(at * rate), round(seconds * rate)
    turn = round(math.cos(2 * math.pi * pitch / rate), 12)
    keep = 1 - SILENT / length
    last, before = 0.0, -round(math.sin(2 * math.pi * pitch / rate), 12)
    attack = max(1, round(_ATTACK * rate))
    for i in range(min(length, len(sound) - start)):
        sound[start + i] += loud * last * min(1.0, i / attack)
        last, before = keep * (2 * turn * last - keep * before), last


def partials(
    sound: Sound,
    rate: int,
    *,
    at: float,
    pitch: float,
    loud: float,
    of: Iterable[tuple[float, ...]],
) -> None:
    """Add what a struck body sounds like: `of` its partials as (times `pitch`, loud, seconds)."""
    for times, level, seconds in of:
        partial(sound, rate, at=at, pitch=pitch * times, loud=loud * level, seconds=seconds)


def noise(seed: int) -> Iterator[float]:
    """Endless white noise from -1 to 1."""
    while True:
        seed = (1_103_515_245 * seed + 12_345) % 2**31
        yield seed / 2**30 - 1


def burst(
    sound: Sound,
    rate: int,
    *,
    at: float,
    pitches: tuple[float, float],
    loud: float,
    seconds: float,
    narrow: float = 1.0,
    attack: float = 0.0,
    seed: int = 1,
) -> None:
    """Add noise around a pitch that glides between two (Hz), the narrower the more like a tone.

    It swells for `attack` seconds of `seconds`, and fades to a thousandth in the rest.
    """
    start, length = round(at * rate), round(seconds * rate)
    swell = round(attack * rate)
    keep = 1 - SILENT / max(8, length - swell)
    low = band = 0.0
    level = 1.0
    source = noise(seed)
    for i in range(min(length, len(sound) - start)):
        pitch = pitches[0] + (pitches[1] - pitches[0]) * i / length
        step = min(1.2, 2 * math.pi * pitch / rate)
        low += step * band
        band += step * (next(source) - low - band / narrow)
        if i >= swell:
            level *= keep
        sound[start + i] += loud * band * (i / swell if i < swell else level)


def room(sound: Sound, rate: int, wet: float) -> Sound:
    """The sound in a small room: Schroeder's echoes in parallel, then two that blur them."""
    echoed = [0.0] * len(sound)
    for seconds, back in _ECHOES:
        delay = round(seconds * rate)
        line = [*sound]
        for i in range(delay, len(line)):
            line[i] += back * line[i - delay]
        for i in range(delay, len(line)):
            echoed[i] += line[i - delay] / len(_ECHOES)
    for seconds, back in _DIFFUSERS:
        delay = round(seconds * rate)
        blurred = [*echoed]
        for i in range(len(echoed)):
            old, was = (blurred[i - delay], echoed[i - delay]) if i >= delay else (0.0, 0.0)
            blurred[i] = was + back * (old - echoed[i])
        echoed = blurred
    return [dry + wet * far for dry, far in zip(sound, echoed, strict=True)]


def write(sound: Sound, rate: int, path: Path) -> None:
    """Write a sound as 16-bit PCM, as loud as every other and faded out at its end."""
    loudest = max(map(abs, sound))
    fade = round(_FADE * rate)
    data = bytearray()
    for i, sample in enumerate(sound):
        level = PEAK * min(1.0, (len(sound) - 1 - i) / fade) / loudest
        data += round(sample * level * 32_767).to_bytes(2, "little", signed=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(bytes(data))
