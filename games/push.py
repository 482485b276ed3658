"""Telling the screens that something is true now: one number, never a fact."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

LOBBY = "lobby"

logger = logging.getLogger(__name__)
# The loop in which this process serves, once it does.
_loop: asyncio.AbstractEventLoop | None = None


def speak_in(loop: asyncio.AbstractEventLoop) -> None:
    """From now on nobody who has changed something waits until the screens are told."""
    global _loop
    _loop = loop


def group(code: str) -> str:
    """The channel group of everybody who looks at a game."""
    return f"game.{code}"


def person(key: int) -> str:
    """The channel group of everything one person has open."""
    return f"person.{key}"


def moved(code: str, seq: int) -> None:
    """After the commit, tell everybody who looks at this game that it stands at `seq`."""
    _after_the_commit(group(code), {"type": "game.moved", "seq": seq})


def talked(code: str) -> None:
    """After the commit, tell everybody who looks at this game that its talk is another one."""
    _after_the_commit(group(code), {"type": "game.talked"})


def lobby_changed() -> None:
    """After the commit, tell the lobby that its list of tables is another one."""
    _after_the_commit(LOBBY, {"type": "lobby.changed"})


def signed_out(key: int) -> None:
    """After the commit, tell whatever this person has open to see if its session is still good."""
    _after_the_commit(person(key), {"type": "person.left"})


def _after_the_commit(name: str, message: dict[str, object]) -> None:
    # Robust: what is committed is done, even if nobody can be told. A socket that hears nothing
    # finds out by its own heartbeat; the failure is logged.
    transaction.on_commit(partial(_send, name, message), robust=True)


def _send(name: str, message: dict[str, object]) -> None:
    if _loop is not None and _loop.is_running():
        asyncio.run_coroutine_threadsafe(_tell(name, message), _loop)
    else:
        async_to_sync(get_channel_layer().group_send)(name, message)


async def _tell(name: str, message: dict[str, object]) -> None:
    try:
        await get_channel_layer().group_send(name, message)
    except Exception:
        logger.exception("%s was not told", name)
