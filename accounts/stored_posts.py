"""Stored POSTs: a POST that required signing in is replayed after the user has signed in.

A view that requires sign-in stores the POST in the visitor's session and redirects to the sign-in
page. `next` then leads to `views.go_on` by every way of signing in: password, code, reset, a new
account, or as a guest. Only a POST of the same session is replayed, once, and within an hour.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.http import urlencode

_KEY: Final = "errand"
LASTS: Final = timedelta(hours=1)
LONGEST: Final = 2000  # characters of the encoded form; a session is one row


def keep(request: HttpRequest, *, otherwise: str, now: datetime) -> str:
    """Store this POST in the session; return the URL for `next`.

    The URL leads to the path `otherwise` if there is no stored POST: after an hour, in another
    browser, or if the form was too long.
    """
    form = request.POST.copy()
    form.pop("csrfmiddlewaretoken", None)
    if len(text := form.urlencode()) <= LONGEST:
        kept = {"path": request.path, "form": text, "until": (now + LASTS).timestamp()}
        request.session[_KEY] = kept
    return f"{reverse('go-on')}?{urlencode({'next': otherwise})}"


def take(request: HttpRequest, *, now: datetime) -> tuple[str, QueryDict] | None:
    """Remove the stored POST; return its path and form, or None if it is missing or expired."""
    kept: Any = request.session.pop(_KEY, None)
    if not kept or kept["until"] < now.timestamp():
        return None
    return kept["path"], QueryDict(kept["form"])
