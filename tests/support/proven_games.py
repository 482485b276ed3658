"""Random games with a proof of their draws, servers that cheat, and `verify.py` to check them."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from games.core import proof
from games.core.codec import pack
from games.core.contract import Draw
from games.core.game_record import to_json
from tests.games.contract.random_games import Arena, record_of, seeded, steps

CODE: Final = "k3v9xw2m7t"
FILE: Final = Path(__file__).resolve().parents[2] / "games" / "static" / "games" / "verify.py"

# Returns the server's own choice, given the true draw and a function that draws elsewhere.
Change = Callable[[Any, Callable[[Draw], Any]], Any]


def _loaded() -> Any:
    spec = importlib.util.spec_from_file_location("verify", FILE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verify: Final = _loaded()


def problems(record: Any) -> list[str]:
    """The problems that verify.py reports in a record, of which there has to be one."""
    code, lines = verify.verdict(record)
    assert code == 1 and lines[0].startswith("WRONG."), lines
    return list(lines[1:])


def place(record: Any, number: int, seat: int | None = None) -> str:
    """A round, 0 for what comes before the first, and a seat, as problems name them."""
    time = f"Round {number}" if number else "Before round 1"
    return time if seat is None else f"{time}, seat {seat} ({record['players'][seat]})"


class Server:
    """A source of true draws, except at the address `at`: there `change` is asked."""

    def __init__(
        self,
        chance: proof.ProvenChance,
        won_before: Sequence[int],
        at: Draw | None,
        change: Change | None,
    ) -> None:
        self.chance, self.won_before, self.at, self.change = chance, won_before, at, change
        self.drawn: list[tuple[Draw, Any]] = []

    def _draw(self, at: Draw | None, draw: Callable[[Draw], Any]) -> Any:
        assert at is not None
        drawn = draw(at)
        if self.change and at == self.at:
            drawn = self.change(drawn, draw)
        self.drawn.append((at, drawn))
        return drawn

    def dice(self, count: int, at: Draw | None = None) -> tuple[int, ...]:
        return self._draw(at, lambda at: self.chance.dice(count, at))

    def below(self, bound: int, at: Draw | None = None) -> int:
        """In a rematch the rules are told who opens, instead of asking for it."""
        if self.won_before:
            return self._draw(Draw(0, "rematch"), lambda at: self.chance.pick(self.won_before, at))
        return self._draw(at, lambda at: self.chance.below(bound, at))

    def shuffled(self, items: Sequence[Any], at: Draw | None = None) -> tuple[Any, ...]:
        return self._draw(at, lambda at: self.chance.shuffled(items, at))

    def pick(self, items: Sequence[Any], at: Draw | None = None) -> Any:
        return self._draw(at, lambda at: self.chance.pick(items, at))


def proven_game(
    arena: Arena, seed: int, *, at: Draw | None = None, change: Change | None = None
) -> tuple[dict[str, Any], Server]:
    """The record of a random game and its server. Of its seats some add a salt, some do not, and
    some announce one that does not come; some games are rematches.
    """
    rules, generator = arena.rules, seeded(seed)
    options, seats = arena.options(generator), generator.choice(rules.SEATS)
    secret = generator.randbytes(proof.LENGTH)
    parts: list[bytes | None] = []
    salts: list[bytes | None] = []
    for _ in range(seats):
        salt = generator.randbytes(proof.LENGTH)
        how = generator.choice(["in time", "in time", "late", "none"])
        parts.append(None if how == "none" else proof.part(CODE, salt))
        salts.append(salt if how == "in time" else None)
    won: list[int] = generator.choice([[], [1], [2, 0]]) if seats > 2 else []
    committed = proof.commitment(CODE, secret)
    fingerprint = proof.fingerprint(rules.KEY, pack(options))
    root = proof.root(CODE, fingerprint, committed, parts, won_before=won)
    told = won if rules.KEY == "peco_peco" else []  # the only game that gives it to a winner
    server = Server(proof.ProvenChance(secret, proof.key(root, salts)), told, at, change)
    game = steps(arena, generator, leaving=0.01, seats=seats, options=options, chance=server)
    record = json.loads(to_json(record_of(arena, game)))
    record["proof"] = {
        "version": proof.VERSION,
        "code": CODE,
        "commitment": committed.hex(),
        "secret": secret.hex(),
        "won_before": won,
        "parts": [part and part.hex() for part in parts],
        "salts": [salt and salt.hex() for salt in salts],
        "root": root.hex(),
        "late": [seat for seat, part in enumerate(parts) if not part and generator.random() < 0.3],
    }
    return record, server
