"""What a stored review says of one player of a finished game, without making a review."""

from __future__ import annotations

from accounts.models import User
from games.contract import catalogue
from games.models import Game, GameReview, ReviewedPlay
from games.store import review_content


def reviewed(game: Game, person: User, **columns: object) -> None:
    """One blunder and luck of 9 percent, by the present judge; `columns` differ from that.

    The review itself has nothing more, and no job makes another.
    """
    judge = catalogue.of(game.kind_key).review
    assert judge is not None
    values: dict[str, object] = {"judge": judge.JUDGE, "judged": True, "decisions": 20}
    values |= {"accuracy": 0.9, "luck": 0.09, "inaccuracies": 2, "mistakes": 3, "blunders": 1}
    rest = {"kind_key": game.kind_key, "finished_at": game.finished_at}
    ReviewedPlay.objects.create(user=person, game=game, **rest, **(values | columns))
    made = {"judge": judge.JUDGE, "made_at": game.finished_at, "content": review_content.packed({})}
    GameReview.objects.update_or_create(game=game, defaults=made)
