"""What the tests over the wire need to know about each game: what a move is, what a secret.

A game's part is in `games/<key>/tests/`: `page_player.py` plays, `leaks.py` searches what was sent,
`leak_forms.py` writes secrets down in every way a program might.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from tests.support import page_players
from tests.support.page_players import Action, PagePlayer

if TYPE_CHECKING:
    from tests.support.http_client import View
    from tests.support.players import Received
    from tests.support.site_database import LogEntry


@dataclass
class Search:
    """What was found in everything that one person was sent."""

    found: list[str]
    looked_for: int = 0  # hidden hands times things sent


class Leaks(Protocol):
    """How the secrets of one game are looked for; `secrets` is what `secrets_of` gives."""

    def secrets_of(self, log: Sequence[LogEntry]) -> Any:
        """What is hidden in this game, from whom and when."""

    def search(self, heard: Iterable[Received], secrets: Any, seat: int | None) -> Search:
        """Look for all that the person at `seat` (None: a spectator) must not know."""

    def misplaced(self, heard: Iterable[Received], secrets: Any, seat: int | None) -> list[str]:
        """What screens show that does not belong there."""

    def in_text(self, text: str, secrets: Any) -> list[str]:
        """Where a hand stands in a text that nobody at a table reads, such as a log."""

    def hands_of(self, secrets: Any, seat: int | None) -> set[Any]:
        """Every hand this seat ever had, as `hand_shown` gives it."""

    def hand_shown(self, view: View) -> Any:
        """The seat's own hand on its screen; () where there is none."""


class LeakForms(Protocol):
    """Every way in which a program might give this game's secrets away."""

    EVERY: Sequence[str]  # the forms by name
    SINGLE: Sequence[str]  # one die or card in HTML, where none belongs

    def told(self, form: str, state: Any) -> str:
        """All secrets of an unsealed state in this form."""


@dataclass(frozen=True)
class WireGame:
    """A game as the tests over the wire play it."""

    key: str
    people: int  # beside a bot, when a game is watched
    table: Mapping[str, str]  # of a watched game, beside the page player's own
    odd_moves: Sequence[Action]  # that are refused
    calls: Sequence[str]  # moves whose answer must not tell whether they were right
    moves: frozenset[str]  # what `do` may say
    confirmed: str  # the kind of fact that says who has seen the end of a round
    in_move_log: str  # an expression for what a line about a move must not contain
    # A watched game goes on until these kinds of facts were met; none: until it is over.
    until: frozenset[str] = frozenset()
    everything_after: int = 10  # moves: then two people ask for every address, and the game runs
    sees_every_hand: bool = True  # whether hands last long enough for each to be on a screen

    @property
    def player(self) -> PagePlayer:
        return page_players.of(self.key)

    @property
    def leaks(self) -> Leaks:
        return cast("Leaks", import_module(f"games.{self.key}.tests.leaks"))

    @property
    def forms(self) -> LeakForms:
        return cast("LeakForms", import_module(f"games.{self.key}.tests.leak_forms"))

    @property
    def still_table(self) -> dict[str, Any]:
        """The form of a table at which nothing moves by itself."""
        return {**self.player.TABLE, "pace": "", "visibility": "public"}


PERUDO: Final = WireGame(
    key="perudo",
    people=2,
    table={"calza": "on"},
    odd_moves=(
        {"do": "bid", "quantity": "x", "seen": 0},
        {"do": "dudo", "seen": 1},
    ),
    calls=("dudo", "calza"),
    moves=frozenset({"bid", "dudo", "calza", "confirm", "leave"}),
    confirmed="reveal_seen",
    in_move_log=r"\b(quantity|face|hand|dice)\b|\bbid\W?[:=]",
)
PECO_PECO: Final = WireGame(
    key="peco_peco",
    people=4,
    # In teams of five nobody wins before the last stake, so the game runs to the end of the test.
    table={"preset": "peco_teams", "peco_call": "on"},
    odd_moves=(
        {"do": "play", "card": "E", "seen": 0},
        {"do": "play", "card": "Mb", "target": "9"},
        {"do": "declare", "seen": 1},
    ),
    calls=("accuse", "declare"),
    moves=frozenset({"play", "declare", "accuse", "waive", "join_team", "confirm", "leave"}),
    confirmed="round_seen",
    in_move_log=r"\b(card|hand|target|play|declare)\b\W?[:=]",
    until=frozenset(
        {"bluff_admitted", "honesty_shown", "card_passed", "cards_buried", "cards_drawn"}
    ),
    everything_after=36,
    sees_every_hand=False,
)
GAMES: Final = {game.key: game for game in (PERUDO, PECO_PECO)}
