"""Every byte that a real server sends to anybody, searched for dice they must not know yet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle
from pathlib import Path
from secrets import token_hex
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from games import urls as games_urls
from games import words
from games.core.contract import fold
from games.perudo import rules
from games.perudo.rules.bids import FACES, legal_counts
from games.perudo.rules.events import Revealed
from games.perudo.rules.state import State
from games.perudo.rules.turns import why_no_calza
from games.perudo.words import reasons
from perudo_site import urls as site_urls
from tests.games.perudo.robot import Controls
from tests.live import LiveSite, free_port
from tests.wire import addresses, autopilot, leaks
from tests.wire.deployments import QUICK, Deployment, running
from tests.wire.leakforms import FORMS
from tests.wire.ledger import Entry
from tests.wire.people import Heard, Person, door, wait_until

pytestmark = pytest.mark.real_server
EVERYTHING_AFTER = 10  # moves: some rounds are over, and hands lie under the cups


@dataclass
class Evening:
    """A whole game and everything that was sent to everybody who was there."""

    code: str
    ana: str  # the name of the player at seat 0
    log: list[Entry]
    seats: dict[int | None, Person]  # None is who only watched

    def state_at(self, seq: int) -> State:
        """What everybody knew when the table stood at `seq`."""
        public = (entry for entry in self.log if entry.fact.audience is None and entry.seq <= seq)
        return fold(rules, (entry.fact for entry in public))

    def screens(self, *phases: str) -> list[Heard]:
        """Every page and frame in one of these phases, to any viewer."""
        return [
            one
            for person in self.seats.values()
            for one in person.heard
            if one.view and one.view.phase in phases
        ]


def nosy(code: str, name: str) -> Callable[[Person], None]:
    """Asks for one thing after the other of all that one can ask for, in somebody's name."""
    corners: list[Callable[[Person], Any]] = [
        *(partial(addresses.ask, path=path) for path in addresses.about(code, name).values()),
        lambda person: person.get("/"),
        lambda person: person.get("/account/data"),
        lambda person: person.get("/account/"),
        lambda person: person.get(f"/games/{code}x"),
        lambda person: person.get("/admin/"),
        lambda person: person.request("POST", f"/games/{code}/move", data={"do": "dudo"}),
        lambda person: person.post(f"/games/{code}/move", do="bid", quantity="x", seen=0),
        lambda person: person.post(f"/games/{code}/move", do="dudo", seen=1),
        lambda person: person.post(f"/games/{code}/sit", htmx=False),
        lambda person: person.look_at(code, query="&lang=fr"),
    ]
    turns: dict[Person, Iterator[Callable[[Person], Any]]] = {}

    def ask(person: Person) -> None:
        next(turns.setdefault(person, cycle(corners)))(person)

    return ask


def spend(deployment: Deployment, names: str, *, seed: int, **settings: str) -> Evening:
    """A whole game of two people and a bot, with somebody watching and everybody nosy."""
    with door() as come:
        # An evening may be spent again in the same deployment, when workers share out the tests.
        ana, bruno, clara = (
            come(deployment.site, f"{name}{token_hex(3)}") for name in names.split()
        )
        code = ana.open_table(size=3, calza="on", **settings)
        assert bruno.action(code, "sit") == ""
        assert ana.action(code, "add-bot", kind="steady") == ""
        for person in (ana, bruno, clara):
            person.look_at(code)
            person.listen("/ws/lobby")
            person.get("/")
        assert ana.action(code, "start") == ""
        ask = nosy(code, ana.name)

        asked = 0

        def everybody_asks(person: Person) -> None:
            nonlocal asked
            asked += 1
            if asked == EVERYTHING_AFTER:
                assert clara.sees(code).phase != "over"
                for each in (ana, clara):
                    addresses.ask_everything(each, code, ana.name)
            ask(person)
            ask(clara)

        autopilot.play(
            code,
            [ana, bruno],
            until=lambda: clara.sees(code).phase == "over",
            rng=autopilot.seeded(seed),
            after_each=everybody_asks,
        )
    deployment.ledger.check(code)
    seats: dict[int | None, Person] = {0: ana, 1: bruno, None: clara}
    return Evening(code, ana.name, deployment.ledger.log(code), seats)


@pytest.fixture(scope="module")
def open_evening(one_process: Deployment) -> Evening:
    """Lost dice lie open (P44), and every seat reads the odds it could work out."""
    return spend(one_process, "Ana Bruno Clara", seed=1, lost_dice_visible="on", show_odds="on")


@pytest.fixture(scope="module")
def closed_evening(one_process: Deployment) -> Evening:
    """Lost dice are hidden (P45)."""
    return spend(one_process, "Dora Emil Fay", seed=2)


@pytest.fixture(params=["open_evening", "closed_evening"])
def evening(request: pytest.FixtureRequest) -> Evening:
    spent: Evening = request.getfixturevalue(request.param)
    return spent


def test_nobody_is_sent_anothers_dice_before_the_reveal(evening: Evening) -> None:
    secrets = leaks.secrets_of(evening.log)
    for seat, person in evening.seats.items():
        result = leaks.search(person.heard, secrets, seat)
        assert result.found == []
        assert result.looked_for > 50


def test_every_die_on_a_screen_belongs_there(evening: Evening) -> None:
    secrets = leaks.secrets_of(evening.log)
    for seat, person in evening.seats.items():
        assert leaks.out_of_place(person.heard, secrets, seat) == []


def test_everyone_sees_their_own_dice_and_nobody_elses_place(evening: Evening) -> None:
    for seat, person in evening.seats.items():
        screens = [one.view for one in person.heard if one.view and one.view.phase == "turn"]
        hands = {Controls.of(view).hand for view in screens}
        rolled = {s.dice for s in leaks.secrets_of(evening.log) if s.seat == seat}
        assert hands - {()} == rolled
        assert {one.view.seat for one in person.heard if one.view and one.view.phase} == {seat}


def test_the_search_covers_every_kind_of_thing_that_is_sent(evening: Evening) -> None:
    kinds = {
        one.what.split(evening.code)[0] for person in evening.seats.values() for one in person.heard
    }
    assert {"frame of /ws/games/", "frame of /ws/lobby", "handshake of /ws/games/"} <= kinds
    assert {"GET /games/", "POST /games/", "GET /account/data", "GET /"} <= kinds
    for viewer in (0, None):
        heard = evening.seats[viewer].heard
        assert addresses.unanswered(heard, evening.code, evening.ana) == []


def test_nothing_breaks_under_nosy_questions(evening: Evening) -> None:
    broken = [
        one.what
        for person in evening.seats.values()
        for one in person.heard
        if re.match(r"5\d\d\b", one.text)
    ]
    assert broken == []


def test_with_hidden_lost_dice_no_screen_counts_anothers_dice(closed_evening: Evening) -> None:
    for one in closed_evening.screens("turn", "claims"):
        assert one.view
        assert not re.search(r"tally|lost|in play|\d (die|dice)\b", one.view.table), one.view.table


def test_with_visible_lost_dice_the_same_words_are_there(open_evening: Evening) -> None:
    screens = open_evening.screens("turn")
    assert screens and all("tally" in one.text and "in play" in one.text for one in screens)


def test_what_a_seat_is_offered_follows_from_what_everybody_knows(evening: Evening) -> None:
    for one in evening.screens("turn", "claims"):
        view = one.view
        assert view
        state, faces = evening.state_at(view.seq), Controls.of(view).faces
        if view.seat is None or not state.dice[view.seat]:
            assert not (faces or view.moves & {"dudo", "calza"})
            continue
        speaks = state.turn == view.seat
        assert ("calza" in view.moves) == (why_no_calza(state, view.seat) is None)
        assert ("dudo" in view.moves) == (speaks and bool(state.bids))
        assert faces == (_ranges(state) if speaks else {})


def _ranges(state: State) -> dict[int, range]:
    counts = {
        face: legal_counts(
            state.last_bid,
            face,
            options=state.options,
            palifico=state.palifico is not None,
            most=state.most,
        )
        for face in FACES
    }
    return {face: allowed for face, allowed in counts.items() if allowed}


def test_the_answer_to_a_call_does_not_tell_whether_it_was_right(evening: Evening) -> None:
    calls = {f"POST /games/{evening.code}/move ({call})" for call in ("dudo", "calza")}
    answers = [
        re.sub(r"(?im)^date:.*\n", "", one.text)
        for seat in (0, 1)
        for one in evening.seats[seat].heard
        if one.what in calls and one.text.startswith("200") and one.text.endswith("\n\n")
    ]
    right = [entry.fact.count for entry in evening.log if isinstance(entry.fact, Revealed)]
    assert len(right) > 5
    assert len(answers) > 1
    assert len(set(answers)) == 1


# --- logs and numbers ----------------------------------------------------------------------------


@dataclass
class NotedEvening:
    """A whole game, all that was logged about it, and the numbers at its end."""

    game: Evening
    log: str
    numbers: str


@pytest.fixture(scope="module", params=["text", "json"])
def noted_evening(
    request: pytest.FixtureRequest, prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> NotedEvening:
    port = free_port()
    talkative = {"LOG_LEVEL": "DEBUG", "LOG_FORMAT": request.param, "METRICS_PORT": str(port)}
    folder = tmp_path_factory.mktemp("noted") / "site"
    with running([LiveSite.of(prepared_folder, folder, **QUICK | talkative)]) as deployment:
        game = spend(deployment, "Gina Hugo Ines", seed=3)
        numbers = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        return NotedEvening(game, deployment.log, numbers)


def test_no_hand_is_ever_logged(noted_evening: NotedEvening) -> None:
    secrets = leaks.secrets_of(noted_evening.game.log)
    assert len(secrets) > 10
    assert f"game={noted_evening.game.code}" in noted_evening.log or "{" in noted_evening.log[:1]
    assert noted_evening.log.count("answered") > 50
    assert leaks.written(noted_evening.log, secrets) == []


def test_what_was_bid_or_said_is_not_logged_with_a_move(noted_evening: NotedEvening) -> None:
    lines = [line for line in noted_evening.log.splitlines() if "games.play.move_log" in line]
    assert len(lines) > 10
    for line in lines:
        assert not re.search(r"\b(quantity|face|hand|dice)\b|\bbid\W?[:=]", line), line


def test_a_hand_in_a_log_would_be_found_in_every_form(noted_evening: NotedEvening) -> None:
    secrets = leaks.secrets_of(noted_evening.game.log)
    start = "2026-01-01 12:30:41,526 INFO games: oops"
    lines = {form: f"{start} {written(list(secrets[0].dice))}" for form, written in FORMS.items()}
    assert [form for form, line in lines.items() if not leaks.written(line, secrets)] == []


# All that a number may be labelled with: words of the program.
LABELS = {
    "do": {"bid", "dudo", "calza", "confirm", "leave"},
    "result": {"done", "refused", "failed", "beaten", "set aside"},
    "kind": {"table", "talk", "lobby"},
    "part": {"table", "story", "watching", "seat", "lobby"},
    "reason": {*reasons.RULES, *reasons.PLAY, *words.SITE},
    "method": {"GET", "HEAD", "POST", "other"},
    "status": {"1xx", "2xx", "3xx", "4xx", "5xx", "open", "playing"},
}


def test_numbers_are_labelled_with_words_of_the_program_alone(noted_evening: NotedEvening) -> None:
    routes = {f"games:{route.name}" for route in games_urls.urlpatterns}
    routes |= {route.name for route in site_urls.urlpatterns if hasattr(route, "name")}
    allowed = LABELS | {"route": routes | {"static", "unmatched", "admin:index", "admin:login"}}
    allowed["route"] |= {"account", "guest", "account_login", "account_signup"}
    seen: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(noted_evening.numbers):
        if family.name.startswith("perudo_"):
            for sample in family.samples:
                for label, value in sample.labels.items():
                    seen.setdefault(label, set()).add(value)
    assert seen.pop("le")
    assert set(seen) == set(allowed)
    assert {label: values - allowed[label] for label, values in seen.items()} == dict.fromkeys(
        seen, set()
    )


# --- the test of the tests -----------------------------------------------------------------------


@dataclass
class LeakingEvening:
    """What a site with holes sent to sockets and pages, by the form of the leak."""

    log: list[Entry]
    heard: dict[str, list[Heard]]


@pytest.fixture(scope="module")
def leaking_evening(
    prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LeakingEvening]:
    """One round on a site with holes: for every form of leak somebody who is told so."""
    folder = tmp_path_factory.mktemp("leaky") / "site"
    leaky = {"DJANGO_SETTINGS_MODULE": "tests.wire.leaky"}
    site = LiveSite.of(prepared_folder, folder, **QUICK | leaky)
    with running([site]) as deployment, door() as come:
        ana, bruno = come(site), come(site)
        code = ana.open_table(size=2)
        assert bruno.action(code, "sit") == ""
        assert ana.look_at(code).action(code, "start") == ""
        listener = come(site, stranger=True)
        for _ in FORMS:  # every frame leaks in the next form
            listener.listen(f"/ws/games/{code}")
        wait_until(lambda: all(socket.frames for socket in listener.sockets), "every frame")
        told = {
            one.text.split("told: ")[1].split("<")[0]: one for one in listener.heard if one.view
        }
        everybody = {f"{form} in a frame": [one] for form, one in told.items()}
        for form in (*FORMS, "header"):
            reader = come(site, stranger=True)
            reader.get(f"/rules?leak={form}&of={code}")
            everybody[f"{form} in a page"] = reader.heard
        yield LeakingEvening(deployment.ledger.log(code), everybody)


PLANTED = [f"{form} in a {place}" for form in FORMS for place in ("frame", "page")]


@pytest.mark.parametrize("leak", [*PLANTED, "header in a page"])
def test_a_planted_leak_is_found(leaking_evening: LeakingEvening, leak: str) -> None:
    secrets = leaks.secrets_of(leaking_evening.log)
    result = leaks.search(leaking_evening.heard[leak], secrets, None)
    assert {seat for seat in (0, 1) if any(f"of seat {seat} " in it for it in result.found)}


@pytest.mark.parametrize("form", ["attribute", "attributes", "drawn"])
def test_a_planted_die_is_out_of_place(leaking_evening: LeakingEvening, form: str) -> None:
    """Even a single one, which no search could tell from a bid."""
    secrets = leaks.secrets_of(leaking_evening.log)
    [frame] = leaking_evening.heard[f"{form} in a frame"]
    assert frame.view
    cut = frame.view.html + FORMS[form]([3])
    assert leaks.out_of_place([replace(frame, text=frame.view.html)], secrets, None) == []
    assert len(leaks.out_of_place([replace(frame, text=cut)], secrets, None)) == 1


def test_a_hand_among_the_earlier_rounds_that_was_in_none_is_found(
    leaking_evening: LeakingEvening,
) -> None:
    """The story of a table shows hands; one that lies under a cup cannot hide there."""
    secrets = leaks.secrets_of(leaking_evening.log)
    [frame] = leaking_evening.heard["drawn in a frame"]
    assert frame.view
    drawn = "".join(f'<svg><use href="#die-{face}"/></svg>' for face in secrets[0].dice)
    cut = f'{frame.view.html}<span class="hand-of">Ana {drawn}</span>'
    assert len(leaks.out_of_place([replace(frame, text=cut)], secrets, None)) == 1
    assert leaks.search([replace(frame, text=cut)], secrets, None).found
