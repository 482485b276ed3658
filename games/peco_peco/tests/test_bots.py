"""The bots of Peco Peco keep the rules, see only what their seat knows, and choose with reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.chance import SeededChance
from games.core.contract import Chance
from games.core.moves import Confirm
from games.core.values import changed
from games.peco_peco import bots, rules
from games.peco_peco.bots import BOTS, STAND_IN, Bot
from games.peco_peco.rules.moves import Accuse, JoinTeam, Move, Play
from games.peco_peco.rules.options import CHOICES, PRESETS, Options
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import is_playable
from games.peco_peco.tests.random_games import steps, with_other_secrets
from games.peco_peco.tests.tables import choosing_a_team
from tests.games.contract.random_games import Viewers, seeded

every_bot = pytest.mark.parametrize("bot", BOTS.values(), ids=list(BOTS))


class OnlyBelow:
    """Chance that fails a bot which asks for more than a number."""

    def __init__(self, seed: int) -> None:
        self._chance = SeededChance(seeded(seed))

    def below(self, bound: int, at: object = None) -> int:
        return self._chance.below(bound)

    def dice(self, count: int, at: object = None) -> Any:
        raise AssertionError("a bot rolls no dice")

    shuffled = pick = dice


@dataclass(frozen=True)
class Position:
    whole: State
    known: dict[int | None, State]  # what each seat was told


def positions(
    seed: int, *, seats: int | None = None, options: Options | None = None
) -> Iterator[Position]:
    """The positions of a random game in which some players leave."""
    viewers: Viewers | None = None
    for step in steps(seeded(seed), leaving=0.004, seats=seats, options=options):
        viewers = viewers or Viewers(rules, step.seats)
        viewers.learn(step.facts)
        yield Position(step.after, dict(viewers.known))


def assert_legal(bot: Bot, known: State, seat: int, seed: int) -> Move | None:
    """What the bot does is allowed; out of turn it may stay silent, on its turn it may not."""
    move = bot(known, seat, OnlyBelow(seed))
    legal = rules.legal_moves(known, seat)
    if seat not in rules.to_act(known):
        assert move is None
    elif known.phase == "reveal":
        assert move == Confirm()
    elif known.phase == "claims" or seat != rules.to_act(known)[0]:
        assert move is None or (move == Accuse() and move in legal)
    else:
        assert move in legal
    return move


# --- legal moves ---------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_the_bots_keep_the_rules_of_every_preset(preset: str, subtests: pytest.Subtests) -> None:
    for seats in rules.SEATS:
        played = list(enumerate(positions(seats, seats=seats, options=PRESETS[preset])))
        for name, bot in BOTS.items():
            with subtests.test(seats=seats, bot=name):
                kinds = set()
                for (number, position), seat in product(played, range(seats)):
                    move = assert_legal(bot, position.known[seat], seat, seed=number)
                    kinds.add(move and move.kind)
                assert kinds >= {None, "play", "declare", "confirm"}


@every_bot
@settings(max_examples=10, deadline=None)
@given(
    options=st.builds(Options, **{name: st.sampled_from(of) for name, of in CHOICES.items()}),
    seats=st.sampled_from(rules.SEATS),
    seed=st.integers(0, 2**20),
)
def test_a_bot_moves_legally_under_any_options(
    bot: Bot, options: Options, seats: int, seed: int
) -> None:
    for number, position in enumerate(positions(seed, seats=seats, options=options)):
        if number % 4 == 0:
            for seat in range(seats):
                assert_legal(bot, position.known[seat], seat, seed=number)


@every_bot
def test_a_whole_table_of_one_kind_plays_to_the_end(bot: Bot) -> None:
    for number, options in enumerate(PRESETS.values()):
        kinds = play_to_the_end(bot, 4 + 2 * number, options, seed=number)
        assert kinds >= {"play", "declare", "accuse"}


def play_to_the_end(bot: Bot, seats: int, options: Options, *, seed: int) -> set[str]:
    """The kinds of moves in a game in which all seats are bots of one kind."""
    chance = SeededChance(seeded(seed))
    viewers = Viewers(rules, seats)
    state: State | None = None
    facts = rules.start(seats, options, chance)
    kinds: set[str] = set()
    for _ in range(20_000):
        viewers.learn(facts)
        for fact in facts:
            state = rules.evolve(state, fact)
        assert state is not None
        if state.phase == "over":
            return kinds
        asked = [(seat, bot(viewers.known[seat], seat, chance)) for seat in rules.to_act(state)]
        moves = [(seat, move) for seat, move in asked if move] or rules.due_moves(state)
        kinds.add(moves[0][1].kind)
        facts = rules.decide(state, *moves[0], chance)
    raise AssertionError("the game does not end")


def test_the_single_player_joins_a_team() -> None:
    moves = {name: bot(choosing_a_team(), 0, OnlyBelow(1)) for name, bot in BOTS.items()}
    assert all(isinstance(move, JoinTeam) for move in moves.values()), moves


def test_the_bot_for_absent_players_is_one_of_them() -> None:
    assert STAND_IN in BOTS
    assert list(BOTS) == ["easy", "medium", "hard"]


# --- secrecy -------------------------------------------------------------------------------------


def with_secrets_of(known: State, whole: State) -> State:
    """What this seat was told, and besides all that is hidden from it."""
    return changed(known, hands=whole.hands, pile=whole.pile, food=whole.food)


def what_depends_on_secrets(bot: Bot, choices: int = 700) -> int:
    """Of so many choices, how many change when hidden cards appear or are dealt again."""
    generator = seeded(46)
    compared = changes = 0
    for position in chain.from_iterable(positions(seed) for seed in range(50)):
        whole = position.whole
        if whole.phase not in ("turn", "claims"):
            continue
        for seat in rules.to_act(whole):
            known = position.known[seat]
            chosen = bot(known, seat, OnlyBelow(compared))
            for world in (whole, with_other_secrets(whole, seat, generator)):
                seen = with_secrets_of(known, world)
                changes += bot(seen, seat, OnlyBelow(compared)) != chosen
            compared += 1
        if compared >= choices:
            return changes
    raise AssertionError("the games are too short")


@every_bot
def test_hidden_cards_never_change_what_a_bot_does(bot: Bot) -> None:
    """Q13, Q27: the other hands, the order of the pile and the stakes to come."""
    assert what_depends_on_secrets(bot) == 0


def looks_at_the_hand(state: State, seat: int, chance: Chance) -> Move | None:
    """A cheat that accuses only when the hand of the declarer holds a card that could be played."""
    move = BOTS["easy"](state, seat, chance)
    hand = None if state.declarer is None else state.hands[state.declarer]
    if isinstance(move, Accuse) and hand is not None:
        return move if any(is_playable(state, card) for card in hand) else None
    return move


def looks_at_the_pile(state: State, seat: int, chance: Chance) -> Move | None:
    """A cheat that draws only when the next card of the pile is a bomb."""
    move = BOTS["easy"](state, seat, chance)
    if isinstance(move, Play) and move.card[1:] == "d" and state.pile:
        return move if state.pile[0][1:] == "b" else None
    return move


@pytest.mark.parametrize("cheat", [looks_at_the_hand, looks_at_the_pile])
def test_a_bot_that_looks_at_hidden_cards_would_be_found(cheat: Bot) -> None:
    assert what_depends_on_secrets(cheat) > 0


def test_the_bots_know_neither_time_nor_luck_nor_the_machine() -> None:
    sources = sorted(Path(bots.__file__).parent.glob("*.py"))
    assert len(sources) > 3
    for source in sources:
        for module in ("random", "secrets", "time", "datetime", "os", "django"):
            assert f"import {module}" not in source.read_text(), source
            assert f"from {module}" not in source.read_text(), source
