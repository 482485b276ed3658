"""Change notifications to open pages, sent after the commit; they never contain a fact."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

from games.play import recent_moves

LOBBY = "lobby"

logger = logging.getLogger(__name__)
# The event loop in which this process serves; None in a command.
_loop: asyncio.AbstractEventLoop | None = None


def use_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Publish in this loop from now on, so that no request waits until its message is sent."""
    global _loop
    _loop = loop


def group(code: str) -> str:
    """The channel group of all pages of a game."""
    return f"game.{code}"


def person(key: int) -> str:
    """The channel group of all pages that the user with this id has open."""
    return f"person.{key}"


def game_changed(code: str, seq: int) -> None:
    """After the commit, tell the pages of this game that it has reached `seq`."""
    _publish_on_commit(group(code), {"type": "game.moved", "seq": seq})
    if _loop is not None:  # nothing reads them in a command
        transaction.on_commit(partial(recent_moves.note, code), robust=True)


def chat_changed(code: str) -> None:
    """After the commit, tell the pages of this game that its chat has changed."""
    _publish_on_commit(group(code), {"type": "game.talked"})


def lobby_changed() -> None:
    """After the commit, tell the pages of the lobby that the list of tables has changed."""
    _publish_on_commit(LOBBY, {"type": "lobby.changed"})


def sessions_ended(key: int) -> None:
    """After the commit, make this user's pages check whether they are still signed in."""
    _publish_on_commit(person(key), {"type": "person.left"})


def inbox_changed(key: int, seq: int) -> None:
    """After the commit, tell this user's pages the `seq` that their inbox has reached."""
    _publish_on_commit(person(key), {"type": "person.told", "seq": seq})


def _publish_on_commit(name: str, message: dict[str, object]) -> None:
    # Robust: a failure to publish is logged and does not fail the request, which is committed.
    # A page that misses the message catches up with its next heartbeat.
    transaction.on_commit(partial(_publish, name, message), robust=True)


def _publish(name: str, message: dict[str, object]) -> None:
    if _loop is not None and _loop.is_running():
        asyncio.run_coroutine_threadsafe(_group_send(name, message), _loop)
    else:
        async_to_sync(get_channel_layer().group_send)(name, message)


async def _group_send(name: str, message: dict[str, object]) -> None:
    try:
        await get_channel_layer().group_send(name, message)
    except Exception:
        logger.exception("channel layer publish failed group=%s", name)
