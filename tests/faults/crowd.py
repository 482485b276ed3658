"""A crowd that plays: hundreds of people in one event loop."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from secrets import token_bytes

import aiohttp

from games.core import proof
from tests.faults.player import CutOff, Journal, Player
from tests.support import page_players


class Crowd:
    """Tables of two people, and a bot at some; when a game is over, its table opens another."""

    def __init__(
        self,
        addresses: Sequence[str],
        *,
        seed: int,
        thinks: Callable[[random.Random], float],
        pace: int = 30,
        games: Sequence[str],
    ) -> None:
        """`thinks`: seconds before a move; `pace`: seconds a turn may take; `games`: the keys of
        what is played, in turn from table to table."""
        self.page_players = [page_players.of(key) for key in games]
        self.addresses, self.thinks, self.pace = list(addresses), thinks, pace
        self.rng = random.Random(seed)  # noqa: S311
        self.journal = Journal()
        self.connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=5)
        self.pausing = asyncio.Event()
        self.codes: list[str] = []
        self.seated: dict[int, list[Player]] = {}
        self.playing: list[asyncio.Task[None]] = []

    async def fill(self, tables: int, *, at_once: int = 4) -> None:
        """Everybody is seated; each table plays from its first moment on."""
        door = asyncio.Semaphore(at_once)

        async def one(table: int) -> None:
            async with door:
                await self._seat(table)
            self.playing.append(asyncio.create_task(self._play_games(table)))

        await asyncio.gather(*map(one, range(tables)))

    def play(self) -> None:
        """After a pause."""
        self.pausing.clear()
        self.playing = [asyncio.create_task(self._play_games(table)) for table in self.seated]

    async def pause(self) -> None:
        """Nobody moves any more; everybody still listens."""
        self.pausing.set()
        await asyncio.gather(*self.playing)

    @property
    def players(self) -> list[Player]:
        return [player for table in self.seated.values() for player in table]

    async def _play_games(self, table: int) -> None:
        while not self.pausing.is_set():
            await asyncio.gather(*(player.play() for player in self.seated[table]))
            if not self.pausing.is_set():
                await self._clear(table)
                await self._seat(table)

    async def _seat(self, table: int) -> None:
        """A new table with new people; another one if the site was down while opening it."""
        page_player = self.page_players[table % len(self.page_players)]
        bots = page_player.SEATS - 2 + (table // len(self.page_players)) % 2
        while True:
            players = [
                Player(self, random.Random(self.rng.random()), page_player)  # noqa: S311
                for _ in range(2)
            ]
            try:
                for player in players:
                    await player.sign_up()
                code = await players[0].host(bots, **({"calza": "on"} if table % 3 == 0 else {}))
                refused = await players[1].act(code, "sit")
                salts = {player: token_bytes(proof.LENGTH) for player in players[table % 3 :]}
                for player, salt in salts.items():
                    part = proof.part(code, salt).hex()
                    refused = refused or await player.act(code, "part", part=part)
                refused = refused or await players[0].act(code, "start")
                assert not refused, refused
                for player, salt in salts.items():  # refused where the site was down for too long
                    await player.act(code, "salt", salt=salt.hex())
                for player in players:
                    await player.sit(code)
            except (CutOff, AssertionError):
                for player in players:
                    await player.close_sockets()
                await asyncio.sleep(0.5)
                continue
            self.seated[table] = players
            self.codes.append(code)
            return

    async def _clear(self, table: int) -> None:
        for player in self.seated.pop(table):
            await player.close_sockets()

    async def close_sockets(self) -> None:
        self.pausing.set()
        for task in self.playing:
            task.cancel()
        await asyncio.gather(*self.playing, return_exceptions=True)
        for player in self.players:
            await player.close_sockets()
        await self.connector.close()
