"""The actions of people at a table: moves, and what comes before and after the game."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from games import catalogue
from games.actions.act import Action, Asked, seq_of
from games.actions.outcomes import Done, NotDone
from games.chat import services
from games.core.moves import Leave
from games.errors import Refused
from games.models import Game
from games.play import before_start, commands, next_seats, next_tables, pausing, rematches
from games.store import queries, row_cache


def _move(asked: Asked) -> Done:
    """A move of the game, or leaving it."""
    game, rules = asked.game, catalogue.of(asked.game.kind_key).rules
    made = rules.parse(asked.fields)
    is_leaving = made == Leave()
    seen = None if is_leaving else asked.whole("seen")
    try:
        seq = commands.move(game.code, asked.number, made, seen=seen, now=asked.now)
    except Refused as refused:
        if refused.code == "paused":  # a page without a socket looks by this alone
            pausing.look(game, now=asked.now)
        raise
    return Done(seq, leaves=is_leaving)


def _back(asked: Asked) -> None:
    """Take the seat back from the bot that plays for an absent player."""
    commands.come_back(asked.game.code, asked.number, now=asked.now)


def _skip(asked: Asked) -> None:
    """Agree to let the bots play to the end without pauses, for a player who is out."""
    asked.limit("skip", reason="too_many_skips")
    commands.skip_to_the_end(asked.game.code, asked.number, now=asked.now)


def _new_game(asked: Asked) -> Done:
    """A new game against the same bots; the old one does not wait for a player who goes."""
    game, now = asked.game, asked.now
    asked.limit("open_table", reason="too_many_games")
    again = rematches.play_again(game.code, asked.user, holder=asked.actor.holder(), now=now)
    with suppress(Refused):
        commands.skip_to_the_end(game.code, asked.number, now=now)
    return Done(seq_of(game), goes_to=again.code)


def _sit(asked: Asked) -> Done:
    """Join an open table."""
    before_start.sit(asked.game.code, asked.user, now=asked.now)
    return Done(seq_of(asked.game), goes_to=asked.game.code)


def _stand(asked: Asked) -> Done:
    """Leave an open table."""
    before_start.stand(asked.game.code, asked.user, now=asked.now)
    return Done(seq_of(asked.game), leaves=True)


def _start(asked: Asked) -> None:
    """Start the game, as its host."""
    holder = asked.actor.holder()
    before_start.start(asked.game.code, asked.user, holder=holder, now=asked.now)


def _close(asked: Asked) -> Done:
    """Close an open table, as its host."""
    before_start.close(asked.game.code, asked.user, now=asked.now)
    return Done(seq_of(asked.game), leaves=True)


def _add_bot(asked: Asked) -> None:
    """Seat a bot, as the host."""
    kind = asked.fields.get("kind", "")
    before_start.add_bot(asked.game.code, asked.user, kind=kind, now=asked.now)


def _remove(asked: Asked) -> None:
    """Free the seat of another player or a bot, as the host."""
    number = asked.whole("seat")
    before_start.remove(asked.game.code, asked.user, number=number, now=asked.now)


def _rematch(asked: Asked) -> Done:
    """Open the next table of the same players, or join it; else say why not, on its page."""
    game, but = asked.game, None
    asked.limit("next_table", reason="too_many_rematches")
    opened = next_tables.next_table(game)
    if opened is None:
        asked.limit("open_table", reason="too_many_games")
    holder = asked.actor.holder()
    try:
        again = rematches.rematch(game.code, asked.user, holder=holder, now=asked.now)
    except Refused as refused:
        if opened is None or refused.code == "not_seated":
            raise
        # There they can watch, which here they could not.
        again, but = opened, NotDone(refused.code, refused.details)
    return Done(seq_of(game), goes_to=again.code, but=but)


def _next(asked: Asked) -> Done:
    """Ask for a seat at the next table; once the game is over, go there."""
    game = asked.game
    if game.status == Game.Status.FINISHED and queries.seat_of(game, asked.user) is not None:
        return _rematch(asked)
    asked.limit("next_table", reason="too_many_rematches")
    if game.status == Game.Status.FINISHED:
        opened = next_tables.next_table(game)
        if opened is not None:
            return Done(seq_of(game), goes_to=opened.code)
    next_seats.ask(game.code, asked.user, holder=asked.actor.holder(), now=asked.now)
    return Done(seq_of(game), goes_to=game.code)


def _not_next(asked: Asked) -> Done:
    """Give the seat at the next table back."""
    next_seats.take_back(asked.game.code, asked.user)
    return Done(seq_of(asked.game), goes_to=asked.game.code)


def _must_be_alone(asked: Asked) -> None:
    """Refused: `with_people` unless all others have left, who never come back."""
    others = [seat for seat in row_cache.seats(asked.game) if seat.number != asked.number]
    if any(seat.user_id is not None and not seat.gone for seat in others):
        raise Refused("with_people")


def _play_on(asked: Asked) -> None:
    """Finish the game against the bots, after everybody else has left it."""
    _must_be_alone(asked)
    commands.play_on(asked.game.code, asked.number, now=asked.now)


def _end_here(asked: Asked) -> Done:
    """End a game that everybody else has left, and stay on its page."""
    _must_be_alone(asked)
    seq = commands.move(asked.game.code, asked.number, Leave(), seen=None, now=asked.now)
    return Done(seq, goes_to=asked.game.code)


def _say(asked: Asked) -> None:
    """Post a quick phrase or a text."""
    asked.limit("say", reason="too_talkative")
    phrase, text = asked.fields.get("phrase", ""), asked.fields.get("text", "")
    services.say(asked.game, asked.user, phrase=phrase, text=text, now=asked.now)


def _chat(asked: Asked) -> None:
    """Switch free text in the chat on or off, as the host."""
    on = asked.fields.get("chat") == "on"
    before_start.set_chat(asked.game.code, asked.user, on=on, now=asked.now)


MOVE: Final = Action("move", _move, in_game=True)
BACK: Final = Action("back", _back, in_game=True)
SKIP: Final = Action("skip", _skip, in_game=True)
NEW_GAME: Final = Action("new_game", _new_game, in_game=True)
SIT: Final = Action("sit", _sit)
STAND: Final = Action("stand", _stand)
START: Final = Action("start", _start)
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
    *(MOVE, BACK, SKIP, NEW_GAME, SIT, STAND, START),
    *(CLOSE, ADD_BOT, REMOVE, REMATCH, NEXT, NOT_NEXT, PLAY_ON, END_HERE, SAY, CHAT),
)
BY_NAME: Final[Mapping[str, Action]] = {action.name: action for action in EVERY}
