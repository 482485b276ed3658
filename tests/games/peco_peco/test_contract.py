"""What every game promises, held against whole random games of Peco Peco (C6)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from games.core.chance import SeededChance
from games.core.codec import pack, unpack
from games.core.contract import Fact, IllegalMove, Sealed, fold, may_know
from games.core.record import Record, RecordError, from_json, replay, to_json
from games.peco_peco import rules
from games.peco_peco.rules.cards import DECK
from games.peco_peco.rules.events import DiscardReshuffled
from games.peco_peco.rules.moves import Declare, JoinTeam, Move, Play
from games.peco_peco.rules.options import CHOICES, PRESETS, Options
from games.peco_peco.rules.state import State
from tests.games.peco_peco.random_games import any_options, facts_of, seeded, steps, universe
from tests.games.peco_peco.tables import after, choosing_a_team, table


def refused(state: State, seat: int, move: Move) -> str | None:
    try:
        rules.decide(state, seat, move, SeededChance(seeded(0)))
    except IllegalMove as illegal:
        return illegal.code
    return None


@pytest.mark.parametrize(("preset", "seats"), [*product(PRESETS, rules.SEATS)])
def test_random_games_of_every_preset_and_number_of_seats_end(preset: str, seats: int) -> None:
    for seed in range(4):
        *_, last = steps(seeded(seed), seats=seats, options=PRESETS[preset])
        ended = rules.outcome(last.after)
        assert ended is not None
        ranked = [seat for place in ended.ranking for seat in place]
        assert sorted([*ranked, *ended.unranked]) == list(range(seats))
        assert rules.to_act(last.after) == () and rules.due_moves(last.after) == []


def test_the_72_cards_are_conserved_at_every_fact() -> None:
    for seed in range(20):
        state = None
        for fact in facts_of(steps(seeded(seed))):
            state = rules.evolve(state, fact)
            if not state.number:
                continue
            top = 0 if state.top is None else 1
            assert sum(state.sizes) + state.pile_size + state.under_size + top == len(DECK), fact
            if state.pile is not None:
                cards = Counter(card for hand in state.hands for card in hand or ())
                cards += Counter((*state.pile, *state.under, *(state.top and [state.top] or ())))
                assert cards == Counter(DECK), fact


def test_exactly_the_seats_that_have_legal_moves_are_to_act() -> None:
    for seed in range(20):
        for step in steps(seeded(seed)):
            seats = range(step.after.seats)
            able = {seat for seat in seats if rules.legal_moves(step.after, seat)}
            assert able == set(rules.to_act(step.after))


def some_positions() -> Iterator[State]:
    for seed in range(40):
        generator = seeded(seed)
        for step in steps(generator, leaving=0.005):
            if generator.random() < 0.007 or (not seed and step.after.phase == "over"):
                yield step.after
    yield choosing_a_team()
    text = "hands A[E] B[C,M] C[C] D[M]; top C; draw empty; turn A; clockwise; rule slap"
    yield after(table(text), (0, Play("E")), (1, Declare()))  # nobody slaps without a card


def test_a_move_is_legal_exactly_when_it_is_accepted() -> None:
    met = set()
    for state in some_positions():
        moves = universe(state)
        for seat in range(state.seats):
            legal = rules.legal_moves(state, seat)
            assert len(set(legal)) == len(legal) and set(legal) <= set(moves)
            for move in moves:
                code = refused(state, seat, move)
                assert (code is None) == (move in legal), (seat, move, code)
                met.add(code)
    # Neither is a move of play: nonsense of a form, and a window closed when none is open.
    assert met == {None, *rules.REASONS} - {"malformed", "nothing_to_settle"}


def test_what_the_scheduler_plays_is_accepted_and_changes_something() -> None:
    for seed in range(10):
        for step in steps(seeded(seed), leaving=0.01):
            state = step.after
            for seat, move in rules.due_moves(state):
                facts = rules.decide(state, seat, move, SeededChance(seeded(1)))
                state = fold(rules, facts, state)
            assert rules.phase(step.after) == "over" or state != step.after


def test_the_server_plays_for_an_absent_seat_what_the_seat_itself_would_know() -> None:
    for seed in range(10):
        facts: list[Fact] = []
        for step in steps(seeded(seed)):
            facts += step.facts
            if rules.phase(step.after) != "turn" or len(facts) % 7:
                continue
            seat = rules.to_act(step.after)[0]
            known = fold(rules, [fact for fact in facts if may_know(fact, seat)])
            assert rules.timeout_move(known, seat) == rules.timeout_move(step.after, seat)
            assert rules.legal_moves(known, seat) == rules.legal_moves(step.after, seat)


def test_spectators_follow_a_game_and_know_no_hand() -> None:
    for seed in range(10):
        public = None
        for step in steps(seeded(seed)):
            for fact in step.facts:
                if may_know(fact, None):
                    public = rules.evolve(public, fact)
            assert public is not None
            assert rules.to_act(public) == rules.to_act(step.after)
            assert public.sizes == step.after.sizes and public.buffets == step.after.buffets
            assert public.pile is None and public.food is None
            for seat in public.active:
                if public.sizes[seat]:
                    with pytest.raises(Sealed):
                        public.hand(seat)


def test_a_seat_knows_its_own_hand_and_no_other() -> None:
    for seed in range(10):
        generator = seeded(seed)
        seats = generator.choice(rules.SEATS)
        known: list[State | None] = [None] * seats
        for step in steps(generator, seats=seats):
            for fact in step.facts:
                for seat in range(seats):
                    if may_know(fact, seat):
                        known[seat] = rules.evolve(known[seat], fact)
            if step.after.choices:
                continue
            for seat, state in enumerate(known):
                assert state is not None
                assert state.hands[seat] == step.after.hands[seat]
                others = [hand for other, hand in enumerate(state.hands) if other != seat]
                assert all(not hand for hand in others)


def test_facts_moves_and_options_survive_their_json_form() -> None:
    kinds, moves = {"discard_reshuffled"}, {"join_team"}  # rare, and they come below
    for seed in range(20):
        for step in steps(seeded(seed), leaving=0.005):
            for fact in step.facts:
                assert unpack(rules.FACTS, json.loads(json.dumps(pack(fact)))) == fact
                kinds.add(fact.kind)
            if step.move is not None:
                assert unpack(rules.MOVES, json.loads(json.dumps(pack(step.move)))) == step.move
                moves.add(step.move.kind)
    assert kinds == set(rules.FACTS) and moves == set(rules.MOVES)
    assert unpack(rules.FACTS, pack(DiscardReshuffled())) == DiscardReshuffled()
    assert unpack(rules.MOVES, pack(JoinTeam(1))) == JoinTeam(1)
    for seed in range(30):
        options = any_options(seeded(seed))
        assert rules.read_options(json.loads(json.dumps(options.to_json()))) == options


@pytest.mark.parametrize(
    "wrong", [{"slap_window_ms": 999}, {"slap_window_ms": "3000"}, {"teams": True}, {"more": 1}]
)
def test_options_that_do_not_fit_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="slap_window_ms|is not|fields"):
        rules.read_options(Options().to_json() | wrong)


def test_every_setting_has_its_choices() -> None:
    assert list(CHOICES) == list(Options().to_json())
    assert all(getattr(Options(), name) in values for name, values in CHOICES.items())


def recorded(seed: int) -> Record:
    facts = tuple(facts_of(steps(seeded(seed), leaving=0.005)))
    names = ("Ana", "Bo", "Cleo", "Dag", "Éloïse", "Finn", "Gus", 'Hal "the cat"')
    return Record("peco_peco", names[: facts[0].seats], facts, date="2024-02-29")  # type: ignore[attr-defined]


def test_a_record_is_read_by_playing_it_again() -> None:
    for seed in range(12):
        record = recorded(seed)
        assert from_json(rules, to_json(record)) == record


def test_a_record_with_any_fact_changed_is_refused() -> None:
    record = recorded(3)
    for at in range(0, len(record.facts), 17):
        if record.facts[at].kind in ("slap_waived", "slap_window_closed"):
            continue  # without it the accusation that follows is as true
        for facts in (
            record.facts[:at] + record.facts[at + 1 :],
            record.facts[: at + 1] + record.facts[at:],
            record.facts[:at],
        ):
            with pytest.raises(RecordError):
                replay(rules, Record("peco_peco", record.players, facts))
