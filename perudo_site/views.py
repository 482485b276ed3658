"""What needs both people and games: my data, farewell, playing at once, language; and robots."""

from __future__ import annotations

from allauth.core import ratelimit
from allauth.core.internal import ratelimit as internal_ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views import i18n
from django.views.decorators.cache import cache_control
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import data, people
from accounts.forms import DeleteForm
from accounts.models import User
from accounts.requests import SignedIn
from accounts.views import guest
from games import company, lobby, profile
from games.models import Game
from games.views import lobby as game_lobby
from games.views import table as game_table
from perudo_site import downloads, errors

# Home, the rules and the lessons are for everybody. Tables, replays, people and accounts are not.
ROBOTS = """\
User-agent: *
Allow: /$
Allow: /rules$
Allow: /learn$
Allow: /learn/
Allow: /static/
Disallow: /
"""


@require_safe
@cache_control(public=True, max_age=86_400)
def robots(request: HttpRequest) -> HttpResponse:
    """What search engines may read."""
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


@require_safe
@login_required
def my_data(request: SignedIn) -> HttpResponseBase:
    """Everything the site keeps about the person who asks, as one JSON file.

    It is made while it is sent: some people have played thousands of games.
    """
    person = request.user
    if request.method == "HEAD":
        return HttpResponse(content_type="application/json")
    # allauth's public function never counts a GET.
    if not internal_ratelimit.consume(
        request, app="allauth.account", action="export", limit_get=True
    ):
        sentence = _("You can download your data six times an hour. Please try again later.")
        return errors.too_many_requests(request, message=sentence)
    return downloads.json_file(
        request,
        {"account": data.export(person), **profile.export(person), **company.export(person)},
        name=f"{settings.SITE_NAME.lower()}.json",
    )


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def delete_account(request: SignedIn) -> HttpResponse:
    """Leave every table, then be forgotten; the games stay, the name goes."""
    person = request.user
    if not ratelimit.consume(request, action="reauthenticate"):
        return ratelimit.respond_429(request)
    form = DeleteForm(request.POST or None, person=person)
    if form.is_valid():
        lobby.leave_everything(person, now=timezone.now())
        company.forget(person)
        people.forget(person)
        logout(request)
        messages.success(request, _("Your account is deleted."))
        return redirect(settings.LOGOUT_REDIRECT_URL)
    return render(request, "accounts/delete.html", {"form": form})


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """A seat against bots at once; a stranger becomes a guest on the way there."""
    if not request.user.is_authenticated:
        arrival = guest(request)
        if not request.user.is_authenticated:
            return arrival  # too many guests from one address
    return game_lobby.play_now(request)


@require_POST
def sit_as_guest(request: HttpRequest, code: str) -> HttpResponse:
    """A seat at an open table in one step; a stranger becomes a guest on the way there."""
    get_object_or_404(Game, code=code)
    if not request.user.is_authenticated:
        arrival = guest(request)
        if not request.user.is_authenticated:
            return arrival  # too many guests from one address
    return game_table.sit(request, code)


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Django's own, and a signed-in person finds the choice again on every device."""
    language = request.POST.get("language", "")
    if request.user.is_authenticated and language in dict(settings.LANGUAGES):
        User.objects.filter(pk=request.user.pk).update(language=language)
    return i18n.set_language(request)
