"""Views that need both accounts and games: data export, deletion, privacy; imprint and robots."""

from __future__ import annotations

from allauth.core import ratelimit
from allauth.core.internal import ratelimit as internal_ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from accounts.forms import DeleteForm
from accounts.requests import SignedIn
from perudo_site import data_export, deletion, errors, retention_periods
from perudo_site.server import downloads

# Search engines may index the home page, the rules and the tutorial; not tables, replays or
# profiles. Programs that show previews of shared links may read tables and replays.
ROBOTS = """\
User-agent: *
Allow: /$
Allow: /rules$
Allow: /rules/
Allow: /learn$
Allow: /learn/
Allow: /static/
Disallow: /

User-agent: Discordbot
User-agent: facebookexternalhit
User-agent: LinkedInBot
User-agent: Slackbot-LinkExpanding
User-agent: TelegramBot
User-agent: Twitterbot
User-agent: WhatsApp
Allow: /$
Allow: /games/
Allow: /q/
Allow: /preview/
Disallow: /
"""


@require_safe
@cache_control(public=True, max_age=86_400)
def robots(request: HttpRequest) -> HttpResponse:
    """Serve robots.txt."""
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Privacy page: what data the site stores, how long, who reads it, and how to export it."""
    return render(request, "privacy.html", {"kept_for": retention_periods.in_words()})


@require_safe
def imprint(request: HttpRequest) -> HttpResponse:
    """Imprint page: who runs the site; 404 if the settings do not say."""
    if not settings.IMPRINT:
        raise Http404
    return render(request, "imprint.html")


@require_safe
@login_required
def my_data(request: SignedIn) -> HttpResponseBase:
    """Download everything the site stores about the user, as one JSON file.

    It is streamed: some users have played thousands of games.
    """
    person = request.user
    if request.method == "HEAD":
        return HttpResponse(content_type="application/json")
    # allauth's public function never counts a GET.
    if not internal_ratelimit.consume(
        request, app="allauth.account", action="export", limit_get=True
    ):
        sentence = _("You can download your data up to 6 times an hour. Please try again later.")
        return errors.too_many_requests(request, message=sentence)
    return downloads.json_file(
        request,
        data_export.everything_about(person),
        name=f"{settings.SITE_NAME.lower()}.json",
    )


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def delete_account(request: SignedIn) -> HttpResponse:
    """Delete the account: leave every table, then anonymise it. Finished games stay, nameless."""
    person = request.user
    if not ratelimit.consume(request, action="reauthenticate"):
        return ratelimit.respond_429(request)
    form = DeleteForm(request.POST or None, person=person)
    if form.is_valid():
        deletion.delete_account(person, now=timezone.now())
        logout(request)
        messages.success(request, _("Your account has been deleted."))
        return redirect(settings.LOGOUT_REDIRECT_URL)
    return render(request, "accounts/delete.html", {"form": form})
