"""The replay of a finished game of Perudo: its moments, each the table with every hand open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from games.catalogue import Highlight
from games.core.contract import Fact
from games.models import Game, Seat
from games.perudo import presenter as perudo
from games.perudo import words
from games.perudo.highlights import highlights as find_highlights
from games.perudo.rules.bids import matching
from games.perudo.rules.events import BidMade, Left, Revealed, RevealSeen, RoundStarted
from games.perudo.rules.state import State, evolve, outcome
from games.rendering import replay_page
from games.store import event_log
from games.store.event_log import RecordedEvent

# What people remember as a step of its own; everything else belongs to the step before it.
_STEPS = RoundStarted | BidMade | Revealed


@dataclass(frozen=True, slots=True)
class Moment:
    """A step of the game: what happened in it, when, and the table after it."""

    at: datetime
    facts: tuple[Fact, ...]
    state: State


def moments(facts: Iterable[RecordedEvent]) -> list[Moment]:
    """The steps of a finished game: every deal, bid and reveal, and at last its end.

    `facts` is the whole log. Who has seen the dice is left out; a claim shows on the bid it
    was about, and a roll for the opening on the first deal.
    """
    state: State | None = None
    steps: list[Moment] = []
    before_the_first: tuple[Fact, ...] = ()
    for group in _groups([each for each in facts if not isinstance(each.fact, RevealSeen)]):
        for each in group:
            state = evolve(state, each.fact)
        assert state is not None  # noqa: S101
        happened = tuple(each.fact for each in group)
        if state.number == 0:
            before_the_first = happened
            continue
        if outcome(state) and isinstance(group[0].fact, Revealed):
            # The last reveal is one moment, the ranking after it another.
            shown = replace(state, phase="reveal")
            steps.append(Moment(group[0].at, happened, shown))
            steps.append(Moment(group[-1].at, (), state))
        else:
            steps.append(Moment(group[0].at, before_the_first + happened, state))
        before_the_first = ()
    return steps


def _groups(facts: Sequence[RecordedEvent]) -> list[list[RecordedEvent]]:
    """The facts, cut before every step and before the departure that ended the game, if any."""
    groups: list[list[RecordedEvent]] = []
    for each in facts:
        if not groups or isinstance(each.fact, _STEPS):
            groups.append([])
        groups[-1].append(each)
    last = groups.pop()
    left = [place for place, each in enumerate(last) if isinstance(each.fact, Left)]
    cut = left[-1] if left else len(last)
    return [part for part in (*groups, last[:cut], last[cut:]) if part]


def page(game: Game, number: int) -> dict[str, Any] | None:
    """The page of the moment `number`, counted from 1; None when the game has no such moment."""
    steps = moments(event_log.unsealed_facts(game))
    if not 1 <= number <= len(steps):
        return None
    shown = steps[number - 1]
    seats = list(game.seat_set.select_related("user"))
    told = _told(shown, [seat.name for seat in seats])
    table = _scene(shown.state, seats, told=told)
    return replay_page.page(
        game,
        number,
        count=len(steps),
        at=shown.at,
        told=told,
        table=table,
        rounds=_rounds(game, steps, table["seats"]),
    )


def highlights(game: Game) -> list[Highlight]:
    """What was remarkable in a finished game."""
    return find_highlights(moments(event_log.unsealed_facts(game)))


def _scene(state: State, seats: Sequence[Seat], *, told: str) -> dict[str, Any]:
    """The table of that moment with nothing hidden: P45 closes the log of running games only."""
    nothing_hidden = replace(state, options=replace(state.options, lost_dice_visible=True))
    view = perudo.scene(nothing_hidden, seats, told=told)
    replay_page.show_as_then(view["seats"], seats, gone=state.gone)
    for seat in view["seats"]:
        seat["hand"] = _open_hand(state, seat["number"])
    return view


def _open_hand(state: State, number: int) -> list[dict[str, Any]]:
    """The dice of a seat, each with whether it counts for the bid of that moment (P12, P25)."""
    bid, palifico = state.last_bid, state.palifico is not None

    def counts(die: int) -> bool:
        return bid is not None and matching((die,), bid.face, palifico=palifico) == 1

    return [{"face": die, "matches": counts(die)} for die in state.hands[number] or ()]


def _told(shown: Moment, names: Sequence[str]) -> str:
    sentences = [words.told(fact, names) for fact in shown.facts]
    ended = outcome(shown.state)
    if ended:
        sentences.append(gettext("%(name)s wins the game.") % {"name": names[ended.winners[0]]})
    return " ".join(filter(None, sentences))


def _rounds(
    game: Game, steps: Sequence[Moment], seats: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The rounds that were counted, in order, each with the address of its deal."""
    deals: dict[int, int] = {}
    for place, step in enumerate(steps, start=1):
        deals.setdefault(step.state.number, place)
    rows = reversed(perudo.rounds(game, seats))
    return [row | {"url": replay_page.address(game, deals[row["number"]])} for row in rows]
