"""The browsers that a person may be told something in, and what they want to be told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac

from accounts.models import User
from games.errors import Refused
from games.models import PushChoice, PushSubscription
from games.push import addresses
from games.push.switches import SWITCHES

# Of one person; the oldest makes room.
BROWSERS_EACH: Final = 10
# Those of an address are counted for so long: a school or a café is not full for ever.
COUNTED_FOR: Final = timedelta(days=30)


def is_offered() -> bool:
    """Whether this site sends anything: there are push services that it knows."""
    return bool(settings.PUSH_SERVICES)


def subscribe(
    person: User,
    given: Mapping[str, str],
    *,
    language: str,
    device: str,
    holder: str = "",
    now: datetime,
) -> None:
    """Remember a browser: `given` has its `endpoint`, `p256dh` and `auth`, as it was told them.

    The same browser again is the same row, with what is new; of another person, it is theirs no
    longer. Refused: `push_unknown`, `too_many_browsers`.
    """
    endpoint, p256dh, auth = (given.get(each, "") for each in ("endpoint", "p256dh", "auth"))
    if not addresses.is_known(endpoint) or not addresses.are_keys(p256dh, auth):
        raise Refused("push_unknown")
    digest = sha256(endpoint.encode()).hexdigest()
    with transaction.atomic():
        # The row is held: two posts at once would each count without the other's.
        User.objects.select_for_update(no_key=True).get(pk=person.pk)
        others = PushSubscription.objects.exclude(digest=digest)
        here = others.filter(holder=holder, created_at__gt=now - COUNTED_FOR)
        if holder and here.count() >= settings.PUSH_BROWSERS_PER_ADDRESS:
            raise Refused("too_many_browsers")
        PushSubscription.objects.filter(digest=digest).exclude(user=person).delete()
        values = {
            "user": person,
            "endpoint": endpoint,
            "p256dh": p256dh,
            "auth": auth,
            "server_key": settings.PUSH.public_key,
            "language": language,
            "device": device,
            "sign_in": sign_in_of(person),
            "holder": holder,
        }
        PushSubscription.objects.update_or_create(
            digest=digest, defaults=values, create_defaults=values | {"created_at": now}
        )
        mine = PushSubscription.objects.filter(user=person).order_by("-pk")
        kept = list(mine.values_list("pk", flat=True)[:BROWSERS_EACH])
        PushSubscription.objects.filter(user=person).exclude(pk__in=kept).delete()


def unsubscribe(person: User, endpoint: str) -> None:
    """Forget one browser of this person; one that is unknown changes nothing."""
    digest = sha256(endpoint.encode()).hexdigest()
    PushSubscription.objects.filter(user=person, digest=digest).delete()


def unsubscribe_all(person: User) -> None:
    """Forget all browsers of this person."""
    PushSubscription.objects.filter(user=person).delete()


def session_ended(user_id: int, device: str) -> None:
    """Forget the browsers that were signed in with this session: it has just ended."""
    PushSubscription.objects.filter(user=user_id, device=device).delete()


def browsers_of(person: User) -> int:
    return PushSubscription.objects.filter(user=person).count()


def sign_in_of(person: User) -> str:
    """A mark that changes when sessions of this person end elsewhere, as by a new password."""
    signed = salted_hmac("push", person.get_session_auth_hash(), algorithm="sha256")
    return signed.hexdigest()[:32]


def choice_of(person: User) -> PushChoice:
    """What a person wants; of one who never chose, nothing, and not saved."""
    return PushChoice.objects.filter(pk=person.pk).first() or PushChoice(user=person)


def want(person: User, switches: Iterable[str], *, zone: str) -> None:
    """Turn these switches on, as somebody does who presses where it is offered."""
    with transaction.atomic():
        PushChoice.objects.bulk_create([PushChoice(user=person)], ignore_conflicts=True)
        mine = PushChoice.objects.filter(pk=person.pk)
        mine.update(**dict.fromkeys(switches, True))
        mine.filter(zone="").update(zone=zone)


def do_not_want(person: User, switches: Iterable[str]) -> None:
    """Turn these switches off."""
    PushChoice.objects.filter(pk=person.pk).update(**dict.fromkeys(switches, False))


# --- personal data -------------------------------------------------------------------------------


def forget(person: User) -> None:
    """Delete the browsers, the choice and all that waits to be sent."""
    with transaction.atomic():
        PushSubscription.objects.filter(user=person).delete()
        PushChoice.objects.filter(pk=person.pk).delete()


def export(person: User) -> dict[str, Any]:
    """The browsers by their push service, and the choice, as plain values ready for JSON."""
    choice = choice_of(person)
    return {
        "notifications": {
            "browsers": [
                {
                    "service": addresses.service_of(each.endpoint),
                    "language": each.language,
                    "since": each.created_at.isoformat(),
                }
                for each in PushSubscription.objects.filter(user=person)
            ],
            "wanted": [kind for kind in SWITCHES if getattr(choice, kind)],
            "quiet_from": choice.quiet_from,
            "quiet_until": choice.quiet_until,
            "zone": choice.zone,
        }
    }
