"""What passes through Redis during whole games, and what is told of a fault: no die of anybody."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import redis

from games.live.redis_layer import RedisLayer
from games.perudo.tests import leaks
from tests.support import autopilot
from tests.support.deployments import QUICK, Deployment, run_deployment
from tests.support.fixtures import new_database, unavailable
from tests.support.live_site import LiveSite, free_port
from tests.support.players import Received, player_factory
from tests.support.site_database import SiteDatabase

pytestmark = pytest.mark.real_server


@dataclass
class Traffic:
    """Every command that a Redis was given, and every message it handed on."""

    url: str
    received: list[Received] = field(default_factory=list)

    def listen(self) -> None:
        with redis.Redis.from_url(self.url).monitor() as monitor:
            for command in monitor.listen():
                text = command["command"]
                self.received.append(Received(time.time(), "a command of Redis", str(text)))

    def overhear(self) -> None:
        with redis.Redis.from_url(self.url).pubsub() as channels:
            channels.psubscribe("*")
            for message in channels.listen():
                data = message["data"]
                text = data.decode("latin-1") if isinstance(data, bytes) else str(data)
                self.received.append(Received(time.time(), "a message of Redis", text))


@pytest.fixture(scope="module")
def traffic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Traffic]:
    """A Redis of our own, so that it has no other messages, with a subscriber that records them."""
    program = shutil.which("redis-server")
    if program is None:
        unavailable("redis-server is not installed")
    port, folder = free_port(), tmp_path_factory.mktemp("redis")
    server = subprocess.Popen(
        [program, "--port", str(port), "--save", "", "--bind", "127.0.0.1", "--dir", str(folder)],
        stdout=subprocess.DEVNULL,
    )
    found = Traffic(f"redis://127.0.0.1:{port}/0")
    client = redis.Redis.from_url(found.url)
    deadline = time.monotonic() + 20
    while True:
        try:
            client.ping()
            break
        except redis.ConnectionError:
            assert time.monotonic() < deadline, "Redis does not start"
            time.sleep(0.05)
    for ear in (found.listen, found.overhear):
        threading.Thread(target=_until_it_ends, args=(ear,), daemon=True).start()
    time.sleep(0.5)
    yield found
    client.close()
    server.terminate()
    server.wait(20)


def _until_it_ends(ear: Callable[[], None]) -> None:
    with suppress(redis.RedisError, OSError, ValueError):  # the Redis has ended
        ear()


@pytest.fixture(scope="module")
def postgres(migrated_postgres: str) -> Iterator[str]:
    """A new database, dropped at the end."""
    with new_database(like=migrated_postgres) as address:
        yield address


@pytest.fixture(scope="module")
def cluster(
    traffic: Traffic,
    postgres: str,
    prepared_folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Deployment]:
    """Two processes on PostgreSQL that hear each other through that Redis."""
    environment = QUICK | {"REDIS_URL": traffic.url, "DATABASE_URL": postgres}
    folder = tmp_path_factory.mktemp("cluster") / "site"
    first = LiveSite.of(prepared_folder, folder, **environment)
    with run_deployment([first, LiveSite(folder, **environment)], postgres) as deployment:
        yield deployment


@pytest.mark.slow
def test_no_die_passes_through_redis(cluster: Deployment, traffic: Traffic) -> None:
    """Whole games on two processes, with a spectator, until somebody is out and one has won."""
    one, two = cluster.processes
    heard_before = len(traffic.received)  # the other test plants hands
    logs = []
    for seed in (1, 2):
        with player_factory() as new_player:
            ana, bruno, clara = new_player(one), new_player(two), new_player(two)
            code = ana.open_table(size=3, calza="on", chat="on")
            assert bruno.action(code, "sit") == ""
            assert ana.action(code, "add-bot", kind="steady") == ""
            for person in (ana, bruno, clara):
                person.open_page(code)
            assert ana.action(code, "say", text="good luck") == ""
            assert ana.action(code, "start") == ""
            autopilot.play(
                code,
                [ana, bruno],
                until=lambda code=code, clara=clara: clara.view(code).phase == "over",
                rng=autopilot.seeded(seed),
            )
        cluster.database.check(code)
        logs.append((code, cluster.database.log(code)))
    heard = traffic.received[heard_before:]
    for code, log in logs:
        told = [each for each in heard if code in each.text or "game.moved" in each.text]
        assert len(told) > 20, "the game was not announced through this Redis"
        result = leaks.search(_without_numbers_of_ours(heard), leaks.secrets_of(log), None)
        assert result.found == []
        assert result.looked_for > 50
    assert strange_messages(heard) == []


def test_a_hand_that_passed_through_redis_would_be_found(
    cluster: Deployment, traffic: Traffic
) -> None:
    with player_factory() as new_player:
        ana, bruno = new_player(cluster.site), new_player(cluster.site)
        code = ana.open_table(size=2)
        assert bruno.action(code, "sit") == ""
        assert ana.open_page(code).action(code, "start") == ""
        log = cluster.database.log(code)
        secret = leaks.secrets_of(log)[0]
        with redis.Redis.from_url(traffic.url) as client:
            client.publish("perudo.leak", f"hand={list(secret.dice)}")
        time.sleep(0.5)
    found = leaks.search(
        _without_numbers_of_ours(traffic.received), leaks.secrets_of(log), None
    ).found
    assert any(str(secret.dice) in each for each in found)
    assert strange_messages(traffic.received) != []


def _without_numbers_of_ours(heard: list[Received]) -> list[Received]:
    """Times and random names of channels are numbers in a row too, and none of them is a hand."""
    plain = re.compile(
        r"specific\.[\w.!]+|\d{10}\.\d+|\b(?:[0-9a-f]{16}|[0-9a-f]{32})\b|__expired|allauth:\S+"
    )
    return [Received(one.at, one.what, plain.sub("", one.text)) for one in heard]


# All messages between processes (games/live/redis_layer.py, games/play/announce.py): heartbeats,
# and the name of a group with what has changed, again with `groups` for processes of older
# versions. The only number is the length of a game's log.
KNOWN_MESSAGE = re.compile(
    r'\{"from": "[0-9a-f]{16}", (?:'
    r'"again": (?:true|false), "ends": (?:true|false), "groups": true'
    r'|(?:"group": "game\.\w+", "message": \{"type": "game\.moved", "seq": \d+\}'
    r'|"group": "game\.\w+", "message": \{"type": "game\.talked"\}'
    r'|"group": "lobby", "message": \{"type": "lobby\.changed"\}'
    r'|"group": "person\.\d+", "message": \{"type": "person\.left"\})'
    r'(?:, "groups": true)?'
    r")\}"
)


def strange_messages(heard: list[Received]) -> list[str]:
    """What was published and is none of the messages of the site, to the last character."""
    messages = [one.text for one in heard if one.what == "a message of Redis"]
    # Redis answers a subscription with a count.
    return [text for text in messages if not KNOWN_MESSAGE.fullmatch(text) and not text.isdigit()]


def test_every_heartbeat_is_a_known_message_and_one_with_a_die_is_not(
    subtests: pytest.Subtests,
) -> None:
    """A heartbeat is sent only after a second without any other message."""
    for again in [False, True]:
        for ends in [False, True]:
            with subtests.test(ends=ends, again=again):
                layer = RedisLayer(url="redis://127.0.0.1:1/0", channel="tests")
                layer.stopping = ends
                heartbeat = layer._heartbeat(resync=again)
                more = json.dumps(json.loads(heartbeat) | {"dice": 3})
                heard = [Received(0.0, "a message of Redis", text) for text in (heartbeat, more)]
                assert strange_messages(heard) == [more]


# --- a fault in the middle of a move -------------------------------------------------------------


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_a_fault_with_all_dice_at_hand_tells_none(
    new_site: Callable[..., LiveSite], log_format: str
) -> None:
    """A doubt fails where every hand lies in a local variable: neither page nor log shows one."""
    faulty = {"DJANGO_SETTINGS_MODULE": "tests.security.faulty_settings"}
    site = new_site(**QUICK | faulty | {"LOG_LEVEL": "DEBUG", "LOG_FORMAT": log_format})
    site.start()
    with player_factory() as new_player:
        ana, bruno = new_player(site), new_player(site)
        code = ana.open_table(size=2)
        assert bruno.action(code, "sit") == ""
        for person in (ana, bruno):
            person.open_page(code)
        assert ana.action(code, "start") == ""
        people = {one.open_page(code).view(code).my_turn: one for one in (ana, bruno)}
        speaker, other = people[True], people[False]
        assert speaker.move(code, "bid", quantity=1, face=3) == ""
        other.open_page(code)
        seen = other.view(code).seq
        provoked = [
            other.post(f"/games/{code}/move", do="dudo", seen=seen),
            other.post(f"/games/{code}/move", htmx=False, do="dudo", seen=seen),
            other.request("POST", f"/games/{code}/move", data={"do": "dudo"}),
            other.get(f"/games/{code}x"),
            other.post(f"/games/{code}/move", do="dudo" * 1_000_000),
            *(other.post("/account/delete", htmx=False, x="y") for _ in range(12)),
        ]
        database = SiteDatabase(site.folder)
        log = database.log(code)
    statuses = Counter(answer.status_code for answer in provoked)
    assert {500, 403, 404, 400} <= set(statuses)
    assert "IndexError" in site.log, "the fault did not come about"
    hidden = leaks.secrets_of(log)
    begun = min(secret.dealt.at for secret in hidden)
    lines = site.log.splitlines()
    written = [Received(begun + 0.001, "the log", _plain(line)) for line in lines]
    pages = [Received(begun + 0.001, "a page", answer.text) for answer in provoked]
    assert leaks.search(written, hidden, None).found == []
    assert leaks.search(pages, hidden, None).found == []
    planted = Received(begun + 0.001, "the log", f"hands={[list(one.dice) for one in hidden]}")
    assert leaks.search([planted], hidden, None).found


def _plain(line: str) -> str:
    """Times, lines and ports of a log are numbers too; hands are written as lists."""
    return re.sub(r"\d{4}-\d\d-\d\d[ T][\d:,.]+|line \d+|127\.0\.0\.1:\d+|b'.*?'", "", line)
