"""Whatever people send: the right answer in words, and not one row of the database is another."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from games import words as common
from games.perudo import words
from games.perudo.rules import KEY
from games.perudo.words import reasons
from tests.support.deployments import QUICK, Deployment
from tests.support.live_site import LiveSite
from tests.support.site_database import SiteDatabase
from tests.wire import scenes, test_bad_actions
from tests.wire.scenes import (
    NewPlayer,
    Scene,
    dice_revealed,
    italian,
    left,
    opening,
    over,
    own_turn,
    pacos,
    palifico,
    raised,
    two_left,
    unhurt,
)

pytestmark = pytest.mark.real_server
# The last bid, and every bid that is possible over it.
FIRST = {"last": "", "legal": "1x2+ 1x3+ 1x4+ 1x5+ 1x6+"}
OVER_FOURS = {"last": "4x4", "legal": "5x4+ 4x5 4x6 2xP+"}
OVER_PACOS = {"last": "2xP", "legal": "5x2+ 5x3+ 5x4+ 5x5+ 5x6+ 3xP+"}
IN_PALIFICO = {"last": "2x3", "legal": "3x3+"}


@pytest.fixture(scope="session")
def deployment(still_deployment: Deployment) -> Deployment:
    return still_deployment


# --- the table of cases: who does what in which scene, and the reason given ---------------------

MakeScene = Callable[[Deployment, NewPlayer], Scene]
Case = tuple[MakeScene, str, str, str, dict[str, Any], dict[str, str]]


def case(scene: MakeScene, who: str, what: str, code: str, **fields: Any) -> Case:
    """`what` is an action, or "do" of a move."""
    details = fields.pop("details", {})
    return scene, who, what, code, fields, details


def bid(
    scene: MakeScene,
    who: str,
    code: str,
    quantity: Any,
    face: Any,
    **more: Any,
) -> Case:
    if "details" in more:
        more["details"] = more["details"] | {"bid": f"{quantity}x{'P' if face == '1' else face}"}
    return case(scene, who, "bid", code, quantity=quantity, face=face, **more)


CASES = [
    *(
        bid(opening, "speaker", "malformed", quantity, face)
        for quantity, face in [
            ("", "3"),
            ("x", "3"),
            ("-1", "3"),
            ("+1", "3"),
            ("1.5", "3"),
            ("1e3", "3"),
            (" 1", "3"),
            ("0x1", "3"),
            ("\u2162", "3"),
            ("\u00b2", "3"),
            ("1\x00", "3"),
            ("9" * 10_000, "3"),
            ("9" * 1_000_000, "3"),
            ("NaN", "3"),
            ("1", ""),
            ("1", "p"),
            ("1", "⚂"),
            ("1", "<script>"),
            ("1", "3' OR 1=1 --"),
        ]
    ),
    *(
        case(opening, "speaker", what, "malformed")
        for what in ("", "DUDO", "settle", "dudo ", "__class__", "raise", "x" * 10_000)
    ),
    *(
        case(opening, "speaker", "dudo", "malformed", seen=seen)
        for seen in ("", "-1", "1.0", "\u00b2", "9" * 10_000, "null")
    ),
    *(
        bid(opening, "speaker", "stale", "1", "3", seen=seen)
        for seen in ("0", "1", "\u0661", "999999999")
    ),
    *(bid(opening, "speaker", "bad_face", "1", face) for face in ("0", "7", "\uff17", "9999")),
    *(
        bid(opening, "speaker", "bad_count", number, "3", details=FIRST)
        for number in ("0", "16", "9999")
    ),
    bid(opening, "speaker", "paco_opening", "1", "1"),
    bid(opening, "speaker", "paco_opening", "1", "P"),
    case(opening, "speaker", "dudo", "no_bid"),
    case(opening, "speaker", "calza", "calza_off"),
    case(opening, "speaker", "confirm", "nothing_to_confirm"),
    bid(opening, "next", "not_your_turn", "1", "3"),
    case(opening, "last", "dudo", "not_your_turn"),
    bid(opening, "outsider", "not_seated", "1", "3"),
    case(opening, "outsider", "leave", "not_seated"),
    bid(raised, "speaker", "count_too_low", "4", "4", details=OVER_FOURS),
    bid(raised, "speaker", "count_too_low", "3", "4", details=OVER_FOURS),
    bid(raised, "speaker", "count_lower", "3", "5", details=OVER_FOURS),
    bid(raised, "speaker", "face_lower", "4", "3", details=OVER_FOURS),
    bid(raised, "speaker", "both_raised", "5", "5", details=OVER_FOURS),
    bid(raised, "speaker", "paco_below_half", "1", "1", details=OVER_FOURS),
    bid(raised, "last", "not_your_turn", "5", "4"),
    case(raised, "last", "calza", "own_bid"),
    case(raised, "outsider", "calza", "not_seated"),
    bid(pacos, "speaker", "below_double_plus_one", "4", "5", details=OVER_PACOS),
    bid(pacos, "speaker", "count_too_low", "2", "1", details=OVER_PACOS),
    case(italian, "speaker", "calza", "next_bidder"),
    case(own_turn, "next", "calza", "not_your_turn"),
    case(unhurt, "next", "calza", "calza_full"),
    bid(dice_revealed, "speaker", "round_over", "3", "4"),
    case(dice_revealed, "speaker", "dudo", "round_over"),
    case(dice_revealed, "speaker", "calza", "round_over"),
    case(dice_revealed, "next", "confirm", "nothing_to_confirm"),
    case(dice_revealed, "outsider", "confirm", "not_seated"),
    bid(palifico, "speaker", "face_locked", "2", "4", details=IN_PALIFICO),
    bid(palifico, "speaker", "face_locked", "3", "1", details=IN_PALIFICO),
    bid(palifico, "speaker", "count_too_low", "2", "3", details=IN_PALIFICO),
    case(palifico, "next", "calza", "calza_palifico"),
    bid(two_left, "loser", "eliminated", "2", "3"),
    case(two_left, "loser", "calza", "eliminated"),
    case(two_left, "loser", "leave", "eliminated"),
    case(two_left, "loser", "/skip", "people_play"),
    case(two_left, "loser", "/new-game", "with_people"),
    case(two_left, "next", "calza", "own_bid"),
    case(two_left, "speaker", "calza", "next_bidder"),
    bid(left, "last", "already_left", "1", "3"),
    case(left, "last", "leave", "already_left"),
    case(left, "last", "/back", "already_left"),
    bid(over, "speaker", "not_playing", "1", "3"),
    case(over, "speaker", "confirm", "not_playing"),
    case(over, "speaker", "leave", "not_playing"),
    case(over, "next", "/back", "not_playing"),
    case(over, "speaker", "/start", "not_open"),
    case(over, "outsider", "/rematch", "not_seated"),
]


@pytest.mark.parametrize("make", dict.fromkeys(each[0] for each in CASES))
def test_what_may_not_be_done_is_refused_in_words_and_changes_nothing(
    make: MakeScene, deployment: Deployment, new_player: NewPlayer, subtests: pytest.Subtests
) -> None:
    scene = make(deployment, new_player)
    for _, who, what, code, fields, details in (each for each in CASES if each[0] is make):
        said = {key: str(value)[:20] for key, value in fields.items()}
        with subtests.test(who=who, what=what[:20], code=code, **said):
            before = deployment.database.dump()
            if what.startswith("/"):
                told = scene.cast[who].action(scene.code, what[1:], **fields)
            else:
                told = scene.cast[who].move(scene.code, what, **fields)
            assert told == common.reason(code, details, kind_key=KEY)
            assert deployment.database.dump() == before


# --- reasons that need a moment or a crowd -------------------------------------------------------


def test_calza_is_called_once(deployment: Deployment, new_player: NewPlayer) -> None:
    scene = raised(deployment, new_player)
    claimant = scene.cast["next"]
    assert claimant.move(scene.code, "calza") == ""
    before = deployment.database.dump()
    assert claimant.move(scene.code, "calza") == words.reason("already_claimed")
    assert deployment.database.dump() == before
    # The clock would settle the claim while another test compares its dumps. A raise voids it
    # (P41), and one that came too late to be taken would find it settled.
    scene.cast["speaker"].move(scene.code, "bid", quantity=5, face=4)


def test_a_raise_within_the_calza_delay_is_too_soon(
    new_site: Callable[..., LiveSite], new_player: NewPlayer
) -> None:
    site = new_site(**QUICK | {"CALZA_DELAY_MS": "10000"})
    site.start()
    scene = scenes.table_of_three(
        Deployment([site], SiteDatabase(site.folder)), new_player, calza="on"
    ).bids(1, 4)
    before = scene.deployment.database.dump()
    for move in ({"do": "bid", "quantity": 2, "face": 4}, {"do": "dudo"}):
        assert scene.cast["speaker"].move(scene.code, **move) == words.reason("too_soon")
    assert scene.deployment.database.dump() == before


def test_a_person_opens_so_many_tables_and_no_more(
    deployment: Deployment, new_player: NewPlayer
) -> None:
    host = new_player(deployment.site)
    for _ in range(3):
        host.open_table(size=2)
    before = deployment.database.dump()
    form = {"preset": "asmodee_fr", "seats": 2, "pace": "", "visibility": "public"}
    answer = host.post("/games/new", htmx=False, **form)
    assert common.reason("too_many_tables") in unescape(answer.text)
    assert deployment.database.dump() == before


def test_a_person_sits_at_so_many_tables_and_no_more(
    deployment: Deployment, new_player: NewPlayer
) -> None:
    guest = new_player(deployment.site)
    hosts = [new_player(deployment.site) for _ in range(3)]
    codes = [host.open_table(size=2) for host in hosts for _ in range(3)]
    for code in codes[:8]:
        assert guest.action(code, "sit") == ""
    before = deployment.database.dump()
    assert guest.action(codes[8], "sit") == common.reason("too_many_seats")
    assert deployment.database.dump() == before


def test_with_two_left_the_bidders_neighbour_may_not_call_calza(
    deployment: Deployment, new_player: NewPlayer
) -> None:
    """P38: at a table where the player on turn may call, so that nothing else forbids it."""
    scene = scenes.table_of_three(
        deployment, new_player, preset="asmodee_it", calza="on", calza_who="any_but_bidder"
    )
    others = [scene.cast["next"], scene.cast["last"]]
    scenes.lose_dice(
        scene,
        until=lambda: any(
            one.view(scene.code).my_turn and "is-out" in one.view(scene.code).html for one in others
        ),
    )
    scene.cast = {}
    scene.turns(others).bids(1, 3)
    before = deployment.database.dump()
    told = scene.cast["speaker"].move(scene.code, "calza")
    assert told == words.reason("calza_two_left")
    assert deployment.database.dump() == before


# Codes that no request can bring about, or that belong to other tests.
ELSEWHERE = {
    "game_over": "a finished game is refused before its rules are asked: not_playing",
    "nothing_to_settle": "only the clock settles claims",
    "seat_taken": "only in a race: test_races.py",
    "character_here": "test_before_start.py",
    "blocked_here": "test_blocked_at_a_table.py",
    "closed": "what people say to each other: the tests of company",
    "blocked": "company",
    "account_closed": "only in a race with a ban: test_closed_by_staff.py",
    "silenced": "company",
    "chat_off": "company",
    "no_such_phrase": "company",
    "nothing_said": "company",
    "too_long": "company",
    "too_talkative": "company",
    "yourself": "company",
    "already_reported": "company",
    "too_many_reports": "company",
    "too_many_games": "test_many_games.py",
    "site_busy": "test_many_games.py",
    "too_many_here": "test_pausing.py",
    "paused": "test_pausing.py",
    "removed": "test_waiting_tables.py",
    "seats_kept": "test_waiting_tables.py",
    "already_begun": "test_rematch.py",
    "private_game": "the tests of questions",
    "private_moment": "the tests of trying again",
    "nothing_to_decide": "the tests of questions",
    "too_many_skips": "test_skip.py",
    "still_playing": "test_next_tables.py",
    "next_full": "test_next_tables.py",
    "too_many_rematches": "as too_many_skips",
    "too_many_parts": "as too_many_skips",
    "begins": "the tests of the first deal",
    "at_a_table": "the tests of matching",
    "quick_table": "the tests of matching",
    "unknown_game": "the tests of matching",
    "leaves_too_often": "the tests of matching",
    "not_in_line": "the tests of matching",
    "too_many_searches": "the tests of matching",
    "guests_keep_none": "the tests of standing",
    "too_many_standing": "the tests of standing",
    "too_many_changes": "the tests of standing",
    "table_plays": "the tests of standing",
    "guests_have_none": "the tests of friends",
    "not_friends": "the tests of friends",
    "all_seats_taken": "the tests of friends",
    "you_blocked_them": "the tests of friends",
    "not_asked": "the tests of friends",
    "push_unknown": "the tests of push",
    "too_many_browsers": "the tests of push",
    "too_many_friends": "the tests of friends",
    "too_many_questions": "the tests of friends",
}
IN_TESTS_OF_THEIR_OWN = test_bad_actions.CODES | {
    "already_claimed",
    "too_soon",
    "too_many_tables",
    "too_many_seats",
    "calza_two_left",
}


def test_every_reason_is_given_to_somebody() -> None:
    every = {*reasons.RULES, *reasons.PLAY, *common.SITE}
    assert {each[3] for each in CASES} | IN_TESTS_OF_THEIR_OWN == every - set(ELSEWHERE)
