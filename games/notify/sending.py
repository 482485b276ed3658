"""The job that sends queued pushes to push services, on a thread of its own.

A row is claimed by a conditional UPDATE, so that only one process sends it, and is deleted when the
push service has accepted it. If a process is killed in between, the push is sent again when the
claim expires; it then replaces the first one at the push service (by its topic) and in the browser.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter as Count
from collections.abc import Collection
from concurrent.futures import Future, wait
from datetime import datetime, timedelta
from hashlib import sha256
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import connections
from django.db.models import QuerySet
from django.utils import translation
from prometheus_client import Counter

from games.models import PushMessage, PushSubscription
from games.notify import texts
from games.social.inbox import kinds
from games.social.push import addresses, quiet, site_key, subscriptions

if TYPE_CHECKING:
    from games.notify.posting import Answer

# A claim lasts longer than a request to a push service can take.
CLAIM: Final = timedelta(minutes=2)
# The exponential backoff of a failed message, ...
FIRST_WAIT: Final = timedelta(seconds=15)
LONGEST_WAIT: Final = timedelta(hours=1)
# ... and the first pause of an address that did not answer, which doubles up to the same maximum.
SET_ASIDE_SECONDS: Final = 60.0
# Concurrent posts: in total, and per push service, so that a silent one leaves room for others.
AT_ONCE: Final = 40
TO_ONE_SERVICE: Final = 20
# How often the sender checks for due messages while posts are under way.
_LOOK_SECONDS: Final = 1.0
_MOST_SET_ASIDE: Final = 5000

logger = logging.getLogger(__name__)
pushes: Final = Counter(
    "perudo_pushes",
    "Pushes: sent, dropped, refused, postponed, gone, other key.",
    ("kind", "result"),
)


def run(now: datetime, share: float) -> bool:
    """Send the due messages, the longest due first, and wait about `share` seconds for that.

    Requests that take longer continue in the background. Returns whether more is due that nobody is
    sending. Never raises because of a push service.
    """
    PushMessage.objects.filter(expires_at__lte=now).delete()
    return _sender.run(now, share)


def stop(seconds: float) -> None:
    """Start no more requests in this process, and wait up to `seconds` for those under way."""
    _sender.stop(seconds)


def forget_outages() -> None:
    """Forget the pauses of addresses that did not answer, so that they are retried at once."""
    _silent.clear()


def _due(now: datetime) -> QuerySet[PushMessage]:
    return PushMessage.objects.filter(due_at__lte=now).order_by("due_at")


class _Sender:
    """The sending thread, which runs for as long as there is something to send."""

    def __init__(self) -> None:
        self._now: datetime  # of the last run
        self._work: Future[None] | None = None
        self._stops = False

    def run(self, now: datetime, share: float) -> bool:
        self._now = now
        if (work := self._work) is None:
            if not _due(now).exists():
                return False
            work = self._work = Future()
            self._stops = False
            Thread(target=self._try, args=(work,), name="pushes", daemon=True).start()
        if not wait([work], share).done:
            return False
        self._work = None
        work.result()  # raises what the thread has failed with
        return _due(now).exists()

    def stop(self, seconds: float) -> None:
        self._stops = True
        if (work := self._work) is not None:
            wait([work], seconds)

    def _try(self, work: Future[None]) -> None:
        failed: BaseException | None = None
        try:
            with asyncio.Runner() as runner:
                self._send(runner)
        except BaseException as error:
            failed = error
        finally:
            connections.close_all()
        if failed is None:
            work.set_result(None)
        else:
            work.set_exception(failed)

    def _send(self, runner: asyncio.Runner) -> None:
        """Claim and post messages until none is left. The event loop runs only while waiting for
        answers, never during database queries.
        """
        # Imported here so that a site without pushes doesn't load it.
        from games.notify import posting

        session = runner.run(posting.opened())
        under_way: dict[asyncio.Task[Answer], PushMessage] = {}
        try:
            while True:
                found = [] if self._stops else _next(under_way.values(), now=self._now)
                for message in found:
                    request = _tried(message, now=self._now)
                    if request is not None:
                        post = posting.post(session, request)
                        under_way[runner.get_loop().create_task(post)] = message
                if not under_way:
                    if found:
                        continue
                    return
                within = 0.0 if found else _LOOK_SECONDS
                for task in runner.run(posting.answered(under_way, within=within)):
                    _settle(under_way.pop(task), task.result(), now=self._now)
        finally:
            runner.run(session.close())


_sender: Final = _Sender()


def _next(under_way: Collection[PushMessage], *, now: datetime) -> list[PushMessage]:
    """Claim the messages to send next, within the limits on concurrent posts. Each browser has one
    at a time, so that a silent browser takes up only one.
    """
    busy = Count(addresses.pattern_of(each.subscription.endpoint) for each in under_way)
    browsers = {each.subscription_id for each in under_way}
    waiting = _due(now).exclude(subscription__in=list(browsers))
    for service, posts in busy.items():
        if posts >= TO_ONE_SERVICE:
            name = service.removeprefix("*.").removesuffix(":443")
            waiting = waiting.exclude(subscription__endpoint__contains=name)
    claimed = []
    waiting = waiting.select_related("subscription__user__push_choice")
    for message in waiting[: AT_ONCE - len(under_way)]:
        service = addresses.pattern_of(message.subscription.endpoint)
        has_room = busy[service] < TO_ONE_SERVICE and message.subscription_id not in browsers
        if has_room and _claim(message, now=now):
            busy[service] += 1
            browsers.add(message.subscription_id)
            claimed.append(message)
    return claimed


def _claim(message: PushMessage, *, now: datetime) -> bool:
    """Claim a message for this process by compare-and-swap; False if another process has it."""
    until = now + CLAIM
    if not _as_read(message).update(due_at=until, attempts=message.attempts + 1):
        return False
    message.due_at, message.attempts = until, message.attempts + 1
    return True


def _as_read(message: PushMessage) -> QuerySet[PushMessage]:
    """The row of a message, unless it was claimed or replaced since it was read."""
    return PushMessage.objects.filter(
        pk=message.pk, due_at=message.due_at, attempts=message.attempts
    )


def _tried(message: PushMessage, *, now: datetime) -> dict[str, object] | None:
    """`_made`, but drop a message whose address or keys the library rejects."""
    try:
        return _made(message, now=now)
    except ValueError as error:  # its text may hold the address
        logger.error("push refused kind=%s error=%s", message.kind, type(error).__name__)
        _end(message, "refused")
        return None


def _made(message: PushMessage, *, now: datetime) -> dict[str, object] | None:
    """The request for a claimed message; None if it is not to be sent now."""
    subscription: PushSubscription = message.subscription
    person = subscription.user
    if not _is_good(subscription):
        subscription.delete()
        _end(message, "gone")
        return None
    if subscription.server_key != site_key.current().public_key:
        _end(message, "other key")  # the subscription stays: that key may be used again later
        return None
    choice = person.push_choice
    if not getattr(choice, message.switch, False):
        _end(message, "dropped")
        return None
    if (later := quiet.until(choice, now)) is not None:
        _wait(message, later)
        return None
    if (left := _silence_left(subscription.endpoint)) > 0:
        _wait(message, now + timedelta(seconds=left))
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
        "tag": kinds.tag(message.kind, message.about),
        "waiting": texts.games_waiting(person.pk),
        # What is still unread: the service worker closes notifications that were read elsewhere.
        "open": texts.open_tags(person.pk),
    }
    lasts = int((message.expires_at - now).total_seconds())
    return _request(subscription, content, topic=_topic(message), lasts=max(lasts, 0))


def _is_good(subscription: PushSubscription) -> bool:
    """Whether pushes may still go to this browser: valid address, active person, same sign-in."""
    return (
        addresses.is_known(subscription.endpoint)
        and subscription.user.is_active
        and subscription.sign_in == subscriptions.sign_in_of(subscription.user)
    )


def _topic(message: PushMessage) -> str:
    """The topic: push services keep its latest message (RFC 8030, section 5.4). It is opaque."""
    return sha256(f"{message.subscription_id} {message.kind}:{message.about}".encode()).hexdigest()[
        :32
    ]


def _request(
    subscription: PushSubscription, content: dict[str, object], *, topic: str, lasts: int
) -> dict[str, object]:
    """Arguments for `aiohttp.ClientSession.post`: encrypted for this browser, signed by us."""
    # Imported here so that a site without pushes doesn't load them.
    from webpush import WebPush, WebPushSubscription  # type: ignore[import-untyped]

    key = site_key.current()
    push = WebPush(
        private_key=key.private_key,
        public_key=key.public_key_pem,
        subscriber=settings.PUSH_CONTACT,
        ttl=lasts,
    )
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    target = WebPushSubscription.model_validate({"endpoint": subscription.endpoint, "keys": keys})
    message = push.get(json.dumps(content, ensure_ascii=False), target)
    urgency = "high" if lasts <= 3600 else "normal"
    headers = {**message.headers, "topic": topic, "urgency": urgency}
    return {"url": subscription.endpoint, "data": message.encrypted, "headers": headers}


def _settle(message: PushMessage, answer: Answer, *, now: datetime) -> None:
    """Delete, postpone or drop a message by its service's answer (RFC 8030, RFC 8292)."""
    status, endpoint = answer.status, message.subscription.endpoint
    if status == 0:
        _set_aside(endpoint)
    else:
        _silent.pop(endpoint, None)
    if status in (200, 201, 202, 204):
        _end(message, "sent")
    elif status in (404, 410):  # the subscription has ended
        PushSubscription.objects.filter(pk=message.subscription_id).delete()
        _end(message, "gone")
    elif status == 429 or status >= 500 or status == 0:
        service = addresses.service_of(endpoint)
        logger.warning("push postponed kind=%s status=%d service=%s", message.kind, status, service)
        pause = min(FIRST_WAIT * 2 ** min(message.attempts - 1, 10), LONGEST_WAIT)
        if answer.retry_after.isdecimal():
            pause = max(pause, min(timedelta(seconds=int(answer.retry_after[:6])), LONGEST_WAIT))
        _wait(message, now + pause)
        pushes.labels(message.kind, "postponed").inc()
    else:  # a redirect or a refusal: a retry cannot help
        service = addresses.service_of(endpoint)
        logger.error("push refused kind=%s status=%d service=%s", message.kind, status, service)
        _end(message, "refused")


# --- addresses that do not answer ----------------------------------------------------------------

# By address: the end of its pause, by time.monotonic, and the length of the pause in seconds.
_silent: Final[dict[str, tuple[float, float]]] = {}


def _set_aside(endpoint: str) -> None:
    """Pause an address that did not answer, for twice as long as the time before."""
    _until, before = _silent.pop(endpoint, (0.0, 0.0))
    pause = min(max(SET_ASIDE_SECONDS, 2 * before), LONGEST_WAIT.total_seconds())
    _silent[endpoint] = monotonic() + pause, pause
    if len(_silent) > _MOST_SET_ASIDE:
        del _silent[next(iter(_silent))]


def _silence_left(endpoint: str) -> float:
    """The seconds left of this address's pause; 0 or negative if there is none."""
    return _silent.get(endpoint, (0.0, 0.0))[0] - monotonic()


def _wait(message: PushMessage, until: datetime) -> None:
    """Postpone a message, or drop it if it would have expired by then."""
    if until >= message.expires_at:
        _end(message, "dropped")
        return
    _as_read(message).update(due_at=until)


def _end(message: PushMessage, result: str) -> None:
    _as_read(message).delete()
    pushes.labels(message.kind, result).inc()
