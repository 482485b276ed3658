"""What the staff and the metrics are told of a running game: no hidden die, no hidden card.

All pages of the staff are read by somebody who signed in with two factors, and searched for hands,
for the order of piles, and for each hidden fact by itself.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urljoin

import httpx
import pytest

from games.peco_peco.rules.cards import CARDS
from games.peco_peco.rules.stakes import STAKES
from games.peco_peco.tests import leaks as card_leaks
from games.perudo.rules.events import Revealed
from tests.support import autopilot
from tests.support.deployments import QUICK, run_deployment
from tests.support.http_client import PASSWORD
from tests.support.live_site import LiveSite, free_port
from tests.support.players import HttpPlayer, Received, player_factory, start_table, wait_for
from tests.support.site_database import SiteDatabase
from tests.wire.games import PECO_PECO, PERUDO, Search, WireGame

pytestmark = pytest.mark.real_server
NewPlayer = Callable[..., HttpPlayer]
OF_A_SHAPE = 4  # pages read of those that differ in a number or a filter alone
SEALED = 'SELECT id, kind, data FROM games_event WHERE "only" IS NOT NULL'


@dataclass(frozen=True)
class Staffed:
    """A game as the staff looks at it: once these kinds of facts were met, and hands are new."""

    game: WireGame
    people: int
    met: frozenset[str]
    dealt: str  # the last fact of a deal
    fact: re.Pattern[str]  # a fact that names dice or cards, as the database writes it
    found: str  # how the search names a hand
    move: str  # that is counted

    def enough(self, database: SiteDatabase) -> bool:
        kinds = [kind for (kind,) in database.rows("SELECT kind FROM games_event ORDER BY id")]
        return set(kinds) >= self.met and kinds[-1] == self.dealt

    def hands_in(self, metrics: str, secrets: Any) -> list[str]:
        """Labels of the site's own numbers that tell a hand; no card or stake belongs there."""
        own = "\n".join(line for line in metrics.splitlines() if line.startswith("perudo_"))
        if self.game is PERUDO:
            return self.game.leaks.in_text(own, secrets)
        cards = "|".join([*(card for card in CARDS if len(card) > 1), *STAKES])
        rows = [where for where, _ in card_leaks.runs(own)]
        return rows + re.findall(rf"\b(?:{cards})\b", own)

    def facts_in(self, text: str) -> set[str]:
        return {json.dumps(json.loads(fact), sort_keys=True) for fact in self.fact.findall(text)}


STAFFED = {
    "perudo": Staffed(
        game=PERUDO,
        people=4,
        met=frozenset({"revealed", "die_lost"}),
        dealt="rolled",
        fact=re.compile(r'\{[^{}]*"(?:dice|face|hands)"[^{}]*\}'),
        found="of seat",
        move="bid",
    ),
    "peco_peco": Staffed(
        game=PECO_PECO,
        people=5,
        # Cards have changed hands in secret.
        met=frozenset(
            {"honesty_shown", "card_passed", "card_stolen", "cards_buried", "cards_drawn"}
        ),
        dealt="card_turned",
        fact=re.compile(r'\{[^{}]*"(?:card|cards|hand|stakes?)"[^{}]*\}'),
        found="the hand",
        move="play",
    ),
}
HIDDEN = {
    "perudo": ["rolled"],
    "peco_peco": ["card_passed", "cards_buried", "food_shuffled", "hand_received"],
}


@dataclass
class Reading:
    """A running game, and what somebody of the staff and a reader of the metrics were sent."""

    of: Staffed
    code: str
    database: SiteDatabase
    secrets: Any
    pages: list[Received]
    metrics: str

    def search(self) -> Search:
        """Look for hands, but not in the rows of those that were shown to everybody."""
        pages = self.pages
        for fact in self.database.facts(self.code, Revealed):
            row = json.dumps(fact.hands)
            pages = [replace(page, text=page.text.replace(row, "shown")) for page in pages]
        return self.of.game.leaks.search(pages, self.secrets, None)


def staff_of(site: LiveSite, new_player: NewPlayer) -> HttpPlayer:
    """Somebody of the staff, signed in by password and second step."""
    name = f"Kiki{token_hex(3)}"
    new_player(site, name)
    told = site.manage(
        "shell",
        "-c",
        "from accounts.models import User; "
        "from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret; "
        "from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes; "
        f"person = User.objects.get(username='{name}'); "
        "TOTP.activate(person, generate_totp_secret()); "
        "person.is_staff = person.is_superuser = True; person.save(); "
        "print(RecoveryCodes.activate(person).get_unused_codes()[0])",
    )
    staff = new_player(site, stranger=True)
    staff.get("/account/login/")
    staff.post("/account/login/", htmx=False, login=name, password=PASSWORD)
    staff.post("/account/two-factor/enter/", htmx=False, code=told.split()[-1])
    assert staff.get("/admin/").url.path == "/admin/"
    return staff


def read_everything(
    staff: HttpPlayer, code: str, database: SiteDatabase, of_a_shape: int = OF_A_SHAPE
) -> list[Received]:
    """Pages of the staff, some of each shape; those of hidden facts; actions on the table."""
    staff.received.clear()
    waiting, met, shapes = ["/admin/"], {"/admin/"}, Counter[str]()
    while waiting:
        path = waiting.pop(0)
        answer = staff.get(path)
        assert answer.status_code == 200, path
        for link in re.findall(r'href="([^"#]+)"', answer.text):
            link = urljoin(path, unescape(link))
            shape = re.sub(r"\d+|=[^&]*", "", link)
            of_staff = link.startswith("/admin/") and not re.search(r"logout|[?&]o=|&", link)
            if of_staff and link not in met and shapes[shape] < of_a_shape:
                met.add(link)
                shapes[shape] += 1
                waiting.append(link)
    for row, *_ in database.rows(SEALED)[-2 * of_a_shape :]:
        for rest in ("change/", "history/", "delete/"):
            staff.get(f"/admin/games/factrow/{row}/{rest}")
    staff.get(f"/admin/games/factrow/?q={code}&all=")
    [number] = database.game(code, "id")
    tables = staff.get("/admin/games/game/")
    actions = re.search(r'<select name="action".*?</select>', tables.text, re.DOTALL)
    assert actions
    for action in re.findall(r'<option value="(\w+)"', actions[0]):
        staff.post("/admin/games/game/", htmx=False, action=action, _selected_action=number)
    return list(staff.received)


@pytest.fixture(scope="module", params=STAFFED)
def readings(
    request: pytest.FixtureRequest,
    prepared_folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[dict[str, Reading]]:
    """A game that stands at the start of a round; then the same on a site with holes."""
    of = STAFFED[request.param]
    folder, ports = tmp_path_factory.mktemp("staff"), [free_port(), free_port()]
    site = LiveSite.of(prepared_folder, folder / "site", **QUICK, METRICS_PORT=str(ports[0]))
    with run_deployment([site]) as deployment, player_factory() as new_player:
        players = [new_player(site) for _ in range(of.people)]
        staff = staff_of(site, new_player)
        code = start_table(players, **(of.game.still_table | of.game.table))

        def enough() -> bool:
            return of.enough(deployment.database)

        autopilot.play(
            code,
            players,
            until=enough,
            choose=lambda view, rng: None if enough() else of.game.player.random_action(view, rng),
            rng=autopilot.seeded(1),
        )

        def reading(
            at: LiveSite, by: HttpPlayer, port: int, of_a_shape: int = OF_A_SHAPE
        ) -> Reading:
            database = SiteDatabase(at.folder)
            pages = read_everything(by, code, database, of_a_shape)
            metrics = httpx.get(f"http://127.0.0.1:{port}/metrics").text
            secrets = of.game.leaks.secrets_of(database.log(code))
            return Reading(of, code, database, secrets, pages, metrics)

        whole = reading(site, staff, ports[0])
        holes = {
            "DJANGO_SETTINGS_MODULE": "tests.wire.leaking_settings",
            "METRICS_PORT": str(ports[1]),
        }
        leaky = LiveSite.of(site.folder, folder / "leaky", **QUICK | holes)
        with (
            closing(sqlite3.connect(site.folder / "db.sqlite3")) as records,
            closing(sqlite3.connect(leaky.folder / "db.sqlite3")) as copy,
        ):
            records.backup(copy)
        with run_deployment([leaky]):
            socket = players[0].at(leaky).listen(f"/ws/games/{code}")
            wait_for(lambda: socket.frames, "a frame, which leaks into the metrics too")
            yield {"the site": whole, "with holes": reading(leaky, staff.at(leaky), ports[1], 1)}


# --- what is searched for ------------------------------------------------------------------------


def facts_named(reading: Reading, pages: Iterable[Received]) -> set[str]:
    return {fact for page in pages for fact in reading.of.facts_in(unescape(page.text))}


def facts_told(reading: Reading) -> set[str]:
    """Those that everybody was told."""
    public = reading.database.rows('SELECT data FROM games_event WHERE "only" IS NULL')
    return {fact for (data,) in public for fact in reading.of.facts_in(data)}


def links_to_hidden_facts(reading: Reading) -> list[str]:
    """Pages that lead to a hidden fact, beyond those that were asked for by its number."""
    hidden = {str(row) for row, *_ in reading.database.rows(SEALED)}
    link = re.compile(r"/admin/games/factrow/(\d+)/")
    return [
        page.what
        for page in reading.pages
        if hidden & (set(link.findall(page.text)) - set(link.findall(page.what)))
    ]


def test_the_staff_reads_every_page_while_the_game_runs(readings: dict[str, Reading]) -> None:
    reading = readings["the site"]
    assert reading.database.game(reading.code, "status") == ("playing",)
    paths = Counter(re.sub(r"\?.*", "", re.sub(r"\d+", "N", one.what)) for one in reading.pages)
    for page in (
        "game/",
        "game/N/change/",
        "seat/",
        "factrow/",
        "factrow/N/change/",
        "chatmessage/",
    ):
        assert paths[f"GET /admin/games/{page}"], paths
    assert paths[f"GET /admin/{reading.of.game.key}/round/N/change/"], paths
    assert paths["POST /admin/games/game/"] > 0
    assert not [one.what for one in reading.pages if re.match(r"5\d\d\b", one.text)]


def test_no_page_of_the_staff_tells_a_hidden_hand(readings: dict[str, Reading]) -> None:
    reading = readings["the site"]
    result = reading.search()
    assert result.found == []
    assert result.looked_for > 200
    assert facts_named(reading, reading.pages) - facts_told(reading) == set()
    assert facts_named(reading, reading.pages), "public facts are shown with what they uncover"
    assert links_to_hidden_facts(reading) == []


def test_no_metric_names_a_hand(readings: dict[str, Reading]) -> None:
    reading = readings["the site"]
    counted = rf'perudo_\w+\{{[^}}]*do="{reading.of.move}"'
    assert re.search(counted, reading.metrics), "moves are counted"
    assert reading.of.hands_in(reading.metrics, reading.secrets) == []


# --- the test of the tests -----------------------------------------------------------------------


def test_hidden_facts_on_the_pages_of_the_staff_would_be_found(
    readings: dict[str, Reading],
) -> None:
    """The site with holes lists all facts, also those that nobody may know."""
    reading = readings["with holes"]
    assert any(reading.of.found in found for found in reading.search().found)
    assert links_to_hidden_facts(reading)
    assert facts_named(reading, reading.pages) - facts_told(reading)


def test_a_single_hidden_fact_on_one_page_would_be_found(readings: dict[str, Reading]) -> None:
    reading = readings["the site"]
    sealed = {each: data for _, each, data in reading.database.rows(SEALED)}
    for kind in HIDDEN[reading.of.game.key]:
        leak = Received(reading.pages[-1].at, "GET /admin/", sealed[kind].replace('"', "&quot;"))
        assert facts_named(reading, [leak]) - facts_told(reading), kind


def test_a_hand_in_the_metrics_would_be_found(readings: dict[str, Reading]) -> None:
    reading = readings["with holes"]
    assert reading.of.hands_in(reading.metrics, reading.secrets)
