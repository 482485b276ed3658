"""The page of a card: a player's luck and errors in a finished game, in the reader's language."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, ngettext, pgettext

from games import catalogue
from games.regional_formats import number
from games.rendering import replay_page
from games.rendering.review_page import ACCOUNT, figure
from games.review import cards
from games.review.cards import Card
from games.review.figures import points


def page(card: Card, *, is_mine: bool) -> dict[str, Any]:
    """The values of `games/card.html`."""
    return {
        "name": card.seat.name,
        "avatar": card.seat.avatar,
        "game_name": catalogue.of(card.game.kind_key).words.name(),
        "finished_at": card.game.finished_at,
        "headline": headline(card),
        "sentence": sentence(card),
        "figures": _figures(card),
        "review_url": reverse("games:review", args=[card.game.code]),
        "replay_url": replay_page.address(card.game, 1),
        "is_mine": is_mine,
        "is_private": not card.game.listed,
    }


def of_address(card: Card) -> list[Any]:
    """What the address of a card is made of."""
    number = card.seat.number
    return [card.game.code, number, cards.signature(card.game, number)]


def headline(card: Card) -> str:
    """ "Luck −12, own errors −3", in percentage points."""
    return gettext("Luck %(luck)s, own errors %(errors)s") % {
        "luck": points(card.account["luck"]),
        "errors": points(card.account["own"]),
    }


def sentence(card: Card) -> str:
    """What the player says to that, in the words of the game."""
    words = catalogue.of(card.game.kind_key).review_words
    return "" if words is None else words.card(card.luck, played_well=card.played_well)


def counted(card: Card) -> str:
    """How many decisions there were, and what neither luck nor errors explain."""
    n = card.account["decisions"]
    form = ngettext(
        "%(count)s decision, unexplained %(residual)s.",
        "%(count)s decisions, unexplained %(residual)s.",
        n,
    )
    return form % {"count": number(n), "residual": points(card.account["residual"])}


def shared_text(card: Card) -> str:
    """What is shared beside the link."""
    game_name = catalogue.of(card.game.kind_key).words.name()
    return f"{game_name}: {headline(card)}\n{sentence(card)}\n{counted(card)}"


def _figures(card: Card) -> list[tuple[str, str]]:
    """Each part of the account with its label, and how many decisions there were."""
    labels = {
        "first": pgettext("a chance", "start"),
        "own": gettext("own errors"),
        "gifts": gettext("others' errors"),
        "machine": pgettext("what changed a chance", "bots and clock"),
        "luck": gettext("luck"),
        "residual": pgettext("a chance", "unexplained"),
        "last": pgettext("a chance", "end"),
    }
    account = card.account
    parts = [(labels[name], figure(name, account[name])) for name in ACCOUNT if name in account]
    return [*parts, (pgettext("a number of decisions", "n"), number(account["decisions"]))]
