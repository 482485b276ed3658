"""Sources of chance: the system's is fair, a seeded one repeats, a script is checked strictly."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from games.core.chance import ScriptedChance, SeededChance, SystemChance


def test_a_script_is_handed_out_in_order() -> None:
    chance = ScriptedChance([1, 6, 3, 0])
    assert chance.dice(2) == (1, 6)
    assert chance.below(4) == 3
    assert chance.below(1) == 0


def test_a_script_never_rolls_what_no_die_shows(subtests: pytest.Subtests) -> None:
    for number in [0, 7, -1]:
        with (
            subtests.test(number=number),
            pytest.raises(LookupError, match=f"the script says {number}"),
        ):
            ScriptedChance([number]).dice(1)


@pytest.mark.parametrize("number", [4, -1])
def test_a_script_stays_below_its_bound(number: int) -> None:
    with pytest.raises(LookupError, match=f"the script says {number}"):
        ScriptedChance([number]).below(4)


def test_a_script_that_has_run_out_says_so() -> None:
    with pytest.raises(LookupError, match="no more numbers"):
        ScriptedChance([1]).dice(2)


def test_real_dice_are_dice() -> None:
    chance = SystemChance()
    assert [len(chance.dice(count)) for count in range(1, 6)] == [1, 2, 3, 4, 5]
    assert {chance.below(3) for _ in range(200)} == {0, 1, 2}


def test_every_place_of_a_real_hand_shows_every_face_equally_often() -> None:
    """60,000 dice: a fair face strays from its 2,000 in each place by 250 once in 10^8 runs."""
    chance = SystemChance()
    hands = [chance.dice(5) for _ in range(12_000)]
    for place in range(5):
        counts = Counter(hand[place] for hand in hands)
        assert set(counts) == {1, 2, 3, 4, 5, 6}
        assert all(abs(count - 2_000) < 250 for count in counts.values())


@pytest.mark.parametrize("seed", [7, "7/1"])
def test_a_seed_gives_the_same_outcomes_again(seed: int | str) -> None:
    first, second = SeededChance(seed), SeededChance(Random(seed))  # noqa: S311
    for _ in range(20):
        assert first.dice(5) == second.dice(5)
        assert first.below(100) == second.below(100)
        assert first.shuffled("abcdef") == second.shuffled("abcdef")
        assert first.pick("abcdef") == second.pick("abcdef")


def test_a_shuffle_keeps_every_item_and_a_pick_is_one_of_them() -> None:
    for chance in (SystemChance(), SeededChance(1)):
        assert Counter(chance.shuffled("aabc")) == Counter("aabc")
        assert {chance.pick("abc") for _ in range(200)} == set("abc")


def test_a_script_gives_shuffles_and_picks_of_the_items_there_are() -> None:
    assert ScriptedChance([("b", "a")]).shuffled("ab") == ("b", "a")
    assert ScriptedChance(["b"]).pick("ab") == "b"
    with pytest.raises(LookupError, match="other items"):
        ScriptedChance([("a", "a")]).shuffled("ab")
    with pytest.raises(LookupError, match="not there"):
        ScriptedChance(["c"]).pick("ab")
