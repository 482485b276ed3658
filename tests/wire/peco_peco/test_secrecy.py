"""Every byte that a real server sends to anybody, searched for cards they must not know."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest

from games.peco_peco.rules.cards import DECK
from tests.games.peco_peco import robot
from tests.games.peco_peco.robot import Controls
from tests.live import STAMP, LiveSite
from tests.wire import addresses, autopilot
from tests.wire.deployments import QUICK, Deployment, running
from tests.wire.peco_peco import leaks
from tests.wire.peco_peco.leakforms import FORMS, PILES
from tests.wire.peco_peco.leaks import Story
from tests.wire.people import Heard, Person, begin, door, take_seats, wait_until

pytestmark = pytest.mark.real_server
# In teams of five nobody wins before the last stake, so the game is never over in this test.
TABLE = {**robot.TABLE, "preset": "peco_teams", "peco_call": "on", "public": "yes"}
MET = {"bluff_admitted", "honesty_shown", "card_passed", "cards_buried", "cards_drawn"}
ENOUGH, MOST = 36, 150  # questions asked, one after each move


@dataclass
class Evening:
    """Some rounds, and everything that was sent to everybody who was there."""

    deployment: Deployment
    code: str
    ana: str  # the name of the player at seat 0
    story: Story
    heard: dict[int | None, list[Heard]]  # by seat; None is a spectator
    log: str


def nosy(code: str, name: str) -> Callable[[Person], None]:
    """Asks for one thing after the other of all that one can ask for, in somebody's name."""
    corners: list[Callable[[Person], Any]] = [
        *(partial(addresses.ask, path=path) for path in addresses.about(code, name).values()),
        lambda person: person.get("/"),
        lambda person: person.get("/account/data"),
        lambda person: person.get(f"/games/{code}x"),
        lambda person: person.get("/admin/"),
        lambda person: person.get("/admin/games/event/"),
        lambda person: person.request("POST", f"/games/{code}/move", data={"do": "declare"}),
        lambda person: person.post(f"/games/{code}/move", do="play", card="E", seen=0),
        lambda person: person.post(f"/games/{code}/move", do="play", card="Mb", target="9"),
        lambda person: person.post(f"/games/{code}/move", do="declare", seen=1),
        lambda person: person.post(f"/games/{code}/sit", htmx=False),
        lambda person: person.look_at(code, query="&lang=fr"),
    ]
    turns: dict[Person, Iterator[Callable[[Person], Any]]] = {}

    def ask(person: Person) -> None:
        next(turns.setdefault(person, cycle(corners)))(person)

    return ask


@pytest.fixture(scope="module")
def evening(prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """Four people and a bot; somebody watches, everybody is nosy, the log tells all it can."""
    folder = tmp_path_factory.mktemp("cards") / "site"
    site = LiveSite.of(prepared_folder, folder, **QUICK | {"LOG_LEVEL": "DEBUG"})
    with running([site]) as deployment, door() as come:
        names = ("Ana", "Bruno", "Clara", "Dora", "Emil")
        *players, spectator = (come(site, f"{name}{token_hex(3)}") for name in names)
        ana = players[0]
        code = take_seats(players, size=5, **TABLE)
        assert ana.action(code, "add-bot", kind="medium") == ""
        for person in (*players, spectator):
            person.get("/")
            person.look_at(code)
            person.listen("/ws/lobby")
        assert ana.action(code, "start") == ""
        ask, asked = nosy(code, ana.name), 0

        def everybody_asks(person: Person) -> None:
            nonlocal asked
            asked += 1
            ask(person)
            ask(spectator)

        def enough() -> bool:
            kinds = "SELECT DISTINCT kind FROM games_event"
            met = {kind for (kind,) in deployment.ledger.rows(kinds)}
            return asked >= MOST or (asked >= ENOUGH and met >= MET)

        autopilot.play(
            code,
            players,
            until=enough,
            choose=robot.careless,
            rng=autopilot.seeded(1),
            after_each=everybody_asks,
        )
        for person in (ana, spectator):
            addresses.ask_everything(person, code, ana.name)
        # A bot may play on: what is sent after this does not belong to the evening.
        seats: dict[int | None, Person] = {None: spectator, **dict(enumerate(players))}
        heard = {seat: list(person.heard) for seat, person in seats.items()}
        story = Story(deployment.ledger.log(code))
        yield Evening(deployment, code, ana.name, story, heard, deployment.log)


def test_nobody_is_sent_anothers_cards(evening: Evening) -> None:
    assert evening.deployment.ledger.game(evening.code, "status") == ("playing",)
    assert {entry.fact.kind for entry in evening.story.log} >= MET
    for seat, heard in evening.heard.items():
        result = leaks.search(heard, evening.story, seat)
        assert result.found == []
        assert result.looked_for > 50


def test_every_card_on_a_screen_belongs_there(evening: Evening) -> None:
    for seat, heard in evening.heard.items():
        assert leaks.out_of_place(heard, evening.story, seat) == []


def test_everyone_sees_their_own_cards_and_a_spectator_none(evening: Evening) -> None:
    for seat, heard in evening.heard.items():
        hands = {leaks.animals(Controls.of(one.view).hand) for one in heard if one.view}
        assert bool(hands - {()}) == (seat is not None)
        assert hands - {()} <= evening.story.hands_of(seat)


def test_the_search_covers_every_kind_of_thing_that_is_sent(evening: Evening) -> None:
    heard = [one for each in evening.heard.values() for one in each]
    kinds = {one.what.split(evening.code)[0] for one in heard}
    assert {"frame of /ws/games/", "frame of /ws/lobby", "handshake of /ws/games/"} <= kinds
    assert {"GET /games/", "POST /games/", "GET /account/data", "GET /admin/", "GET /"} <= kinds
    replays = [one for one in heard if re.search(r"/(replay|record\.\w+)$", one.what)]
    assert replays and not any(one.text.startswith("200") for one in replays)
    assert not [one.what for one in heard if re.match(r"5\d\d\b", one.text)]
    for viewer in (0, None):
        missing = addresses.unanswered(evening.heard[viewer], evening.code, evening.ana)
        assert missing == []


def test_an_address_that_is_no_more_is_noticed(evening: Evening) -> None:
    """The list comes from the URL configuration; one that nobody asks is missing."""
    heard = [one for one in evening.heard[None] if not one.what.endswith("/rounds")]
    assert addresses.unanswered(heard, evening.code, evening.ana) == ["rounds"]
    gone = [replace(one, text="404\n") for one in evening.heard[None]]
    found = addresses.unanswered(gone, evening.code, evening.ana)
    assert set(found) == set(addresses.about("x", "y")) - addresses.NOT_THERE


def test_no_card_is_written_to_the_log(evening: Evening) -> None:
    assert evening.log.count("answered") > 50
    assert leaks.written(evening.log, evening.story) == []
    for line in evening.log.splitlines():
        if "games.play.move_log" in line:
            assert not re.search(r"\b(card|hand|target|play|declare)\b\W?[:=]", line), line


def test_the_answer_to_an_accusation_does_not_tell_whether_it_was_right(evening: Evening) -> None:
    """Nor does the answer to a declaration tell whether it was true (Q13)."""
    calls = {f"POST /games/{evening.code}/move ({call})" for call in ("accuse", "declare")}
    answers = [
        re.sub(r"(?im)^date:.*\n", "", one.text)
        for seat in range(4)
        for one in evening.heard[seat]
        if one.what in calls and one.text.startswith("200") and one.text.endswith("\n\n")
    ]
    assert len(answers) > 3 and len(set(answers)) == 1


# --- the same game with other cards in other hands -----------------------------------------------


def deal_again(file: Path, code: str, keep: int, rng: random.Random) -> None:
    """Changes, in a game whose round has just begun, every hidden card but those of one seat."""
    with closing(sqlite3.connect(file)) as records, records:
        rows = records.execute(
            "SELECT e.id, e.kind, e.data FROM games_event e JOIN games_game g ON g.id = e.game_id "
            "WHERE g.code = ? AND e.seq >= g.deal_seq ORDER BY e.seq",
            (code,),
        ).fetchall()
        facts = [(row, kind, json.loads(data)) for row, kind, data in rows]
        [top] = [data["card"] for _, kind, data in facts if kind == "card_turned"]
        hands = {data["seat"]: data["cards"] for _, kind, data in facts if kind == "hand_received"}
        rest = list(DECK)
        for card in [top, *hands[keep]]:
            rest.remove(card)
        rng.shuffle(rest)
        pile: list[str] = []
        for _, kind, data in facts:
            if kind == "hand_received":
                if data["seat"] != keep:
                    data["cards"] = sorted(rest.pop() for _ in data["cards"])
                pile += data["cards"]
        pile += [top, *rest]
        for row, kind, data in facts:
            if kind == "pile_shuffled":
                data["cards"] = pile
            elif kind == "food_shuffled":
                rng.shuffle(data["stakes"])
            records.execute("UPDATE games_event SET data = ? WHERE id = ?", (json.dumps(data), row))


def plain(text: str) -> str:
    """Without what is another in every answer: dates, tokens and nonces; and without a leak."""
    text = text.split("<p>told: ")[0]
    text = re.sub(
        r"(?im)^(date|expires|set-cookie|content-length|sec-websocket-accept):.*\n?", "", text
    )
    text = re.sub(
        r'(csrfmiddlewaretoken" value=|ftoken": |data-now=|nonce[-=])"?[\w+/=-]+', "", text
    )
    return STAMP.sub("", re.sub(r"127\.0\.0\.1:\d+", "", text))


@dataclass
class Pair:
    """A frozen table, and the same on another site where hidden cards are others."""

    code: str
    people: dict[str, tuple[Person, Person]]
    story: Story  # of the second site, which has holes
    leaked: dict[str, list[Heard]]


@pytest.fixture(scope="module")
def pair(evening: Evening, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """`declarer` has just said that they cannot play; the cards of `accuser` alone stay."""
    site = evening.deployment.site
    with door() as come:
        people = [come(site) for _ in range(4)]
        code = begin(people, **robot.TABLE | {"pace": "", "public": "yes"})
        first = next(place for place, one in enumerate(people) if one.sees(code).my_turn)
        assert people[first].move(code, "declare") == ""
        wait_until(lambda: any("accuse" in one.sees(code).moves for one in people), "the next")
        place = next(place for place, one in enumerate(people) if "accuse" in one.sees(code).moves)
        cast = {"accuser": people[place], "declarer": people[first], "spectator": come(site)}
        folder = tmp_path_factory.mktemp("dealt") / "site"
        leaky = {"DJANGO_SETTINGS_MODULE": "tests.wire.leaky"}
        twin = LiveSite.of(site.folder, folder, **QUICK | leaky)
        with (
            closing(sqlite3.connect(site.folder / "db.sqlite3")) as records,
            closing(sqlite3.connect(folder / "db.sqlite3")) as copy,
        ):
            records.backup(copy)
        deal_again(folder / "db.sqlite3", code, place, autopilot.seeded(5))
        with running([twin]) as other:
            pairs = {}
            for name, person in cast.items():
                person.get("/")  # for a token
                pairs[name] = (person, person.at(twin))
            for person, again in pairs.values():
                for one in (person, again):
                    one.heard.clear()
                    socket = one.listen(f"/ws/games/{code}?lang=en")
                    wait_until(lambda socket=socket: socket.frames, "a frame")
                    addresses.ask_everything(one, code, cast["declarer"].name)
                    one.get("/account/data")
                    one.post(f"/games/{code}/move", do="play", card="E", seen=0)
                    one.post(f"/games/{code}/move", do="accuse", seen=1)
            yield Pair(code, pairs, Story(other.ledger.log(code)), leaked(twin, code, come))


def leaked(site: LiveSite, code: str, come: Callable[..., Person]) -> dict[str, list[Heard]]:
    """What a site with holes sends to strangers, by the form of the leak."""
    listener = come(site, stranger=True)
    for _ in (*FORMS, *PILES):  # every frame leaks in the next form
        listener.listen(f"/ws/games/{code}")
    wait_until(lambda: all(socket.frames for socket in listener.sockets), "every frame")
    told = {one.text.split("told: ")[1].split("<")[0]: one for one in listener.heard if one.view}
    everybody = {f"{form} in a frame": [one] for form, one in told.items()}
    for form in (*FORMS, *PILES, "header"):
        reader = come(site, stranger=True)
        reader.get(f"/account/login/?leak={form.replace(' ', '+')}&of={code}")
        everybody[f"{form} in a page"] = reader.heard
    return everybody


def answers(person: Person) -> dict[str, str]:
    """Everything they were sent, by what it is; what shows no table apart from what does.

    Without heartbeats, which come when a socket has been open for a while.
    """
    return {
        f"{one.what}{', no table' * (one.view is None)}": plain(one.text)
        for one in person.heard
        if plain(one.text)
    }


@pytest.mark.parametrize("who", ["accuser", "spectator"])
def test_other_hidden_cards_change_no_byte(pair: Pair, who: str) -> None:
    here, there = (answers(one) for one in pair.people[who])
    assert len(here) >= 8 and here.keys() == there.keys()
    for what, text in here.items():
        assert text == there[what], what


def test_own_cards_change_what_is_sent(pair: Pair) -> None:
    """The comparison notices cards: the declarer has others at the second site."""
    here, there = (answers(one) for one in pair.people["declarer"])
    different = {what.split(pair.code)[0] for what, text in here.items() if text != there[what]}
    assert different == {"frame of /ws/games/", "GET /games/"}


# --- the test of the tests -----------------------------------------------------------------------

PLANTED = [f"{form} in a {place}" for form in (*FORMS, *PILES) for place in ("frame", "page")]


@pytest.mark.parametrize("leak", [*PLANTED, "header in a page"])
def test_a_planted_leak_is_found(pair: Pair, leak: str) -> None:
    assert leaks.search(pair.leaked[leak], pair.story, None).found


@pytest.mark.parametrize("form", ["attributes", "drawn", "tags"])
def test_a_planted_card_is_out_of_place(pair: Pair, form: str) -> None:
    """Even a single one, which no search could tell from a card that was played."""
    [frame] = pair.leaked[f"{form} in a frame"]
    assert frame.view
    assert leaks.out_of_place([replace(frame, text=frame.view.html)], pair.story, None) == []
    if form != "tags":
        cut = frame.view.html.replace("</section>", FORMS[form](["Cb"]) + "</section>", 1)
        assert leaks.out_of_place([replace(frame, text=cut)], pair.story, None)
