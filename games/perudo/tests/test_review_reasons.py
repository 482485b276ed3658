"""Why a move was better, and how one turned out: each reason has its condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import override

from games.core.codec import key_of
from games.perudo import rules
from games.perudo.moments import from_log
from games.perudo.review import analyse
from games.perudo.review.judge import judge
from games.perudo.review.ledger import ledger_of
from games.perudo.rules.bids import Bid
from games.perudo.rules.events import BidMade, DieLost, Revealed
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.rules.options import SITE_OPTIONS
from games.perudo.tests.reviewed_games import facts_of, record_of
from games.perudo.words import review as words
from games.perudo.words import review_reasons as reasons
from games.study.review import log, reviewed_decision

HIGH, LOW = key_of(Bid(7, 5)), key_of(Bid(3, 1))
DUDO, CALZA, PASS = key_of(Dudo()), key_of(Calza()), "pass"
TABLE = ("expert", "sharp", "steady", "beginner")
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
        "regret": 0.0, "cost": 0.0,
        "game": {"loses": EVEN}, **parts,
    }  # fmt: skip


def loses(
    best: tuple[float, float], played: tuple[float, float], **more: tuple[float, float]
) -> dict[str, Any]:
    return {"game": {"loses": {"best": [*best], "played": [*played]}, **more}}


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
    "The call was more likely wrong than right.": decision(
        HIGH, DUDO, odds=(0.3, 0.8), after=0.4, **loses((0.6, 0.2), (0.6, 0.0))
    ),
    "By the end of the round it costs a die less often: in 45% of cases instead of 60%.": decision(
        HIGH, DUDO, odds=(0.3, 0.8), after=0.4, **loses((0.45, 0.4), (0.6, 0.0))
    ),
    "It was 39% likely to be right, and then it wins a die back.": decision(
        CALZA,
        HIGH,
        odds=(0.3, 0.5),
        after=0.39,
        game={"loses": {"best": [0.61, 0], "played": [0.5, 0.3]}, "regains": [0.39, 0]},
    ),
    "It's hard to answer: the next player loses a die in 33% of cases.": decision(
        HIGH, DUDO, odds=(0.3, 0.8), after=0.6, **loses((0.39, 0.33), (0.4, 0.0))
    ),
    "The call could only be wrong.": decision(HIGH, DUDO, odds=(0.3, 0), after=0),
    "It's harder to answer: the next player loses a die in 41% of cases instead of 20%.": decision(
        HIGH, LOW, odds=(0.4, 0.6), **loses((0.2, 0.41), (0.25, 0.2))
    ),
    "By the end of the round it costs a die less often: in 24% of cases instead of 38%.": decision(
        HIGH, LOW, odds=(0.4, 0.6), **loses((0.24, 0.2), (0.38, 0.2), die=(0.13, 0.09))
    ),
    "By the end of the round it costs a die less often: in 24% of cases instead of 38%. "
    "Losing a die hurts more now: it costs 14% of the game, up from 9% at the start.": decision(
        HIGH, LOW, odds=(0.4, 0.6), **loses((0.24, 0.2), (0.38, 0.2), die=(0.14, 0.09))
    ),
}


def test_every_reason_is_said_where_it_holds(subtests: pytest.Subtests) -> None:
    with override("en"):
        for text, found in SAID.items():
            with subtests.test(text=text):
                assert reasons.reason(found) == text


def test_no_reason_is_invented() -> None:
    assert reasons.reason(decision(LOW, HIGH, odds=(1, 1))) == ""  # neither could be false
    assert reasons.reason(decision(HIGH, HIGH, odds=(0.5, 0.5))) == ""
    assert reasons.reason(decision(HIGH, LOW, odds=(0.4, 0.6))) == ""  # nobody loses less often
    assert reasons.reason(decision(HIGH, LOW, odds=(0.4, 0.6), game={})) == ""  # of an older judge
    assert reasons.reason(decision(DUDO, HIGH, odds=(0.4, 0.6), after=0.45)) == ""
    # The bids say the opposite of the dice.
    assert reasons.reason(decision(LOW, HIGH, odds=(0.7, 0.4), heard=(0.4, 0.45))) == ""
    harder = decision(DUDO, HIGH, odds=(0.4, 0.6), after=0.45, **loses((0.2, 0.5), (0.2, 0.1)))
    assert reasons.reason(harder) == ""  # nobody answers a doubt
    lie = {"loses": {"best": [0.29, 0.7], "played": [0.64, 0.3]}, "best": [2, 3]}
    assert reasons.reason(decision(HIGH, DUDO, odds=(0, 0.7), after=0.36, game=lie)) == ""
    # A right calza would win back a die, but it costs one so often that this outweighs it.
    weak = {"loses": {"best": [0.8, 0], "played": [0.5, 0.3]}, "regains": [0.2, 0]}
    assert reasons.reason(decision(CALZA, HIGH, odds=(0.2, 0.5), after=0.2, game=weak)) == ""


def test_what_is_almost_certain_is_not_called_certain() -> None:
    """Odds are rounded; whether one's own dice settle a bid is said by the dice that it needs."""
    for best, about, text in (
        (LOW, "best", "That bid could not be false."),
        (DUDO, "last", "The bid before could not be true."),
    ):
        for needed, settled in (([25, 0], best == LOW), ([25, 1], False), ([2, 3], True)):
            found = decision(best, HIGH, odds=(1, 0.5), after=1, heard=(1, 0.5))
            found["game"] = {"loses": EVEN, about: needed}
            with override("en"):
                told = reasons.reason(found)
            if needed != [25, 0]:
                assert (told == text) == settled, (best, needed)


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
        (CALZA, 0.2, bad, [reveal("calza", 0, 0)], "It failed: the count wasn't exact."),
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


def test_a_decision_is_called_good_only_where_nothing_was_clearly_better() -> None:
    """Of a bot's too, which has no label."""
    for parts, good in (({}, True), ({"regret": 0.2}, False), ({"cost": 0.02}, False)):
        for played, after in (
            (DUDO, [reveal("dudo", 0, 0)]),
            (LOW, [bid_made(), reveal("dudo", 1, 0)]),
        ):
            found = decision(HIGH, played, odds=(0.5, 0.8), label=None, **parts)
            with override("en"):
                assert ("good decision" in reasons.result(found, after)) == good


def bid_made() -> list[Any]:
    return [BidMade(0, Bid(3, 1))]


def test_how_it_turned_out_is_told_by_what_the_bids_said_too() -> None:
    found = decision(HIGH, DUDO, odds=(0.5, 0.2), after=0.7, label=None)
    surprising = decision(HIGH, DUDO, odds=(0.5, 0.94), after=0.47)
    with override("en"):
        # Not "against the odds": by the player's own dice it was not, and that is said next.
        assert reasons.result(surprising, [reveal("dudo", 0, 1)]) == "It worked: the bid was false."
        assert reasons.result(found, [reveal("dudo", 0, 1)]) == "It worked: the bid was false."
        assert "bad luck" in reasons.result(found, [reveal("dudo", 0, 0)])


def test_what_is_said_does_not_depend_on_the_hands_of_others() -> None:
    """Odds after the bids, and who loses a die: from one's own dice and what is public alone."""
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


@pytest.mark.parametrize(("kinds", "calza"), [(("steady", "sharp"), "on"), (TABLE, "off")])
def test_no_sentence_of_a_game_contradicts_another(kinds: Sequence[str], calza: Any) -> None:
    """In whole games: odds, how it turned out, what was better, and the table of moves."""
    options, better = replace(SITE_OPTIONS, calza=calza), 0
    found = log.read(rules.FACTS, record_of(facts_of(kinds, "read", options), len(kinds)))
    moments = from_log(found.facts)
    review = analyse(record_of([each.fact for each in found.facts], len(kinds)))
    for each in review["decisions"]:
        number, played = each["number"], each["played"]
        after = [moment.facts for moment in moments[number - 1 : number + 1]]
        with override("en"):
            told = reviewed_decision.of_game(words, each, "Bob", is_reader=False, after=after)
        odds, by_the_bids = (
            ask(each, played) or 0.0 for ask in (reasons.odds_of, reasons.after_the_bids)
        )
        if (odds >= 0.5) != (by_the_bids >= 0.5):
            assert "after those bids" in told.why.lower(), told.why
        if "against the odds" in told.why:
            assert max(odds, by_the_bids) < 0.5, told.why
        assert "instead of 0%" not in told.why  # nobody answers a call
        assert not each["label"] or each["cost"] > 0, told
        if told.better:
            chance = {option["move"]: option["chance"] for option in each["options"]}
            assert chance[each["best"]] > chance[played], told
            better += 1
        hidden, needed = each["game"].get("best") or (0, 0)
        if "could not be false" in told.why:
            assert needed == 0, told.why
        for option in each["options"]:
            if option["odds"] in (0, 1) and option["move"] == each["best"] and hidden:
                assert needed in (0, *range(hidden + 1, 40)), told
    assert better > 5
