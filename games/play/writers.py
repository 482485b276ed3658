"""What is written when a game goes on: each writer is fed with the progress and does one thing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from games import catalogue
from games.models import Game
from games.play import finish
from games.play.draft import GameDraft
from games.play.progress import Progress

Writer = Callable[[GameDraft, Progress, datetime], None]


def count_facts(draft: GameDraft, progress: Progress, now: datetime) -> None:
    """What a screen must have seen, and after which number hidden facts are looked for."""
    last = progress.after.seq
    numbers: dict[str, int] = {}
    for event in progress.events:
        if not event.fact.aside:
            numbers["turn_seq"] = last
        if event.fact.audience is not None:
            numbers["sealed_seq"] = event.seq
        if event.fact.new_deal:
            numbers["deal_seq"] = event.seq
    draft.change(**numbers)


def end_the_game(draft: GameDraft, progress: Progress, now: datetime) -> None:
    """The steps of a finished game in its own row and seats."""
    if progress.waiting is None:
        finish.take_steps(draft, progress.after.state, after_save=False, now=now)


def note_who_is_out(draft: GameDraft, progress: Progress, now: datetime) -> None:
    """Who is out since this move counts as watching until the page sends its heartbeat."""
    before, after = progress.before.state, progress.after.state
    if before is None:
        return
    for number in set(draft.rules.in_play(before)) - set(draft.rules.in_play(after)):
        if not draft.seats[number].held:
            draft.change_seat(number, seen_at=now)


def renew_deadlines(draft: GameDraft, progress: Progress, now: datetime) -> None:
    """The time begins again when the game waits for something else, or now for a bot."""
    if _waits_for_something_else(draft, progress):
        draft.set_deadlines(progress.after, progress.waiting, now=now)


def _waits_for_something_else(draft: GameDraft, progress: Progress) -> bool:
    before, after = progress.waited, progress.waiting
    if before is None or after is None or before.kind != after.kind:
        return True
    if after.kind == "reveal":  # nobody makes it longer by acknowledging it or by leaving
        return False
    on_turn = after.on_turn if after.kind == "turn" else None
    left = on_turn is not None and draft.seats[on_turn].gone
    return left or not all(event.fact.aside for event in progress.events)


def keep_the_round(draft: GameDraft, progress: Progress, now: datetime) -> None:
    """The game's own row about a round that has just ended."""
    if not finish.counts(draft.game) and draft.game.origin != Game.Origin.AGAIN:
        return
    finished = _round_of(draft, progress.after.state)
    if finished is not None and _round_of(draft, progress.before.state) is None:
        stats, first = catalogue.of(draft.game.kind_key).stats, progress.events[0].seq
        stats.write_round(draft.game, draft.seats, finished, seq=first)


def _round_of(draft: GameDraft, state: Any | None) -> Any | None:
    return None if state is None else draft.rules.finished_round(state)


def keep_the_result(draft: GameDraft, progress: Progress, now: datetime) -> None:
    """The steps of a finished game in rows of others."""
    if progress.waiting is None:
        finish.take_steps(draft, progress.after.state, after_save=True, now=now)


# In this order: what changes in the game's row and its seats; then, when nobody else can have moved
# the game on any more, whatever follows in the rows of others.
BEFORE_SAVE: Final[tuple[Writer, ...]] = (
    count_facts,
    end_the_game,
    note_who_is_out,
    renew_deadlines,
)
AFTER_SAVE: Final[tuple[Writer, ...]] = (keep_the_round, keep_the_result)
