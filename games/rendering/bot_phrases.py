"""What characters say when a result is shown: at most one of them, and not every time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final

from games import catalogue
from games.models import Game, Seat

_ONE_IN = 2  # results of a round; at the end of a game one always speaks
_AT_THE_END: Final = ("won", "beaten")


def spoken(
    game: Game, seats: Sequence[Seat], occasions: Mapping[int, str], *, number: int
) -> dict[int, str]:
    """The seat that speaks and its words in the active language; {} when nobody does.

    `occasions`: by seat, what the shown result means for it (see `CharacterWords.phrase`), from
    what everybody knows. `number` is that of the round. Who speaks follows from the table's code
    and that number, so that every viewer, process and refresh has the same.
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
