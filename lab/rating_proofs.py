"""What the proofs of `check_ratings` have in common: players, games, and how they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from games.contract.rating_scale import RatingScale
from games.play.ratings.maths import Strength
from lab.rating_accounts import Played, rate
from lab.rating_games import Result, mixed, results
from lab.rating_likelihood import Strengths

# Of different strength by the games that the scale was made of, from the weakest.
TEN: Final = {
    "perudo": (
        "beginner~0.3", "beginner~0.1", "steady~0.1", "crela", "expert~0.1",
        "zigo", "steady", "sulmo", "expert", "strongest",
    ),
    "peco_peco": (
        "easy~1", "easy~0.7", "easy~0.4", "medium~0.5", "easy", "hard~0.4",
        "medium", "hard~0.1", "hard~0.05", "hard",
    ),
}  # fmt: skip
HERO: Final = 1000  # the number of an account beside those of the ten


class Pools(NamedTuple):
    """What is played: the games of the check, those of the tuning, and what one may play more."""

    game: str
    players: Sequence[str]
    check: Sequence[Result]
    tuned: Sequence[Result]
    reference: Strengths
    workers: int | None
    kept: Path | None

    def play(
        self, seed: str, games: int, *, seats: Sequence[int], with_one: str = ""
    ) -> list[Result]:
        tables = mixed(self.game, self.players, games, seed, seats=seats, with_one=with_one)
        return results(self.game, seed, tables, workers=self.workers, kept=self.kept)

    def newcomer(
        self,
        scale: RatingScale,
        known: Mapping[int, Strength],
        played: Sequence[Result],
        hero: str,
    ) -> Strength:
        """What is known of a new account of this player after games with those who are known."""
        at = {name: number for number, name in enumerate(self.players)} | {hero: HERO}
        games = [Played(tuple(at[name] for name in game.players), *game) for game in played]
        after = dict(known)
        rate(scale, games, after)
        return after[HERO]


def heading(title: str, *columns: str) -> None:
    """Begin a table in Markdown."""
    print(f"## {title}\n")
    row(*columns)
    row(*["---"] * len(columns))


def row(*cells: object) -> None:
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def text(strength: Strength) -> str:
    return f"{strength.mu:.0f} ± {strength.sigma:.0f}"


def say(proof: str, holds: bool) -> bool:
    print(f"\n{'Holds' if holds else 'FAILS'}: {proof}\n", flush=True)
    return holds
