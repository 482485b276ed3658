"""How moves carry a game on, step by step; nothing here has a database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import Any

import pytest

from games.core.chance import ScriptedChance
from games.core.contract import Fact, IllegalMove, Waiting, fold
from games.core.moves import Confirm, Leave
from games.perudo import rules
from games.perudo.rules.events import BidMade, DieLost, Revealed, RevealSeen, RoundStarted
from games.perudo.rules.moves import Dudo
from games.perudo.rules.options import PRESETS, Options
from games.play import progress as steps
from games.play.progress import Progress
from tests.support.fast_games import START
from tests.support.game_driver import bid

HANDS = (2, 3, 4, 5, 6, 1, 2, 2, 5, 5)
LATER = START + timedelta(seconds=5)


def begun(options: Options | None = None, *, seq: int = 3) -> tuple[list[Fact], Progress]:
    """The facts of a new game of two seats, and the progress they are at a table at `seq`."""
    chance = ScriptedChance([0, *HANDS])
    facts = rules.start(2, options or PRESETS["asmodee_fr"], chance)
    return facts, steps.beginning(seq).then(rules, facts, now=START)


def sealed() -> Any:
    raise AssertionError("no hidden fact is needed")


def play(
    progress: Progress,
    *moves: tuple[int, Any],
    unsealed: Callable[[], Any] = sealed,
    absent: Sequence[int] = (),
    rolls: Iterable[int] = (),
) -> Progress:
    """The moves played five seconds later, in a transaction that begins where `progress` ends."""
    return steps.play(
        rules,
        steps.none_yet(rules, progress.after),
        moves,
        now=LATER,
        chance=ScriptedChance(rolls),
        unsealed=unsealed,
        absent=absent,
    )


def kinds(progress: Progress) -> list[type[Fact]]:
    return [type(event.fact) for event in progress.events]


def test_a_game_begins_with_nothing_before_it() -> None:
    facts, progress = begun(seq=3)
    assert progress.before.state is None and progress.waited is None
    assert [event.seq for event in progress.events] == list(range(4, 4 + len(facts)))
    assert progress.after.seq == 3 + len(facts)
    assert progress.waiting == Waiting("turn", on_turn=0)


def test_what_is_known_after_it_holds_no_hidden_fact() -> None:
    _, progress = begun()
    assert progress.after.state.hands == (None, None)
    assert "hands" not in repr(progress) and "events" not in repr(progress)


def test_a_move_is_judged_without_hidden_facts_where_that_is_enough() -> None:
    made = play(begun()[1], (0, bid("2x3")))
    assert kinds(made) == [BidMade]
    assert (made.waited, made.waiting) == (Waiting("turn", 0), Waiting("turn", 1))
    assert made.before.state.bids == () and made.after.state.bids == ((0, bid("2x3")),)


def test_hidden_facts_are_asked_for_once_where_a_move_needs_them() -> None:
    facts, start = begun()
    asked: list[int] = []

    def unsealed() -> Any:
        asked.append(1)
        return fold(rules, facts)

    made = play(start, (0, bid("2x3")), (1, Dudo()), unsealed=unsealed)
    assert asked == [1]
    assert kinds(made) == [BidMade, Revealed, DieLost], "the bid before it counts in the reveal"
    assert [event.seq - start.after.seq for event in made.events] == [1, 2, 3]
    assert {event.at for event in made.events} == {LATER}


def test_moves_after_the_end_are_left_out() -> None:
    made = play(begun()[1], (1, Leave()), (0, Leave()))
    assert made.waiting is None
    assert set(made.after.state.gone) == {1}


def test_a_move_that_the_rules_refuse_changes_nothing() -> None:
    _, start = begun()
    with pytest.raises(IllegalMove):
        play(start, (1, bid("2x3")))


def test_only_the_first_fact_of_an_absent_persons_move_is_marked() -> None:
    facts, start = begun()
    after_bid = play(start, (0, bid("2x3")))
    whole = fold(rules, [*facts, after_bid.events[0].fact])
    made = play(after_bid, (1, Dudo()), absent=[1], unsealed=lambda: whole)
    assert [event.automatic for event in made.events] == [True, False]
    present = play(after_bid, (1, Dudo()), absent=[0], unsealed=lambda: whole)
    assert not any(event.automatic for event in present.events)


def test_a_further_step_goes_on_where_the_last_one_ended() -> None:
    facts, start = begun()
    bidding = play(start, (0, bid("2x3")))
    whole = fold(rules, [*facts, bidding.events[0].fact])
    revealed = play(bidding, (1, Dudo()), unsealed=lambda: whole)
    seen = play(revealed, (0, Confirm()))
    further = steps.play(
        rules,
        seen,
        [(1, Confirm())],
        now=LATER,
        chance=ScriptedChance(HANDS),
        unsealed=sealed,
    )
    assert kinds(further)[:3] == [RevealSeen, RevealSeen, RoundStarted]
    assert further.before == seen.before and further.waited == seen.waited
    assert further.after.seq == further.events[-1].seq
