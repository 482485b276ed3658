"""Two-factor authentication: how a code is shown to people, and who has given one."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import qrcode
from allauth.account.authentication import get_authentication_records
from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa import app_settings
from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.base.internal.flows import post_authentication
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.db import transaction
from django.http import HttpRequest
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy as _
from qrcode.image.svg import SvgPathFillImage

from accounts.models import User

# A session lasts for months; what a code has opened closes again after this.
LASTS = timedelta(hours=12)

_LAST_STEP = "last_step"  # in the data of an Authenticator


class TwoFactorAdapter(DefaultMFAAdapter):
    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("Wrong code. Wait for the next one and try again."),
        "cannot_generate_recovery_codes": _(
            "Set up two-factor authentication before creating recovery codes."
        ),
    }

    def get_totp_label(self, user: Any) -> str:
        """The user's name; allauth's default is the e-mail address, which others may see."""
        return str(user.username)

    def build_totp_svg(self, url: str) -> str:
        """The QR code as markup for the page itself: the content policy allows no data: images."""
        image = qrcode.make(url, image_factory=SvgPathFillImage, box_size=16)
        return mark_safe(image.to_string(encoding="unicode"))  # noqa: S308  # drawn, not typed


def is_set_up(person: User) -> bool:
    """Whether signing in asks this person for a code; recovery codes alone do not count."""
    return Authenticator.objects.filter(user=person, type=Authenticator.Type.TOTP).exists()


def is_done(request: HttpRequest, *, now: datetime) -> bool:
    """Whether this very session has lately given a code of a second step that still stands."""
    since = (now - LASTS).timestamp()
    person: Any = request.user
    given = {
        record["id"]
        for record in get_authentication_records(request, person)
        if record["method"] == "mfa" and since < record["at"] <= now.timestamp()
    }
    return bool(given) and Authenticator.objects.filter(user=person, pk__in=given).exists()


def step_of(authenticator: Authenticator, code: str, *, now: datetime) -> int | None:
    """Which of the app's codes this is, by its number since 1970; None for none that counts now.

    One before and one after the present count too: a code takes seconds to type, and a phone's
    clock may be wrong.
    """
    secret = get_adapter().decrypt(authenticator.data["secret"])
    present = int(now.timestamp()) // app_settings.TOTP_PERIOD
    around = range(present - app_settings.TOTP_TOLERANCE, present + app_settings.TOTP_TOLERANCE + 1)
    for step in reversed(around):
        if compare_user_code(actual=code, expected=format_hotp_value(hotp_value(secret, step))):
            return step
    return None


def is_used(person: User, code: str, *, now: datetime) -> bool:
    """Whether this code of the app, or one after it, has been given already."""
    apps = Authenticator.objects.filter(user=person, type=Authenticator.Type.TOTP)
    steps = [(app.data.get(_LAST_STEP, -1), step_of(app, code, now=now)) for app in apps]
    return any(step is not None and step <= last for last, step in steps)


def use(authenticator: Authenticator, code: str, *, now: datetime) -> bool:
    """Note in the database that this code has been given; False if it was used a moment ago.

    allauth notes it in the cache, for as long as a code is shown: with a code before and after it
    is accepted three times as long, and while Redis is away each process has a cache of its own.
    """
    with transaction.atomic():
        app = Authenticator.objects.select_for_update().get(pk=authenticator.pk)
        step = step_of(app, code, now=now)
        if step is None or step <= app.data.get(_LAST_STEP, -1):
            return False
        app.data[_LAST_STEP] = step
        app.save(update_fields=["data"])
    return True


def use_first_code(request: HttpRequest, *, now: datetime) -> None:
    """After a set-up: the same code does not sign anybody in, nor is this user asked for another.

    Does nothing where nothing was set up.
    """
    user: Any = request.user
    for app in Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP):
        if use(app, request.POST.get("code", ""), now=now):
            post_authentication(request, app)


def take_away(person: User) -> bool:
    """Remove two-factor from an account whose phone and codes are lost; False if it had none.

    The owner's identity must have been checked in some other way.
    """
    taken, _by_model = Authenticator.objects.filter(user=person).delete()
    return taken > 0
