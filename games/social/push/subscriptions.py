"""Push subscriptions of a person's browsers, and the switches for what they want pushed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac

from accounts.models import User
from games.errors import Refused
from games.models import PushChoice, PushSubscription
from games.social.push import addresses, site_key
from games.social.push.switches import SWITCHES

# Per person; the oldest is deleted to make room.
BROWSERS_EACH: Final = 10
# How long a subscription counts for its IP address, so that a school or café doesn't stay full.
COUNTED_FOR: Final = timedelta(days=30)


def is_offered() -> bool:
    """Whether this site sends pushes: PUSH_SERVICES is not empty."""
    return bool(settings.PUSH_SERVICES)


def subscribe(
    person: User,
    given: Mapping[str, str],
    *,
    language: str,
    device: str,
    holder: str = "",
    now: datetime,
    renews: bool = False,
) -> bool:
    """Store a browser's subscription: `given` has the `endpoint`, `p256dh` and `auth` it got.

    Subscribing the same browser again updates its row; another person who had it loses it. With
    `renews`, only a browser that is known by its address or its session is updated. Returns False
    for an unknown one: it has been turned off, here or elsewhere, and stays off. Refused:
    `push_unknown`, `too_many_browsers`.
    """
    endpoint, p256dh, auth = (given.get(each, "") for each in ("endpoint", "p256dh", "auth"))
    if not addresses.is_known(endpoint) or not addresses.are_keys(p256dh, auth):
        raise Refused("push_unknown")
    digest = sha256(endpoint.encode()).hexdigest()
    server_key = site_key.current().public_key
    with transaction.atomic():
        # Lock the row: two concurrent requests would each count without the other.
        User.objects.select_for_update(no_key=True).get(pk=person.pk)
        if renews and not _is_known(person, digest, device):
            return False
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
            "server_key": server_key,
            "language": language,
            "device": device,
            "sign_in": sign_in_of(person),
            "holder": holder,
        }
        PushSubscription.objects.update_or_create(
            digest=digest, defaults=values, create_defaults=values | {"created_at": now}
        )
        mine = PushSubscription.objects.filter(user=person).order_by("-pk")
        mine.filter(device=device).exclude(server_key=server_key).delete()  # of this very browser
        kept = list(mine.values_list("pk", flat=True)[:BROWSERS_EACH])
        PushSubscription.objects.filter(user=person).exclude(pk__in=kept).delete()
    return True


def _is_known(person: User, digest: str, device: str) -> bool:
    """Whether the site has this browser, by its address or else by its session.

    A row found by its session gets the new address, and keeps the pushes that wait for it.
    """
    mine = PushSubscription.objects.filter(user=person)
    if mine.filter(digest=digest).exists():
        return True
    renewed = mine.filter(device=device).order_by("-pk").first()
    if renewed is None:
        return False
    PushSubscription.objects.filter(digest=digest).delete()  # of a previous user of this browser
    mine.filter(pk=renewed.pk).update(digest=digest)
    return True


def unsubscribe(person: User, endpoint: str) -> None:
    """Delete the subscription of one browser of this person, if it exists."""
    digest = sha256(endpoint.encode()).hexdigest()
    PushSubscription.objects.filter(user=person, digest=digest).delete()


def unsubscribe_all(person: User) -> None:
    """Delete all subscriptions of this person."""
    PushSubscription.objects.filter(user=person).delete()


def session_changed(person: User, before: str, device: str) -> None:
    """Attach a browser's subscription to the new session of the same person."""
    there = PushSubscription.objects.filter(user=person, device=before)
    there.update(device=device, sign_in=sign_in_of(person))


def session_ended(user_id: int, device: str) -> None:
    """Delete the subscriptions of a session that has just ended."""
    PushSubscription.objects.filter(user=user_id, device=device).delete()


def browsers_of(person: User) -> int:
    return PushSubscription.objects.filter(user=person).count()


def sign_in_of(person: User) -> str:
    """A token that changes when all sessions of this person end, as after a new password."""
    signed = salted_hmac("push", person.get_session_auth_hash(), algorithm="sha256")
    return signed.hexdigest()[:32]


def choice_of(person: User) -> PushChoice:
    """A person's switches; all off, and not saved, if they never chose."""
    return PushChoice.objects.filter(pk=person.pk).first() or PushChoice(user=person)


def wants(user_id: int, switches: Iterable[str]) -> bool:
    """Whether all these switches are on."""
    return PushChoice.objects.filter(pk=user_id, **dict.fromkeys(switches, True)).exists()


def want(person: User, switches: Iterable[str], *, zone: str) -> None:
    """Turn these switches on, and set the time zone if the person has none."""
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
    """Delete a person's subscriptions, their switches and all waiting pushes."""
    with transaction.atomic():
        PushSubscription.objects.filter(user=person).delete()
        PushChoice.objects.filter(pk=person.pk).delete()


def export(person: User) -> dict[str, object]:
    """A person's browsers by push service, and their switches, as plain values ready for JSON."""
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
