"""The page of a card: a player's luck and errors in a finished game, in the reader's language."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, ngettext, pgettext

from games import words
from games.contract import catalogue
from games.regional_formats import number
from games.study.replay import replay_page
from games.study.review import accounts_told, cards
from games.study.review.cards import Card
from games.study.review.figures import in_percent
from games.table.common import seats_of


def page(card: Card, *, is_mine: bool) -> dict[str, Any]:
    """The values of `games/card.html`."""
    return {
        "name": card.seat.name,
        "avatar": card.seat.avatar,
        "SITE_NAME": words.site_name(card.game.kind_key),
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
    """The arguments of the URL of a card."""
    number = card.seat.number
    return [card.game.code, number, cards.signature(card.game, number)]


def headline(card: Card) -> str:
    """ "Luck −12%, errors −3%", of the game; without the luck if it isn't known."""
    luck, errors = in_percent(card.points["luck"]), in_percent(card.points["own"])
    if card.luck is None:
        return gettext("Errors %(errors)s") % {"errors": errors}
    return gettext("Luck %(luck)s, errors %(errors)s") % {"luck": luck, "errors": errors}


def sentence(card: Card) -> str:
    """The player's comment on that, in the words of the game; "" if it has none."""
    if card.seat.left:
        return gettext("I didn't play to the end.")
    words = catalogue.of(card.game.kind_key).review_words
    return "" if words is None else words.card(card.luck, played_well=card.played_well)


def counted(card: Card) -> str:
    """The number of decisions, in words."""
    n = card.account["decisions"]
    return ngettext("%(count)s decision", "%(count)s decisions", n) % {"count": number(n)}


def shared_text(card: Card) -> str:
    """The text that is shared with the link."""
    game_name = catalogue.of(card.game.kind_key).words.name()
    return f"{game_name}: {headline(card)}\n{sentence(card)}\n{counted(card)}"


def _figures(card: Card) -> list[tuple[str, str]]:
    """Each part of the account with its label, so that they add up, and the number of decisions."""
    labels = {
        "first": pgettext("a chance", "start"),
        "own": gettext("errors"),
        "gifts": gettext("others' errors"),
        "machine": accounts_told.of_machine(seats_of(card.game)),
        "luck": gettext("luck"),
        "last": pgettext("a chance", "end"),
    }
    account, shown = card.account, card.points
    told = [name for name in labels if name in accounts_told.parts([account])]
    parts = [(labels[name], accounts_told.figure(name, shown.get(name))) for name in told]
    return [*parts, (pgettext("a number of decisions", "n"), number(account["decisions"]))]
