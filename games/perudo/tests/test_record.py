"""The JSON record of a game can be read only if the rules derive every fact of it again."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import game_record
from games.core.contract import VERSION, Fact
from games.core.game_record import Record, RecordError, to_json
from games.perudo import rules
from games.perudo.rules.bids import Bid
from games.perudo.rules.events import (
    BidMade,
    CalzaClaimed,
    DieLost,
    Eliminated,
    GameStarted,
    Left,
    Revealed,
    RevealSeen,
    Rolled,
    RoundStarted,
)
from games.perudo.rules.options import CHOICES, PRESETS, Options
from games.perudo.rules.outcome import outcome
from games.perudo.rules.state import State
from games.perudo.tests.random_games import steps
from tests.games.contract.random_games import facts_of, seeded

any_options = st.builds(Options, **{name: st.sampled_from(v) for name, v in CHOICES.items()})
generators = st.integers(0, 2**32).map(seeded)
a_name = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def played(generator: random.Random, options: Options | None = None) -> Record:
    facts = tuple(facts_of(steps(generator, options=options)))
    assert isinstance(facts[0], GameStarted)
    names = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Flo")
    return Record("perudo", players=names[: facts[0].seats], facts=facts, date="2024-02-29")


GAME = played(seeded(4), PRESETS["asmodee_it"])


def forged(at: int, *facts: Fact) -> Record:
    return replace(GAME, facts=(*GAME.facts[:at], *facts, *GAME.facts[at + 1 :]))


def place(kind: type[Fact]) -> int:
    """Where the first fact of a kind stands."""
    return next(at for at, fact in enumerate(GAME.facts) if isinstance(fact, kind))


def replay(record: Record) -> State:
    state: State = game_record.replay(rules, record)
    return state


def from_json(text: str) -> Record:
    return game_record.from_json(rules, text)


# --- there and back ------------------------------------------------------------------------------


@given(options=any_options, generator=generators)
def test_a_record_survives_its_json_form(options: Options, generator: random.Random) -> None:
    record = played(generator, options)
    assert from_json(to_json(record)) == record


@given(names=st.lists(a_name, min_size=6, max_size=6), date=st.sampled_from(["2024-12-31", None]))
def test_any_name_survives_the_json_form(names: list[str], date: str | None) -> None:
    record = replace(GAME, players=tuple(names[: GAME.seats]), date=date)
    assert from_json(to_json(record)) == record


@given(options=any_options, generator=generators)
def test_a_replay_ends_as_the_game_did(options: Options, generator: random.Random) -> None:
    *game, last = steps(generator, options=options)
    facts = tuple(fact for step in (*game, last) for fact in step.facts)
    record = Record("perudo", players=("x",) * last.seats, facts=facts)
    assert replay(record) == last.after
    assert outcome(replay(record)) is not None


def test_every_version_of_the_rules_reads_the_same_games() -> None:
    records = [replace(GAME, version=version) for version in game_record.VERSIONS]
    assert [from_json(to_json(record)) for record in records] == records
    assert rules.judged_by(GAME.facts) == VERSION


def test_the_json_form_says_what_it_is() -> None:
    data = json.loads(to_json(GAME))
    assert list(data) == ["version", "game", "date", "options", "players", "facts"]
    assert (data["version"], data["game"], data["date"]) == (VERSION, "perudo", "2024-02-29")
    assert data["options"] == GAME.options.to_json()


# --- forged facts --------------------------------------------------------------------------------


def test_a_changed_die_is_found() -> None:
    at = place(Rolled)
    roll = GAME.facts[at]
    assert isinstance(roll, Rolled)
    dice = tuple(sorted((*roll.dice[1:], roll.dice[0] % 6 + 1)))
    with pytest.raises(RecordError) as error:
        replay(forged(at, Rolled(roll.only, dice)))
    assert error.value.fact == place(Revealed) + 1


def test_a_hand_that_cannot_be_is_found(subtests: pytest.Subtests) -> None:
    for dice in [(), (1,), (1, 2, 3, 4, 5, 6), (0,) * 5, (7,) * 5, (6, 5, 4, 3, 2)]:
        with subtests.test(dice=dice), pytest.raises(RecordError):
            replay(forged(place(Rolled), Rolled(0, dice)))


def test_a_forged_count_is_found() -> None:
    at = place(Revealed)
    revealed = GAME.facts[at]
    assert isinstance(revealed, Revealed)
    with pytest.raises(RecordError) as error:
        replay(forged(at, replace(revealed, count=revealed.count + 1)))
    assert error.value.fact == at + 1
    assert "revealed" in error.value.reason


def test_a_loss_of_another_seat_is_found() -> None:
    at = place(DieLost)
    lost = GAME.facts[at]
    assert isinstance(lost, DieLost)
    with pytest.raises(RecordError, match="die_lost") as error:
        replay(forged(at, DieLost((lost.seat + 1) % GAME.seats)))
    assert error.value.fact == at + 1


def test_an_impossible_bid_is_found_with_its_reason() -> None:
    at = place(BidMade)
    bid = GAME.facts[at]
    assert isinstance(bid, BidMade)
    with pytest.raises(RecordError, match="not allowed: bad_count") as error:
        replay(forged(at, BidMade(bid.seat, Bid(99, 4))))
    assert error.value.fact == at + 1


def test_a_fact_that_does_not_follow_is_found(subtests: pytest.Subtests) -> None:
    for fact, reason in [
        (BidMade(17, Bid(1, 2)), "there is no seat 17"),
        (Left(-1), "there is no seat -1"),
        (DieLost(0), "die_lost does not follow by itself"),
        (Eliminated(0), "eliminated does not follow by itself"),
        (Rolled(0, (2,)), "rolled does not follow by itself"),
        (RoundStarted(2, 0, None), "round_started does not follow by itself"),
        (RevealSeen(0), "not allowed: nothing_to_confirm"),
        (Revealed("dudo", 0, (), 3), "not allowed: "),
        (Revealed("calza", 0, (), 3), "not allowed: "),
        (GameStarted(2, Options()), "game_started does not follow by itself"),
    ]:
        with subtests.test(fact=fact, reason=reason):
            at = place(BidMade)
            with pytest.raises(RecordError, match=reason) as error:
                replay(forged(at, fact))
            assert error.value.fact == at + 1


def test_a_consequence_left_out_is_found() -> None:
    """A move without later consequences, like a void claim, may be left out."""
    for at, fact in enumerate(GAME.facts):
        if not isinstance(fact, BidMade | CalzaClaimed | RevealSeen | Left):
            with pytest.raises(RecordError):
                replay(forged(at))


def test_a_repeated_fact_is_found() -> None:
    for at in range(len(GAME.facts)):
        with pytest.raises(RecordError):
            replay(forged(at, GAME.facts[at], GAME.facts[at]))


def test_a_game_that_still_runs_has_no_record() -> None:
    for end in range(1, len(GAME.facts)):
        with pytest.raises(RecordError):
            replay(replace(GAME, facts=GAME.facts[:end]))


def test_nothing_follows_the_end() -> None:
    with pytest.raises(RecordError, match="not allowed: game_over") as error:
        replay(replace(GAME, facts=(*GAME.facts, Left(0))))
    assert error.value.fact == len(GAME.facts) + 1


def test_other_options_than_were_played_are_found() -> None:
    forged_options = replace(GAME.options, raise_rule="any_face_if_more", starter="two_dice")
    with pytest.raises(RecordError):
        replay(forged(0, GameStarted(GAME.seats, forged_options)))


# --- what is no record ---------------------------------------------------------------------------


def test_a_record_of_nothing_cannot_be_made(subtests: pytest.Subtests) -> None:
    for players, facts, date in [
        ((), GAME.facts, None),
        (GAME.players[1:], GAME.facts, None),
        (("x" * 151, *GAME.players[1:]), GAME.facts, None),
        (("\ud800", *GAME.players[1:]), GAME.facts, None),
        (GAME.players, (), None),
        (GAME.players, GAME.facts[1:], None),
        (GAME.players, GAME.facts, "yesterday"),
        (GAME.players, GAME.facts, "2024-02-29\n"),
        (GAME.players, GAME.facts, "٢٠٢٤-02-29"),
    ]:
        with subtests.test(players=players, facts=facts, date=date), pytest.raises(RecordError):
            Record("perudo", players=players, facts=facts, date=date)


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(to_json(GAME)), **fields})


FACTS: list[Any] = json.loads(to_json(GAME))["facts"]


def test_what_is_no_record_is_refused_with_a_short_reason(subtests: pytest.Subtests) -> None:
    for text in [
        "",
        "null",
        "[]",
        "{}",
        "3",
        '"Perudo"',
        "{",
        "[" * 100_000,
        '{"a":' * 50_000,
        "9" * 10_000,
        "NaN",
        changed(version=0),
        changed(version=3),
        changed(version=2.0),
        changed(version=None),
        changed(version=10**4000),
        changed(version=True),
        changed(version="1"),
        changed(game="peco"),
        changed(date=20240229),
        changed(players=None),
        changed(players="Ada"),
        changed(players={"0": "Ada"}),
        changed(players=[1, 2, 3]),
        changed(players=[["Ada"]]),
        changed(options={}),
        changed(options=None),
        changed(options=Options(calza="on").to_json()),
        changed(facts=None),
        changed(facts={}),
        changed(facts=[]),
        changed(facts=[None]),
        changed(facts=[{"kind": "bid_made"}]),
        changed(facts=[*FACTS, 1]),
        changed(facts=[{**FACTS[0], "seats": 10**100}, *FACTS[1:]]),
        changed(facts=[{**FACTS[0], "seats": 10**4000}, *FACTS[1:]]),
        changed(facts=[{**FACTS[0], "seats": float("inf")}, *FACTS[1:]]),
        changed(extra=1),
    ]:
        with subtests.test(text=text):
            with pytest.raises(RecordError) as error:
                from_json(text)
            assert 0 < len(error.value.reason) <= 200


def test_a_fact_that_cannot_be_read_is_named_by_its_number() -> None:
    with pytest.raises(RecordError, match="fact 3: ") as error:
        from_json(changed(facts=[*FACTS[:2], {"kind": "surprise"}, *FACTS[3:]]))
    assert error.value.fact == 3


def test_a_record_has_a_size_limit() -> None:
    with pytest.raises(RecordError, match="characters"):
        from_json(" " * (game_record.MAX_CHARACTERS + 1))
    with pytest.raises(RecordError, match="facts"):
        from_json(changed(facts=[0] * (game_record.MAX_FACTS + 1)))
    with pytest.raises(RecordError, match="facts"):
        Record("perudo", players=("Ada", "Ben"), facts=GAME.facts[:1] * (game_record.MAX_FACTS + 1))
