"""What a chat or a social network shows of a link to a table, a replay or the site.

Previews are in the language of the table, since the programs that fetch them ask for none. They say
no more than the lobby does: of a private table neither a name nor how the game stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext, gettext_lazy, ngettext

from games import catalogue
from games.models import DailyRound, Game, Question, StandingTable
from games.questions.decisions import Decision
from games.rendering import card_page, common
from games.rendering.preview_image import SITE_GROUND, Picture, can_write
from games.review.cards import Card

Status = Game.Status


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """The words of a preview, its picture, and the language of both."""

    title: str
    description: str
    picture: Picture
    language: str

    def context(
        self,
        request: HttpRequest,
        game: Game | None = None,
        *,
        standing: StandingTable | None = None,
        question: Question | None = None,
        day: DailyRound | None = None,
        card: Card | None = None,
    ) -> dict[str, Any]:
        """What `games/_link_preview.html` needs on the page of `request`, with absolute addresses.

        The address of the picture changes with the status of the game: networks keep pictures.
        """
        if standing is not None:
            image = reverse("standing-preview", args=[standing.word])
        elif question is not None:
            image = reverse("question-preview", args=[question.word])
        elif day is not None:
            image = reverse("day-preview", args=[day.day.isoformat()])
        elif card is not None:
            image = reverse("card-preview", args=card_page.of_address(card))
        elif game is None:
            image = reverse("site-preview", args=[self.language])
        else:
            image = f"{reverse('table-preview', args=[game.code])}?{game.status}"
        return {
            "link_preview": self,
            "address": request.build_absolute_uri(request.path),
            "image_address": request.build_absolute_uri(image),
        }


def of_game(game: Game) -> LinkPreview:
    """The preview of a table, and of its replay once it is finished."""
    language = game.language or translation.get_language()
    with translation.override(language):
        name = catalogue.of(game.kind_key).words.name()
        title, description = _words(game, name)
        picture = _picture(game, name, title, description)
    return LinkPreview(title, description, picture, language)


def of_standing(table: StandingTable) -> LinkPreview:
    """The preview of a standing table: which game is played there, and that one may come."""
    language = table.language or translation.get_language()
    with translation.override(language):
        kind = catalogue.of(table.settings["kind_key"])
        name = kind.words.name()
        title = gettext("A standing table: %(game)s") % {"game": name}
        description = gettext("You're invited: choose a name and play. No account needed.")
        picture = Picture(kind.assets.preview, "", name, kind.words.tagline())
    return LinkPreview(title, description, picture, language)


def of_decision(decision: Decision, game: Game) -> LinkPreview:
    """The preview of a question about a decision of this game, without any name."""
    language = game.language or translation.get_language()
    return _of_decision(decision, gettext_lazy("What would you do?"), language)


def of_day(decision: Decision) -> LinkPreview:
    """The preview of a question of the day, in the active language."""
    return _of_decision(decision, gettext_lazy("Question of the day"), translation.get_language())


def of_card(card: Card) -> LinkPreview:
    """The preview of a card; only those of private games show no more than their tables do."""
    if not card.game.listed:
        return of_game(card.game)
    language = card.game.language or translation.get_language()
    with translation.override(language):
        kind = catalogue.of(card.game.kind_key)
        title, game_name = card_page.headline(card), kind.words.name()
        description = f"{card_page.sentence(card)} {card_page.counted(card)}"
        kicker = f"{game_name} · {card.seat.name}"
        written = kicker if can_write(kicker) else game_name
        picture = Picture(kind.assets.preview, written, title, description)
    return LinkPreview(f"{card.seat.name}: {title}", description, picture, language)


def _of_decision(decision: Decision, title: Any, language: str) -> LinkPreview:
    """What is asked and what the player held."""
    with translation.override(language):
        kind = catalogue.of(decision.kind_key)
        asked, held = decision.part.summary(decision.known, decision.seat)
        picture = Picture(kind.assets.preview, kind.words.name(), asked, held)
        return LinkPreview(str(title), f"{asked} {held}", picture, language)


def of_site(site_name: str, language: str) -> LinkPreview:
    """The preview of the home page."""
    with translation.override(language):
        description = gettext("Bluffing games with friends or against bots. No account needed.")
    picture = Picture(SITE_GROUND, "", site_name, description)
    return LinkPreview(site_name, description, picture, language)


def _words(game: Game, name: str) -> tuple[str, str]:
    """The title and the description of a game; `name` is what the game is called."""
    match game.status:
        case Status.OPEN:
            description = gettext("You're invited: choose a name and play. No account needed.")
        case Status.PLAYING:
            description = gettext("This game is in progress. Watch it live.")
        case Status.FINISHED:
            description = gettext("This game is over. Watch the replay.")
        case _:
            description = gettext("This table is closed.")
    if not game.listed:
        return gettext("A game of %(game)s") % {"game": name}, description
    winners = _winners(game) if game.status == Status.FINISHED else []
    if winners:
        form = ngettext("Winner: %(names)s", "Winners: %(names)s", len(winners))
        return form % {"names": ", ".join(winners)}, description
    return gettext("%(host)s's table") % {"host": game.host.shown_name}, description


def _winners(game: Game) -> list[str]:
    return [seat.name for seat in common.seats_of(game) if seat.place == 1]


def _picture(game: Game, name: str, title: str, description: str) -> Picture:
    """Of private tables, and where our letters cannot write the name, the same for all tables."""
    kind = catalogue.of(game.kind_key)
    if game.listed and can_write(title):
        return Picture(kind.assets.preview, name, title, description)
    return Picture(kind.assets.preview, "", name, kind.words.tagline())
