"""Previews that chats and social networks show of a link to a table, a replay or the site.

Previews are in the language of the table, because the programs that fetch them ask for none. They
say no more than the lobby does: for a private table, neither a name nor how the game stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext, gettext_lazy, ngettext

from games.contract import catalogue
from games.models import DailyRound, Game, Question, StandingTable
from games.study.questions.decisions import Decision
from games.study.review import card_page
from games.study.review.cards import Card
from games.table import common, highlights
from games.views.preview_image import SITE_GROUND, Picture, can_write

Status = Game.Status
_MOST_FACES: Final = 3  # on a picture


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
    ) -> dict[str, object]:
        """The context of `games/_link_preview.html` on the page of `request`, with absolute URLs.

        The picture's URL changes with the status of the game, because networks cache pictures.
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
    """The preview of a standing table: its game, and an invitation."""
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
    """The preview of a card; a card of a private game has the preview of its table."""
    if not card.game.listed:
        return of_game(card.game)
    language = card.game.language or translation.get_language()
    with translation.override(language):
        kind = catalogue.of(card.game.kind_key)
        title, game_name = card_page.headline(card), kind.words.name()
        description = f"{card_page.sentence(card)} {card_page.counted(card)}."
        kicker = f"{game_name} · {card.seat.name}"
        written = kicker if can_write(kicker) else game_name
        picture = Picture(kind.assets.preview, written, title, description)
    return LinkPreview(f"{card.seat.name}: {title}", description, picture, language)


def _of_decision(decision: Decision, title: object, language: str) -> LinkPreview:
    """The preview of a decision: the question, and what the player held."""
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
    """The title and the description of a game; `name` is the name of its kind."""
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
        return _called_winners(winners), description
    return gettext("%(host)s's table") % {"host": game.host.shown_name}, description


def _called_winners(names: list[str]) -> str:
    form = ngettext("Winner: %(names)s", "Winners: %(names)s", len(names))
    return form % {"names": ", ".join(names)}


def _winners(game: Game) -> list[str]:
    return [seat.name for seat in common.seats_of(game) if seat.place == 1]


def _picture(game: Game, name: str, title: str, description: str) -> Picture:
    """The picture of a game. It is generic for private tables, and if the font can't write the
    title.
    """
    kind = catalogue.of(game.kind_key)
    if game.listed and game.status == Status.FINISHED and (ending := _ending(game, name)):
        return ending
    if game.listed and can_write(title):
        return Picture(kind.assets.preview, name, title, description)
    return Picture(kind.assets.preview, "", name, kind.words.tagline())


def _ending(game: Game, name: str) -> Picture | None:
    """The picture of a game that is over: its winners on the stage, and what it turned on.

    None without a winner, and if the font can't write their names.
    """
    kind, seats = catalogue.of(game.kind_key), common.seats_of(game)
    winners = [seat for seat in seats if seat.place == 1]
    title = _won_by([seat.name for seat in winners])
    if not winners or not can_write(title):
        return None
    key = next((each for each in highlights.shown(game) if each.is_key), None)
    text = key.words if key and can_write(key.words) else kind.words.tagline()
    worn = tuple((w["animal"], w["cloth"], w["weave"]) for w in (s.avatar for s in winners))
    return Picture(kind.assets.ending, name, title, text, worn[:_MOST_FACES])


def _won_by(names: list[str]) -> str:
    if len(names) == 1:
        return gettext("%(name)s wins") % {"name": names[0]}
    return _called_winners(names)
