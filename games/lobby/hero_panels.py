"""The panels of the games: who sits there, and a quick game against bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from games.contract import catalogue
from games.contract.shown import context
from games.forms import PlayNowForm
from games.lobby import game_list
from games.models.bot_names import BOT_AVATARS
from games.table import waiting_room
from games.table.waiting_room import ShownCharacter

# Faces at the table of a panel.
_FACES: Final = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Panel(game_list.ListedGame):
    """A game with the form that starts a quick game, for `games/_hero.html`."""

    play_now: PlayNowForm
    characters: Sequence[ShownCharacter]
    faces: Sequence[Mapping[str, str]]  # who sits at its table: the characters, or else bots


def games() -> list[Panel]:
    """The panels of all games."""
    return [_with_quick_play(kind) for kind in catalogue.every()]


def _with_quick_play(kind: catalogue.GameKind) -> Panel:
    form = PlayNowForm(initial={"game": kind.key}, auto_id=f"{kind.key}_%s")
    characters = waiting_room.characters(kind)
    faces = [each.avatar for each in characters] or [
        {"animal": animal, "cloth": cloth, "weave": weave} for animal, cloth, weave in BOT_AVATARS
    ]
    return Panel(
        **context(game_list.shown(kind)),
        play_now=form,
        characters=characters,
        faces=faces[:_FACES],
    )
