"""The moves of a finished game, each with what its player had not yet seen of the cards needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.contract.game_values import RecordedFact, ReplayMove
from games.core.contract import may_know
from games.peco_peco.bots.counting import beater, truth_of_declaration, unseen
from games.peco_peco.rules.cards import DECK
from games.peco_peco.rules.events import BluffAdmitted, CardPlayed, Declared, HonestyShown
from games.peco_peco.rules.evolve import evolve
from games.peco_peco.rules.replay_inputs import target
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import is_playable


class Views:
    """The game as each seat knows it, from facts that are added in the order of the log."""

    def __init__(self) -> None:
        self._deal: State | None = None  # what everybody knew after the last deal
        self._public: State | None = None
        self._since: list[RecordedFact] = []
        self._known: dict[int, tuple[int, State]] = {}  # by seat: up to which fact, and the state

    def add(self, event: RecordedFact) -> None:
        if event.fact.audience is None:
            self._public = evolve(self._public, event.fact)
        self._since.append(event)
        if event.fact.new_deal:
            self._deal, self._since, self._known = self._public, [], {}

    def of(self, seat: int) -> State:
        """The state as this seat knows it now; only after a deal."""
        assert self._deal is not None  # noqa: S101
        upto, state = self._known.get(seat, (0, self._deal))
        for event in self._since[upto:]:
            if may_know(event.fact, seat):
                state = evolve(state, event.fact)
        self._known[seat] = len(self._since), state
        return state


def move_of(
    state: State, views: Views, before: Sequence[RecordedFact], step: Sequence[RecordedFact]
) -> ReplayMove | None:
    """The play, declaration or accusation that `step` begins with; None when nobody made one.

    `state` is the one before it with every hand, `views` what the seats knew of it, `before` the
    facts of the step that led to it.
    """
    made, chance = step[0], None
    match made.fact:
        case CardPlayed(seat, card, called):
            victim = target([each.fact for each in step], 0)
            code, values = "play", {"card": card, "called": called, "victim": victim}
        case Declared(seat):
            code, values = "pass", needed(state, views.of(seat), seat, declarer=seat)
        case BluffAdmitted(seat, accused) | HonestyShown(seat, accused):
            known = views.of(seat)
            code, values = "accuse", needed(state, known, seat, declarer=accused)
            chance = 1 - truth_of_declaration(known, seat)
        case _:
            return None
    since = [each.at for each in before if not each.fact.aside]
    return ReplayMove(
        seat=seat,
        code=code,
        values=values,
        seconds=(made.at - since[-1]).total_seconds() if since else 0.0,
        automatic=made.automatic,
        chance=chance,
    )


def needed(state: State, known: State, seat: int, *, declarer: int) -> dict[str, Any]:
    """Which cards beat the top of the discard, how many of all there are and how many of those the
    seat had not seen; what the declarer held.
    """
    assert state.top is not None  # noqa: S101
    hand = state.hand(declarer)
    return {
        "declarer": declarer,
        "animal": beater(state.top, inverse=state.inverse),
        "all": sum(is_playable(state, card) for card in DECK),
        "unseen": unseen(known, seat).beating(state.top, inverse=state.inverse),
        "held": len(hand),
        "fits": sum(is_playable(state, card) for card in hand),
    }
