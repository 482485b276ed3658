"""The games that are held against the contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.games.contract.random_games import Arena
from tests.games.peco_peco.random_games import ARENA as PECO_PECO
from tests.games.perudo.rules.random_games import ARENA as PERUDO

ARENAS: Final[Mapping[str, Arena]] = {arena.rules.KEY: arena for arena in (PERUDO, PECO_PECO)}
