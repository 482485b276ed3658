"""Messages between the sockets of all processes: at once within this one, through Redis to others.

A message is one number ("this game stands at 42"), so losing some is no loss if everybody looks
again afterwards. That is what this layer promises: a move never waits for Redis, the sockets of the
process that took it are told in any case, and after every gap on the line each process lets all of
its sockets look once more. A line that went silent without breaking is found by its pulse.

channels_redis keeps neither promise: it publishes under one lock without a limit of time, opens no
socket while Redis is away, and nobody hears what was said before it had subscribed again.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from games.layer import OneProcessLayer
from perudo_site.away import plainly

ANSWER_SECONDS: Final = 3.0  # after which a connection is given up
PULSE_SECONDS: Final = 1.0  # so often a process says something, and hears at least itself
SILENCE_SECONDS: Final = 6.0
LAST_WORDS_SECONDS: Final = 1.0
COMPANY_SECONDS: Final = 3.0  # so long another process that was heard is taken to be there
AGAIN_SECONDS: Final = 0.3  # until the next try
LOOK_AGAIN: Final = {"type": "look.again"}
# All sockets of a process look at the database when the line is back; not in one instant.
BETWEEN_GROUPS_SECONDS: Final = 0.002

_Away = (RedisError, OSError, TimeoutError)
logger = logging.getLogger(__name__)


class RelayedLayer(OneProcessLayer):
    """The layer of one process, and one channel in Redis on which all of them speak and listen."""

    def __init__(self, *, url: str, channel: str = "perudo", **options: Any) -> None:
        super().__init__(**options)
        self.url, self.channel = url, channel
        self.me = secrets.token_hex(8)
        self.others: dict[str, float] = {}  # heard last at, by time.monotonic
        self.untold: asyncio.Queue[str] = asyncio.Queue()
        self.line: list[asyncio.Task[None]] = []

    def open(self) -> None:
        """Speak and listen from now on, in the running loop; once is enough."""
        if not self._is_open():
            self.untold = asyncio.Queue()
            self.untold.put_nowait(self._pulse())  # at once: others know who is there
            lasting = (self._speak, self._listen)
            self.line = [asyncio.create_task(self._for_ever(one)) for one in lasting]

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        await super().group_send(group, message)
        said = json.dumps({"from": self.me, "group": group, "message": message})
        if self._is_open():
            self.untold.put_nowait(said)
        else:
            await self._say_once(said)

    def has_company(self) -> bool:
        """Whether another process was heard just now, and did not say that it ends too."""
        return any(monotonic() - heard < COMPANY_SECONDS for heard in self.others.values())

    async def close(self) -> None:
        """Say what is left to say, and hang up; a Redis that does not answer holds nobody."""
        if self._is_open():
            with suppress(TimeoutError):
                await asyncio.wait_for(self.untold.join(), LAST_WORDS_SECONDS)
            for task in self.line:
                task.cancel()
            await asyncio.wait(self.line, timeout=1)
        self.line = []
        await super().close()

    # --- the line --------------------------------------------------------------------------------

    def _is_open(self) -> bool:
        return any(task.get_loop() is asyncio.get_running_loop() for task in self.line)

    async def _for_ever(self, what: Callable[[], Awaitable[None]]) -> None:
        """Whatever goes wrong, a process does not become deaf or mute."""
        while True:
            try:
                await what()
            except Exception:
                logger.exception("the line to other processes failed")
                await asyncio.sleep(PULSE_SECONDS)

    def _redis(self) -> Redis:
        return Redis.from_url(
            self.url,
            socket_connect_timeout=ANSWER_SECONDS,
            socket_timeout=ANSWER_SECONDS,
            retry=Retry(NoBackoff(), 0),  # the loops below try again, and know what was missed
        )

    async def _say_once(self, said: str) -> None:
        """From a process without sockets, such as a command: there is no line to keep open."""
        try:
            async with self._redis() as redis:
                await redis.publish(self.channel, said)
        except _Away as away:
            logger.warning("Redis is away, nobody is told: %s", plainly(away))

    def _pulse(self, *, again: bool = False) -> str:
        return json.dumps({"from": self.me, "again": again, "ends": self.ends})

    async def _speak(self) -> None:
        gap = False
        redis = self._redis()
        try:
            while True:
                saying = []
                with suppress(TimeoutError):
                    patience = AGAIN_SECONDS if gap else PULSE_SECONDS
                    saying.append(await asyncio.wait_for(self.untold.get(), patience))
                while not self.untold.empty():
                    saying.append(self.untold.get_nowait())
                taken = len(saying)
                if gap or not saying:
                    saying = [self._pulse(again=gap)]
                try:
                    async with redis.pipeline(transaction=False) as pipeline:
                        for said in saying:
                            pipeline.publish(self.channel, said)
                        await pipeline.execute()
                    gap = False
                except _Away as away:
                    if not gap:
                        logger.warning("Redis is away, others are not told: %s", plainly(away))
                    gap = True
                    await asyncio.sleep(AGAIN_SECONDS)
                finally:
                    for _ in range(taken):
                        self.untold.task_done()
        finally:
            await redis.aclose()

    async def _listen(self) -> None:
        gap = False
        while True:
            redis = self._redis()
            try:
                async with redis.pubsub() as ears:
                    await ears.subscribe(self.channel)
                    while heard := await ears.get_message(timeout=SILENCE_SECONDS):
                        if heard["type"] == "subscribe":
                            gap = False
                            await self._everybody_looks()
                        elif heard["type"] == "message":
                            await self._pass_on(json.loads(heard["data"]))
                raise TimeoutError("the line went silent")
            except _Away as away:
                if not gap:
                    logger.warning("Redis is away, others are not heard: %s", plainly(away))
                gap = True
            finally:
                with suppress(*_Away):
                    await redis.aclose()
            await asyncio.sleep(AGAIN_SECONDS * random.uniform(0.5, 1.5))  # noqa: S311

    async def _pass_on(self, said: dict[str, Any]) -> None:
        if said["from"] == self.me:
            return
        if said.get("ends"):
            self.others.pop(said["from"], None)
        else:
            self.others[said["from"]] = monotonic()
        if said.get("again"):
            await self._everybody_looks()
        elif "group" in said:
            await super().group_send(said["group"], said["message"])

    async def _everybody_looks(self) -> None:
        for group in list(self.groups):
            await super().group_send(group, LOOK_AGAIN)
            await asyncio.sleep(BETWEEN_GROUPS_SECONDS)
