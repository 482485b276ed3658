"""Peco Peco with other cards in other hands: not one byte that is sent is another."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from games.peco_peco.rules.cards import DECK
from tests.support import autopilot
from tests.support.deployments import QUICK, run_deployment
from tests.support.live_site import STAMP, LiveSite
from tests.support.players import HttpPlayer, player_factory, start_table, wait_for
from tests.wire import addresses
from tests.wire.games import PECO_PECO

pytestmark = pytest.mark.real_server


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
    """Without what is another in every answer: dates, tokens, nonces, and the inbox, to which the
    clock writes that it is somebody's turn, with the strip that comes beside it.
    """
    text = re.sub(r'<div id="(inbox|search)".*?</div>', "", text, flags=re.DOTALL)
    text = re.sub(
        r"(?im)^(date|expires|set-cookie|content-length|sec-websocket-accept):.*\n?", "", text
    )
    text = re.sub(
        r'(csrfmiddlewaretoken" value=|ftoken": |data-now=|nonce[-=])"?[\w+/=-]+', "", text
    )
    # A job writes it, a moment after the look.
    text = re.sub(r'"visit_(before_)?began": (null|"[^"]*"), ', "", text)
    return STAMP.sub("", re.sub(r"127\.0\.0\.1:\d+", "", text))


@dataclass
class Pair:
    """A frozen table, and the same on another site where hidden cards are others."""

    code: str
    people: dict[str, tuple[HttpPlayer, HttpPlayer]]


@pytest.fixture(scope="module")
def pair(prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """`declarer` has just said that they cannot play; the cards of `accuser` alone stay."""
    folder = tmp_path_factory.mktemp("dealt")
    site = LiveSite.of(prepared_folder, folder / "site", **QUICK)
    with run_deployment([site]) as deployment, player_factory() as new_player:
        people = [new_player(site) for _ in range(4)]
        code = start_table(people, **PECO_PECO.still_table)
        first = next(place for place, one in enumerate(people) if one.view(code).my_turn)
        assert people[first].move(code, "declare") == ""
        wait_for(lambda: any("accuse" in one.view(code).moves for one in people), "the next")
        place = next(place for place, one in enumerate(people) if "accuse" in one.view(code).moves)
        cast = {"accuser": people[place], "declarer": people[first], "spectator": new_player(site)}
        seq = deployment.database.game(code, "seq")
        site.stop()
        with closing(sqlite3.connect(site.folder / "db.sqlite3")) as records, records:
            # Both sites open again after a downtime: a game moves on by one number then.
            records.execute("UPDATE games_hours SET open_at = datetime(open_at, '-1 minute')")
        twin = LiveSite.of(site.folder, folder / "twin", **QUICK)
        deal_again(twin.folder / "db.sqlite3", code, place, autopilot.seeded(5))
        with run_deployment([twin]) as other:
            site.start()
            databases = (deployment.database, other.database)
            wait_for(
                lambda: (
                    len({one.game(code, "seq") for one in databases}) == 1
                    and databases[0].game(code, "seq") > seq
                ),
                "the same number at both sites",
            )
            pairs = {}
            for name, person in cast.items():
                person.get("/")  # for a token
                pairs[name] = (person, person.at(twin))
            for person, again in pairs.values():
                for one in (person, again):
                    one.received.clear()
                    socket = one.listen(f"/ws/games/{code}?lang=en")
                    wait_for(lambda socket=socket: socket.frames, "a frame")
                    addresses.ask_everything(one, code, cast["declarer"].name)
                    one.get("/account/data")
                    one.post(f"/games/{code}/move", do="play", card="E", seen=0)
                    one.post(f"/games/{code}/move", do="accuse", seen=1)
            yield Pair(code, pairs)


def answers(person: HttpPlayer) -> dict[str, set[str]]:
    """Everything they were sent, by what it is; what shows no table apart from what does.

    Sets, since frames about different things come in any order. Without heartbeats, which come when
    a socket has been open for a while.
    """
    found: dict[str, set[str]] = {}
    for one in person.received:
        if text := plain(one.text).strip():  # a frame may have held only what was left out
            what = f"{one.what}{', no table' * (one.view is None)}"
            found.setdefault(what, set()).add(text)
    return found


@pytest.mark.parametrize("who", ["accuser", "spectator"])
def test_other_hidden_cards_change_no_byte(pair: Pair, who: str) -> None:
    here, there = (answers(one) for one in pair.people[who])
    assert len(here) >= 8 and here.keys() == there.keys()
    for what, texts in here.items():
        assert texts == there[what], what


def test_own_cards_change_what_is_sent(pair: Pair) -> None:
    """The comparison notices cards: the declarer has others at the second site."""
    here, there = (answers(one) for one in pair.people["declarer"])
    different = {what.split(pair.code)[0] for what, texts in here.items() if texts != there[what]}
    assert different == {"frame of /ws/games/", "GET /games/"}
