"""Nothing that a viewer is shown depends on cards this viewer may not know: the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from games.core.contract import Fact
from games.core.values import changed
from games.models import Seat
from games.peco_peco import presenter, rules
from games.peco_peco.rules.state import State
from games.rendering import fragment_cache
from games.store import versioned_lru
from tests.games.contract.random_games import seeded
from tests.games.peco_peco.random_games import ARENA, steps, with_other_secrets
from tests.games.peco_peco.tables import table


def frame(state: State, seat: int | None, news: Sequence[Fact]) -> str:
    """What a viewer gets of a position, rendered without a cache; None is a spectator."""
    versioned_lru.clear_all()
    seats = [Seat(number=number, bot="easy") for number in range(state.seats)]
    public = [fact for fact in news if fact.audience is None]
    view = presenter.scene(state, seats, told="", news=public) | {"seq": 1, "move": 1}
    html = fragment_cache.plain("peco_peco/_table.html", {"t": view})
    own: dict[str, Any] = {"seat": seat, "seq": 1, "waiting": len(rules.to_act(state))}
    if seat is not None:
        own |= presenter.choices(state, seat, seats)
    return html + fragment_cache.plain("peco_peco/_own.html", {"o": own, "code": "abcdefghij"})


@pytest.mark.parametrize("seed", range(6))
def test_other_hands_and_another_pile_change_no_byte(seed: int) -> None:
    """The frames are rendered from the whole truth, which is more than any viewer is ever told."""
    generator = seeded(seed)
    compared = 0
    for step in steps(generator, leaving=0.01):
        if generator.random() > 0.4:
            continue
        seat = generator.randrange(step.seats)
        other = with_other_secrets(step.after, seat, generator)
        assert frame(other, seat, step.facts) == frame(step.after, seat, step.facts)
        assert frame(other, None, step.facts) == frame(step.after, None, step.facts)
        compared += other != step.after
    assert compared > 10


def test_what_a_viewer_may_know_is_all_that_is_shown() -> None:
    """The truth and the state without its secrets give the same frame."""
    generator = seeded(11)
    for step in steps(generator, leaving=0.01):
        if generator.random() > 0.1:
            continue
        for seat in (None, generator.randrange(step.seats)):
            known = ARENA.as_known(step.after, seat)
            assert frame(known, seat, step.facts) == frame(step.after, seat, step.facts)


def test_the_hands_that_are_swapped_are_shown_to_their_own_seats() -> None:
    text = "hands A[E,M] B[C,C] C[M,M]; top C; draw E,E,E; turn A; clockwise; rule none"
    state = table(text)
    other = changed(state, hands=(("E", "M"), ("E", "E"), ("M", "M")))
    assert frame(other, 0, ()) == frame(state, 0, ())
    assert frame(other, 1, ()) != frame(state, 1, ())


def test_a_true_and_a_false_declaration_look_the_same() -> None:
    """Q13: nobody but the seat itself can tell before an accusation."""
    texts = (
        f"hands A[{held}] B[C,C] C[M]; top C; draw E; turn A; clockwise; rule slap"
        for held in ("E,M", "C,M")
    )
    true, false = (table(text) for text in texts)
    for seat in (None, 1, 2):
        assert frame(true, seat, ()) == frame(false, seat, ())
