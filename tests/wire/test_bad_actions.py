"""Whatever people do at a table beside moves: refused in words, and nothing is changed.

The same for each game: before the game, at a closed table, and while one is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from games import words
from tests.support.deployments import Deployment
from tests.support.players import HttpPlayer, player_factory, start_table, take_seats
from tests.wire.games import GAMES, WireGame

pytestmark = pytest.mark.real_server
NewPlayer = Callable[..., HttpPlayer]


@dataclass
class Table:
    """A table and who is who there: `host`, `guest`, `outsider`."""

    code: str
    cast: dict[str, HttpPlayer]


def room(game: WireGame, people: list[HttpPlayer], outsider: HttpPlayer) -> Table:
    """A full table before the game."""
    code = take_seats(people, **game.still_table)
    return Table(code, {"host": people[0], "guest": people[1], "outsider": outsider})


def alone(game: WireGame, people: list[HttpPlayer], outsider: HttpPlayer) -> Table:
    """A host at an empty table."""
    code = people[0].open_table(size=len(people), **game.still_table)
    return Table(code, {"host": people[0], "outsider": outsider})


def closed(game: WireGame, people: list[HttpPlayer], outsider: HttpPlayer) -> Table:
    """The host has closed the table."""
    table = alone(game, people, outsider)
    assert people[0].action(table.code, "close") == ""
    return table


def running(game: WireGame, people: list[HttpPlayer], outsider: HttpPlayer) -> Table:
    """A game that nobody has moved in."""
    code = start_table(people, **game.still_table)
    outsider.open_page(code, listen=False)
    return Table(code, {"host": people[0], "guest": people[1], "outsider": outsider})


SCENES = {each.__name__: each for each in (room, alone, closed, running)}
# Where, who, what they do, and the reason they are given; "BOT" is a bot of the game.
CASES: list[tuple[str, str, str, str, dict[str, Any]]] = [
    ("room", "host", "move", "not_playing", {"do": "leave"}),
    ("room", "host", "back", "not_playing", {}),
    ("room", "guest", "start", "not_host", {}),
    ("room", "guest", "close", "not_host", {}),
    ("room", "guest", "remove", "not_host", {"seat": "0"}),
    ("room", "guest", "add-bot", "not_host", {"kind": "BOT"}),
    ("room", "outsider", "start", "not_host", {}),
    ("room", "host", "sit", "already_seated", {}),
    ("room", "outsider", "sit", "table_full", {}),
    ("room", "outsider", "stand", "not_seated", {}),
    ("room", "host", "add-bot", "table_full", {"kind": "BOT"}),
    ("room", "host", "add-bot", "unknown_bot", {"kind": "genius"}),
    ("room", "host", "add-bot", "unknown_bot", {}),
    ("room", "host", "remove", "someone_faster", {"seat": "0"}),
    ("room", "host", "remove", "someone_faster", {"seat": "77"}),
    ("room", "host", "remove", "malformed", {"seat": "one"}),
    ("room", "host", "remove", "malformed", {"seat": "9" * 10_000}),
    ("room", "host", "remove", "malformed", {}),
    ("room", "host", "part", "malformed", {"part": "00"}),
    ("room", "outsider", "part", "not_seated", {"part": "0" * 64}),
    ("room", "host", "salt", "malformed", {}),
    ("room", "host", "salt", "wrong_salt", {"salt": "0" * 64}),
    ("room", "host", "rematch", "not_over", {}),
    ("alone", "host", "start", "too_few", {}),
    ("closed", "outsider", "sit", "not_open", {}),
    ("closed", "host", "start", "not_open", {}),
    ("closed", "host", "move", "not_playing", {"do": "leave"}),
    ("running", "outsider", "back", "not_seated", {}),
    ("running", "outsider", "sit", "not_open", {}),
    ("running", "host", "sit", "not_open", {}),
    ("running", "host", "stand", "not_open", {}),
    ("running", "host", "start", "not_open", {}),
    ("running", "host", "part", "not_open", {"part": "0" * 64}),
    ("running", "host", "salt", "not_open", {"salt": "0" * 64}),
    ("running", "host", "close", "not_open", {}),
    ("running", "host", "add-bot", "not_open", {"kind": "BOT"}),
    ("running", "host", "remove", "not_open", {"seat": "1"}),
    ("running", "host", "rematch", "not_over", {}),
]
CODES = {code for _, _, _, code, _ in CASES}


@pytest.fixture(scope="module", params=GAMES)
def tables(
    request: pytest.FixtureRequest, still_deployment: Deployment
) -> Iterator[tuple[WireGame, dict[str, Table]]]:
    """A table of each kind, made once: no case changes anything."""
    game = GAMES[request.param]
    with player_factory() as new_player:
        site = still_deployment.site
        made = {
            name: scene(
                game, [new_player(site) for _seat in range(game.player.SEATS)], new_player(site)
            )
            for name, scene in SCENES.items()
        }
        yield game, made


def test_what_may_not_be_done_at_a_table_is_refused_in_words_and_changes_nothing(
    tables: tuple[WireGame, dict[str, Table]],
    still_deployment: Deployment,
    subtests: pytest.Subtests,
) -> None:
    game, made = tables
    database = still_deployment.database
    for scene, who, action, code, fields in CASES:
        with subtests.test(scene=scene, who=who, action=action, code=code, fields=str(fields)[:40]):
            table = made[scene]
            if fields.get("kind") == "BOT":
                fields = {"kind": game.player.BOT}
            before = database.dump()
            told = table.cast[who].action(table.code, action, **fields)
            details = {"least": game.player.SEATS} if code == "too_few" else {}
            assert told == words.reason(code, details, kind_key=game.key)
            assert database.dump() == before
