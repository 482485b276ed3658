"""The page that tells what proves the draws of a game, while it runs and when it is over."""

from __future__ import annotations

from functools import cache
from typing import Final
from unicodedata import normalize

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from mnemonic import Mnemonic

from games.models import Game
from games.store import proofs

# The lists of BIP 39; another language gets the English one.
_WORDS: Final = {"fr": "french", "it": "italian", "es": "spanish"}
_BYTES: Final = 16  # of a root are told in twelve words


@require_safe
def fairness(request: HttpRequest, code: str) -> HttpResponse:
    """The seal of a game, and how to check its draws: the same for everybody who has the link."""
    game = get_object_or_404(Game, code=code)
    seal = proofs.seal(game)
    context = {
        "game": game,
        "seal": seal,
        "words": in_words(seal.root, get_language() or "") if seal and seal.root else "",
        "is_over": game.status == Game.Status.FINISHED,
        "record": reverse("games:record-json", args=[game.code]),
    }
    return render(request, "games/fairness.html", context)


def in_words(root: str, language: str) -> str:
    """Twelve words of a language for a root in hexadecimal, which people can read to each other."""
    list_of_words = _list(_WORDS.get(language.partition("-")[0], "english"))
    return normalize("NFC", list_of_words.to_mnemonic(bytes.fromhex(root)[:_BYTES]))


@cache
def _list(name: str) -> Mnemonic:
    return Mnemonic(name)
