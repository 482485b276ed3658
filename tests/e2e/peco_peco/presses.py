"""A player of Peco Peco at a browser that is driven over WebDriver."""

from __future__ import annotations

from collections.abc import Callable

from tests.e2e.driven_player import DrivenPlayer
from tests.e2e.player import GAME_PATIENCE


class Presses:
    """What a player at the table of Peco Peco presses: each kind of move as soon as it is offered.

    The first turn plays a card, the second says that none can be played, and so on.
    """

    def __init__(self, player: DrivenPlayer) -> None:
        self.player = player
        self.made: list[str] = []

    def play_a_round(self) -> None:
        """A round in which both kinds of move were made, or the game."""

        def over() -> bool:
            return "confirm" in self.player.choices and {"play", "declare"} <= {*self.made}

        self._go_on(over, rounds=3)  # bots wait 2.5 s after each accusation

    def play_to_the_end(self) -> None:
        self._go_on(lambda: False, rounds=3)

    def _go_on(self, over: Callable[[], bool], *, rounds: int = 1) -> None:
        self.player.wait_for(lambda: self._over_after_a_move(over), rounds * GAME_PATIENCE)

    def _over_after_a_move(self, over: Callable[[], bool]) -> bool:
        if self.player.phase == "over" or over():
            return True
        choices = self.player.choices
        if "accuse" in choices and "accuse" not in self.made:
            self._press("accuse")
        elif "play" in choices or "declare" in choices:  # no card may fit: then only the latter
            beats = "play" in choices and self.player.is_shown("#own .held.is-playable")
            if beats and self.made.count("play") <= self.made.count("declare"):
                self.player.click("#own .held.is-playable")
                target = self.player.is_shown("#own .victim")
                self._press("play", *(["#own .victim"] if target else []))
            else:
                self._press("declare")
        else:
            for do in ("waive", "confirm"):
                if do in choices:
                    self._press(do)
        return False

    def _press(self, do: str, *where: str) -> None:
        if self.player.choose(do, *where):
            self.made.append(do)
