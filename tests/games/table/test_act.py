"""One function does what people ask for at a table; forms, JSON and sockets can answer for it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.models import Game, TableSettings
from games.play import before_start
from games.table.act import Actor, act
from games.table.at_a_table import BY_NAME
from games.table.results import Done, NoSuchTable, NotDone, Result, SignInFirst
from tests.support.cases import untouched
from tests.support.fast_games import START, finished_game, open_table
from tests.support.game_driver import all_rows, bid, deal_game

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


def actor(user: Any, *refused: str) -> Actor:
    """Who asks; more than allowed of the actions that are `refused`."""
    return Actor(user, holder=str, home=str, allows=lambda action: action not in refused)


def ask(who: Any, game: Game, action: str, *refused: str, **fields: str) -> Result:
    asking = who if isinstance(who, Actor) else actor(who, *refused)
    return act(asking, game.code, BY_NAME[action], fields, now=START)


def as_json(result: Result) -> dict[str, Any]:
    """What an API might answer."""
    answer = {"result": type(result).__name__} | asdict(result)
    assert json.loads(json.dumps(answer)) == answer, "only plain values"
    return answer


def test_a_move_that_is_done_has_the_number_of_the_game(alice: User, bob: User) -> None:
    table = deal_game(alice, bob, hands=HANDS)
    seen = str(table.game.seq)
    result = ask(alice, table.game, "move", do="bid", quantity="2", face="3", seen=seen)
    assert table.state.bids == ((0, bid("2x3")),)
    assert as_json(result) == {
        "result": "Done",
        "seq": table.game.seq,
        "goes_to": None,
        "leaves": False,
        "but": None,
    }


def test_a_refusal_has_a_code_and_its_details(alice: User, bob: User) -> None:
    game = deal_game(alice, bob, hands=HANDS).game
    before = all_rows()
    result = ask(alice, game, "move", do="bid", quantity="99", face="3", seen=str(game.seq))
    assert as_json(result) == {
        "result": "NotDone",
        "reason": "bad_count",
        "details": {"bid": "99x3", "last": "", "legal": "1x2+ 1x3+ 1x4+ 1x5+ 1x6+"},
        "kind_key": "perudo",
    }
    assert all_rows() == before


def test_a_field_that_is_no_number_is_refused(
    alice: User, bob: User, subtests: pytest.Subtests
) -> None:
    for seen in ["", "-1", "x", "1234567890"]:
        with subtests.test(seen=seen), untouched():
            game = deal_game(alice, bob, hands=HANDS).game
            assert ask(alice, game, "move", do="dudo", seen=seen) == NotDone(
                "malformed", {}, game.kind_key
            )


def test_who_is_no_player_may_not_act_in_a_game(alice: User, bob: User, charlie: User) -> None:
    game = deal_game(alice, bob, hands=HANDS).game
    for action in ("move", "back", "skip", "new_game"):
        assert ask(charlie, game, action) == NotDone("not_seated", {}, game.kind_key)
    assert ask(alice, open_table(alice, bob), "move") == NotDone("not_playing", {}, game.kind_key)


def test_a_visitor_is_to_sign_in_and_a_table_must_exist(
    alice: User, bob: User, subtests: pytest.Subtests
) -> None:
    for action in BY_NAME:
        with subtests.test(action=action), untouched():
            game = deal_game(alice, bob, hands=HANDS).game
            before = all_rows()
            assert ask(AnonymousUser(), game, action) == SignInFirst()
            assert ask(alice, Game(code="nowhere"), action) == NoSuchTable()
            assert ask(AnonymousUser(), Game(code="nowhere"), action) == NoSuchTable()
            assert all_rows() == before


def test_leaving_leads_away_and_sitting_down_to_the_table(
    alice: User, bob: User, charlie: User
) -> None:
    running = deal_game(alice, bob, hands=HANDS)
    left = ask(bob, running.game, "move", do="leave")
    assert left == Done(running.game.seq, leaves=True)
    table = before_start.open_game(
        charlie, TableSettings.of(open_table(alice, "steady")), now=START
    )
    assert ask(bob, table, "sit") == Done(1, goes_to=table.code)
    assert ask(bob, table, "stand") == Done(2, leaves=True)


@pytest.mark.parametrize(
    ("action", "counted", "reason"),
    [
        ("say", "say", "too_talkative"),
        ("skip", "skip", "too_many_skips"),
        ("new_game", "open_table", "too_many_games"),
    ],
)
def test_what_is_counted_is_refused_beyond_its_limit(
    alice: User, bob: User, action: str, counted: str, reason: str
) -> None:
    game = deal_game(alice, bob, hands=HANDS).game
    before = all_rows()
    assert ask(alice, game, action, counted, text="hello") == NotDone(reason, {}, game.kind_key)
    assert all_rows() == before


def test_a_rematch_that_has_begun_without_somebody_leads_there_and_says_why(
    alice: User, bob: User, charlie: User
) -> None:
    game = finished_game(alice, bob, charlie)
    first = ask(alice, game, "rematch")
    assert isinstance(first, Done) and first.but is None
    again = Game.objects.get(code=first.goes_to)
    ask(bob, game, "rematch")
    ask(alice, again, "start")
    ask(alice, again, "add_bot", kind="steady")
    ask(alice, again, "start")
    late = ask(charlie, game, "rematch")
    assert isinstance(late, Done) and late.goes_to == again.code
    assert late.but is not None and as_json(late)["but"]["reason"] == late.but.reason


def test_refusals_are_logged_with_the_name_of_the_action(
    alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    game = deal_game(alice, bob, hands=HANDS).game
    with caplog.at_level("INFO", logger="games.play.move_log"):
        ask(alice, game, "add_bot", kind="steady")
    [line] = [record.__dict__ for record in caplog.records if record.message == "refused"]
    assert (line["action"], line["game"]) == ("add_bot", game.code)


# --- a socket ------------------------------------------------------------------------------------


class MovesBySocket(AsyncJsonWebsocketConsumer):
    """What a socket that takes moves might do; it never blocks the event loop."""

    user: Any = None
    code = ""

    async def receive_json(self, content: dict[str, Any], **kwargs: Any) -> None:
        action = BY_NAME[content.pop("action")]
        result = await database_sync_to_async(act)(
            actor(self.user), self.code, action, content, now=START
        )
        await self.send_json(as_json(result))


@pytest.mark.django_db(transaction=True)
def test_a_socket_may_act_and_answer_in_its_own_way(alice: User, bob: User) -> None:
    table = deal_game(alice, bob, hands=HANDS)
    seen = str(table.game.seq)

    class AlicesSocket(MovesBySocket):
        user, code = alice, table.code

    async def scene() -> list[str]:
        socket = WebsocketCommunicator(AlicesSocket.as_asgi(), "/")
        await socket.connect()
        answers = []
        for face in ("3", "4"):
            fields = {"action": "move", "do": "bid", "quantity": "2", "face": face, "seen": seen}
            await socket.send_json_to(fields)
            answers.append(await socket.receive_json_from(timeout=10))
        await socket.disconnect()
        return [each.get("reason") or each["result"] for each in answers]

    assert async_to_sync(scene)() == ["Done", "stale"]
    assert table.state.bids == ((0, bid("2x3")),)
