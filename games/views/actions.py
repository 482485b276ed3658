"""POSTs to a table; the response is a notice, a redirect or the table's page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts import stored_posts
from games import words
from games.table.act import Action, Actor, act
from games.table.results import Done, NoSuchTable, NotDone, Result, SignInFirst
from games.views.holder import holder, home, may

# The POSTs to a table that are completed after the visitor has signed in.
AFTER_SIGNING_IN = {"sit", "rematch"}


def changes_tables(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Mark a view whose POST changes a table, so that it runs on the games thread."""
    view.work = "table"  # type: ignore[attr-defined]
    return view


def posts(action: Action) -> Callable[..., HttpResponse]:
    """The view of an action, which answers a POST with a notice or another page."""

    @changes_tables
    @require_POST
    def view(request: HttpRequest, code: str) -> HttpResponse:
        return answer(request, code, done_for(request, code, action))

    return view


def done_for(request: HttpRequest, code: str, action: Action) -> Result:
    """Perform the action that this request asks for, and return its result."""
    return act(actor(request), code, action, request.POST, now=timezone.now())


def actor(request: HttpRequest) -> Actor:
    """The user of a request, as an actor at a table."""
    return Actor(
        request.user,
        holder=partial(holder, request),
        home=partial(home, request),
        allows=partial(may, request),
    )


def answer(request: HttpRequest, code: str, result: Result) -> HttpResponse:
    """The response to an action at the table `code`.

    Usually it is an empty notice, because the page's socket updates it. A refusal is a notice with
    the reason, or without htmx a message on the table's page. Visitors are sent to sign in, and
    come back to the table. Raises Http404 if there is no such table.
    """
    match result:
        case NoSuchTable():
            raise Http404
        case SignInFirst():
            return whole_page(request, redirect_to_login(_after_signing_in(request, code)))
        case NotDone():
            return notice(request, code, sentence(result))
        case Done(leaves=True):
            return go(request, "games:home")
        case Done(goes_to=str(there), but=but):
            if but is not None:
                messages.error(request, sentence(but))
            return go(request, "games:table", there)
    return notice(request, code, "")


def _after_signing_in(request: HttpRequest, code: str) -> str:
    """The address after signing in: it completes joining; a move might come too late by then."""
    table = reverse("games:table", args=[code])
    match = request.resolver_match
    if match is None or match.url_name not in AFTER_SIGNING_IN:
        return table
    return stored_posts.keep(request, otherwise=table, now=timezone.now())


def sentence(refusal: NotDone) -> str:
    """The reason of a refusal, as a sentence in the reader's language."""
    return words.reason(refusal.reason, refusal.details, kind_key=refusal.kind_key or None)


def notice(request: HttpRequest, code: str, message: str) -> HttpResponse:
    """The response to an action at the table `code`: an error message, or "" for success."""
    if is_htmx(request):
        # Errors have the status 200 too, because htmx does not show other responses.
        context = {"message": message, "tone": "error"}
        return render(request, "games/_notice.html", context) if message else HttpResponse()
    if message:
        messages.error(request, message)
    return redirect("games:table", code)


def go(request: HttpRequest, name: str, *arguments: object) -> HttpResponse:
    """Send the browser to the page with this URL name."""
    return whole_page(request, redirect(name, *arguments))


def whole_page(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Redirect the whole page; htmx would swap the target of a plain redirect into a fragment."""
    return HttpResponseClientRedirect(response["Location"]) if is_htmx(request) else response


def is_htmx(request: HttpRequest) -> bool:
    """Whether htmx made this request and swaps the response into a page."""
    return request.headers.get("HX-Request") == "true"
