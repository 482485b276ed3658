"""The second step of signing in: how a code is shown to people, and who has given one."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import qrcode
from allauth.account.authentication import get_authentication_records
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.http import HttpRequest
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy as _
from qrcode.image.svg import SvgPathFillImage

from accounts.models import User

# A session lasts for months; what a code has opened closes again after this.
LASTS = timedelta(hours=12)


class SecondStepAdapter(DefaultMFAAdapter):
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


def take_away(person: User) -> bool:
    """Remove two-factor from an account whose phone and codes are lost; False if it had none.

    The owner's identity must have been checked in some other way.
    """
    taken, _by_model = Authenticator.objects.filter(user=person).delete()
    return taken > 0
