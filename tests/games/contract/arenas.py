"""The games that are held against the contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.peco_peco.tests.random_games import ARENA as PECO_PECO
from games.perudo.tests.random_games import ARENA as PERUDO
from tests.games.contract.random_games import Arena

ARENAS: Final[Mapping[str, Arena]] = {arena.rules.KEY: arena for arena in (PERUDO, PECO_PECO)}
