"""The page of a table for a big screen: a spectator's view with only the board."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import words
from games.contract import catalogue
from games.models import Game
from games.social.chat import rendering
from games.table import frames
from games.views.qr_code import qr_image
from games.views.table import is_joined_by_link, shared_path


@require_safe
@never_cache
def board(request: HttpRequest, code: str) -> HttpResponse:
    """The board of a table for everybody in the room, and before the game the QR code to join.

    The page is the same for everybody, because many people look at one screen: it must not show the
    hand of the player who opened it. It contains nothing of the session, not even its page identity
    (`page_identity` is None), so signing in or out elsewhere does not reload it.
    """
    game = get_object_or_404(Game.objects.select_related("host"), code=code)
    nobody = AnonymousUser()
    address = request.build_absolute_uri(shared_path(game))
    reactions = rendering.reactions(game)
    shown = f"seen={game.seq}&heard={rendering.etag(reactions)}"
    context = {
        "user": nobody,
        "page_identity": None,
        "game": game,
        "SITE_NAME": words.site_name(game.kind_key),
        "assets": catalogue.of(game.kind_key).assets,
        "table_html": frames.table(game),
        "own_html": frames.own(game, None, user=nobody),
        "reactions_html": reactions,
        "ws_path": f"/ws/games/{game.code}/board?{shown}&lang={get_language()}",
        "invite": address,
        "qr": qr_image(address) if is_joined_by_link(game) else None,
    }
    return render(request, "games/board.html", context)
