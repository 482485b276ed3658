"""Reviews: having the worker make them, storing them, and finding them."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from time import monotonic
from typing import Any, Final

from django.core.cache import cache
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from games.contract import catalogue
from games.contract.optional_parts import Judge
from games.models import Game, GameReview, Habits, ReviewedPlay
from games.play import finish, worker
from games.store import review_content
from games.store.batches import in_batches
from games.study.marks import awards
from games.study.review import analysis, habits
from games.study.review.content import Content

# The most reviews that this process requests at once: half of the worker's queue.
MOST_UNDER_WAY: Final = 4
# The worker's time limit for one review; pictures requested meanwhile wait.
MOST_SECONDS: Final = 30.0
# This process doesn't retry a failed review for this long, in seconds.
TRIED_AGAIN_AFTER: Final = 3600.0

_lock: Final = Lock()
_under_way: Final[set[int]] = set()  # the keys of games
_failed: Final[dict[int, float]] = {}  # the time of the failure, in seconds of time.monotonic
_MOST_FAILED: Final = 1000  # the most failures that are remembered


class NoJudge(LookupError):
    """The game has no judge."""


@dataclass(frozen=True, slots=True)
class StoredReview:
    """A stored review; `optional_parts.Judge` describes its `content`."""

    judge: str
    made_at: datetime
    content: Content


def judge_of(kind_key: str) -> Judge:
    """The judge of a game. Raises NoJudge."""
    judge = catalogue.of(kind_key).review
    if judge is None:
        raise NoJudge(kind_key)
    return judge


def judges() -> dict[str, str]:
    """The name of the present judge of each game that has one, by the game's key."""
    return {kind.key: kind.review.JUDGE for kind in catalogue.every() if kind.review is not None}


# --- finding one ---------------------------------------------------------------------------------


def of_game(game: Game) -> StoredReview | None:
    """The review of a game by the present judge; None if there is none."""
    judge = judges().get(game.kind_key)
    return None if judge is None else _read(GameReview.objects.filter(game=game, judge=judge))


def kept(game: Game) -> StoredReview | None:
    """The stored review of a game, by any judge; None if there is none."""
    return _read(GameReview.objects.filter(game=game))


def _read(rows: QuerySet[GameReview]) -> StoredReview | None:
    found = rows.first()
    if found is None:
        return None
    return StoredReview(found.judge, found.made_at, review_content.unpacked(found.content))


def is_under_way(game: Game) -> bool:
    """Whether a process of this site is waiting for the review of this game."""
    return game.pk in _under_way or cache.get(_claim(game.pk)) is not None


def any_under_way() -> bool:
    """Whether this process is waiting for any review."""
    return bool(_under_way)


def failed() -> list[int]:
    """The keys of the games whose review has failed recently in this process."""
    since = monotonic() - TRIED_AGAIN_AFTER
    with _lock:
        return [pk for pk, at in _failed.items() if at > since]


def unreviewed() -> QuerySet[Game]:
    """The finished games that count, without a review by their present judge."""
    theirs = GameReview.objects.filter(game=OuterRef("pk"))
    missing = Q(pk__in=())
    for kind_key, judge in judges().items():
        missing |= Q(~Exists(theirs.filter(judge=judge)), kind_key=kind_key)
    finished = Game.objects.filter(status=Game.Status.FINISHED).filter(missing)
    return finished.exclude(origin__in=finish.COUNTS_FOR_NOTHING)


def made_before_the_fit(kind_key: str) -> QuerySet[Game]:
    """The games whose review is older than the present habits of their players (`habits.fit`)."""
    fitted_at = Habits.objects.filter(kind_key=kind_key).order_by("-version").values("made_at")[:1]
    return Game.objects.filter(kind_key=kind_key, review__made_at__lt=fitted_at)


# --- making one ----------------------------------------------------------------------------------


def ask(game: Game) -> bool:
    """Have the worker review a finished game; `worker.results` writes the review later.

    Returns False if a process is already waiting for it. Raises ValueError for a game that is not
    over, NoJudge, worker.Busy, or worker.Failed if the review has failed recently.
    """
    judge = judge_of(game.kind_key)
    if game.status != Game.Status.FINISHED:
        raise ValueError("a running game is not reviewed")
    if game.pk in failed():
        raise worker.Failed("of late")
    with _lock:
        if game.pk in _under_way:
            return False
        if len(_under_way) >= MOST_UNDER_WAY:
            raise worker.Busy
        # The claim in the cache tells other processes. It expires, as a process may die.
        if not cache.add(_claim(game.pk), True, MOST_UNDER_WAY * MOST_SECONDS):
            return False
        _under_way.add(game.pk)
    try:
        module = judge.analyse.__module__
        future = worker.ask(analysis.made, module, log_of(game), seconds=MOST_SECONDS)
    except BaseException:
        _forget(game.pk)
        raise

    def write_it(found: dict[str, Any], now: datetime) -> None:
        try:
            packed = b64decode(found["packed"])
            _write(game.pk, judge.JUDGE, packed, found["accounts"], now=now)
        finally:
            _forget(game.pk)

    # The claim of a failed review is released here, that of others once they are written.
    future.add_done_callback(lambda done: _note_failure(game.pk, done))
    worker.results.add(future, write_it)
    return True


def make(game: Game, *, now: datetime) -> None:
    """Review a finished game in this process and store it, for commands; it takes seconds.

    Raises ValueError for a game that is not over, or NoJudge.
    """
    judge = judge_of(game.kind_key)
    write(game.pk, judge.JUDGE, judge.analyse(log_of(game)), now=now)


def log_of(game: Game) -> dict[str, Any]:
    """A judge's input for a finished game: its log, and the `habits` of people if there are any.

    Raises ValueError while the game runs.
    """
    return habits.log_of(game) | {"habits": habits.latest(game.kind_key)}


def _note_failure(pk: int, done: Future[Any]) -> None:
    error = None if done.cancelled() else done.exception()
    if error is None and not done.cancelled():
        return
    if isinstance(error, worker.Failed):
        with _lock:
            _failed[pk] = monotonic()
            while len(_failed) > _MOST_FAILED:
                del _failed[min(_failed, key=_failed.__getitem__)]
    _forget(pk)


def _forget(pk: int) -> None:
    with _lock:
        _under_way.discard(pk)
    cache.delete(_claim(pk))


def _claim(pk: int) -> str:
    return f"review-{pk}"


def write(game_pk: int, judge: str, content: Content, *, now: datetime) -> None:
    """Store a review and its rows per person, in place of any older review of the game."""
    _write(game_pk, judge, review_content.packed(content), content["accounts"], now=now)


def _write(
    game_pk: int, judge: str, packed: bytes, accounts: Sequence[Content], *, now: datetime
) -> None:
    with transaction.atomic():
        game = Game.objects.filter(pk=game_pk, status=Game.Status.FINISHED).first()
        if game is None:
            return
        row = {"judge": judge, "made_at": now, "content": packed}
        GameReview.objects.update_or_create(game=game, defaults=row)
        ReviewedPlay.objects.filter(game=game).delete()
        if finish.counts(game):
            by_seat = {each["seat"]: each for each in accounts}
            ReviewedPlay.objects.bulk_create(
                _play(game, judge, seat.user_id, by_seat[seat.number])
                for seat in game.seat_set.filter(user__isnull=False)
            )
            awards.award_by_review(game, accounts)


_COUNTED: Final = ("decisions", "inaccuracies", "mistakes", "blunders")
_FIGURES: Final = ("accuracy", "own", "gifts", "luck", "residual")


def _play(game: Game, judge: str, user_id: Any, account: Content) -> ReviewedPlay:
    finished_at: Any = game.finished_at
    read = account.get("read")
    return ReviewedPlay(
        user_id=user_id,
        game=game,
        kind_key=game.kind_key,
        judge=judge,
        finished_at=finished_at,
        judged=account["accuracy"] is not None,
        boldest=account["boldest"],
        boldest_chance=account["boldest"] and account["boldest"]["chance"],
        best_read=read,
        best_read_chance=read and read["chance"],
        **{name: account[name] for name in (*_COUNTED, *_FIGURES)},
    )


# --- personal data -------------------------------------------------------------------------------


def export(person: User) -> Content:
    """The figures of this person in reviews, as plain values ready for JSON.

    After an account is deleted they stay without a name, like the results of games.
    """
    plays = ReviewedPlay.objects.filter(user=person).select_related("game").order_by("pk")
    return {"reviews": map(_export_play, in_batches(plays))}


def _export_play(play: ReviewedPlay) -> dict[str, Any]:
    return {
        "game": play.game.code,
        "judge": play.judge,
        "finished": play.finished_at.isoformat(),
        **{name: getattr(play, name) for name in (*_COUNTED, *_FIGURES, "boldest", "best_read")},
    }
