"""The steps that finish a game, in one list; a table closed by staff runs none of them.

Tallies count what people did themselves. A game that a person left, or that a bot finished for
them, is neither won nor lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from games.contract import catalogue
from games.core.contract import Outcome
from games.models import Game, Result, Seat, SiteTally, Tally
from games.play import announce, open_pages, throws
from games.play.draft import GameDraft
from games.play.ratings import counting as ratings
from games.store import archive

# Games that leave nothing but their log, and what was thrown: warm-ups, and moments of a game that
# are tried again.
COUNTS_FOR_NOTHING: Final = frozenset({Game.Origin.WARM_UP, Game.Origin.AGAIN})


@dataclass(frozen=True, slots=True)
class Step:
    """One action at the end of a game, in the transaction of its last move.

    `take` changes the draft, or writes other rows if `after_save`; if it fails, the move fails.
    """

    name: str
    take: Callable[[GameDraft, Outcome, datetime], None]
    after_save: bool = False


def _set_status(draft: GameDraft, outcome: Outcome, now: datetime) -> None:
    draft.change(status=Game.Status.FINISHED, finished_at=now)


def _set_packing_time(draft: GameDraft, outcome: Outcome, now: datetime) -> None:
    draft.change(pack_at=now + archive.PACKED_AFTER)


def _set_marks_due(draft: GameDraft, outcome: Outcome, now: datetime) -> None:
    """Leave the marks to a job, so that no move waits for them or fails with them."""
    if counts(draft.game) and catalogue.of(draft.game.kind_key).marks is not None:
        draft.change(marks_due_at=now)


def _free_holder(draft: GameDraft, outcome: Outcome, now: datetime) -> None:
    """Remove the game from the quota of its holder."""
    draft.change(holder="", paused_at=None)


def _place_seats(draft: GameDraft, outcome: Outcome, now: datetime) -> None:
    placed = outcome.places()
    places = {seat: place for place, seat in placed}
    for seat in draft.seats:  # those without a rank come behind everyone who stayed
        place = places.get(seat.number, len(placed) + 1)
        draft.change_seat(seat.number, place=place, live=False)


def _note_who_stayed(draft: GameDraft, outcome: Outcome, now: datetime) -> None:
    """Record whose page is in view, as they may want a next game; later the page reports it."""
    for seat in draft.seats:
        if seat.user_id is not None and not seat.gone:
            seen = open_pages.is_in_view(draft.game.code, seat.user_id)
            seen = seen or open_pages.is_elsewhere_in_view(draft.game.code, seat.user_id, now=now)
            draft.change_seat(seat.number, seen_at=now if seen else None)


def _tell_screens(draft: GameDraft, outcome: Outcome, now: datetime) -> None:
    """Announce the end to screens even if the moves before it were skipped silently."""
    draft.silent = False


def _tell_lobby(draft: GameDraft, outcome: Outcome, now: datetime) -> None:
    announce.lobby_changed()


def _write_results(draft: GameDraft, outcome: Outcome, now: datetime) -> None:
    if counts(draft.game):
        write_results(draft.game, draft.seats)


def _note_throws(draft: GameDraft, outcome: Outcome, now: datetime) -> None:
    draft.change(throws_counted=True)


def _add_to_tallies(draft: GameDraft, outcome: Outcome, now: datetime) -> None:
    add_to_tallies(draft.game, draft.seats)


def _count_for_ratings(draft: GameDraft, outcome: Outcome, now: datetime) -> None:
    if counts(draft.game):
        ratings.count_at_the_end(draft.game, draft.seats, now=now)


STEPS: Final = (
    Step("status", _set_status),
    Step("packing time", _set_packing_time),
    Step("marks due", _set_marks_due),
    Step("throws noted", _note_throws),
    Step("holder freed", _free_holder),
    Step("places", _place_seats),
    Step("who stayed", _note_who_stayed),
    Step("screens told", _tell_screens),
    Step("lobby told", _tell_lobby),
    Step("results", _write_results, after_save=True),
    Step("tallies", _add_to_tallies, after_save=True),
    Step("ratings", _count_for_ratings, after_save=True),
)


def take_steps(draft: GameDraft, state: object, *, after_save: bool, now: datetime) -> None:
    """Run the steps of a game that ended in this state: those before its save, or those after."""
    outcome = draft.rules.outcome(state)
    assert outcome is not None  # noqa: S101
    for step in STEPS:
        if step.after_save == after_save:
            step.take(draft, outcome, now)


def counts(game: Game) -> bool:
    """Whether results and tallies of the game are kept, in addition to its log.

    What was thrown is counted in any case.
    """
    return game.origin not in COUNTS_FOR_NOTHING


def write_results(game: Game, seats: Sequence[Seat]) -> None:
    """Write a result for each person, in the caller's transaction that ends the game."""
    Result.objects.bulk_create(result_of(game, seat) for seat in seats if seat.user_id is not None)


def add_to_tallies(game: Game, seats: Sequence[Seat]) -> None:
    """Count the game in the tallies of its people and of the site, in the caller's transaction."""
    thrown = throws.of_game(game)
    counted = counters(game, [seat for seat in seats if seat.user_id is not None], thrown)
    Tally.objects.add(
        game.kind_key, {seat.user_id: counted[seat.number] for seat in seats if seat.user_id}
    )
    SiteTally.objects.add(game.kind_key, throws.together(thrown), part=game.pk)


def counters(
    game: Game, people: Sequence[Seat], thrown: throws.Thrown
) -> dict[int, Mapping[str, int]]:
    """Return what the game adds to the tallies of these people, by seat number."""
    found = {seat.number: thrown.get(seat.number, {}) for seat in people}
    if counts(game):
        own = catalogue.of(game.kind_key).stats.count_game(game, people)
        for seat in people:
            found[seat.number] = {place_of(seat): 1, **own[seat.number], **found[seat.number]}
    return found


def result_of(game: Game, seat: Seat) -> Result:
    """Build the unsaved result of a person's seat in a finished game."""
    facts = {"user_id": seat.user_id, "finished_at": game.finished_at, "place": seat.place}
    return Result(
        seat=seat,
        kind_key=game.kind_key,
        left=seat.left,
        preset=game.preset,
        variant=catalogue.of(game.kind_key).stats.variant(game),
        public=game.listed,
        **facts,
    )


def place_of(seat: Seat) -> str:
    """Return the counter for a person's seat in a finished game: `left` or `place_<n>`."""
    return "left" if seat.left else f"place_{seat.place}"
