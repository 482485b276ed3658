"""The page of a card: a player's luck and errors in a finished game, which they share by a link."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.store import queries
from games.study.review import card_page, cards
from games.views import link_preview


@require_safe
def card(request: HttpRequest, code: str, seat: int, sign: str) -> HttpResponse:
    """A card, for everybody with its link; a card of a private game is only for its players."""
    found = cards.find(code, seat, sign)
    if found is None or not queries.is_open_to(found.game, request.user):
        raise Http404
    is_mine = found.seat.user == request.user
    context = card_page.page(found, is_mine=is_mine)
    if is_mine:
        address = reverse("games:card", args=card_page.of_address(found))
        context["here"] = request.build_absolute_uri(address)
        context["share_text"] = card_page.shared_text(found)
    preview = link_preview.of_card(found)
    own = {"card": found} if found.game.listed else {"game": found.game}
    context |= preview.context(request, **own)
    return render(request, "games/card.html", context)
