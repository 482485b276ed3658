"""Two-factor authentication: setup texts, checks of codes, and sessions that have given one."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

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
from qrcode.main import make as make_qr_code

from accounts.digits import ascii_digits
from accounts.models import User

# How long a given code counts in its session, which itself lasts for months.
LASTS = timedelta(hours=12)

_LAST_STEP = "last_step"  # key in the data of an Authenticator


class TwoFactorAdapter(DefaultMFAAdapter):
    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("Wrong code. Wait for the next one and try again."),
        "cannot_generate_recovery_codes": _(
            "Set up two-factor authentication before creating recovery codes."
        ),
    }

    def get_totp_label(self, user: Any) -> str:
        """Return the user's name; allauth's default is the email address, which others may see."""
        return str(user.username)

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code as inline SVG: the content security policy allows no data: images."""
        image = make_qr_code(url, image_factory=SvgPathFillImage, box_size=16)
        svg: str = image.to_string(encoding="unicode")
        return mark_safe(svg)  # noqa: S308  # drawn, not typed


def is_set_up(person: User) -> bool:
    """Whether signing in asks this person for a code; recovery codes alone do not count."""
    return Authenticator.objects.filter(user=person, type=Authenticator.Type.TOTP).exists()


def is_done(request: HttpRequest, *, now: datetime) -> bool:
    """Whether this session has given a code within LASTS, for a factor that still exists."""
    since = (now - LASTS).timestamp()
    person: Any = request.user
    given = {
        record["id"]
        for record in get_authentication_records(request, person)
        if record["method"] == "mfa" and since < record["at"] <= now.timestamp()
    }
    return bool(given) and Authenticator.objects.filter(user=person, pk__in=given).exists()


def step_of(authenticator: Authenticator, code: str, *, now: datetime) -> int | None:
    """Return the number since 1970 of a code of the app; None if the code is not valid now.

    The codes before and after the current one are valid too: a code takes seconds to type, and a
    phone's clock may be wrong.
    """
    secret = get_adapter().decrypt(authenticator.data["secret"])
    present = int(now.timestamp()) // app_settings.TOTP_PERIOD
    around = range(present - app_settings.TOTP_TOLERANCE, present + app_settings.TOTP_TOLERANCE + 1)
    for step in reversed(around):
        if compare_user_code(actual=code, expected=format_hotp_value(hotp_value(secret, step))):
            return step
    return None


def is_used(person: User, code: str, *, now: datetime) -> bool:
    """Whether this code of the app, or a later one, has been used already."""
    apps = Authenticator.objects.filter(user=person, type=Authenticator.Type.TOTP)
    steps = [(app.data.get(_LAST_STEP, -1), step_of(app, code, now=now)) for app in apps]
    return any(step is not None and step <= last for last, step in steps)


def use(authenticator: Authenticator, code: str, *, now: datetime) -> bool:
    """Record in the database that this code has been used; return False if it was used before.

    allauth records it only in the cache, for as long as a code is shown. But a code is accepted
    three times as long, and while Redis is unavailable each process has a separate cache.
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
    """After setup, use up the code that was given, and count it as this session's second step.

    Do nothing if nothing was set up.
    """
    user: Any = request.user
    for app in Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP):
        if use(app, ascii_digits(request.POST.get("code", "")), now=now):
            post_authentication(request, app)


def take_away(person: User) -> bool:
    """Remove two-factor from an account whose phone and codes are lost; False if it had none.

    The owner's identity must have been checked in some other way.
    """
    taken, _by_model = Authenticator.objects.filter(user=person).delete()
    return taken > 0
