"""What somebody was about to do when they had to sign in first: it is done afterwards.

A view that wants a visitor to sign in keeps the POST in their session and sends them to sign in;
`next` then leads to `views.go_on`, whichever way they take: password, code, reset, a new account, a
guest. Only what this session itself has posted is ever done, once, and within the hour.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.http import urlencode

_KEY: Final = "errand"
LASTS: Final = timedelta(hours=1)
LONGEST: Final = 2000  # of the form, encoded: a session is one row


def keep(request: HttpRequest, *, otherwise: str, now: datetime) -> str:
    """Keep this POST; returns the address for `next`.

    That leads to the page `otherwise` (a path) when nothing is kept any more: after an hour, in
    another browser, or because the form was too long.
    """
    form = request.POST.copy()
    form.pop("csrfmiddlewaretoken", None)
    if len(text := form.urlencode()) <= LONGEST:
        kept = {"path": request.path, "form": text, "until": (now + LASTS).timestamp()}
        request.session[_KEY] = kept
    return f"{reverse('go-on')}?{urlencode({'next': otherwise})}"


def take(request: HttpRequest, *, now: datetime) -> tuple[str, QueryDict] | None:
    """The path and the form of what was kept, which is kept no more; None when there is nothing."""
    kept: Any = request.session.pop(_KEY, None)
    if not kept or kept["until"] < now.timestamp():
        return None
    return kept["path"], QueryDict(kept["form"])
