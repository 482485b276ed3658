"""What the staff and the metrics are told of a running game of Peco Peco: no hidden card.

All pages of the staff are read by somebody who signed in with two factors, and searched for hands,
for the order of piles, and for the single cards of hidden facts.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from secrets import token_hex
from urllib.parse import urljoin

import httpx
import pytest

from games.peco_peco.rules.cards import CARDS
from games.peco_peco.rules.stakes import STAKES
from tests.client import PASSWORD
from tests.games.peco_peco import robot
from tests.live import LiveSite, free_port
from tests.wire import autopilot
from tests.wire.deployments import QUICK, running
from tests.wire.ledger import Ledger
from tests.wire.peco_peco import leaks
from tests.wire.peco_peco.leaks import Story
from tests.wire.people import Heard, Person, begin, door, wait_until

pytestmark = pytest.mark.real_server
Come = Callable[..., Person]
# In teams of five nobody wins before the last stake, so the game is not over in this test.
TABLE = {**robot.TABLE, "preset": "peco_teams", "peco_call": "on", "public": "yes", "pace": ""}
MET = {"honesty_shown", "card_passed", "card_stolen", "cards_buried", "cards_drawn"}
OF_A_SHAPE = 4  # pages read of those that differ in a number or a filter alone
SEALED = 'SELECT id, kind, data FROM games_event WHERE "only" IS NOT NULL'


@dataclass
class Reading:
    """A running game, and what somebody of the staff and a reader of the metrics were sent."""

    code: str
    ledger: Ledger
    story: Story
    pages: list[Heard]
    metrics: str


def staff_of(site: LiveSite, come: Come) -> Person:
    """Somebody of the staff, signed in by password and second step."""
    name = f"Kiki{token_hex(3)}"
    come(site, name)
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
    staff = come(site, stranger=True)
    staff.get("/account/login/")
    staff.post("/account/login/", htmx=False, login=name, password=PASSWORD)
    staff.post("/account/second-step/enter/", htmx=False, code=told.split()[-1])
    assert staff.get("/admin/").url.path == "/admin/"
    return staff


def read_everything(
    staff: Person, code: str, ledger: Ledger, of_a_shape: int = OF_A_SHAPE
) -> list[Heard]:
    """Pages of the staff, some of each shape; those of hidden facts; actions on the table."""
    staff.heard.clear()
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
    for row, *_ in ledger.rows(SEALED)[-2 * of_a_shape :]:
        for rest in ("change/", "history/", "delete/"):
            staff.get(f"/admin/games/event/{row}/{rest}")
    staff.get(f"/admin/games/event/?q={code}&all=")
    [number] = ledger.game(code, "id")
    tables = staff.get("/admin/games/game/")
    actions = re.search(r'<select name="action".*?</select>', tables.text, re.DOTALL)
    assert actions
    for action in re.findall(r'<option value="(\w+)"', actions[0]):
        staff.post("/admin/games/game/", htmx=False, action=action, _selected_action=number)
    return list(staff.heard)


@pytest.fixture(scope="module")
def readings(
    prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Reading]]:
    """A game of five that stands at the start of a round; then the same on a site with holes."""
    folder, ports = tmp_path_factory.mktemp("staff"), [free_port(), free_port()]
    site = LiveSite.of(prepared_folder, folder / "site", **QUICK, METRICS_PORT=str(ports[0]))
    with running([site]) as deployment, door() as come:
        players = [come(site) for _ in range(5)]
        staff = staff_of(site, come)
        code = begin(players, **TABLE)

        def enough() -> bool:
            """Cards have changed hands in secret, and new hands have just been dealt."""
            kinds = [kind for (kind,) in deployment.ledger.rows("SELECT kind FROM games_event")]
            return set(kinds) >= MET and kinds[-1] == "card_turned"

        autopilot.play(
            code,
            players,
            until=enough,
            choose=lambda view, rng: None if enough() else robot.careless(view, rng),
            rng=autopilot.seeded(1),
        )

        def reading(of: LiveSite, by: Person, port: int, of_a_shape: int = OF_A_SHAPE) -> Reading:
            ledger = Ledger(of.folder)
            pages = read_everything(by, code, ledger, of_a_shape)
            metrics = httpx.get(f"http://127.0.0.1:{port}/metrics").text
            return Reading(code, ledger, Story(ledger.log(code)), pages, metrics)

        whole = reading(site, staff, ports[0])
        holes = {"DJANGO_SETTINGS_MODULE": "tests.wire.leaky", "METRICS_PORT": str(ports[1])}
        leaky = LiveSite.of(site.folder, folder / "leaky", **QUICK | holes)
        with (
            closing(sqlite3.connect(site.folder / "db.sqlite3")) as records,
            closing(sqlite3.connect(leaky.folder / "db.sqlite3")) as copy,
        ):
            records.backup(copy)
        with running([leaky]):
            socket = players[0].at(leaky).listen(f"/ws/games/{code}")
            wait_until(lambda: socket.frames, "a frame, which leaks into the metrics too")
            yield {"the site": whole, "with holes": reading(leaky, staff.at(leaky), ports[1], 1)}


# --- what is searched for ------------------------------------------------------------------------

_FACT = re.compile(r'\{[^{}]*"(?:card|cards|hand|stakes?)"[^{}]*\}')


def facts_in(text: str) -> set[str]:
    """The facts in a text that name cards or stakes, as the database writes them."""
    return {json.dumps(json.loads(fact), sort_keys=True) for fact in _FACT.findall(text)}


def facts_named(pages: Iterable[Heard]) -> set[str]:
    return {fact for page in pages for fact in facts_in(unescape(page.text))}


def facts_told(reading: Reading) -> set[str]:
    """Those that everybody was told."""
    public = reading.ledger.rows('SELECT data FROM games_event WHERE "only" IS NULL')
    return {fact for (data,) in public for fact in facts_in(data)}


def links_to_hidden_facts(reading: Reading) -> list[str]:
    """Pages that lead to a hidden fact, beyond those that were asked for by its number."""
    hidden = {str(row) for row, *_ in reading.ledger.rows(SEALED)}
    link = re.compile(r"/admin/games/event/(\d+)/")
    return [
        page.what
        for page in reading.pages
        if hidden & (set(link.findall(page.text)) - set(link.findall(page.what)))
    ]


def cards_in(metrics: str) -> list[str]:
    """Labels of the site's own numbers that name a card, a stake or a row of cards."""
    own = "\n".join(line for line in metrics.splitlines() if line.startswith("perudo_"))
    cards = "|".join([*(card for card in CARDS if len(card) > 1), *STAKES])
    rows = [where for where, _ in leaks.runs(own)]
    return rows + re.findall(rf"\b(?:{cards})\b", own)


def test_the_staff_reads_every_page_while_the_game_runs(readings: dict[str, Reading]) -> None:
    reading = readings["the site"]
    assert reading.ledger.game(reading.code, "status") == ("playing",)
    paths = Counter(re.sub(r"\?.*", "", re.sub(r"\d+", "N", one.what)) for one in reading.pages)
    for page in ("game/", "game/N/change/", "seat/", "event/", "event/N/change/", "saying/"):
        assert paths[f"GET /admin/games/{page}"], paths
    assert paths["GET /admin/peco_peco/round/N/change/"], paths
    assert paths["POST /admin/games/game/"] > 0
    assert not [one.what for one in reading.pages if re.match(r"5\d\d\b", one.text)]


def test_no_page_of_the_staff_tells_a_hidden_card(readings: dict[str, Reading]) -> None:
    reading = readings["the site"]
    result = leaks.search(reading.pages, reading.story, None)
    assert result.found == []
    assert result.looked_for > 200
    assert facts_named(reading.pages) - facts_told(reading) == set()
    assert facts_named(reading.pages), "public facts are shown with their cards"
    assert links_to_hidden_facts(reading) == []


def test_no_metric_names_a_card(readings: dict[str, Reading]) -> None:
    metrics = readings["the site"].metrics
    assert re.search(r'perudo_\w+\{[^}]*do="play"', metrics), "moves are counted"
    assert cards_in(metrics) == []


# --- the test of the tests -----------------------------------------------------------------------


def test_hidden_facts_on_the_pages_of_the_staff_would_be_found(
    readings: dict[str, Reading],
) -> None:
    """The site with holes lists all facts, also those that nobody may know."""
    reading = readings["with holes"]
    result = leaks.search(reading.pages, reading.story, None)
    assert any("the hand" in found for found in result.found)
    assert links_to_hidden_facts(reading)
    assert facts_named(reading.pages) - facts_told(reading)


@pytest.mark.parametrize("kind", ["card_passed", "cards_buried", "food_shuffled", "hand_received"])
def test_a_single_hidden_fact_on_one_page_would_be_found(
    readings: dict[str, Reading], kind: str
) -> None:
    reading = readings["the site"]
    sealed = {each: data for _, each, data in reading.ledger.rows(SEALED)}
    leak = Heard(reading.pages[-1].at, "GET /admin/", sealed[kind].replace('"', "&quot;"))
    assert facts_named([leak]) - facts_told(reading)


def test_a_hand_in_the_metrics_would_be_found(readings: dict[str, Reading]) -> None:
    assert cards_in(readings["with holes"].metrics)
