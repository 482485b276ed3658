"""POSTs to a table: what became of an action, as a notice, a redirect or the table's page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts import errands
from games import words
from games.actions.act import Action, Actor, act
from games.actions.outcomes import Done, NoSuchTable, NotDone, Outcome, SignInFirst
from games.views.holder import holder

# The posts to a table that a visitor's signing in only interrupts.
AFTER_SIGNING_IN = {"sit", "rematch"}


def changes_tables(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Mark a view whose POST changes a table: the site runs it on the thread of moves."""
    view.work = "table"  # type: ignore[attr-defined]
    return view


def posts(action: Action) -> Callable[..., HttpResponse]:
    """The view of an action: its form is posted, and a notice or another page is the answer."""

    @changes_tables
    @require_POST
    def view(request: HttpRequest, code: str) -> HttpResponse:
        return answer(request, code, done_for(request, code, action))

    return view


def done_for(request: HttpRequest, code: str, action: Action) -> Outcome:
    """What became of the action that this request asks for."""
    return act(actor(request), code, action, request.POST, now=timezone.now())


def actor(request: HttpRequest) -> Actor:
    """Who asks. The limits are allauth's, as for signing in: their counters are in the cache that
    all processes share, under a lock, so that concurrent posts are counted one by one.
    """

    def allows(action: str) -> bool:
        return bool(ratelimit.consume(request, action=action))

    return Actor(request.user, holder=partial(holder, request), allows=allows)


def answer(request: HttpRequest, code: str, outcome: Outcome) -> HttpResponse:
    """The answer to an action at the table `code`.

    Usually an empty notice: the page is updated by its socket. A refusal is a notice with its
    reason; without htmx, a message on the table's page. Visitors are sent to sign in, and come back
    to the table. Http404 where there is none.
    """
    match outcome:
        case NoSuchTable():
            raise Http404
        case SignInFirst():
            return whole_page(request, redirect_to_login(_after_signing_in(request, code)))
        case NotDone():
            return notice(request, code, sentence(outcome))
        case Done(leaves=True):
            return go(request, "games:home")
        case Done(goes_to=str(there), but=but):
            if but is not None:
                messages.error(request, sentence(but))
            return go(request, "games:table", there)
    return notice(request, code, "")


def _after_signing_in(request: HttpRequest, code: str) -> str:
    """The address to go on to: joining is done then; a move, say, might come too late."""
    table = reverse("games:table", args=[code])
    match = request.resolver_match
    if match is None or match.url_name not in AFTER_SIGNING_IN:
        return table
    return errands.keep(request, otherwise=table, now=timezone.now())


def sentence(refusal: NotDone) -> str:
    """Why an action was refused, in the reader's language."""
    return words.reason(refusal.reason, refusal.details, kind_key=refusal.kind_key or None)


def notice(request: HttpRequest, code: str, message: str) -> HttpResponse:
    """The answer to an action at the table `code`: an error message, or "" for success."""
    if is_htmx(request):
        # 200 also for an error: htmx does not show any other response.
        context = {"message": message, "tone": "error"}
        return render(request, "games/_notice.html", context) if message else HttpResponse()
    if message:
        messages.error(request, message)
    return redirect("games:table", code)


def go(request: HttpRequest, name: str, *arguments: Any) -> HttpResponse:
    """Send the browser to the page with this URL name."""
    return whole_page(request, redirect(name, *arguments))


def whole_page(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """A redirect of the whole page; htmx would swap the target of a plain one into a fragment."""
    return HttpResponseClientRedirect(response["Location"]) if is_htmx(request) else response


def is_htmx(request: HttpRequest) -> bool:
    """Whether htmx made this request and swaps the response into a page."""
    return request.headers.get("HX-Request") == "true"
