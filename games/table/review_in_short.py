"""What the stored review of a finished game says of one player, for the end of the game.

Nothing is computed here: a game that isn't reviewed yet has no such line.
"""

from __future__ import annotations

from django.utils.translation import gettext

from games import words
from games.contract import catalogue
from games.models import Game, ReviewedPlay, Seat
from games.play import finish


def of_seat(game: Game, seat: Seat) -> str:
    """ "1 blunder, luck +9%"; "" before there is a review by the present judge, and where it has
    not judged this player.

    One query; none for a running game, for a seat without a person, or for a game that counts for
    nothing.
    """
    judge = catalogue.of(game.kind_key).review
    if judge is None or seat.user_id is None or not finish.counts(game):
        return ""
    if game.status != Game.Status.FINISHED:
        return ""
    plays = ReviewedPlay.objects.filter(user=seat.user_id, game=game, judge=judge.JUDGE)
    play = plays.filter(judged=True).first()
    return "" if play is None else _in_words(play)


def _in_words(play: ReviewedPlay) -> str:
    """How many errors of the worst kind the player made, and their luck if it is known.

    Luck of more than the whole game has to be explained, so it is left out here.
    """
    found = words.counted_errors(
        inaccuracies=play.inaccuracies, mistakes=play.mistakes, blunders=play.blunders
    )
    worst = found[-1] if found else gettext("no errors")
    if play.luck is None or abs(play.luck) >= 1:
        return worst
    values = {"errors": worst, "luck": words.signed(round(100 * play.luck))}
    return gettext("%(errors)s, luck %(luck)s%%") % values
