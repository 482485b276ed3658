"""Sends what waits for browsers to their push services: a job.

A row is claimed by a conditional UPDATE, so several processes send it once; it is deleted after the
push service has taken it. A process that is killed in between sends it again once the claim has run
out; the push service then puts it in place of the first (its topic), and so does the browser.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from ssl import create_default_context
from time import monotonic
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils import translation
from prometheus_client import Counter

from games.calling import texts
from games.inbox.kinds import STARTED, TURN
from games.models import PushMessage, PushSubscription
from games.push import addresses, quiet, subscriptions

# A claim lasts longer than a push service can take.
CLAIM: Final = timedelta(minutes=2)
# For the whole of a request, from the look-up of the name to the last byte.
SECONDS: Final = 8.0
# After a failure a message waits twice as long as the time before, up to an hour, ...
FIRST_WAIT: Final = timedelta(seconds=15)
LONGEST_WAIT: Final = timedelta(hours=1)
# ... and so do all to a push service that did not answer, for a minute.
SET_ASIDE_SECONDS: Final = 60.0
_AT_ONCE: Final = 20

# By host: until when a push service that did not answer is left alone, by time.monotonic.
_set_aside: dict[str, float] = {}
logger = logging.getLogger(__name__)
pushes: Final = Counter(
    "perudo_pushes", "Pushes: sent, dropped, refused, postponed, gone.", ("kind", "result")
)


def run(now: datetime, share: float) -> bool:
    """Send what is due, the longest due first, for about `share` seconds.

    Returns whether more is due. Never raises what a push service causes.
    """
    ends = monotonic() + share
    PushMessage.objects.filter(expires_at__lte=now).delete()
    waiting = PushMessage.objects.filter(due_at__lte=now).order_by("due_at")
    while due := list(waiting.select_related("subscription__user__push_choice")[:_AT_ONCE]):
        claimed = [each for each in due if _claim(each, now=now)]
        ready = [(each, made) for each in claimed if (made := _tried(each, now=now)) is not None]
        if ready:
            answers = asyncio.run(_post_all([made for _message, made in ready]))
            for (message, _request), answer in zip(ready, answers, strict=True):
                _settle(message, answer, now=now)
        if monotonic() >= ends:
            return waiting.exists()
    return False


def forget_outages() -> None:
    """Try again at once what did not answer."""
    _set_aside.clear()


def _claim(message: PushMessage, *, now: datetime) -> bool:
    """Take the message for this process; False if another one has it."""
    until = now + CLAIM
    if not _as_read(message).update(due_at=until, attempts=message.attempts + 1):
        return False
    message.due_at, message.attempts = until, message.attempts + 1
    return True


def _as_read(message: PushMessage) -> QuerySet[PushMessage]:
    """The row, unless it was claimed since, or something newer has taken its place."""
    return PushMessage.objects.filter(
        pk=message.pk, due_at=message.due_at, attempts=message.attempts
    )


def _tried(message: PushMessage, *, now: datetime) -> dict[str, Any] | None:
    """`_made`; a browser whose address or keys the library does not take stops no other."""
    try:
        return _made(message, now=now)
    except ValueError as error:  # its text may hold the address
        logger.error("push refused kind=%s error=%s", message.kind, type(error).__name__)
        _end(message, "refused")
        return None


def _made(message: PushMessage, *, now: datetime) -> dict[str, Any] | None:
    """The request to make for a message that was claimed; None when nothing is to be sent now."""
    subscription = message.subscription
    person = subscription.user
    if not _is_good(subscription):
        subscription.delete()
        _end(message, "gone")
        return None
    choice = person.push_choice
    if not getattr(choice, message.switch, False):
        _end(message, "dropped")
        return None
    if (later := quiet.until(choice, now)) is not None:
        _wait(message, later)
        return None
    host = addresses.service_of(subscription.endpoint)
    if _set_aside.get(host, 0.0) > monotonic():
        _wait(message, now + timedelta(seconds=SET_ASIDE_SECONDS))
        return None
    with translation.override(person.language or subscription.language):
        said = texts.said(message, now=now)
    if said is None:
        _end(message, "dropped")
        return None
    content = {
        "title": settings.SITE_NAME,
        "body": said.sentence,
        "url": said.path,
        # As notify.js has it of a table: what a browser shows for its pages is replaced.
        "tag": said.path if message.kind in (TURN, STARTED) else _tag(message),
        "waiting": texts.games_waiting(person.pk),
    }
    lasts = int((message.expires_at - now).total_seconds())
    return _request(subscription, content, topic=_topic(message), lasts=max(lasts, 0))


def _is_good(subscription: PushSubscription) -> bool:
    """Whether this browser may still be sent something: its address, its keys and its person."""
    return (
        addresses.is_known(subscription.endpoint)
        and subscription.server_key == settings.PUSH.public_key
        and subscription.user.is_active
        and subscription.sign_in == subscriptions.sign_in_of(subscription.user)
    )


def _tag(message: PushMessage) -> str:
    """Of notifications of the same tag a browser shows the latest: one a thing."""
    return f"{message.kind}:{message.about}"


def _topic(message: PushMessage) -> str:
    """The push service keeps the latest of a topic (RFC 8030, section 5.4); it tells it nothing."""
    return sha256(f"{message.subscription_id} {_tag(message)}".encode()).hexdigest()[:32]


def _request(
    subscription: PushSubscription, content: dict[str, Any], *, topic: str, lasts: int
) -> dict[str, Any]:
    """Arguments for `aiohttp.ClientSession.post`: encrypted for this browser, signed by us."""
    # Imported here: a site that sends nothing need not load them.
    from webpush import WebPush, WebPushSubscription  # type: ignore[import-untyped]

    push = WebPush(
        private_key=settings.PUSH.private_key,
        public_key=settings.PUSH.public_key_pem,
        subscriber=settings.PUSH.contact,
        ttl=lasts,
    )
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    target = WebPushSubscription.model_validate({"endpoint": subscription.endpoint, "keys": keys})
    message = push.get(json.dumps(content, ensure_ascii=False), target)
    urgency = "high" if lasts <= 3600 else "normal"
    headers = {**message.headers, "topic": topic, "urgency": urgency}
    return {"url": subscription.endpoint, "data": message.encrypted, "headers": headers}


async def _post_all(requests: Sequence[dict[str, Any]]) -> list[tuple[int, str]]:
    """The status and Retry-After of each; status 0 where there was no answer in time."""
    import aiohttp

    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(ssl=create_default_context()),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=SECONDS),
    ) as session:

        async def post(request: dict[str, Any]) -> tuple[int, str]:
            try:
                async with session.post(**request, allow_redirects=False) as answer:
                    return answer.status, answer.headers.get("Retry-After", "")
            except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
                return 0, ""

        return await asyncio.gather(*map(post, requests))


def _settle(message: PushMessage, answer: tuple[int, str], *, now: datetime) -> None:
    """Decide what becomes of a message by what its push service said (RFC 8030, RFC 8292)."""
    status, retry_after = answer
    if status in (200, 201, 202, 204):
        _end(message, "sent")
    elif status in (404, 410):  # this browser is not there any more
        message.subscription.delete()
        _end(message, "gone")
    elif status == 429 or status >= 500 or status == 0:
        host = addresses.service_of(message.subscription.endpoint)
        if status == 0:
            _set_aside[host] = monotonic() + SET_ASIDE_SECONDS
        logger.warning("push postponed kind=%s status=%d service=%s", message.kind, status, host)
        wait = min(FIRST_WAIT * 2 ** min(message.attempts - 1, 10), LONGEST_WAIT)
        if retry_after.isdigit():
            wait = max(wait, min(timedelta(seconds=int(retry_after[:6])), LONGEST_WAIT))
        _wait(message, now + wait)
        pushes.labels(message.kind, "postponed").inc()
    else:  # a redirection, or it is refused: trying again cannot help
        logger.error(
            "push refused kind=%s status=%d service=%s",
            message.kind,
            status,
            addresses.service_of(message.subscription.endpoint),
        )
        _end(message, "refused")


def _wait(message: PushMessage, until: datetime) -> None:
    """Let a message wait; one that would mean nothing then is dropped."""
    if until >= message.expires_at:
        _end(message, "dropped")
        return
    _as_read(message).update(due_at=until)


def _end(message: PushMessage, result: str) -> None:
    _as_read(message).delete()
    pushes.labels(message.kind, result).inc()
