"""*Play with people*: the button, the answers in a search, and the page without JavaScript."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

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
from games.lobby.matching import button, head, searches, strip
from games.models import Search
from games.store import queries
from games.views import guests
from games.views.actions import changes_tables, go, is_htmx, whole_page
from games.views.holder import holder, home, may
from games.views.signing_in import signs_in_first

State = Search.State


@changes_tables
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest) -> HttpResponse:
    """The page of *Play with people*; a POST starts looking, and makes a visitor a guest first.

    A POST redirects to the table of other waiting people, or to a warm-up. If the name is taken or
    refused, the response is the page with the reason (422).
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
        if not may(request, "find_people"):
            raise Refused("too_many_searches")
        search = searches.press(
            user,
            choice=request.POST.get("game", ""),
            bots="bots" in request.POST or "bots_asked" not in request.POST,
            holder=holder(request) or f"person-{user.pk}",
            home=home(request),
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
    """The action of a person who looks for people, named by the field `do`."""
    user, now = request.user, timezone.now()
    device = page_identity.of(user, request.session)
    try:
        match request.POST.get("do"):
            case "start":
                search = searches.answer(user, device=device, now=now)
                return whole_page(request, redirect(_where(search)))
            case "here":
                search = searches.take_over(user, device=device, now=now)
                return whole_page(request, redirect(_where(search)))
            case "bots" | "no_bots" as said:
                searches.want_bots(user, bots=said == "bots", now=now)
                return _stay(request)
            case "not_now":
                searches.leave(user, now=now)
                return _leave(request)
            case "stop":
                searches.leave(user, stop=True, now=now)
                return go(request, "games:home")
            case "dismiss":
                searches.dismiss(user, now=now)
                return _stay(request)
    except Refused as refused:
        return _refuse(request, refused)
    return HttpResponseBadRequest()


def _where(search: Search) -> str:
    """The address to go to: the table once others are there, until then the warm-up."""
    if search.state != State.WAITING and search.table is not None:
        return reverse("games:table", args=[search.table.code])
    game = queries.pastime(search.user)
    return reverse("games:table", args=[game.code]) if game else reverse("games:play")


def _leave(request: SignedIn) -> HttpResponse:
    """Redirect to the warm-up, or to the home page if there is none."""
    game = queries.pastime(request.user)
    return go(request, "games:table", game.code) if game else go(request, "games:home")


def _stay(request: SignedIn) -> HttpResponse:
    """Leave the update to the page's socket; without htmx, redirect to the page of the search."""
    return HttpResponse(status=204) if is_htmx(request) else redirect("games:play")


def _refuse(request: HttpRequest, refused: Refused) -> HttpResponse:
    if refused.code != "at_a_table":  # the page says this itself, with a link back
        messages.error(request, words.reason(refused.code, refused.details))
    return go(request, "games:play")


def _page(request: HttpRequest, form: GuestForm | None = None) -> HttpResponse:
    user = request.user
    now = timezone.now()
    play = button.context(user, now=now)
    context: dict[str, object] = {"name": ""}
    if user.is_authenticated:
        head.note_seen(user.pk, now=now)  # for browsers without JavaScript
        context["s"] = strip.shown(user.pk, device=page_identity.of(user, request.session))
    if form is not None:
        context["name"] = form.offered or request.POST.get("username", "")
        context["name_errors"] = form.errors.get("username", [])
        play = replace(play, chosen=request.POST.get("game", ""))
    context["play"] = play
    return render(request, "games/play.html", context, status=200 if form is None else 422)
