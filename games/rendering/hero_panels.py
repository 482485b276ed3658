"""The panels of the games on the home page: what each is, and playing at once against bots.

They are the same for all who have an account, but for the token of their forms, and change only
with the site's version: rendered once a process and language.
"""

from __future__ import annotations

from typing import Any, Final

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games import catalogue
from games.forms import PlayNowForm
from games.rendering import game_list
from games.store.versioned_lru import VersionedLRU

# No token has these characters.
_PLACE_OF_IT: Final = "--token--"

_panels: VersionedLRU[str] = VersionedLRU(most=20, name="panels of the games")


def games() -> list[dict[str, Any]]:
    """The games as `games/_hero.html` shows them."""
    return [_with_quick_play(kind) for kind in catalogue.every()]


def _with_quick_play(kind: catalogue.GameKind) -> dict[str, Any]:
    form = PlayNowForm(initial={"game": kind.key}, auto_id=f"{kind.key}_%s")
    return game_list.shown(kind) | {"play_now": form}


def of_accounts(csrf_token: str) -> SafeString:
    """The panels for somebody who is signed in, with this token in their forms."""
    key = get_language()
    kept = _panels.get(key)
    if kept is None:
        context = {"games": games(), "csrf_token": _PLACE_OF_IT, "user": {"is_authenticated": True}}
        kept = (0, render_to_string("games/_heroes.html", context))
        _panels.keep(key, *kept)
    return SafeString(kept[1].replace(_PLACE_OF_IT, csrf_token))
