"""The actions of people at a table: in the game, before it starts and after it ends."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from games.contract import catalogue
from games.core.moves import Leave
from games.errors import Refused
from games.models import Game
from games.play import (
    before_start,
    commands,
    first_deal,
    next_seats,
    next_tables,
    pausing,
    rematches,
)
from games.social.chat import talk
from games.store import queries, row_cache
from games.table.act import Action, ActionRequest, seq_of
from games.table.results import Done, NotDone


def _move(request: ActionRequest) -> Done:
    """A move of the game, or leaving it."""
    game, rules = request.game, catalogue.of(request.game.kind_key).rules
    made = rules.parse(request.fields)
    is_leaving = made == Leave()
    seen = None if is_leaving else request.whole("seen")
    try:
        seq = commands.move(game.code, request.number, made, seen=seen, now=request.now)
    except Refused as refused:
        if refused.code == "paused":  # a page without a socket sends no other look
            pausing.look(game, now=request.now)
        raise
    return Done(seq, leaves=is_leaving)


def _back(request: ActionRequest) -> None:
    """Give an absent player's seat back to them; the bot stops playing for them."""
    commands.come_back(request.game.code, request.number, now=request.now)


def _skip(request: ActionRequest) -> None:
    """Agree, as a player who is out, that bots play the game to its end without pauses."""
    request.limit("skip", reason="too_many_skips")
    commands.skip_to_the_end(request.game.code, request.number, now=request.now)


def _new_game(request: ActionRequest) -> Done:
    """Start a new game against the same bots, and let the bots finish the old one."""
    game, now = request.game, request.now
    request.limit("open_table", reason="too_many_games")
    again = rematches.play_again(game.code, request.user, holder=request.actor.holder(), now=now)
    with suppress(Refused):
        commands.skip_to_the_end(game.code, request.number, now=now)
    return Done(seq_of(game), goes_to=again.code)


def _sit(request: ActionRequest) -> Done:
    """Join an open table; `knowingly` confirms sitting with somebody one has blocked."""
    knowingly = "knowingly" in request.fields
    before_start.sit(
        request.game.code,
        request.user,
        home=request.actor.home(),
        now=request.now,
        knowingly=knowingly,
    )
    return Done(seq_of(request.game), goes_to=request.game.code)


def _stand(request: ActionRequest) -> Done:
    """Leave an open table."""
    before_start.stand(request.game.code, request.user, now=request.now)
    return Done(seq_of(request.game), leaves=True)


def _start(request: ActionRequest) -> None:
    """Start the game."""
    holder = request.actor.holder()
    before_start.start(request.game.code, request.user, holder=holder, now=request.now)


def _part(request: ActionRequest) -> None:
    """Add the hash of a salt to the draws."""
    request.limit("draws", reason="too_many_parts")
    part = request.hash("part")
    first_deal.add_part(request.game.code, request.user, part=part, now=request.now)


def _salt(request: ActionRequest) -> None:
    """Add the salt."""
    request.limit("draws", reason="too_many_parts")
    salt = request.hash("salt")
    first_deal.add_salt(request.game.code, request.user, salt=salt, now=request.now)


def _close(request: ActionRequest) -> Done:
    """Close an open table, as its host."""
    before_start.close(request.game.code, request.user, now=request.now)
    return Done(seq_of(request.game), leaves=True)


def _add_bot(request: ActionRequest) -> None:
    """Seat a bot, as the host."""
    kind = request.fields.get("kind", "")
    before_start.add_bot(request.game.code, request.user, kind=kind, now=request.now)


def _remove(request: ActionRequest) -> None:
    """Free the seat of another player or a bot, as the host."""
    number = request.whole("seat")
    before_start.remove(request.game.code, request.user, number=number, now=request.now)


def _rematch(request: ActionRequest) -> Done:
    """Open or join the next table of the same players.

    If the player can't join it, go to its page all the same, with the reason.
    """
    game, but = request.game, None
    request.limit("next_table", reason="too_many_rematches")
    opened = next_tables.next_table(game)
    if opened is None:
        request.limit("open_table", reason="too_many_games")
    actor = request.actor
    try:
        again = rematches.rematch(
            game.code, request.user, holder=actor.holder(), home=actor.home(), now=request.now
        )
    except Refused as refused:
        if opened is None or refused.code == "not_seated":
            raise
        # They can watch that table, so go there with the refusal.
        again, but = opened, NotDone(refused.code, refused.details)
    return Done(seq_of(game), goes_to=again.code, but=but)


def _next(request: ActionRequest) -> Done:
    """Ask for a seat at the next table, or go there if the game is over."""
    game = request.game
    if game.status == Game.Status.FINISHED and queries.seat_of(game, request.user) is not None:
        return _rematch(request)
    request.limit("next_table", reason="too_many_rematches")
    if game.status == Game.Status.FINISHED:
        opened = next_tables.next_table(game)
        if opened is not None:
            return Done(seq_of(game), goes_to=opened.code)
    actor = request.actor
    next_seats.ask(
        game.code, request.user, holder=actor.holder(), home=actor.home(), now=request.now
    )
    return Done(seq_of(game), goes_to=game.code)


def _not_next(request: ActionRequest) -> Done:
    """Give up the requested seat at the next table."""
    next_seats.take_back(request.game.code, request.user)
    return Done(seq_of(request.game), goes_to=request.game.code)


def _must_be_alone(request: ActionRequest) -> None:
    """Raise Refused `with_people` unless all other people have left; they can't come back."""
    others = [seat for seat in row_cache.seats(request.game) if seat.number != request.number]
    if any(seat.user_id is not None and not seat.gone for seat in others):
        raise Refused("with_people")


def _play_on(request: ActionRequest) -> None:
    """Play on against bots after all other people have left."""
    _must_be_alone(request)
    commands.play_on(request.game.code, request.number, now=request.now)


def _end_here(request: ActionRequest) -> Done:
    """End a game that all other people have left, and stay on its page."""
    _must_be_alone(request)
    seq = commands.move(request.game.code, request.number, Leave(), seen=None, now=request.now)
    return Done(seq, goes_to=request.game.code)


def _say(request: ActionRequest) -> None:
    """Post a quick phrase or a text."""
    request.limit("say", reason="too_talkative")
    phrase, text = request.fields.get("phrase", ""), request.fields.get("text", "")
    talk.say(request.game, request.user, phrase=phrase, text=text, now=request.now)


def _chat(request: ActionRequest) -> None:
    """Switch free text in the chat on or off, as the host."""
    on = request.fields.get("chat") == "on"
    before_start.set_chat(request.game.code, request.user, on=on, now=request.now)


MOVE: Final = Action("move", _move, in_game=True)
BACK: Final = Action("back", _back, in_game=True)
SKIP: Final = Action("skip", _skip, in_game=True)
NEW_GAME: Final = Action("new_game", _new_game, in_game=True)
SIT: Final = Action("sit", _sit)
STAND: Final = Action("stand", _stand)
START: Final = Action("start", _start)
PART: Final = Action("part", _part)
SALT: Final = Action("salt", _salt)
CLOSE: Final = Action("close", _close)
ADD_BOT: Final = Action("add_bot", _add_bot)
REMOVE: Final = Action("remove", _remove)
REMATCH: Final = Action("rematch", _rematch)
NEXT: Final = Action("next", _next)
NOT_NEXT: Final = Action("not_next", _not_next)
PLAY_ON: Final = Action("play_on", _play_on, in_game=True)
END_HERE: Final = Action("end_here", _end_here, in_game=True)
SAY: Final = Action("say", _say)
CHAT: Final = Action("chat", _chat)

EVERY: Final = (
    *(MOVE, BACK, SKIP, NEW_GAME, SIT, STAND, START, PART, SALT),
    *(CLOSE, ADD_BOT, REMOVE, REMATCH, NEXT, NOT_NEXT, PLAY_ON, END_HERE, SAY, CHAT),
)
BY_NAME: Final[Mapping[str, Action]] = {action.name: action for action in EVERY}
