"""The replay of a finished game of Peco Peco: its moments, each the table with every hand open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.catalogue import Highlight
from games.core.contract import Fact
from games.models import Game, Seat
from games.peco_peco import presenter, words
from games.peco_peco.highlights import highlights as find_highlights
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CardPlayed,
    Declared,
    GameEnded,
    HonestyShown,
    Left,
    RoundEnded,
    RoundSeen,
    RoundStarted,
    SlapWaived,
)
from games.peco_peco.rules.evolve import evolve
from games.peco_peco.rules.outcome import outcome
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import is_bluff
from games.rendering import replay_page
from games.store import event_log
from games.store.event_log import RecordedEvent

# What people remember as a step of its own; everything else belongs to the step before it.
_STEPS = (
    RoundStarted | CardPlayed | Declared | BluffAdmitted | HonestyShown | RoundEnded | GameEnded
)
# Who has looked or does not want to accuse changes nothing that a replay shows.
_LEFT_OUT = RoundSeen | SlapWaived

_A_BLUFF = _("That's a bluff.")


@dataclass(frozen=True, slots=True)
class Moment:
    """A step of the game: what happened in it, when, and the table after it.

    `bluff`: a player said that they cannot play, although they could.
    """

    at: datetime
    facts: tuple[Fact, ...]
    state: State
    bluff: bool = False


def moments(facts: Iterable[RecordedEvent]) -> list[Moment]:
    """The steps of a finished game: every deal, card, declaration and accusation, the end of every
    round, and at last that of the game. `facts` is the whole log.
    """
    state: State | None = None
    steps: list[Moment] = []
    before_the_first: tuple[Fact, ...] = ()
    for group in _groups([each for each in facts if not isinstance(each.fact, _LEFT_OUT)]):
        first = group[0].fact
        bluff = isinstance(first, Declared) and state is not None and is_bluff(state, first.seat)
        for each in group:
            state = evolve(state, each.fact)
        assert state is not None  # noqa: S101
        happened = before_the_first + tuple(each.fact for each in group)
        if state.number == 0:
            before_the_first = happened
            continue
        before_the_first = ()
        steps.append(Moment(group[0].at, happened, state, bluff))
    return steps


def _groups(facts: Sequence[RecordedEvent]) -> list[list[RecordedEvent]]:
    """The facts, cut before every step; departures that ended the game are part of its end."""
    groups: list[list[RecordedEvent]] = []
    for each in facts:
        if not groups or isinstance(each.fact, _STEPS):
            groups.append([])
        groups[-1].append(each)
    *_earlier, before, last = groups
    if last[0].fact == GameEnded("others_left"):
        left = [each.at == last[0].at and isinstance(each.fact, Left) for each in before]
        cut = left.index(True) if any(left) else len(before)
        last[:0] = before[cut:]
        del before[cut:]
    return [group for group in groups if group]


def page(game: Game, number: int) -> dict[str, Any] | None:
    """The page of the moment `number`, counted from 1; None when the game has no such moment."""
    steps = moments(event_log.unsealed_facts(game))
    if not 1 <= number <= len(steps):
        return None
    shown = steps[number - 1]
    seats = list(game.seat_set.select_related("user"))
    told = _told(shown, [seat.name for seat in seats])
    table = _scene(shown, seats, told=told)
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


def _scene(shown: Moment, seats: Sequence[Seat], *, told: str) -> dict[str, Any]:
    """The table of that moment with every hand open."""
    state = shown.state
    news = [fact for fact in shown.facts if fact.audience is None]
    view = presenter.scene(state, seats, told=told, news=news)
    replay_page.show_as_then(view["seats"], seats, gone=state.gone)
    for seat in view["seats"]:
        seat["hand"] = state.hands[seat["number"]]
    return view


def _told(shown: Moment, names: Sequence[str]) -> str:
    sentences = [words.told(fact, names) for fact in shown.facts]
    if shown.bluff:
        sentences.append(str(_A_BLUFF))
    ended = outcome(shown.state)
    if ended and len(ended.winners) == 1:
        [winner] = ended.winners
        sentences.append(gettext("%(name)s wins the game.") % {"name": names[winner]})
    elif ended:
        winners = ", ".join(names[seat] for seat in ended.winners)
        sentences.append(gettext("%(names)s win the game.") % {"names": winners})
    return " ".join(filter(None, sentences))


def _rounds(
    game: Game, steps: Sequence[Moment], seats: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The rounds in order, each with who won it and the address of its deal."""
    rows: dict[int, dict[str, Any]] = {}
    for place, step in enumerate(steps, start=1):
        state = step.state
        if state.number not in rows:
            rows[state.number] = {
                "number": state.number,
                "stake": presenter.stake(state.stake_id),
                "winner": None,
                "url": replay_page.address(game, place),
            }
        if state.result and state.result.winner is not None:
            rows[state.number]["winner"] = seats[state.result.winner]
    return list(rows.values())
