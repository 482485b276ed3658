"""Your mistakes: a person's own costly decisions as questions, until they are answered rightly.

They come from the stored reviews of the person's latest games; no review is made for them. Wrong
answers are asked again later. `guess_first` asks and answers a single one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from accounts.models import User
from games.contract import catalogue
from games.models import Game, GameReview, MistakeAnswer, ReviewedPlay, Seat
from games.store import review_content
from games.store.versioned_lru import VersionedLRU
from games.study.questions import guess_first
from games.study.questions.guess_first import Guess
from games.study.review import first_look, review_page, reviewed_decision, reviews
from games.study.review.content import Content

# The latest reviewed games of each kind that are looked through, and the mistakes of each game.
MOST_GAMES: Final = 40
OF_A_GAME: Final = first_look.MOST_MOMENTS
AT_A_TIME: Final = 3
AGAIN_AFTER: Final = timedelta(days=1)
# The answers kept for each person: more than can be given while a game is among the latest.
MOST_KEPT: Final = 2 * MOST_GAMES * OF_A_GAME
# Decisions that turn out not to be a question are skipped, at most this many per page.
_MOST_TRIED: Final = 5

_of_games: VersionedLRU[Sequence[tuple[int, float]]] = VersionedLRU(most=5_000, name="mistakes")


@dataclass(frozen=True, slots=True)
class Mistake:
    """A costly decision: the key of its game, its moment there, its cost in chances of winning."""

    game: int
    number: int
    cost: float


@dataclass(frozen=True, slots=True)
class Asked:
    """A mistake as a question."""

    mistake: Mistake
    game: Game
    guess: Guess


def of_person(person: User) -> list[Mistake]:
    """The person's mistakes in their latest reviewed games, the costliest first."""
    plays = {play.game_id: play for play in _plays(person)}
    seats = Seat.objects.filter(user=person, game__in=plays).values_list("game", "number")
    keys = {(game, number, plays[game].judge): game for game, number in seats}
    kept = {key: found[1] for key in keys if (found := _of_games.get(key)) is not None}
    kept |= _read({game: key for key, game in keys.items() if key not in kept})
    mistakes = (Mistake(keys[key], *told) for key, each in kept.items() for told in each)
    return sorted(mistakes, key=lambda each: (-each.cost, each.game, each.number))


def _plays(person: User) -> Iterator[ReviewedPlay]:
    """The latest plays with errors, by the present judges of games whose moves have a value."""
    for kind_key, judge in reviews.judges().items():
        if catalogue.of(kind_key).review_words is not None:
            plays = ReviewedPlay.objects.filter(
                user=person, kind_key=kind_key, judge=judge, judged=True
            ).order_by("-finished_at")
            latest = plays[:MOST_GAMES]
            yield from (
                each for each in latest if each.inaccuracies + each.mistakes + each.blunders
            )


_Key = tuple[int, int, str]  # a game, a seat, a judge


def _read(missing: Mapping[int, _Key]) -> dict[_Key, Sequence[tuple[int, float]]]:
    """Read the mistakes of these seats from the reviews of their games, and cache them."""
    found = {}
    rows = GameReview.objects.filter(game__in=missing).select_related("game")
    for row in rows if missing else ():
        _game, seat, judge = key = missing[row.game_id]
        if row.judge == judge:
            found[key] = _told(row.game, review_content.unpacked(row.content), seat)
            _of_games.keep(key, 0, found[key])
    return found


def _told(game: Game, content: Content, seat: int) -> Sequence[tuple[int, float]]:
    """The moments and costs of a seat's costliest errors, where the review names a better move."""
    words, decisions = catalogue.of(game.kind_key).review_words, content["decisions"]
    assert words is not None  # noqa: S101
    costly = review_page.costliest(decisions, seat, most=len(decisions))
    told = [
        (each["number"], each["cost"])
        for each in costly
        if reviewed_decision.why_better(words, each) and guess_first.has_choices(each)
    ]
    return told[:OF_A_GAME]


def waiting(person: User, mistakes: Sequence[Mistake], *, now: datetime) -> list[Mistake]:
    """Those of the person's mistakes that they didn't answer yet, or wrongly some time ago."""
    given = MistakeAnswer.objects.filter(person=person, game__in={each.game for each in mistakes})
    done = {(each.game_id, each.moment) for each in given if _is_done(each, now)}
    return [each for each in mistakes if (each.game, each.number) not in done]


def _is_done(given: MistakeAnswer, now: datetime) -> bool:
    return given.right or given.answered_at > now - AGAIN_AFTER


def first(mistakes: Iterable[Mistake]) -> Asked | None:
    """The first of these mistakes that can be a question; None if there is none."""
    for mistake in [*mistakes][:_MOST_TRIED]:
        asked = _asked(mistake, Game.objects.get(pk=mistake.game))
        if asked is not None:
            return asked
    return None


def find(mistakes: Iterable[Mistake], code: str, number: int) -> Asked | None:
    """The one of these mistakes at this moment of the game with this code; None if it is none."""
    there = {each.game: each for each in mistakes if each.number == number}
    game = Game.objects.filter(code=code, pk__in=there).first()
    return None if game is None else _asked(there[game.pk], game)


def _asked(mistake: Mistake, game: Game) -> Asked | None:
    review = reviews.of_game(game)
    decisions: Sequence[Content] = () if review is None else review.content["decisions"]
    found = next((each for each in decisions if each["number"] == mistake.number), None)
    guess = None if found is None else guess_first.of_decision(game, found)
    return None if guess is None else Asked(mistake, game, guess)


def answer(person: User, mistake: Mistake, *, right: bool, now: datetime) -> None:
    """Store the answer to a mistake that waits for one; another answer to it is ignored.

    The oldest answers beyond MOST_KEPT are deleted.
    """
    given = MistakeAnswer.objects.filter(person=person)
    earlier = given.filter(game=mistake.game, moment=mistake.number).first()
    if earlier is not None and _is_done(earlier, now):
        return
    MistakeAnswer.objects.update_or_create(
        person=person,
        game_id=mistake.game,
        moment=mistake.number,
        defaults={"right": right, "answered_at": now},
    )
    latest = given.order_by("-answered_at", "-pk").values_list("pk", flat=True)
    too_old = list(latest[MOST_KEPT:])
    if too_old:
        MistakeAnswer.objects.filter(pk__in=too_old).delete()


# --- personal data -------------------------------------------------------------------------------


def forget(person: User) -> None:
    MistakeAnswer.objects.filter(person=person).delete()


def export(person: User) -> Mapping[str, Any]:
    """This person's answers, ready for JSON."""
    answered = MistakeAnswer.objects.filter(person=person).select_related("game")
    return {
        "own_mistakes": [
            {
                "game": each.game.code,
                "moment": each.moment,
                "right": each.right,
                "answered": each.answered_at.isoformat(),
            }
            for each in answered
        ]
    }
