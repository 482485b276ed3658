"""The review by counts: bluffs, odds by what each seat knew, and nothing that nobody computed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from math import comb
from typing import Any, NamedTuple

import pytest

from games.contract.game_values import Highlight, RecordedFact
from games.core.codec import key_of
from games.core.contract import Fact, fold, may_know
from games.core.game_record import from_json
from games.peco_peco import review, rules, words
from games.peco_peco.moments import Moment, from_log
from games.peco_peco.rules.cards import ANIMALS, BOMB, DECK, animal, beats, icon
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CardPlayed,
    Declared,
    HandReceived,
    HonestyShown,
    PileShuffled,
    RoundStarted,
)
from games.peco_peco.rules.moves import Accuse, Declare
from games.peco_peco.rules.state import State
from games.peco_peco.tests.random_games import steps
from games.peco_peco.tests.test_golden import GOLDEN
from games.study.review import log
from tests.games.contract.random_games import facts_of, seeded

AT = datetime(2026, 3, 1, tzinfo=UTC)
STEPS = CardPlayed | Declared | BluffAdmitted | HonestyShown
LONGEST = ["eight_custom", "five_in_teams"]
OTHERS = sorted({path.stem for path in GOLDEN.glob("*.json")} - set(LONGEST))


class Game(NamedTuple):
    name: str
    facts: list[Fact]
    made: dict[str, Any]


def recorded(facts: Sequence[Fact], *, automatic: frozenset[int] = frozenset()) -> Any:
    return [
        RecordedFact(seq, AT, fact, seq in automatic) for seq, fact in enumerate(facts, start=1)
    ]


def reviewed(facts: Sequence[Fact], *, bots: Sequence[int] = (), **marks: Any) -> dict[str, Any]:
    seats: int = facts[0].seats  # type: ignore[attr-defined]
    written = log.written(recorded(facts, **marks), seats=seats, bots=bots)
    return review.analyse(written)


def kept(name: str) -> list[Fact]:
    return list(from_json(rules, (GOLDEN / f"{name}.json").read_text()).facts)


def known_to(facts: Sequence[Fact], seat: int) -> State:
    """The game as this seat knows it, from the beginning; no cache, no shortcut."""
    known: State = fold(rules, (fact for fact in facts if may_know(fact, seat)))
    return known


def places_of_moves(facts: Sequence[Fact]) -> list[int]:
    return [place for place, fact in enumerate(facts) if isinstance(fact, STEPS)]


@pytest.fixture(scope="module", params=[LONGEST[:1], LONGEST[1:], OTHERS], ids=[*LONGEST, "others"])
def games(request: pytest.FixtureRequest) -> list[Game]:
    return [Game(name, kept(name), reviewed(kept(name))) for name in request.param]


# --- facts, and no values ------------------------------------------------------------------------


def test_no_move_has_a_value_and_no_seat_an_accuracy(
    games: list[Game], subtests: pytest.Subtests
) -> None:
    for name, _facts, made in games:
        with subtests.test(name):
            for each in made["decisions"]:
                assert [each[name] for name in ("best", "regret", "cost", "label")] == [None] * 4
                assert all(one["value"] is one["chance"] is None for one in each["options"])
            for account in made["accounts"]:
                figures = ("first", "last", "own", "gifts", "luck", "residual", "accuracy")
                assert [account[name] for name in figures] == [None] * 7
            assert made["chances"] == made["lucky"] == []


@pytest.mark.slow
def test_every_option_of_a_decision_was_a_legal_move_of_the_seat(
    games: list[Game], subtests: pytest.Subtests
) -> None:
    for name, facts, made in games:
        with subtests.test(name):
            for place, each in zip(places_of_moves(facts), made["decisions"], strict=True):
                legal = rules.legal_moves(known_to(facts[:place], each["seat"]), each["seat"])
                assert [one["move"] for one in each["options"]] == list(map(key_of, legal))
                whole: State = fold(rules, facts[:place])
                assert (each["seat"], each["played"]) == _cause(whole, facts, place)


def _cause(state: State, facts: Sequence[Fact], place: int) -> tuple[int, str]:
    seat, move = rules.cause(state, facts, place)
    return seat, key_of(move)


def test_the_odds_of_an_accusation_are_counted_by_hand(
    games: list[Game], subtests: pytest.Subtests
) -> None:
    for name, facts, made in games:
        with subtests.test(name):
            for place, each in zip(places_of_moves(facts), made["decisions"], strict=True):
                odds = {one["move"]: one["odds"] for one in each["options"]}
                known = known_to(facts[:place], each["seat"])
                accuse, declare = key_of(Accuse()), key_of(Declare())
                if accuse in odds:
                    assert known.declarer is not None
                    true = _truth(known, each["seat"], known.declarer)
                    assert odds.pop(accuse) == pytest.approx(1 - true)
                if declare in odds:
                    hand = known.hand(each["seat"])
                    fit = any(beats(card, known.top, inverse=known.inverse) for card in hand)  # type: ignore[arg-type]
                    assert odds.pop(declare) == float(not fit)
                assert set(odds.values()) <= {None}


def _truth(known: State, seat: int, declarer: int) -> float:
    """How likely none of the declarer's cards beats the top, of all cards this seat never saw."""
    assert known.top is not None
    unseen = Counter(DECK) - Counter([*known.hand(seat), *known.under, known.top])
    wanted = sum(n for card, n in unseen.items() if beats(card, known.top, inverse=known.inverse))
    total, held = unseen.total(), known.sizes[declarer]
    return comb(total - wanted, held) / comb(total, held)


@pytest.mark.slow
def test_every_declaration_says_whether_it_was_a_bluff_and_how_likely_true_to_whom(
    games: list[Game], subtests: pytest.Subtests
) -> None:
    for name, facts, made in games:
        with subtests.test(name):
            places = [place for place, fact in enumerate(facts) if isinstance(fact, Declared)]
            for place, each in zip(places, made["game"]["declarations"], strict=True):
                whole: State = fold(rules, facts[:place])
                declarer, top = each["seat"], whole.top
                assert top is not None and facts[place] == Declared(declarer)
                fit = sum(beats(card, top, inverse=whole.inverse) for card in whole.hand(declarer))
                assert (each["fit"], each["bluff"]) == (fit, fit > 0)
                for seat, true in enumerate(each["true"]):
                    if seat == declarer:
                        assert true == float(fit == 0)
                    else:
                        assert true == pytest.approx(
                            _truth(known_to(facts[:place], seat), seat, declarer)
                        )


def test_the_unseen_cards_of_each_moment_are_those_a_seat_was_never_told_of() -> None:
    facts = kept("peco_base")
    moments = from_log(recorded(facts))
    places = {id(fact): place for place, fact in enumerate(facts)}
    rows = reviewed(facts)["game"]["unseen"]
    assert [number for number, _row in rows] == list(range(1, len(moments) + 1))
    for moment, (_number, row) in zip(moments, rows, strict=True):
        upto = max(places[id(fact)] for fact in moment.facts) + 1
        for seat, counted in enumerate(row):
            known = known_to(facts[:upto], seat)
            top = [] if known.top is None else [known.top]
            left = Counter(DECK) - Counter([*known.hand(seat), *known.under, *top])
            plain = Counter(animal(card) for card in left.elements() if icon(card) != BOMB)
            bombs = sum(icon(card) == BOMB for card in left.elements())
            assert counted == [bombs, *(plain[kind] for kind in ANIMALS)]


def test_who_decided_is_said_and_the_clock_decides_nothing() -> None:
    facts = kept("peco_base")
    places = places_of_moves(facts)
    marks = frozenset(place + 1 for place in places[::3])
    found = reviewed(facts, bots=[2], automatic=marks)
    for number, each in enumerate(found["decisions"]):
        clock = "person" if number % 3 else "clock"
        assert each["by"] == ("bot" if each["seat"] == 2 else clock)
    for account in found["accounts"]:
        own = [each for each in found["decisions"] if each["seat"] == account["seat"]]
        free = [each for each in own if each["by"] != "clock" and not each["forced"]]
        assert account["decisions"] == len(free) < len(own) + (account["seat"] == 2)


# --- highlights ----------------------------------------------------------------------------------


def test_the_boldest_bluff_that_held_and_the_keenest_accusation(
    games: list[Game], subtests: pytest.Subtests
) -> None:
    for name, facts, made in games:
        with subtests.test(name):
            moments, accuse = from_log(recorded(facts)), key_of(Accuse())
            right = {
                each["number"]: next(o["odds"] for o in each["options"] if o["move"] == accuse)
                for each in made["decisions"]
                if isinstance(moments[each["number"] - 1].facts[0], BluffAdmitted)
            }
            held = [
                number
                for number, (one, then) in enumerate(pairwise(moments), start=1)
                if one.bluff and not isinstance(then.facts[0], BluffAdmitted)
            ]
            found = {each["code"]: each for each in made["game"]["highlights"]}
            assert set(found) <= {"bold_bluff", "keen_accusation"}
            if "keen_accusation" in found:
                best = found["keen_accusation"]
                assert right[best["moment"]] == min(right.values())
                assert best["values"]["percent"] == round(100 * (1 - right[best["moment"]]))
            else:
                assert not right
            if "bold_bluff" in found:
                best = found["bold_bluff"]
                assert best["moment"] in held and moments[best["moment"] - 1].bluff
                assert best["values"]["other"] != best["seat"]


def test_the_best_read_of_a_player_is_the_bluff_that_was_likeliest_true() -> None:
    accuse, told = key_of(Accuse()), []
    for seed in range(12):
        facts = facts_of(steps(seeded(seed), leaving=0.0))
        moments, made = from_log(recorded(facts)), reviewed(facts)
        caught: dict[int, list[tuple[float, int]]] = {}
        for each in made["decisions"]:
            if isinstance(moments[each["number"] - 1].facts[0], BluffAdmitted):
                odds = next(o["odds"] for o in each["options"] if o["move"] == accuse)
                caught.setdefault(each["seat"], []).append((odds, each["number"]))
        for account in made["accounts"]:
            likely = [each for each in caught.get(account["seat"], ()) if each[0] < 0.5]
            read = account["read"]
            assert (read and (read["chance"], read["moment"])) == min(likely, default=None)
            if read is not None:
                best = Highlight(read["moment"], 0, read["code"], read["values"])
                told.append((words.highlight(best, ()), round(100 * (1 - read["chance"]))))
        bots = range(len(made["accounts"]))
        assert all(each["read"] is None for each in reviewed(facts, bots=bots)["accounts"])
    said = "Best read: a bluff caught, though “I can't play” was {}% likely to be true."
    assert told and all(text == said.format(percent) for text, percent in told)


# --- what others hold changes nothing ------------------------------------------------------------


def with_other_cards(
    facts: Sequence[Fact], seat: int, generator: random.Random
) -> list[Fact] | None:
    """The same facts, where a card in another hand and one in the pile are exchanged since the
    deal; None where that would show.
    """
    state: State = fold(rules, facts)
    deal = max(place for place, fact in enumerate(facts) if isinstance(fact, RoundStarted))
    piles = [n for n, fact in enumerate(facts) if n > deal and isinstance(fact, PileShuffled)]
    others = [other for other in range(state.seats) if other != seat and state.hands[other]]
    if len(piles) != 1 or not state.pile or not others:
        return None
    other = generator.choice(others)
    mine, theirs = generator.choice(state.hand(other)), generator.choice(state.pile)
    got = [
        n
        for n, fact in enumerate(facts)
        if n > deal and isinstance(fact, HandReceived) and fact.seat == other and mine in fact.cards
    ]
    if mine == theirs or not got:
        return None
    changed = list(facts)
    received: Any = facts[got[-1]]
    cards = list(received.cards)
    cards[cards.index(mine)] = theirs
    changed[got[-1]] = replace(received, cards=tuple(cards))
    pile: Any = facts[piles[0]]
    below = list(pile.cards)[::-1]
    below[below.index(theirs)] = mine
    changed[piles[0]] = replace(pile, cards=tuple(below[::-1]))
    try:
        fold(rules, changed)
    except ValueError:  # that very card has been given away since
        return None
    return changed


def prefixes(seed: int) -> Iterator[tuple[list[Fact], int]]:
    """Logs up to the first fact of a move, with its seat; the table is in play."""
    generator = seeded(seed)
    facts = facts_of(steps(generator, leaving=0.0))
    for place in generator.sample(places_of_moves(facts), 12):
        fact: Any = facts[place]
        yield facts[: place + 1], getattr(fact, "accuser", getattr(fact, "seat", -1))


@pytest.mark.slow
def test_other_cards_in_other_hands_change_nothing_in_what_is_judged() -> None:
    compared = Counter[str]()
    for seed in range(5):
        for facts, seat in prefixes(seed):
            *before, last = facts
            other = with_other_cards(before, seat, seeded(seed))
            if other is None:
                continue
            one, two = reviewed(facts), reviewed([*other, last])
            assert one["decisions"][-1] == two["decisions"][-1]
            mine = [
                [each for each in found["decisions"] if each["seat"] == seat]
                for found in (one, two)
            ]
            assert mine[0] == mine[1]
            seen = [[row[seat] for _number, row in found["game"]["unseen"]] for found in (one, two)]
            assert seen[0] == seen[1]
            true = [
                [each["true"][seat] for each in found["game"]["declarations"]]
                for found in (one, two)
            ]
            assert true[0] == true[1]
            compared[type(last).__name__] += 1
    assert compared.total() > 40 and len(compared) >= 3, compared


def test_what_is_compared_there_are_other_cards() -> None:
    """Else the test above would say nothing: to the seat that holds them they are others."""
    differing = 0
    for facts, seat in prefixes(3):
        other = with_other_cards(facts[:-1], seat, seeded(3))
        if other is not None:
            whole: State = fold(rules, facts[:-1])
            changed: State = fold(rules, other)
            assert whole.hands != changed.hands and whole.hands[seat] == changed.hands[seat]
            differing += reviewed(facts) != reviewed([*other, facts[-1]])
    assert differing


def test_a_moment_is_the_replays(games: list[Game], subtests: pytest.Subtests) -> None:
    for name, facts, made in games:
        with subtests.test(name):
            moments: list[Moment] = from_log(recorded(facts))
            for each in made["decisions"]:
                move = moments[each["number"] - 1].move
                assert move is not None and move.seat == each["seat"]
                if move.code == "accuse":
                    [odds] = [o["odds"] for o in each["options"] if o["move"] == each["played"]]
                    assert odds == pytest.approx(move.chance)
