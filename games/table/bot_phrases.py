"""Phrases of bot characters at a shown result: at most one bot speaks, and not every time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final

from games.contract import catalogue
from games.models import Game, Seat

_ONE_IN = 2  # a bot speaks after one in so many rounds, and always at the end of a game
_AT_THE_END: Final = ("won", "beaten")


def spoken(
    game: Game, seats: Sequence[Seat], occasions: Mapping[int, str], *, number: int
) -> dict[int, str]:
    """The seat that speaks, with its phrase in the active language; {} if no bot speaks.

    `occasions` is what the shown result means for each seat (see `CharacterWords.phrase`), from
    public knowledge. `number` is the number of the round. The choice is a hash of the table's code
    and that number, so every viewer, process and page load gets the same.
    """
    kind = catalogue.of(game.kind_key)
    speakers = [seat for seat in sorted(occasions) if seats[seat].bot in kind.characters]
    if not speakers or kind.character_words is None:
        return {}
    drawn = int.from_bytes(sha256(f"{game.code} {number}".encode()).digest()[:6])
    winners = [seat for seat in speakers if occasions[seat] == "won"]
    seat = (winners or speakers)[drawn // _ONE_IN % len(winners or speakers)]
    if occasions[seat] not in _AT_THE_END and drawn % _ONE_IN:
        return {}
    return {seat: kind.character_words.phrase(seats[seat].bot, occasions[seat])}
