"""What the stored review of a finished game says of one player, for the end of the game.

Nothing is computed here: a game that isn't reviewed yet has no such line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from django.utils.translation import gettext

from games import words
from games.contract import catalogue
from games.models import Game, GameReview, ReviewedPlay, Seat
from games.play import finish
from games.store import review_content


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """How many errors a player made, and their luck, None if it is unknown."""

    inaccuracies: int
    mistakes: int
    blunders: int
    luck: float | None

    @classmethod
    def of_play(cls, play: ReviewedPlay) -> Self:
        return cls(
            inaccuracies=play.inaccuracies,
            mistakes=play.mistakes,
            blunders=play.blunders,
            luck=play.luck,
        )


def of_seat(game: Game, seat: Seat) -> str:
    """ "1 blunder, luck +9%"; "" before there is a review by the present judge, and where it has
    not judged this player.

    One query; none for a running game, for a seat without a person, or for a moment that is tried
    again, which has a link to the review of its game.
    """
    judge = catalogue.of(game.kind_key).review
    if judge is None or seat.user_id is None or game.status != Game.Status.FINISHED:
        return ""
    if finish.counts(game):
        plays = ReviewedPlay.objects.filter(user=seat.user_id, game=game, judge=judge.JUDGE)
        play = plays.filter(judged=True).first()
        return "" if play is None else _in_words(Found.of_play(play))
    if game.origin != Game.Origin.WARM_UP:
        return ""
    found = _of_a_warm_up(game, seat, judge.JUDGE)
    return "" if found is None else _in_words(found)


def _of_a_warm_up(game: Game, seat: Seat, judge: str) -> Found | None:
    """From the review itself, as a warm-up leaves no row for a person."""
    review = GameReview.objects.filter(game=game, judge=judge).first()
    accounts = [] if review is None else review_content.unpacked(review.content)["accounts"]
    account = next((each for each in accounts if each["seat"] == seat.number), None)
    if account is None or account["accuracy"] is None:
        return None
    names = ("inaccuracies", "mistakes", "blunders", "luck")
    return Found(**{name: account[name] for name in names})


def _in_words(found: Found) -> str:
    """How many errors of the worst kind the player made, and their luck if it is known.

    Luck of more than the whole game has to be explained, so it is left out here.
    """
    errors = words.counted_errors(
        inaccuracies=found.inaccuracies, mistakes=found.mistakes, blunders=found.blunders
    )
    worst = errors[-1] if errors else gettext("no errors")
    if found.luck is None or abs(found.luck) >= 1:
        return worst
    values = {"errors": worst, "luck": words.signed(round(100 * found.luck))}
    return gettext("%(errors)s, luck %(luck)s%%") % values
