"""The characters: their tempers, what they say and when, and that they are as strong as we say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import pytest
from django.utils import translation

from accounts.avatars import CLOTHS, WEAVES
from games.core import characters
from games.core.chance import SeededChance
from games.core.contract import Chance
from games.models import Game, Seat
from games.perudo import reveal, scene
from games.perudo.bots import BOTS, STAND_IN
from games.perudo.bots.characters import CHARACTERS
from games.perudo.bots.tempers import is_bluff
from games.perudo.rules import KEY
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Calza, Dudo, Move
from games.perudo.rules.odds import odds
from games.perudo.rules.state import State
from games.perudo.tests.tables import after, table
from games.perudo.words import characters as words
from games.table import bot_phrases, shown_seats
from tests.games.contract.random_games import seeded
from tests.support.bot_games import Match, measured, options_of, play_games
from tests.support.sprites import Sprite, has_expressions, parts

OCCASIONS = ("right", "wrong", "out", "won", "beaten")


def decisions(
    *keys: str, number: int = 200, seats: int = 4, dice: int = 4
) -> Iterator[tuple[State, list[Move]]]:
    """Seat 0 on turn with random dice, often after a bid, and what each of these bots does."""
    for seed in range(number):
        generator = seeded(seed)
        hands = [tuple(generator.choices(range(1, 7), k=dice)) for _ in range(seats)]
        bid = None
        if seed % 4:
            bid = f"{generator.randint(dice, dice + 3)}x{generator.randint(2, 6)}"
        state = table(hands, bid=bid, bidder=seats - 1, turn=0)
        known = replace(state, hands=(hands[0], *[None] * (seats - 1)))
        minds = [CHARACTERS[key].bot if key in CHARACTERS else BOTS[key] for key in keys]
        moves = [mind(known, 0, SeededChance(f"{seed}")) for mind in minds]
        assert all(move is not None for move in moves)
        yield known, [move for move in moves if move is not None]


def counted(key: str, what: Callable[[State, Move], bool], **given: object) -> tuple[int, int]:
    """How often its base does this, and how often the character does, in the same positions."""
    found = [
        (what(state, base), what(state, character))
        for state, (base, character) in decisions(CHARACTERS[key].base, key, **given)  # type: ignore[arg-type]
    ]
    return sum(base for base, _ in found), sum(character for _, character in found)


def likelihood(state: State, move: Move) -> float | None:
    if not isinstance(move, Bid):
        return None
    hand = state.hand(0)
    return odds(move, dice=sum(state.dice), hand=hand, palifico=False).true


def test_fanfo_bluffs_more_than_its_base() -> None:
    base, fanfo = counted("fanfo", lambda state, move: is_bluff(state, 0, move))
    assert fanfo > 1.1 * base > 10


def calzas(key: str, games: int) -> Counter[bool]:
    """How often this bot calls calza among steady ones: on its turn (True) and out of turn."""
    mind, called = measured(KEY)[key], Counter[bool]()

    def counting(state: State, seat: int, chance: Chance) -> Move | None:
        move: Move | None = mind(state, seat, chance)
        called[state.turn == seat] += move == Calza()
        return move

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.support.bot_games.measured", lambda _: {**BOTS, "hero": counting})
        match = Match(KEY, "hero", "steady", 4, games, 1, options_of(KEY, None, ["calza=on"]))
        play_games(match, range(games))
    return called


@pytest.mark.slow
def test_tokka_calls_calza_more_than_its_base_on_its_turn_and_out_of_turn() -> None:
    base, tokka = calzas("expert", 40), calzas("tokka", 40)
    assert tokka.total() > 1.2 * base.total() > 10
    assert tokka[False] > base[False]


def test_tokka_does_not_call_calza_with_nothing_to_gain() -> None:
    full = table([(4,), (5, 5, 2, 3, 4)], bid="2x5", palifico=0, calza="on")
    known = replace(full, hands=(None, full.hands[1]))
    for seed in range(20):
        assert CHARACTERS["tokka"].bot(known, 1, SeededChance(f"{seed}")) != Calza()


def test_sulmo_makes_likelier_bids_than_its_base() -> None:
    pairs = [
        (likelihood(state, base), likelihood(state, sulmo))
        for state, (base, sulmo) in decisions("sharp", "sulmo")
    ]
    both = [(base, sulmo) for base, sulmo in pairs if base is not None and sulmo is not None]
    assert len(both) > 50
    assert sum(s for _, s in both) > sum(b for b, _ in both) + 0.02 * len(both)


def test_crela_doubts_later_than_its_base() -> None:
    base, crela = counted("crela", lambda _, move: move == Dudo(), number=400)
    assert crela + 10 <= base


def test_zigo_is_less_predictable_than_its_base() -> None:
    """In one position it does several things, over many chances."""

    def done(key: str, state: State) -> set[Move | None]:
        mind = BOTS[key] if key in BOTS else CHARACTERS[key].bot
        return {mind(state, 0, SeededChance(f"{seed}")) for seed in range(60)}

    others = [(2, 3, 3, 4, 6), (2, 2, 3, 4, 6)]
    bids = table([(6, 6, 5, 2, 3), *others], bid="3x4", bidder=2, turn=0)
    assert done("steady", bids) == {Bid(3, 6)}
    assert done("zigo", bids) == {Bid(3, 6), Bid(3, 5)}
    # Five of ten unknown dice must be fours or pacos: 21 %.
    doubtful = table([(6, 6, 5, 2, 4), *others], bid="6x4", bidder=2, turn=0)
    assert done("steady", doubtful) == {Dudo()}
    assert Dudo() in done("zigo", doubtful) and len(done("zigo", doubtful)) > 1


def test_the_stand_in_has_no_temper() -> None:
    assert STAND_IN in BOTS and STAND_IN not in CHARACTERS
    assert not set(BOTS) & set(CHARACTERS)


def test_there_is_somebody_for_every_level() -> None:
    assert len(CHARACTERS) == 5
    assert {each.base for each in CHARACTERS.values()} == set(BOTS)


def test_a_seat_never_means_two_bots() -> None:
    crela = CHARACTERS["crela"]
    try:
        for pairs, taken in (([("a", crela)] * 2, ()), ([("hard", crela)], ("hard",))):
            with pytest.raises(ValueError, match="two bots"):
                characters.install(pairs, taken=taken)
    finally:
        characters.install(CHARACTERS.items(), taken=BOTS)
    assert characters.find("crela") is crela and characters.find("expert") is None


# --- faces and words -----------------------------------------------------------------------------


def test_a_character_has_a_face_of_its_own(subtests: pytest.Subtests) -> None:
    sprite = Sprite("perudo/characters.svg")
    for key, each in CHARACTERS.items():
        with subtests.test(key=key):
            assert each.drawings == "perudo/characters.svg"
            assert has_expressions(sprite, each.face)
            assert each.cloth in CLOTHS and each.weave in WEAVES
    assert set(sprite.drawings) == parts(each.face for each in CHARACTERS.values())
    assert sprite.is_whole()
    assert sprite.packed < 3_000
    assert len({each.face for each in CHARACTERS.values()}) == len(CHARACTERS)


def test_a_character_says_something_short_on_every_occasion(subtests: pytest.Subtests) -> None:
    for key, language in product(CHARACTERS, ["en", "fr", "it", "es"]):
        with subtests.test(key=key, language=language), translation.override(language):
            said = [words.phrase(key, occasion) for occasion in OCCASIONS]
            assert len(set(said)) == len(OCCASIONS)
            assert all(0 < len(each) <= 24 for each in said)
            assert 0 < len(words.line(key)) <= 70


# --- when they speak -----------------------------------------------------------------------------


def result_of(call: Move) -> State:
    """After fanfo at seat 1 called this on four fives; it holds one, so there are three."""
    state = table([(5, 5, 2, 3), (5, 2, 3), (4, 4, 6)], bid="4x5", calza="on")
    return after(state, (1, call))


def seats(*bots: str) -> list[Seat]:
    return [Seat(number=number, bot=bot) for number, bot in enumerate(bots)]


def spoken(state: State, *bots: str, code: str = "abc") -> dict[int, str]:
    game = Game(kind_key=KEY, code=code)
    return bot_phrases.spoken(game, seats(*bots), reveal.occasions(state), number=state.number)


def test_before_a_reveal_nobody_has_anything_to_say() -> None:
    state = table([(5, 5, 2, 3), (5, 2, 3), (4, 4, 6)], bid="4x5", calza="on")
    assert reveal.occasions(state) == {}
    assert reveal.occasions(replace(state, phase="claims", claims=(2,))) == {}


def test_the_two_between_whom_the_call_was_have_something_to_say() -> None:
    assert reveal.occasions(result_of(Dudo())) == {1: "right", 0: "wrong"}


def test_at_most_one_speaks_and_only_at_some_reveals() -> None:
    state = result_of(Dudo())
    said = [spoken(state, "crela", "fanfo", "steady", code=f"t{n}") for n in range(200)]
    assert all(len(each) <= 1 for each in said)
    assert 60 < sum(map(bool, said)) < 140
    assert {text for each in said for text in each.values()} == {
        words.phrase("crela", "wrong"),
        words.phrase("fanfo", "right"),
    }
    assert spoken(state, "crela", "fanfo", "steady") == spoken(state, "crela", "fanfo", "steady")


def test_bots_without_a_character_and_people_say_nothing() -> None:
    state = result_of(Dudo())
    assert not any(spoken(state, "expert", "sharp", "", code=f"t{n}") for n in range(50))


def test_what_is_said_does_not_depend_on_dice_that_stay_hidden_or_do_not_count() -> None:
    """The occasions follow from the result that everybody is shown."""
    state = result_of(Dudo())
    assert state.result is not None
    others = replace(state, hands=tuple(None for _ in state.hands))
    assert reveal.occasions(others) == reveal.occasions(state)


def test_the_winner_of_a_game_speaks_first() -> None:
    over = replace(
        result_of(Dudo()), phase="over", dice=(0, 3, 0), out=(2, 0), hands=((), (5, 2, 3), ())
    )
    assert reveal.occasions(over) == {0: "beaten", 1: "won", 2: "beaten"}
    assert spoken(over, "crela", "fanfo", "zigo") == {1: words.phrase("fanfo", "won")}
    assert spoken(over, "", "steady", "zigo") == {2: words.phrase("zigo", "beaten")}


def test_a_replay_shows_nothing_of_it() -> None:
    sitting = shown_seats.at_table(seats("crela", "fanfo", "steady"))
    shown = scene.of_state(result_of(Dudo()), sitting, narration="")
    assert {seat.says for seat in shown.seats} == {""}
