"""The progressive web app: manifest, service worker and offline page."""

from __future__ import annotations

import json
from hashlib import sha256

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.contract import catalogue
from perudo_site import shared_links

# Colours of the light theme, as in tokens.css.
PAPER, CARD = "#f6efe2", "#fffaf0"
# The only files that are cached for offline use: what the offline page needs.
OFFLINE_STYLES = ("site/reset.css", "site/tokens.css", "site/base.css", "site/forms.css")
OFFLINE_SCRIPT = "site/offline.js"


@require_safe
@cache_control(private=True, max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    """The web app manifest in the user's language, by which browsers install the site."""
    sizes = [(size, purpose) for size in (192, 512) for purpose in ("any", "maskable")]
    content = {
        "id": "/",
        "name": _("%(site)s – bluffing games online") % {"site": settings.SITE_NAME},
        "short_name": settings.SITE_NAME,
        "description": _("Bluffing games with friends or against bots: %(games)s.")
        % {"games": ", ".join(kind.words.name() for kind in catalogue.every())},
        "lang": get_language(),
        "dir": "ltr",
        "start_url": reverse("games:home"),
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": CARD,
        "categories": ["games"],
        "shortcuts": [
            {"name": _("Play with people"), "url": reverse("games:play")},
            {"name": _("Question of the day"), "url": reverse("games:daily")},
        ],
        # Shared links to this site open in the installed app: see `opened`.
        "share_target": {
            "action": reverse("open"),
            "method": "GET",
            "params": {"title": "title", "text": "text", "url": "url"},
        },
        "icons": [
            {
                "src": static(f"site/icon{'-maskable' * (purpose == 'maskable')}-{size}.png"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for size, purpose in sizes
        ],
    }
    return JsonResponse(content, content_type="application/manifest+json")


@require_safe
def opened(request: HttpRequest) -> HttpResponse:
    """Redirect to the page of a link that was shared with the installed app.

    Some apps pass a link as text. Without a link to this site, redirect to the home page with an
    error message.
    """
    given = " ".join(request.GET.get(each, "")[:2000] for each in ("url", "text", "title"))
    if (path := shared_links.path_in(given, request.get_host())) is not None:
        return redirect(path)
    messages.error(request, _("There's no link to this site in what you shared."))
    return redirect("games:home")


@require_safe
@cache_control(private=True, no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker, at the root because its path is its scope.

    Its cache is named by a digest of the offline page, so a new design, language or theme of that
    page makes a new worker, which browsers then install by themselves.
    """
    cached_urls = [reverse("offline"), *map(static, (*OFFLINE_STYLES, OFFLINE_SCRIPT))]
    digest = sha256(_offline_page(request).encode()).hexdigest()[:12]
    context = {
        "kept": json.dumps(cached_urls),
        "name": json.dumps(f"offline-{digest}"),
        "icon": json.dumps(static("site/icon-192.png")),
        "push_url": json.dumps(reverse("games:push-browser")),
    }
    return render(request, "sw.js", context, content_type="text/javascript; charset=utf-8")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page that a browser shows offline; it has nothing about a user or a game."""
    return HttpResponse(_offline_page(request))


def _offline_page(request: HttpRequest) -> str:
    sheets, script = [static(each) for each in OFFLINE_STYLES], static(OFFLINE_SCRIPT)
    return render_to_string("offline.html", {"sheets": sheets, "script": script}, request)
