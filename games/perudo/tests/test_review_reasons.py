"""Why a move was better, and how one turned out: each reason has its condition."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import override

from games.core.codec import key_of
from games.perudo.review.judge import judge
from games.perudo.rules.bids import Bid
from games.perudo.rules.events import BidMade, DieLost, Revealed
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.tests.reviewed_games import facts_of, record_of
from games.perudo.words import review_reasons as reasons
from games.study.review import log

HIGH, LOW = key_of(Bid(7, 5)), key_of(Bid(3, 1))
DUDO, CALZA, PASS = key_of(Dudo()), key_of(Calza()), "pass"
EVEN = {"best": [0.2, 0.2], "played": [0.2, 0.2]}


def decision(
    best: str,
    played: str,
    *,
    odds: tuple[float, float],
    after: float | None = None,
    heard: tuple[float, float] | None = None,
    **parts: Any,
) -> dict[str, Any]:
    """`odds` of the best and the played move; `after` of the one that is a call, `heard` of two."""
    options = [
        {"move": move, "odds": likely} | ({"after": after} if move in (DUDO, CALZA) else {})
        for move, likely in zip((best, played), odds, strict=True)
    ]
    for option, each in zip(options, heard or (), strict=False):
        option["after"] = each
    return {
        "best": best, "played": played, "options": options, "label": "mistake",
        "game": {"loses": EVEN}, **parts,
    }  # fmt: skip


def loses(best: tuple[float, float], played: tuple[float, float]) -> dict[str, Any]:
    return {"game": {"loses": {"best": [*best], "played": [*played]}}}


SAID = {
    "That bid could not be false.": decision(LOW, HIGH, odds=(1, 0.9)),
    "It was likelier to be true: 70% instead of 40%.": decision(LOW, HIGH, odds=(0.7, 0.4)),
    "After those bids it was likelier to be true: 60% instead of 35%.": decision(
        LOW, HIGH, odds=(0.5, 0.48), heard=(0.6, 0.35)
    ),
    "The bid before could not be true.": decision(DUDO, HIGH, odds=(1, 0), after=1),
    "It was 65% likely to be right.": decision(DUDO, HIGH, odds=(0.6, 0.6), after=0.65),
    "After those bids it was 61% likely to be right (30% by the dice alone).": decision(
        DUDO, HIGH, odds=(0.3, 0.6), after=0.61
    ),
    "After those bids dudo was only 40% likely to be right.": decision(
        HIGH, DUDO, odds=(0.3, 0.8), after=0.4
    ),
    "The call was unlikely to be right.": decision(PASS, CALZA, odds=(0, 0.1), after=0.12),
    "The call could only be wrong.": decision(HIGH, DUDO, odds=(0.3, 0), after=0),
    "It's harder to answer: the next player loses a die in 41% of cases instead of 20%.": decision(
        HIGH, LOW, odds=(0.4, 0.6), **loses((0.2, 0.41), (0.25, 0.2))
    ),
    "It costs a die less often: in 24% of cases instead of 38%.": decision(
        HIGH, LOW, odds=(0.4, 0.6), **loses((0.24, 0.2), (0.38, 0.2))
    ),
}


def test_every_reason_is_said_where_it_holds(subtests: pytest.Subtests) -> None:
    with override("en"):
        for text, found in SAID.items():
            with subtests.test(text=text):
                assert reasons.reason(found) == text


def test_no_reason_is_invented() -> None:
    assert reasons.reason(decision(HIGH, HIGH, odds=(0.5, 0.5))) == ""
    assert reasons.reason(decision(HIGH, LOW, odds=(0.4, 0.6))) == ""  # nobody loses less often
    assert reasons.reason(decision(HIGH, LOW, odds=(0.4, 0.6), game={})) == ""  # of an older judge
    assert reasons.reason(decision(DUDO, HIGH, odds=(0.4, 0.6), after=0.45)) == ""
    # The bids say the opposite of the dice.
    assert reasons.reason(decision(LOW, HIGH, odds=(0.7, 0.4), heard=(0.4, 0.45))) == ""
    harder = decision(DUDO, HIGH, odds=(0.4, 0.6), after=0.45, **loses((0.2, 0.5), (0.2, 0.1)))
    assert reasons.reason(harder) == ""  # nobody answers a doubt


def reveal(call: str, caller: int, loser: int) -> list[Any]:
    return [Revealed(call, caller, ((1,), (2,)), 1), DieLost(loser)]  # type: ignore[arg-type]


def test_how_it_turned_out_is_told_apart_from_how_good_it_was(subtests: pytest.Subtests) -> None:
    bid = [BidMade(0, Bid(3, 1))]
    good, bad = {"label": None}, {"label": "blunder"}
    told = [
        (DUDO, 0.2, bad, [reveal("dudo", 0, 1)], "It worked, against the odds: "),
        (DUDO, 0.8, good, [reveal("dudo", 0, 1)], "It worked: the bid was false."),
        (DUDO, 0.8, good, [reveal("dudo", 0, 0)], "A good decision and bad luck"),
        (DUDO, 0.8, bad, [reveal("dudo", 0, 0)], "It failed: the bid was true."),
        (DUDO, 0.2, good, [reveal("dudo", 0, 0)], "It failed: the bid was true."),
        (CALZA, 0.2, bad, [reveal("calza", 0, 0)], "It failed: the count was another."),
        (CALZA, 0.2, bad, [[Revealed("calza", 0, ((1,), (2,)), 1)]], "It worked: the count was"),
        (LOW, 0.7, good, [bid, reveal("dudo", 1, 1)], "It was doubted, and it was true."),
        (LOW, 0.7, good, [bid, reveal("dudo", 1, 0)], "A good decision and bad luck"),
        (LOW, 0.3, good, [bid, reveal("dudo", 1, 0)], "It was doubted, and it was false."),
        (LOW, 0.3, good, [bid, [BidMade(1, Bid(4, 1))]], ""),
        (LOW, 0.3, good, [bid, reveal("calza", 1, 1)], ""),
        (PASS, 0.3, good, [reveal("dudo", 1, 1)], ""),
    ]
    with override("en"):
        for played, odds, label, after, text in told:
            with subtests.test(played=played, text=text):
                found = decision(HIGH, played, odds=(0.5, odds), **label)
                said = reasons.result(found, after)
                assert said.startswith(text) and bool(said) == bool(text)


def test_how_it_turned_out_is_told_by_what_the_bids_said_too() -> None:
    found = decision(HIGH, DUDO, odds=(0.5, 0.2), after=0.7, label=None)
    with override("en"):
        assert reasons.result(found, [reveal("dudo", 0, 1)]) == "It worked: the bid was false."
        assert "bad luck" in reasons.result(found, [reveal("dudo", 0, 0)])


def test_what_is_said_does_not_depend_on_the_hands_of_others() -> None:
    """Odds after the bids, and who loses a die: from one's own dice and what is public alone."""
    from games.perudo import rules
    from games.perudo.moments import from_log
    from games.perudo.review.ledger import ledger_of

    found = log.read(rules.FACTS, record_of(facts_of(["steady", "sharp", "expert"], 4), 3))
    decisions = ledger_of(from_log(found.facts), found.by).decisions[:40]
    changed = 0
    for each in decisions:
        state, judged = each.before, each.judged
        hands = tuple(
            hand if seat == judged.seat or hand is None else tuple(7 - die for die in hand)
            for seat, hand in enumerate(state.hands)
        )
        other = judge(replace(state, hands=hands), judged.seat, judged.moves[judged.played])
        assert (other.ends == judged.ends).all() and other.odds == judged.odds
        changed += hands != state.hands
    assert changed > 30
