"""Settings of web push: the site's key, contact and allowed push services."""

from __future__ import annotations

import re
from collections.abc import Iterable
from email.utils import parseaddr
from pathlib import Path

from games.social.push import vapid
from perudo_site import env

# The push services of Chrome and most other browsers, Firefox, Safari and Edge.
SERVICES = "fcm.googleapis.com *.push.services.mozilla.com *.push.apple.com *.notify.windows.com"
_SERVICE = re.compile(r"((\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+|localhost)(:\d{1,5})?")


def contact(addresses: Iterable[str]) -> str:
    """Return the first usable email address of these, for push services to contact the host."""
    return next(found for each in addresses if (found := parseaddr(each)[1]))


def services(name: str) -> list[str]:
    """Return hosts such as `push.example` or `*.push.example`, with `:` and a port if not 443.

    If the variable is `none`, the list is empty and the site sends no push messages.
    """
    found = env.string(name, SERVICES).lower().replace(",", " ").split()
    if found == ["none"]:
        return []
    for each in found:
        if not _SERVICE.fullmatch(each):
            raise env.InvalidSetting(f"{name} must be hosts of push services, not “{each}”.")
    return found


def key(name: str, *, file: Path) -> tuple[str, str]:
    """Return the private keys for push messages from the variable and from `file`; "" if none.

    Keys are in PEM, or 32 bytes in base64url as many tools print. Only earlier versions wrote the
    file; now the key is stored in the database (`games.social.push.site_key`).
    """
    kept = file.read_text(errors="replace").strip() if file.exists() else ""
    found = env.string(name, ""), kept
    for text in filter(None, found):
        try:
            vapid.key_of(text)
        except ValueError:
            raise env.InvalidSetting(
                f"{name} must be a private key on the curve P-256, in PEM or in base64url; so must "
                f"be what “{file}” holds."
            ) from None
    return found
