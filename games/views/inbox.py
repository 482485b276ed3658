"""The page of a person's inbox: what they were told, with links, and marking it as read."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from games.inbox import kinds, services
from games.models import InboxEntry
from games.views.actions import is_htmx
from games.views.signing_in import signs_in_first


@require_safe
@login_required
def inbox(request: Any) -> HttpResponse:
    """The entries, newest first. With JavaScript the page marks them as read by itself."""
    entries = InboxEntry.objects.filter(user=request.user).order_by("-seq")
    context = {"inbox": services.of(request.user.pk), "entries": kinds.shown(list(entries))}
    return render(request, "games/inbox.html", context)


@require_POST
@signs_in_first("games:inbox")
def mark_read(request: Any) -> HttpResponse:
    """Mark as read what the page showed: the entries up to the number `until`."""
    until = request.POST.get("until", "")
    if not (until.isascii() and until.isdigit() and len(until) < 10):
        return HttpResponseBadRequest()
    services.mark_read(request.user.pk, until=int(until), now=timezone.now())
    return HttpResponse(status=204) if is_htmx(request) else redirect("games:inbox")
