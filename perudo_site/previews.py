"""Views of the pictures of link previews, limited: anybody can make the site draw."""

from __future__ import annotations

from http import HTTPStatus

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from games.models import Game
from games.rendering import link_preview, preview_image
from perudo_site.ratelimit.local import allow, client_address

_KEPT_SECONDS = 3600  # by browsers and networks


@require_safe
def table(request: HttpRequest, code: str) -> HttpResponse:
    """The picture of a table, the same for everybody who asks."""
    game = get_object_or_404(Game.objects.select_related("host"), code=code)
    return _answer(request, link_preview.of_game(game).picture)


@require_safe
def site(request: HttpRequest, language: str) -> HttpResponse:
    """The picture of the home page in one of the site's languages."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    return _answer(request, link_preview.of_site(settings.SITE_NAME, language).picture)


def _answer(request: HttpRequest, picture: preview_image.Picture) -> HttpResponse:
    png = preview_image.drawn(picture)
    if png is None:
        if not _may_draw(request):
            return HttpResponse(
                status=HTTPStatus.TOO_MANY_REQUESTS,
                headers={"Retry-After": "60", "Cache-Control": "no-store"},
            )
        png = preview_image.draw(picture)
    headers = {"Cache-Control": f"public, max-age={_KEPT_SECONDS}"}
    return HttpResponse(png, content_type="image/png", headers=headers)


def _may_draw(request: HttpRequest) -> bool:
    """Count one more drawing: of this address, and of this process for all addresses together."""
    address = client_address(request)
    if not allow("preview", address, per_minute=settings.PREVIEWS_PER_ADDRESS):
        return False
    return allow("preview", "", per_minute=settings.PREVIEWS)
