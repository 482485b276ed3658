"""Whatever people send at a table of Peco Peco: refused in words, in each language, unchanged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pytest
from django.utils import translation
from yarl import URL

from games import words as common
from games.peco_peco.rules import KEY
from games.peco_peco.rules.cards import CARDS
from games.peco_peco.rules.reasons import Reason
from games.peco_peco.tests.page_player import Controls
from tests.e2e.boxes import arranged
from tests.support.deployments import QUICK, Deployment, run_deployment
from tests.support.live_site import LiveSite
from tests.support.players import HttpPlayer, start_table, wait_for
from tests.wire.test_races import guests
from tests.wire.test_slaps import TABLE, NewPlayer, by_rule

pytestmark = pytest.mark.real_server
LANGUAGES = ("en", "fr", "it", "es")

# Refused before the rules are asked, each with what people are told instead.
NEVER_TOLD = {"game_over": "not_playing", "nothing_to_settle": "malformed"}
MET: set[str] = set()


def refused(
    deployment: Deployment,
    person: HttpPlayer,
    code: str,
    reason: str,
    details: Any = None,
    **fields: object,
) -> None:
    """The move is refused with this reason in every language, and nothing is changed."""
    fields = {"seen": person.view(code).seq, **fields}
    before = deployment.database.log(code), deployment.database.game(code, "seq", "due_at")
    for language in LANGUAGES:
        headers = {
            "HX-Request": "true",
            "X-CSRFToken": person.client.token,
            "Accept-Language": language,
        }
        answer = person.request("POST", f"/games/{code}/move", data=fields, headers=headers)
        with translation.override(language):
            assert answer.notice == common.reason(reason, details, kind_key=KEY), fields
    assert (
        deployment.database.log(code),
        deployment.database.game(code, "seq", "due_at"),
    ) == before
    MET.add(reason)


def test_the_turn(one_process: Deployment, new_player: NewPlayer) -> None:
    people = guests(new_player, one_process, 4)
    while True:
        code = start_table(people, **TABLE | {"first_feast_on_top": "true"})
        speaker, other = sorted(people, key=lambda one: not one.view(code).my_turn)[:2]
        controls = Controls.of(speaker.view(code))
        plain = [card for card in controls.playable if card not in controls.steals]
        useless = [card for card in controls.hand if card not in controls.playable]
        if plain and useless:
            break
        for person in people[1:]:
            assert person.move(code, "leave") == ""
    top = one_process.database.check(code).top
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
        refused(one_process, speaker, code, "malformed", **fields)
    refused(one_process, speaker, code, "stale", do="declare", seen="1")
    refused(one_process, speaker, code, "card_not_held", do="play", card=missing)
    named = {"card": useless[0], "top": top}
    refused(one_process, speaker, code, "does_not_beat", named, do="play", card=useless[0])
    refused(one_process, speaker, code, "bad_target", do="play", card=plain[0], target="1")
    refused(one_process, speaker, code, "call_off", do="play", card=plain[0], call="on")
    refused(one_process, speaker, code, "nothing_to_accuse", do="accuse")
    refused(one_process, speaker, code, "nothing_to_waive", do="waive")
    refused(one_process, speaker, code, "nothing_to_choose", do="join_team", partner="1")
    refused(one_process, speaker, code, "nothing_to_confirm", do="confirm")
    for do in ("declare", "accuse"):
        refused(one_process, other, code, "not_your_turn", do=do)
    stranger = new_player(one_process.site).open_page(code)
    refused(one_process, stranger, code, "not_seated", do="declare")


def test_a_slap_window(one_process: Deployment, new_player: NewPlayer) -> None:
    code, people = by_rule(one_process, new_player, "slap", slap_window_ms="10000")
    declarer, following, other, _ = people
    assert declarer.move(code, "declare") == ""
    wait_for(lambda: all(one.view(code).phase == "claims" for one in people), "the window")
    refused(one_process, declarer, code, "own_pass", do="accuse")
    refused(one_process, following, code, "await_slap_window", do="declare")
    assert other.move(code, "waive") == ""
    wait_for(lambda: "waive" not in other.view(code).moves, "the waiver")
    for do in ("waive", "accuse"):
        refused(one_process, other, code, "already_waived", do=do)


def test_a_stake_without_accusations(one_process: Deployment, new_player: NewPlayer) -> None:
    code, (declarer, following, *_) = by_rule(one_process, new_player, "no_accuse")
    assert declarer.move(code, "declare") == ""
    wait_for(lambda: following.view(code).my_turn, "the turn")
    refused(one_process, following, code, "accuse_forbidden", do="accuse")


# --- arranged tables -----------------------------------------------------------------------------


@dataclass
class Arranged:
    """A site with tables that chance would seldom bring about."""

    deployment: Deployment
    tables: dict[str, dict[str, Any]]

    def sit(self, case: str, seat: int) -> tuple[str, HttpPlayer]:
        """The table of this case, and the person at this seat, who looks at it."""
        told = self.tables[case]
        person = HttpPlayer(self.deployment.site)
        cookies = {"sessionid": told["keys"][seat]}
        person.client.http.cookie_jar.update_cookies(cookies, URL(self.deployment.site.url))
        code = told["path"].removeprefix("/games/")
        return code, person.open_page(code)


@pytest.fixture(scope="module")
def tables(prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arranged]:
    site = LiveSite.of(prepared_folder, tmp_path_factory.mktemp("refusals") / "site", **QUICK)
    told = json.loads(arranged(site, "games.peco_peco.tests.refusals"))
    with run_deployment([site]) as deployment:
        yield Arranged(deployment, told)


def test_a_move_that_this_moment_does_not_allow(
    tables: Arranged, subtests: pytest.Subtests
) -> None:
    for case, seat, reason, fields in [
        ("out_of_round", 1, "out_of_round", {"do": "declare"}),
        ("out_of_round", 1, "out_of_round", {"do": "accuse"}),
        ("without_cards", 0, "no_cards", {"do": "accuse"}),
        ("without_cards", 0, "no_cards", {"do": "waive"}),
        ("of_partners", 2, "accuse_partner", {"do": "accuse"}),
        ("of_partners", 2, "accuse_partner", {"do": "waive"}),
        ("left", 1, "already_left", {"do": "declare"}),
        ("left", 1, "already_left", {"do": "leave"}),
        ("between_rounds", 3, "round_over", {"do": "declare"}),
        ("between_rounds", 3, "round_over", {"do": "play", "card": "E"}),
        ("between_rounds", 2, "round_over", {"do": "accuse"}),
        ("choosing", 0, "team_choice_first", {"do": "declare"}),
        ("choosing", 1, "team_choice_first", {"do": "play", "card": "E"}),
        ("choosing", 1, "team_choice_first", {"do": "accuse"}),
        ("choosing", 0, "bad_team", {"do": "join_team", "partner": "3"}),
        ("choosing", 0, "bad_team", {"do": "join_team", "partner": "7"}),
        ("choosing", 1, "not_your_turn", {"do": "join_team", "partner": "2"}),
        ("over", 0, "not_playing", {"do": "declare"}),
        ("over", 0, "not_playing", {"do": "confirm"}),
        ("of_partners", 1, "malformed", {"do": "close_window"}),
    ]:
        with subtests.test(case=case, seat=seat, reason=reason, fields=fields):
            code, person = tables.sit(case, seat)
            try:
                refused(tables.deployment, person, code, reason, **fields)
            finally:
                person.close_sockets()


CODES = (
    "malformed stale card_not_held does_not_beat bad_target call_off nothing_to_accuse "
    "nothing_to_waive nothing_to_choose nothing_to_confirm not_your_turn not_seated own_pass "
    "await_slap_window already_waived accuse_forbidden out_of_round no_cards accuse_partner "
    "already_left round_over team_choice_first bad_team not_playing"
).split()


def test_every_code_of_the_rules_has_a_case() -> None:
    assert set(CODES) & set(get_args(Reason)) == set(get_args(Reason)) - set(NEVER_TOLD)
    assert set(NEVER_TOLD.values()) <= set(CODES)
    assert set(CODES) >= MET
