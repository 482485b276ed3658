"""The site as an app on the home screen: its manifest, its worker, and a page for no network."""

from __future__ import annotations

import json
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

# The colours of paper and card by daylight, as in tokens.css.
PAPER, CARD = "#f6efe2", "#fffaf0"
# The only files that are kept for a time without network: what the offline page is made of.
OFFLINE_PARTS = ("site/reset.css", "site/tokens.css", "site/base.css", "site/forms.css")
OFFLINE_SCRIPT = "site/offline.js"


@require_safe
@cache_control(private=True, max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    """What a browser needs to install the site, in the person's language."""
    sizes = [(size, purpose) for size in (192, 512) for purpose in ("any", "maskable")]
    content = {
        "id": "/",
        "name": _("%(site)s – the game of bluff") % {"site": settings.SITE_NAME},
        "short_name": settings.SITE_NAME,
        "description": _("Play Perudo, the dice game of bluff, against people and bots."),
        "lang": get_language(),
        "dir": "ltr",
        "start_url": reverse("games:home"),
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": CARD,
        "categories": ["games"],
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
@cache_control(private=True, no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, at the root because that is how far it may reach.

    It names what it keeps by a digest of it, so that a new look, language or theme of the offline
    page is a new worker, which browsers then take over by themselves.
    """
    kept = [reverse("offline"), *map(static, (*OFFLINE_PARTS, OFFLINE_SCRIPT))]
    digest = sha256(_offline_page(request).encode()).hexdigest()[:12]
    context = {"kept": json.dumps(kept), "name": json.dumps(f"offline-{digest}")}
    return render(request, "sw.js", context, content_type="text/javascript; charset=utf-8")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """What a browser shows while there is no network; nothing in it is about a person or a game."""
    return HttpResponse(_offline_page(request))


def _offline_page(request: HttpRequest) -> str:
    sheets, script = [static(part) for part in OFFLINE_PARTS], static(OFFLINE_SCRIPT)
    return render_to_string("offline.html", {"sheets": sheets, "script": script}, request)
