"""The moves of a replay: what each player had not yet seen, from the facts they were told."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest

from accounts.models import User
from games.contract.game_values import RecordedFact, ReplayMove
from games.core.contract import fold, may_know
from games.models import Game
from games.peco_peco import replay, rules, words
from games.peco_peco.rules.cards import BOMB, DECK, animal, beats, icon
from games.peco_peco.rules.events import BluffAdmitted, CardPlayed, Declared, HonestyShown
from games.peco_peco.rules.state import State
from games.peco_peco.tests.fast_games import played_game
from games.store import event_log

pytestmark = pytest.mark.django_db

NAMES = ("Anna", "Sami", "Killa", "Waman", "Illa")


@pytest.fixture(params=[1, 2, 3])
def game(request: pytest.FixtureRequest, alice: User, bob: User, charlie: User) -> Game:
    return played_game(alice, bob, charlie, "easy", seed=request.param, missed=0.1)


def moves_of(game: Game) -> list[ReplayMove]:
    return [step.move for step in replay.moments(game) if step.move]


def causes(game: Game) -> list[tuple[int, RecordedFact]]:
    """Every play, declaration and accusation of the log with its place."""
    kinds = CardPlayed | Declared | BluffAdmitted | HonestyShown
    facts = event_log.unsealed_facts(game)
    return [(place, each) for place, each in enumerate(facts) if isinstance(each.fact, kinds)]


def test_every_play_declaration_and_accusation_is_a_move_of_its_player(game: Game) -> None:
    for (_, event), made in zip(causes(game), moves_of(game), strict=True):
        fact = event.fact
        seat = fact.accuser if isinstance(fact, BluffAdmitted | HonestyShown) else fact.seat
        assert made.seat == seat and made.automatic == event.automatic
        assert made.seconds >= 0
    assert {made.code for made in moves_of(game)} == {"play", "pass", "accuse"}
    assert any(made.automatic for made in moves_of(game))


def test_the_unseen_cards_are_those_that_the_player_was_never_told_of(game: Game) -> None:
    facts = [each.fact for each in event_log.unsealed_facts(game)]
    for (place, _), made in zip(causes(game), moves_of(game), strict=True):
        if made.code == "play":
            continue
        told = (fact for fact in facts[:place] if may_know(fact, made.seat))
        known: State = fold(rules, told)
        assert known.top is not None
        unseen = Counter(DECK) - Counter([*known.hand(made.seat), *known.under, known.top])
        wanted = sum(
            count for card, count in unseen.items() if beats(card, known.top, inverse=known.inverse)
        )
        assert made.values["unseen"] == wanted <= made.values["all"] == 28
        if made.code == "accuse":
            total, held = unseen.total(), made.values["held"]
            true = comb(total - wanted, held) / comb(total, held)
            assert made.chance == pytest.approx(1 - true)
        else:
            assert made.chance is None


def test_what_a_declarer_held_is_counted_by_hand(game: Game) -> None:
    facts = [each.fact for each in event_log.unsealed_facts(game)]
    for (place, event), made in zip(causes(game), moves_of(game), strict=True):
        if made.code == "play":
            continue
        whole: State = fold(rules, facts[:place])
        accused = getattr(event.fact, "accused", made.seat)
        hand = whole.hand(accused)
        needed = made.values["animal"]
        fits = [card for card in hand if icon(card) == BOMB or animal(card) == needed]
        assert (made.values["declarer"], made.values["held"]) == (accused, len(hand))
        assert made.values["fits"] == len(fits)
        if isinstance(event.fact, BluffAdmitted | HonestyShown):
            assert isinstance(event.fact, BluffAdmitted) == bool(fits)


def test_three_sentences_tell_a_declaration_and_an_accusation() -> None:
    values = {"declarer": 1, "animal": "C", "all": 28, "unseen": 17, "held": 3, "fits": 2}
    said = ReplayMove(1, "pass", values, 4.0, False)
    assert (words.move(said), words.move_chance(said)) == (
        "can't play",
        "17 of 28 fitting cards not seen",
    )
    assert words.move_odds(said, NAMES) == [
        "Sami held 3 cards.",
        "Needed: cat or bomb, 28 cards in all. Sami hadn't seen 17 of them yet.",
        "It was a bluff: 2 cards could be played.",
    ]
    doubted = ReplayMove(0, "accuse", values | {"fits": 0}, 4.0, False, 0.5)
    assert words.move_odds(doubted, NAMES) == [
        "Sami held 3 cards: by that number alone, the chance of a bluff was 50% (even).",
        "Needed: cat or bomb, 28 cards in all. Anna hadn't seen 17 of them yet.",
        "It was true: no card could be played.",
    ]


def test_a_card_is_told_without_odds() -> None:
    made = ReplayMove(1, "play", {"card": "Mb", "called": False, "victim": None}, 1.0, False)
    assert words.move(made) == "mouse (bomb)"
    assert words.move_chance(made) == "" and words.move_odds(made, NAMES) == []
