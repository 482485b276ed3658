"""*Play with people*: the button, the answers to it, and the page for browsers without scripts."""

from __future__ import annotations

from typing import Any, cast

from allauth.core import ratelimit
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import GuestForm
from accounts.models import User
from accounts.requests import SignedIn
from games import page_identity, words
from games.errors import Refused
from games.matching import button, services, strip
from games.models import Search
from games.store import queries
from games.views import guests
from games.views.actions import changes_tables, go, is_htmx, whole_page
from games.views.holder import holder
from games.views.signing_in import signs_in_first

State = Search.State


@changes_tables
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest) -> HttpResponse:
    """Look for people: the page, and pressing the button; a visitor becomes a guest first.

    Pressed, it leads to the table of those who wait, or to a warm-up. A name that is taken or
    refused is answered with the page and the reason (422).
    """
    if request.method != "POST":
        return _page(request)
    if not request.user.is_authenticated:
        named = bool(request.POST.get("username", "").strip())
        form = guests.form_of(request) if named else None
        too_many = guests.come_in(request, form)
        if too_many is not None:
            return too_many
        if form is not None and form.errors:
            return _page(request, form)
    user = cast(User, request.user)
    try:
        if not ratelimit.consume(request, action="find_people"):
            raise Refused("too_many_searches")
        search = services.press(
            user,
            choice=request.POST.get("game", ""),
            bots="bots" in request.POST or "bots_asked" not in request.POST,
            holder=holder(request) or f"person-{user.pk}",
            device=page_identity.of(user, request.session),
            now=timezone.now(),
        )
    except Refused as refused:
        return _refuse(request, refused)
    return whole_page(request, redirect(_where(search)))


@changes_tables
@require_POST
@signs_in_first("games:home")
def answer(request: SignedIn) -> HttpResponse:
    """What somebody who looks for people answers: the field `do` says it."""
    user, now = request.user, timezone.now()
    device = page_identity.of(user, request.session)
    try:
        match request.POST.get("do"):
            case "start":
                search = services.answer(user, device=device, now=now)
                return whole_page(request, redirect(_where(search)))
            case "here":
                search = services.take_over(user, device=device, now=now)
                return whole_page(request, redirect(_where(search)))
            case "bots" | "no_bots" as said:
                services.want_bots(user, bots=said == "bots", now=now)
                return _stay(request)
            case "not_now":
                services.leave(user, now=now)
                return _leave(request)
            case "stop":
                services.leave(user, stop=True, now=now)
                return go(request, "games:home")
            case "dismiss":
                services.dismiss(user, now=now)
                return _stay(request)
    except Refused as refused:
        return _refuse(request, refused)
    return HttpResponseBadRequest()


def _where(search: Search) -> str:
    """Where somebody is now: at the table once there are others, in a warm-up until then."""
    if search.state != State.WAITING and search.table is not None:
        return reverse("games:table", args=[search.table.code])
    game = queries.pastime(search.user)
    return reverse("games:table", args=[game.code]) if game else reverse("games:play")


def _leave(request: SignedIn) -> HttpResponse:
    """Back to the warm-up from the table at which they do not play; elsewhere they stay."""
    game = queries.pastime(request.user)
    return go(request, "games:table", game.code) if game else go(request, "games:home")


def _stay(request: SignedIn) -> HttpResponse:
    """The socket updates the page; without one, the page that shows where a search stands."""
    return HttpResponse(status=204) if is_htmx(request) else redirect("games:play")


def _refuse(request: HttpRequest, refused: Refused) -> HttpResponse:
    if refused.code != "at_a_table":  # which the page says itself, with the way back
        messages.error(request, words.reason(refused.code, refused.details))
    return go(request, "games:play")


def _page(request: HttpRequest, form: GuestForm | None = None) -> HttpResponse:
    user = request.user
    context: dict[str, Any] = {"play": button.context(user), "name": ""}
    if user.is_authenticated:
        context["s"] = strip.shown(user.pk, device=page_identity.of(user, request.session))
    if form is not None:
        context["name"] = request.POST.get("username", "")
        context["name_errors"] = form.errors.get("username", [])
        context["play"] |= {"chosen": request.POST.get("game", "")}
    return render(request, "games/play.html", context, status=200 if form is None else 422)
