"""The bots keep the rules, see only what their seat knows, and are as strong as we say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from itertools import repeat
from pathlib import Path

import pytest

from games.core.chance import ScriptedChance, SeededChance
from games.core.contract import may_know
from games.core.moves import Confirm
from games.perudo import rules
from games.perudo.bots import BOTS, Bot
from games.perudo.bots.characters import CHARACTERS
from games.perudo.rules.bids import Bid
from games.perudo.rules.evolve import evolve
from games.perudo.rules.moves import Calza, Dudo, Move
from games.perudo.rules.options import PRESETS, Options
from games.perudo.rules.state import State
from games.perudo.tests.random_games import steps
from games.perudo.tests.tables import table
from tests.games.contract.random_games import seeded
from tests.support.bot_games import Match, play_games

OPENINGS = 60
FIRST = ScriptedChance(repeat(0))  # of equally good moves the first
MINDS = {**BOTS, **{key: each.bot for key, each in CHARACTERS.items()}}
every_bot = pytest.mark.parametrize("bot", MINDS.values(), ids=list(MINDS))


class OnlyBelow:
    """Chance that fails a bot which rolls dice."""

    def __init__(self, seed: int) -> None:
        self._chance = SeededChance(seeded(seed))

    def dice(self, count: int, at: object = None) -> tuple[int, ...]:
        raise AssertionError("a bot does not roll dice")

    def below(self, bound: int, at: object = None) -> int:
        return self._chance.below(bound)


def positions(games: int, options: Options | None = None) -> Iterator[tuple[State, list[State]]]:
    """Positions of random games, whole and as each seat knows them."""
    for seed in range(games):
        known: list[State | None] = [None] * 6
        for step in steps(seeded(seed), leaving=0.03, options=options):
            for fact in step.facts:
                known = [
                    evolve(state, fact) if may_know(fact, seat) else state
                    for seat, state in enumerate(known)
                ]
            yield step.after, [state for state in known[: step.after.seats] if state]


def assert_legal(bot: Bot, known: State, seat: int, seed: int) -> None:
    move = bot(known, seat, OnlyBelow(seed))
    to_act = rules.to_act(known)
    legal = rules.legal_moves(known, seat)
    if seat not in to_act:
        assert move is None
    elif known.phase == "reveal":
        assert move == Confirm()
    elif seat == to_act[0]:
        assert move in legal
    else:
        assert move is None or (move == Calza() and move in legal)


@pytest.mark.slow
@every_bot
def test_a_bot_moves_legally_under_any_options(bot: Bot) -> None:
    seen = 0
    for whole, known in positions(60):
        for seat in range(whole.seats):
            assert_legal(bot, known[seat], seat, seed=seen)
            seen += 1
    assert seen > 5000


@pytest.mark.parametrize("preset", PRESETS)
def test_the_bots_keep_the_rules_of_every_preset(preset: str, subtests: pytest.Subtests) -> None:
    for calza in ("off", "on"):
        options = replace(PRESETS[preset], calza=calza)
        played = list(positions(4, options))
        for name, bot in MINDS.items():
            with subtests.test(calza=calza, bot=name):
                for whole, known in played:
                    for seat in range(whole.seats):
                        assert_legal(bot, known[seat], seat, seed=whole.number)


@pytest.mark.slow
@every_bot
def test_the_dice_of_others_never_change_what_a_bot_does(bot: Bot) -> None:
    generator = seeded(46)
    compared = 0
    for whole, known in positions(25):
        if whole.phase not in ("turn", "claims"):
            continue
        for seat in rules.to_act(whole):
            others = tuple(
                tuple(generator.choices(range(1, 7), k=dice)) if other != seat else hand
                for other, (dice, hand) in enumerate(zip(whole.dice, whole.hands, strict=True))
            )
            expected = bot(known[seat], seat, OnlyBelow(compared))
            assert bot(whole, seat, OnlyBelow(compared)) == expected
            assert bot(replace(whole, hands=others), seat, OnlyBelow(compared)) == expected
            compared += 1
    assert compared > 500


def test_hidden_lost_dice_do_not_change_what_a_bot_does() -> None:
    differing = []
    for whole, known in positions(10):
        if whole.phase == "turn":
            seat = whole.turn
            shown = replace(known[seat], options=replace(whole.options, lost_dice_visible=True))
            hidden = replace(known[seat], options=replace(whole.options, lost_dice_visible=False))
            differing += [
                (name, known[seat])
                for name, bot in MINDS.items()
                if bot(shown, seat, OnlyBelow(1)) != bot(hidden, seat, OnlyBelow(1))
            ]
    assert differing == []


# --- single decisions ----------------------------------------------------------------------------


def seen_by(state: State, seat: int) -> State:
    """The state as this seat was told it: the other hands are sealed."""
    hands = tuple(hand if other == seat else None for other, hand in enumerate(state.hands))
    return replace(state, hands=hands)


def choice_of(name: str, state: State, seat: int, chance: ScriptedChance = FIRST) -> Move | None:
    move: Move | None = BOTS[name](seen_by(state, seat), seat, chance)
    return move


def test_the_impossible_is_doubted() -> None:
    state = table([(2, 3), (4, 4)], bid="4x5")
    assert [name for name in BOTS if choice_of(name, state, 1) != Dudo()] == []


def choices_of(state: State, seat: int) -> list[tuple[str, Move | None]]:
    """What every bot does in this position, by twenty seeds."""
    return [
        (name, bot(seen_by(state, seat), seat, SeededChance(seeded(number))))
        for name, bot in BOTS.items()
        for number in range(20)
    ]


def test_what_one_holds_oneself_is_not_doubted() -> None:
    state = table([(2, 3, 3, 4, 6), (5, 5, 5, 5, 1)], bid="2x5")
    assert [each for each in choices_of(state, 1) if not isinstance(each[1], Bid)] == []


def test_the_largest_bid_can_only_be_doubted() -> None:
    state = table([(2, 3), (1, 1)], bid="10xP")
    assert [name for name in BOTS if choice_of(name, state, 1) != Dudo()] == []


def test_steady_doubts_below_three_in_ten() -> None:
    # One of two unknown dice must match: 5/9. Two of two: 1/9.
    assert choice_of("steady", table([(2, 3), (5, 6)], bid="2x5"), 1) != Dudo()
    assert choice_of("steady", table([(2, 3), (4, 6)], bid="2x5"), 1) == Dudo()


def test_steady_makes_the_likeliest_raise() -> None:
    state = table([(2, 3, 3, 4, 6), (5, 5, 5, 4, 2)], bid="2x4")
    assert choice_of("steady", state, 1) == Bid(2, 5)


def test_equally_good_moves_are_chosen_between_by_chance() -> None:
    state = table([(2, 3), (5, 6)], turn=1)
    choices = {choice_of("steady", state, 1, ScriptedChance([number])) for number in (0, 1)}
    assert choices == {Bid(1, 5), Bid(1, 6)}


def test_sharp_believes_a_bid_more_when_its_face_was_bid_before() -> None:
    alone = table([(2, 3, 4), (2, 3, 6), (4, 6, 6)], bid="4x5", bidder=1)
    supported = replace(alone, bids=((0, Bid(2, 5)), (1, Bid(3, 5)), (0, Bid(3, 5)), *alone.bids))
    assert choice_of("sharp", alone, 2) == Dudo()
    assert choice_of("sharp", supported, 2) == Bid(4, 6)


def sharp_openings(state: State) -> list[Bid]:
    """First bids of sharp at seat 0, which chooses them by chance."""
    moves = [BOTS["sharp"](state, 0, SeededChance(f"{seed}")) for seed in range(OPENINGS)]
    return [move for move in moves if isinstance(move, Bid)]


def test_sharp_does_not_open_with_what_tells_nothing() -> None:
    hands = [(5, 5, 1, 2, 3), *[(2, 3, 4, 6, 6)] * 5]
    numbers = [bid.quantity for bid in sharp_openings(table(hands))]
    assert sum(numbers) / len(numbers) > 3


def test_sharp_makes_a_safe_bid_before_a_seat_whose_player_left() -> None:
    """It will call dudo automatically, so the bid had better be true."""
    state = replace(table([(5, 5, 3), (2, 3, 4), (2, 2, 6)]), gone=(1,))
    assert choice_of("sharp", state, 0) in (Bid(1, 3), Bid(1, 5), Bid(2, 5))


def test_a_bid_almost_surely_exact_is_called_calza() -> None:
    state = table([(4,), (5, 5)], bid="2x5", palifico=0, calza="on")
    assert [choice_of(name, state, 1) for name in ("steady", "sharp")] == [Calza()] * 2


def test_nobody_calls_calza_when_it_is_off_or_with_nothing_to_gain() -> None:
    off = table([(4,), (5, 5)], bid="2x5", palifico=0)
    full = table([(4,), (5, 5, 2, 3, 4)], bid="2x5", palifico=0, calza="on")
    choices = choices_of(off, 1) + choices_of(full, 1)
    assert [name for name, move in choices if move == Calza()] == []


def test_one_out_of_turn_interrupts_only_when_it_is_worth_it() -> None:
    for bid, choice in {"2x5": None, "3x5": Calza(), "4x5": None}.items():
        state = table([(4,), (6,), (5, 5, 5)], bid=bid, palifico=0, calza="on")
        assert [choice_of(name, state, 2) for name in ("steady", "sharp")] == [choice] * 2, bid


def test_a_beginner_rarely_interrupts() -> None:
    state = table([(4,), (6,), (5, 5, 5)], bid="3x5", palifico=0, calza="on")
    calls = [choice_of("beginner", state, 2, ScriptedChance([number])) for number in range(4)]
    assert calls.count(Calza()) == 1


# --- strength ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hero", "field", "seats", "games", "least"),
    [
        ("steady", "beginner", 2, 500, 0.58),
        ("sharp", "steady", 2, 500, 0.58),
        pytest.param("sharp", "steady", 6, 200, 0.20, marks=pytest.mark.long),
    ],
)
def test_the_bots_are_as_strong_as_we_say(
    hero: str, field: str, seats: int, games: int, least: float
) -> None:
    score = play_games(Match("perudo", hero, field, seats, games), range(games))
    assert score.games == games
    assert score.rate > least


def test_the_documentation_says_what_the_bots_decide_by() -> None:
    document = (Path(__file__).parents[3] / "docs" / "bots.md").read_text()
    text = document[document.index("## Perudo") : document.index("## Peco Peco")]
    written = dict(re.findall(r"^\| `([A-Z_]+)` \| ([0-9.]+) \|", text, re.MULTILINE))
    modules = ("answer", "beginner", "steady", "sharp", "expert", "tempers")
    numbers = {
        name: value
        for module in modules
        for name, value in vars(import_module(f"games.perudo.bots.{module}")).items()
        if isinstance(value, int | float) and name[0] != "_" and name != "DICE_EACH"  # the rules'
    }
    assert {name: float(value) for name, value in written.items()} == numbers
    assert all(f"**{name}**" in text for name in BOTS)
    assert all(f"**{each.name}**" in text for each in CHARACTERS.values())
