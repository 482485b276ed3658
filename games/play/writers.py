"""Writers: functions that receive the progress of a game and each write one consequence of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from games.contract import catalogue
from games.models import Game
from games.play import finish
from games.play.draft import GameDraft
from games.play.progress import Progress

Writer = Callable[[GameDraft, Progress, datetime], None]


def count_facts(draft: GameDraft, progress: Progress, now: datetime) -> None:
    """Update the version a screen must have seen, and the range to search for hidden facts."""
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
    """Run the steps of a finished game that change its own row and seats."""
    if progress.waiting is None:
        finish.take_steps(draft, progress.after.state, after_save=False, now=now)


def note_who_is_out(draft: GameDraft, progress: Progress, now: datetime) -> None:
    """Count players who are out since this move as watching until their page's next heartbeat."""
    before, after = progress.before.state, progress.after.state
    if before is None:
        return
    for number in set(draft.rules.in_play(before)) - set(draft.rules.in_play(after)):
        if not draft.seats[number].held:
            draft.change_seat(number, seen_at=now)


def renew_deadlines(draft: GameDraft, progress: Progress, now: datetime) -> None:
    """Set new deadlines when the game waits for something else, or a bot now holds the turn."""
    if _waits_for_something_else(draft, progress):
        draft.set_deadlines(progress.after, progress.waiting, now=now)


def _waits_for_something_else(draft: GameDraft, progress: Progress) -> bool:
    before, after = progress.waited, progress.waiting
    if before is None or after is None or before.kind != after.kind:
        return True
    if after.kind == "reveal":  # acknowledging or leaving does not extend it
        return False
    on_turn = after.on_turn if after.kind == "turn" else None
    left = on_turn is not None and draft.seats[on_turn].gone
    return left or not all(event.fact.aside for event in progress.events)


def keep_the_round(draft: GameDraft, progress: Progress, now: datetime) -> None:
    """Write the game's statistics row of a round that has just ended."""
    if not finish.counts(draft.game) and draft.game.origin != Game.Origin.AGAIN:
        return
    finished = _round_of(draft, progress.after.state)
    if finished is not None and _round_of(draft, progress.before.state) is None:
        stats, first = catalogue.of(draft.game.kind_key).stats, progress.events[0].seq
        stats.write_round(draft.game, draft.seats, finished, seq=first)


def _round_of(draft: GameDraft, state: object | None) -> object | None:
    return None if state is None else draft.rules.finished_round(state)


def keep_the_result(draft: GameDraft, progress: Progress, now: datetime) -> None:
    """Run the steps of a finished game that write other rows."""
    if progress.waiting is None:
        finish.take_steps(draft, progress.after.state, after_save=True, now=now)


# First the changes of the game's row and seats. Then, when no other writer can have changed the
# game any more, the consequences in other rows.
BEFORE_SAVE: Final[tuple[Writer, ...]] = (
    count_facts,
    end_the_game,
    note_who_is_out,
    renew_deadlines,
)
AFTER_SAVE: Final[tuple[Writer, ...]] = (keep_the_round, keep_the_result)
