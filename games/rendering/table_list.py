"""The lobby's lists: open tables, running ones, the latest results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from accounts.models import User
from accounts.requests import AnyUser
from games import catalogue, words
from games.core.contract import Waiting
from games.game_values import TableRules
from games.models import Game
from games.play.deadlines import turn_seconds
from games.play.quick_tables import TURN_SECONDS as QUICK_TURN_SECONDS
from games.play.tempo import NORMAL
from games.rendering import good_moments
from games.rendering.common import rules_in_words
from games.store import event_log, public_tables, quick_tables

_SHOWN_OPEN, _SHOWN_PLAYING, _SHOWN_FINISHED = 30, 30, 5
# Of the running games so many are seen at once, the others when asked for.
_AT_FIRST: Final = 6
_FACES: Final = 3

Status = Game.Status


def tables(kind_key: str = "") -> dict[str, Any]:
    """What everybody sees of the public tables: open ones, and games of two people or more.

    `kind_key`: those of one game; "" for all. Where nobody waits there are moments to watch.
    """
    opened = [row(game) for game in public_tables.open_tables(kind_key)[:_SHOWN_OPEN]]
    running = event_log.with_round(public_tables.running_tables(kind_key))
    playing = [row(game) for game in running[:_SHOWN_PLAYING]]
    in_line = quick_tables.people_in_line()
    finished = list(public_tables.finished_tables(kind_key)[:_SHOWN_FINISHED])
    return {
        "open_tables": opened,
        "people_waiting": sum(each["people"] for each in opened),
        # Who takes any game counts in each, so the most there can be for one game.
        "in_line": in_line.get(kind_key, max(in_line.values())),
        "playing": playing[:_AT_FIRST],
        "more_playing": playing[_AT_FIRST:],
        "people_playing": sum(each["people"] for each in playing),
        "moments": [] if opened or any(in_line.values()) else good_moments.shown(finished),
        "finished": [result(game) for game in finished],
    }


def my_games(user: AnyUser) -> dict[str, list[dict[str, Any]]]:
    """The person's own tables: `running`, those that wait for a move first, and `waiting` ones.

    A running one has its `code`, the names of the `others`, and whether it is `my_turn`; a waiting
    one is a `row`.
    """
    if not user.is_authenticated:
        return {"running": [], "waiting": []}
    live = Game.objects.filter(seat__user=user, seat__live=True, seat__gone=False)
    mine = public_tables.with_seats(live).select_related("host").order_by("-created_at")
    return of(user, list(mine))


def of(user: User, mine: Sequence[Any]) -> dict[str, list[dict[str, Any]]]:
    """What `my_games` says of these tables, the newest first, at which the person sits."""
    running = [
        {
            "code": game.code,
            "my_turn": _waits_for(game, user),
            "others": _others(game, user),
        }
        for game in mine
        if game.status == Status.PLAYING
    ]
    return {
        "running": sorted(running, key=lambda each: not each["my_turn"]),
        "waiting": [
            row(game)
            for game in mine
            # Of a quick table the strip about their search tells.
            if game.status == Status.OPEN and game.origin != Game.Origin.QUICK
        ],
    }


def _waits_for(game: Any, user: User) -> bool:
    """Whether a running game goes no further before this person has moved."""
    rules, state = catalogue.of(game.kind_key).rules, event_log.public_state(game)
    number = next(seat.number for seat in game.taken if seat.user_id == user.pk)
    match rules.waiting(state):
        case Waiting(kind="turn", on_turn=on_turn):
            return on_turn == number
        case Waiting(kind="reveal", to_acknowledge=seats):
            return number in seats
    return False


def _others(game: Any, user: User) -> str:
    """The names of the others at the table."""
    return ", ".join(seat.name for seat in game.taken if seat.user_id != user.pk)


def row(game: Any) -> dict[str, Any]:
    """One table in a list. Bots are no people: they have no face, and their seats are not free."""
    people = [{"name": seat.name, "avatar": seat.avatar} for seat in game.taken if not seat.bot]
    bots = len(game.taken) - len(people)
    rules = rules_in_words(game)
    return {
        "game": game,
        "code": game.code,
        "host": game.host.shown_name,
        "seated": people,
        "faces": people[:_FACES],
        "names": ", ".join(each["name"] for each in people),
        "people": len(people),
        "room": game.size - bots,
        "is_full": len(game.taken) >= game.size,
        "bots": bots,
        "game_mark": words.game_mark(game.kind_key),
        "rules": rules,
        "pace": words.pace(game.turn_seconds),
        "unusual": _unusual(game, rules),
        "round": event_log.round_of(game),
    }


def result(game: Any) -> dict[str, Any]:
    """A finished game in a list."""
    winners = [seat for seat in game.taken if seat.place == 1]
    return {
        "code": game.code,
        "host": game.host.shown_name,
        "game_mark": words.game_mark(game.kind_key),
        "winner": winners[0] if winners else None,
    }


def _unusual(game: Game, rules: TableRules) -> list[str]:
    """How a table differs from one that nobody has set up in another way, in a few words."""
    usual = _usual(game.kind_key)
    marks = [badge for badge in rules.badges if badge not in usual.badges]
    if rules.preset != usual.preset and not marks:
        marks = [rules.name]
    if game.tempo not in ("", NORMAL):
        marks.append(words.tempo(game.tempo))
    elif game.turn_seconds not in {turn_seconds(game.kind_key, game.size), QUICK_TURN_SECONDS}:
        marks.append(words.pace(game.turn_seconds))
    return marks


def _usual(kind_key: str) -> TableRules:
    """The rules of a table for which nobody has chosen any, in words."""
    return rules_in_words(Game(kind_key=kind_key, **catalogue.of(kind_key).forms.QUICK_PLAY))
