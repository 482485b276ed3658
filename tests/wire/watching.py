"""A game over the wire with somebody watching and everybody nosy: all that was sent to each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from secrets import token_bytes, token_hex
from typing import Any

from games.core import proof
from tests.support import autopilot
from tests.support.deployments import Deployment
from tests.support.players import HttpPlayer, Received, player_factory, take_seats, wait_for
from tests.support.site_database import DRAWN_FROM, LogEntry
from tests.wire import addresses
from tests.wire.games import WireGame

NAMES = ("Ana", "Bruno", "Clara", "Dora", "Emil")
MOST = 150  # moves of people, in a game that is not played to its end

KINDS = (
    "SELECT DISTINCT e.kind FROM games_event e JOIN games_game g ON g.id = e.game_id "
    "WHERE g.code = ?"
)


@dataclass
class WatchedGame:
    """A game and everything that was sent to everybody who was there."""

    of: WireGame
    code: str
    ana: str  # the name of the player at seat 0
    log: list[LogEntry]
    received: dict[int | None, list[Received]]  # by seat; None is who only watched
    drawn_from: tuple[bytes, ...]  # the secret of its draws, their key, and the players' salts

    @property
    def secrets(self) -> Any:
        return self.of.leaks.secrets_of(self.log)

    @property
    def is_over(self) -> bool:
        return not self.of.until

    def everything(self) -> list[Received]:
        return [one for heard in self.received.values() for one in heard]

    def screens(self, *phases: str) -> list[Received]:
        """Every page and frame in one of these phases, to any viewer."""
        return [one for one in self.everything() if one.view and one.view.phase in phases]


def asks_everything(game: WireGame, code: str, name: str) -> Callable[[HttpPlayer], None]:
    """Asks for one thing after the other of all that one can ask for, in somebody's name."""
    move = f"/games/{code}/move"
    corners: list[Callable[[HttpPlayer], Any]] = [
        lambda person: person.get("/"),
        lambda person: person.get("/account/data"),
        lambda person: person.get("/account/"),
        lambda person: person.get(f"/games/{code}x"),
        lambda person: person.get("/admin/"),
        lambda person: person.get("/admin/games/factrow/"),
        lambda person: person.request("POST", move, data={"do": game.calls[-1]}),
        *(partial(HttpPlayer.post, path=move, **odd) for odd in game.odd_moves),  # type: ignore[arg-type]
        lambda person: person.post(f"/games/{code}/sit", htmx=False),
        lambda person: person.open_page(code, query="&lang=fr"),
        *(partial(addresses.ask, path=path) for path in addresses.about(code, name).values()),
    ]
    turns: dict[HttpPlayer, Iterator[Callable[[HttpPlayer], Any]]] = {}

    def ask(person: HttpPlayer) -> None:
        next(turns.setdefault(person, cycle(corners)))(person)

    return ask


def play_and_watch(
    game: WireGame, deployment: Deployment, *, seed: int, **settings: str
) -> WatchedGame:
    """A game of some people and a bot; the rest is asked for while it runs."""
    with player_factory() as new_player:
        # A game may be watched again in the same deployment, when workers share out the tests.
        *players, spectator = (
            new_player(deployment.site, f"{name}{token_hex(3)}")
            for name in NAMES[: game.people + 1]
        )
        ana = players[0]
        table = {**game.player.TABLE, "visibility": "public", **game.table, **settings}
        code = take_seats(players, size=game.people + 1, **table)
        assert ana.action(code, "add-bot", kind=game.player.BOT) == ""
        for person in (*players, spectator):
            person.in_turn = game.calls  # some are answered in each way
            person.open_page(code)
            person.listen("/ws/lobby")
            person.get("/")
        salts = [token_bytes(proof.LENGTH) for _ in players]
        for person, salt in zip(players, salts, strict=True):
            assert person.action(code, "part", part=proof.part(code, salt).hex()) == ""
        assert ana.action(code, "start") == ""
        for person, salt in zip(players, salts, strict=True):
            person.action(code, "salt", salt=salt.hex())  # a slow machine may be late with it
        wait_for(lambda: spectator.view(code).phase, "the first turn")
        ask, asked = asks_everything(game, code, ana.name), 0

        def everybody_asks(person: HttpPlayer) -> None:
            nonlocal asked
            asked += 1
            if asked == game.everything_after:
                assert spectator.view(code).phase != "over"
                for each in (ana, spectator):
                    addresses.ask_everything(each, code, ana.name)
            ask(person)
            ask(spectator)

        def enough() -> bool:
            if not game.until:
                return spectator.view(code).phase == "over"
            kinds = {kind for (kind,) in deployment.database.rows(KINDS, code)}
            return asked >= MOST or (asked > game.everything_after and kinds >= game.until)

        autopilot.play(
            code,
            players,
            until=enough,
            choose=game.player.random_action,
            rng=autopilot.seeded(seed),
            after_each=everybody_asks,
        )
        # A bot may play on: what is sent after this does not belong to the game.
        seats: dict[int | None, HttpPlayer] = {None: spectator, **dict(enumerate(players))}
        heard = {seat: list(person.received) for seat, person in seats.items()}
        log = deployment.database.log(code)
        [drawn_from] = deployment.database.rows(DRAWN_FROM, code)
    deployment.database.check(code)
    return WatchedGame(game, code, ana.name, log, heard, (*drawn_from, *salts))
