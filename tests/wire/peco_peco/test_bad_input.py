"""Whatever people send at a table of Peco Peco: refused in words, in each language, unchanged."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from games import words as common
from games.peco_peco.rules import KEY
from games.peco_peco.rules.cards import CARDS
from games.peco_peco.rules.reasons import REASONS
from tests.games.peco_peco.robot import Controls
from tests.wire.houses import House
from tests.wire.peco_peco.test_races import Come, by_rule, four
from tests.wire.people import Person, wait_until
from tests.wire.test_races import guests

pytestmark = pytest.mark.real_server
LANGUAGES = ("en", "fr", "it", "es")

# Refused before the rules are asked, or a matter of the rules alone: tests of the rules have them.
IN_TESTS_OF_THE_RULES = {
    "game_over": "a finished game is refused before its rules are asked: not_playing",
    "already_left": "games.play refuses who left before the rules do, with the same code",
    "out_of_round": "needs a whole round: tests/games/peco_peco/test_cases.py",
    "team_choice_first": "the last stake of a game in teams of five",
    "nothing_to_settle": "only the clock closes a window",
    "accuse_partner": "teams",
    "no_cards": "needs a whole round",
    "bad_team": "the last stake of a game in teams of five",
    "round_over": "needs a whole round",
}
MET: set[str] = set()


def refused(
    house: House, person: Person, code: str, reason: str, details: Any = None, **fields: object
) -> None:
    """The move is refused with this reason in every language, and nothing is changed."""
    fields = {"seen": person.sees(code).seq, **fields}
    before = house.ledger.log(code), house.ledger.game(code, "seq", "due_at")
    for language in LANGUAGES:
        headers = {
            "HX-Request": "true",
            "X-CSRFToken": person.client.token,
            "Accept-Language": language,
        }
        answer = person.request("POST", f"/games/{code}/move", data=fields, headers=headers)
        with translation.override(language):
            assert answer.notice == common.reason(reason, details, game_key=KEY), fields
    assert (house.ledger.log(code), house.ledger.game(code, "seq", "due_at")) == before
    MET.add(reason)


def test_the_turn(quick_house: House, come: Come) -> None:
    people = guests(come, quick_house, 4)
    while True:
        code = four(quick_house, people, first_feast_on_top="true")
        speaker, other = sorted(people, key=lambda one: not one.sees(code).my_turn)[:2]
        controls = Controls.of(speaker.sees(code))
        plain = [card for card in controls.playable if card not in controls.steals]
        useless = [card for card in controls.hand if card not in controls.playable]
        if plain and useless:
            break
        for person in people[1:]:
            assert person.move(code, "leave") == ""
    top = quick_house.ledger.check(code).top
    missing = next(card for card in CARDS if card not in controls.hand)
    for fields in (
        {"do": ""},
        {"do": "PLAY"},
        {"do": "close_window"},
        {"do": "play"},
        {"do": "play", "card": "X"},
        {"do": "play", "card": "<b>"},
        {"do": "play", "card": "9" * 10_000},
        {"do": "play", "card": plain[0], "target": "one"},
        {"do": "play", "card": plain[0], "call": "yes"},
        {"do": "declare", "seen": "x"},
        {"do": "join_team", "partner": "-1"},
    ):
        refused(quick_house, speaker, code, "malformed", **fields)
    refused(quick_house, speaker, code, "stale", do="declare", seen="1")
    refused(quick_house, speaker, code, "card_not_held", do="play", card=missing)
    named = {"card": useless[0], "top": top}
    refused(quick_house, speaker, code, "does_not_beat", named, do="play", card=useless[0])
    refused(quick_house, speaker, code, "bad_target", do="play", card=plain[0], target="1")
    refused(quick_house, speaker, code, "call_off", do="play", card=plain[0], call="on")
    refused(quick_house, speaker, code, "nothing_to_accuse", do="accuse")
    refused(quick_house, speaker, code, "nothing_to_waive", do="waive")
    refused(quick_house, speaker, code, "nothing_to_choose", do="join_team", partner="1")
    refused(quick_house, speaker, code, "nothing_to_confirm", do="confirm")
    for do in ("declare", "accuse"):
        refused(quick_house, other, code, "not_your_turn", do=do)
    stranger = come(quick_house.site).look_at(code)
    refused(quick_house, stranger, code, "not_seated", do="declare")


def test_a_slap_window(quick_house: House, come: Come) -> None:
    code, people = by_rule(quick_house, come, "slap", slap_window_ms="10000")
    declarer, following, other, _ = people
    assert declarer.move(code, "declare") == ""
    wait_until(lambda: all(one.sees(code).phase == "claims" for one in people), "the window")
    refused(quick_house, declarer, code, "own_pass", do="accuse")
    refused(quick_house, following, code, "await_slap_window", do="declare")
    assert other.move(code, "waive") == ""
    wait_until(lambda: "waive" not in Controls.of(other.sees(code)).moves, "the waiver")
    for do in ("waive", "accuse"):
        refused(quick_house, other, code, "already_waived", do=do)


def test_a_stake_without_accusations(quick_house: House, come: Come) -> None:
    code, (declarer, following, *_) = by_rule(quick_house, come, "no_accuse")
    assert declarer.move(code, "declare") == ""
    wait_until(lambda: following.sees(code).my_turn, "the turn")
    refused(quick_house, following, code, "accuse_forbidden", do="accuse")


CODES = (
    "malformed stale card_not_held does_not_beat bad_target call_off nothing_to_accuse "
    "nothing_to_waive nothing_to_choose nothing_to_confirm not_your_turn not_seated own_pass "
    "await_slap_window already_waived accuse_forbidden"
).split()


def test_every_code_of_the_rules_has_a_case() -> None:
    assert set(CODES) & set(REASONS) == set(REASONS) - set(IN_TESTS_OF_THE_RULES)
    assert set(CODES) >= MET
