"""The page of a person's inbox: its entries with links, and marking them as read."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SignedIn
from games.core.numbers import whole_number
from games.models import InboxEntry
from games.social.inbox import entries, kinds
from games.views.actions import is_htmx
from games.views.signing_in import signs_in_first


@require_safe
@login_required
def inbox(request: SignedIn) -> HttpResponse:
    """The entries, newest first. With JavaScript the page marks them as read automatically."""
    newest = InboxEntry.objects.filter(user=request.user).order_by("-seq")
    context = {"inbox": entries.of(request.user.pk), "entries": kinds.shown(list(newest))}
    return render(request, "games/inbox.html", context)


@require_POST
@signs_in_first("games:inbox")
def mark_read(request: SignedIn) -> HttpResponse:
    """Mark the entries that the page showed as read: those up to the number `until`."""
    until = whole_number(request.POST.get("until", ""), digits=9)
    if until is None:
        return HttpResponseBadRequest()
    entries.mark_read(request.user.pk, until=until, now=timezone.now())
    return HttpResponse(status=204) if is_htmx(request) else redirect("games:inbox")
