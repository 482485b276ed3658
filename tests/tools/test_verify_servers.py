"""verify.py names what a cheating server did: the round, the seat, and the die or card."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import count
from typing import Any

import pytest

from games.core.contract import Draw
from tests.games.contract.arenas import ARENAS
from tests.games.contract.random_games import seeded
from tests.support.proven_games import Change, place, problems, proven_game, verify

every_game = pytest.mark.parametrize("key", list(ARENAS))


# --- servers that choose a draw ------------------------------------------------------------------


def other_face(dice: tuple[int, ...], draw: Any) -> tuple[int, ...]:
    """Return the dice with another face of the last one."""
    return (*dice[:-1], dice[-1] % 6 + 1)


def swapped(cards: tuple[Any, ...], draw: Any) -> tuple[Any, ...]:
    """Return the cards with the first one and the last different one swapped."""
    first, last = cards[0], max(at for at, card in enumerate(cards) if card != cards[0])
    return (cards[last], *cards[1:last], first, *cards[last + 1 :])


def cheats(
    key: str, purpose: str, change: Change, *, games: int = 10
) -> Iterator[tuple[Draw, Any, Any, Any]]:
    """Yield games in each of which a server changed one random draw of this purpose.

    Each comes as the address, the true draw, the server's own, and the record.
    """
    found = 0
    for seed in count():
        if found == games:
            break
        _, honest = proven_game(ARENAS[key], seed)
        draws = [(address, drawn) for address, drawn in honest.drawn if address.purpose == purpose]
        if draws:
            address, true = seeded(seed).choice(draws)
            record, server = proven_game(ARENAS[key], seed, at=address, change=change)
            own = dict(server.drawn)[address]
            if own != true:
                found += 1
                yield address, true, own, record


def test_a_chosen_die_is_named() -> None:
    for address, true, own, record in cheats("perudo", "hand", other_face, games=40):
        die = sorted(own).index(own[-1]) + 1
        hand = place(record, address.round, address.seat)
        [line] = problems(record)
        assert line.startswith(f"{hand}, die ") and die <= int(line[len(hand) + 6]) <= len(own)
        assert line.endswith(f": recorded {own[-1]}, expected {true[-1]}")


def test_a_hand_rolled_again_is_named() -> None:
    def again(drawn: Any, draw: Any) -> Any:
        return draw(Draw(99, "hand"))

    for address, true, own, record in cheats("perudo", "hand", again, games=20):
        if sorted(own) != sorted(true):
            hands = {line.rpartition(", die ")[0] for line in problems(record)}
            assert hands == {place(record, address.round, address.seat)}


def test_another_roll_for_the_opener_is_named() -> None:
    for address, true, own, record in cheats("perudo", "starter", other_face):
        die = f"{place(record, 0, address.seat)}, roll {address.number + 1}, die {len(own)}"
        assert problems(record)[0] == f"{die}: recorded {own[-1]}, expected {true[-1]}"


@pytest.mark.parametrize(
    ("key", "purpose"), [("perudo", "opener"), ("peco_peco", "opener"), ("peco_peco", "rematch")]
)
def test_another_opener_is_named(key: str, purpose: str) -> None:
    def another(drawn: int, draw: Any) -> int:
        return int(drawn == 0)

    for _, true, own, record in cheats(key, purpose, another):
        opener, expected = (f"seat {seat} ({record['players'][seat]})" for seat in (own, true))
        assert f"Round 1, opener: recorded {opener}, expected {expected}" in problems(record)


@pytest.mark.parametrize(
    ("purpose", "games"), [("stakes", 10), ("deck", 10), ("discard", 1)], ids=lambda it: str(it)
)
def test_swapped_cards_of_a_shuffle_are_named(purpose: str, games: int) -> None:
    thing = "stake" if purpose == "stakes" else "card"
    for address, true, own, record in cheats("peco_peco", purpose, swapped, games=games):
        if "F01" in (true[0], own[0]):  # it is put on top anyway
            continue
        lines = [line for line in problems(record) if " of the pile: " in line]
        assert len(lines) >= 2
        assert lines[0].startswith(f"{place(record, address.round)}, {thing} ")
        assert lines[0].endswith(f" of the pile: recorded {own[0]}, expected {true[0]}")


def test_a_card_dealt_from_a_swapped_pile_is_named_with_its_seat() -> None:
    for address, true, own, record in cheats("peco_peco", "deck", swapped):
        number, facts = 0, iter(record["facts"])
        while number != address.round:
            number = next(facts).get("number", number)
        seat = next(fact["seat"] for fact in facts if fact["kind"] == "hand_received")
        hand = f"{place(record, address.round, seat)}, card "
        [line] = [line for line in problems(record) if line.startswith(hand)]
        assert line.endswith(f": recorded {own[0]}, expected {true[0]}")


def test_another_card_taken_from_a_hand_is_named() -> None:
    for seed in range(12):
        honest, _ = proven_game(ARENAS["peco_peco"], seed)
        address, true, own = seeded(seed).choice(list(cards_taken(honest)))
        record, _ = proven_game(
            ARENAS["peco_peco"], seed, at=address, change=lambda drawn, draw, own=own: own
        )
        card = f"{place(record, address.round, address.seat)}, taken card"
        assert problems(record)[0] == f"{card}: recorded {own}, expected {true}"


def cards_taken(record: Any) -> Iterator[tuple[Draw, str, str]]:
    """Yield the draws from hands: the address, the card, and another card of the hand."""
    game = verify.PecoPeco(record)
    for fact in record["facts"]:
        game.follow(fact["kind"], fact)
        game.last = fact["kind"]
        seat = fact.get("giver", fact.get("victim"))
        if game.last in ("card_taken", "card_stolen") and len(set(game.hands[seat])) > 1:
            hand, address = sorted(game.hands[seat]), Draw(game.round, "card", seat, game.drawn)
            drawn = game.draws.one_of(hand, *address)
            yield address, drawn, next(card for card in hand if card != drawn)


# --- servers that leave out or repeat a draw -----------------------------------------------------

DRAWN = {
    "perudo": ("rolled", "starter_rolled", "round_started"),
    "peco_peco": (
        *("food_shuffled", "round_started", "pile_shuffled", "hand_received", "card_turned"),
        *("card_passed", "cards_buried"),
    ),
}


@every_game
def test_a_draw_left_out_or_recorded_twice_is_found(key: str) -> None:
    for seed in range(6):
        record, _ = proven_game(ARENAS[key], seed)
        facts = record["facts"]
        drawn = [at for at, fact in enumerate(facts) if fact["kind"] in DRAWN[key]]
        for at in seeded(seed).sample(drawn, min(40, len(drawn))):
            assert problems({**record, "facts": facts[:at] + facts[at + 1 :]})
            assert problems({**record, "facts": facts[: at + 1] + facts[at:]})


@every_game
def test_a_seat_left_out_of_a_deal_is_named(key: str) -> None:
    kind, owner, thing = {
        "perudo": ("rolled", "only", "die"),
        "peco_peco": ("hand_received", "seat", "card"),
    }[key]
    for seed in range(20):
        record, _ = proven_game(ARENAS[key], seed)
        facts, deal = record["facts"], (kind, "round_started", "hands_dealt")
        at = seeded(seed).choice(
            [
                at
                for at, fact in enumerate(facts)
                if fact["kind"] == kind and facts[at - 1]["kind"] in deal
            ]
        )
        number = sum(fact["kind"] == "round_started" for fact in facts[:at])
        line = problems({**record, "facts": facts[:at] + facts[at + 1 :]})[0]
        hand = place(record, number, facts[at][owner])
        assert line.startswith(f"{hand}, {thing} 1: recorded nothing, expected ")


def test_missing_and_additional_dice_are_named() -> None:
    record, _ = proven_game(ARENAS["perudo"], 3)
    at = next(at for at, fact in enumerate(record["facts"]) if fact["kind"] == "rolled")
    seat, dice = record["facts"][at]["only"], record["facts"][at]["dice"]
    fewer, more = deepcopy(record), deepcopy(record)
    fewer["facts"][at]["dice"] = dice[1:]
    more["facts"][at]["dice"] = [*dice, 6]
    hand = place(record, 1, seat)
    assert f"{hand}, die 5: recorded nothing, expected {dice[0]}" in problems(fewer)
    assert f"{hand}, die 6: recorded 6, expected nothing" in problems(more)


def test_a_die_revealed_differently_than_rolled_is_named() -> None:
    record, _ = proven_game(ARENAS["perudo"], 3)
    revealed = next(fact for fact in record["facts"] if fact["kind"] == "revealed")
    rolled = revealed["hands"][1][0]
    revealed["hands"][1][0] = shown = rolled % 6 + 1
    die = f"{place(record, 1, 1)}, revealed die 1"
    assert problems(record) == [f"{die}: recorded {shown}, expected {rolled}"]


def test_a_lost_die_that_is_not_recorded_is_named() -> None:
    found = 0
    for seed in range(30):
        record, _ = proven_game(ARENAS["perudo"], seed)
        facts = record["facts"]
        lost = next(at for at, fact in enumerate(facts) if fact["kind"] == "die_lost")
        if any(fact["kind"] == "rolled" for fact in facts[lost:]):
            lines = problems({**record, "facts": facts[:lost] + facts[lost + 1 :]})
            hand = place(record, 2, facts[lost]["seat"])
            assert any(line.startswith(f"{hand}, die 5: recorded nothing") for line in lines)
            found += 1
    assert found > 20


@every_game
def test_a_skipped_round_number_is_named(key: str) -> None:
    """Otherwise a server could deal a round again under the next number."""
    record, _ = proven_game(ARENAS[key], 2)
    rounds = [fact for fact in record["facts"] if fact["kind"] == "round_started"]
    rounds[-1]["number"] += 1
    line = f"Round {len(rounds)}, round number: recorded {len(rounds) + 1}, expected {len(rounds)}"
    assert problems(record)[0] == line


def test_a_reshuffle_before_the_pile_is_empty_is_found() -> None:
    record, _ = proven_game(ARENAS["peco_peco"], 1)
    facts = record["facts"]
    at = next(at for at, fact in enumerate(facts) if fact["kind"] == "card_played") + 1
    early = [{"kind": "discard_reshuffled"}, {"kind": "pile_shuffled", "cards": []}]
    [line] = problems({**record, "facts": [*facts[:at], *early, *facts[at:]]})
    assert line.startswith("Round 1: fact ") and "the draw pile is not empty" in line


@pytest.mark.parametrize(
    ("kind", "field", "thing"),
    [
        ("card_turned", "card", "card turned up"),
        ("round_started", "stake", "stake"),
        ("honesty_shown", "hand", "card 1 put down"),
    ],
)
def test_another_card_shown_to_everybody_is_named(kind: str, field: str, thing: str) -> None:
    found = 0
    for seed in range(10):
        record, _ = proven_game(ARENAS["peco_peco"], seed)
        fact = next((fact for fact in record["facts"] if fact["kind"] == kind), None)
        if fact:
            cards = fact[field] if field == "hand" else [fact[field]]
            true, others = cards[0], ("F18", "F17") if field == "stake" else ("Mb", "Eb")
            own = next(card for card in others if card != true)
            fact[field] = [own, *cards[1:]] if field == "hand" else own
            lines = [line for line in problems(record) if f", {thing}: recorded {own}, " in line]
            assert lines[0].endswith(f", expected {true}")
            found += 1
    assert found >= 5
