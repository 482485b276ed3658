"""Search engines read what is for everybody, and stay away from tables, replays and people."""

from __future__ import annotations

from urllib.robotparser import RobotFileParser

from django.test import Client
from django.urls import reverse

from accounts.models import User
from perudo_site.views import ROBOTS
from tests.support.fast_games import finished_game, running_game


def test_the_file_is_plain_text_that_may_be_kept(client: Client) -> None:
    answer = client.get("/robots.txt")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Cache-Control"] == "public, max-age=86400"
    assert answer.content.decode() == ROBOTS


def may_be_read(path: str) -> bool:
    """By RFC 9309: the longest rule that fits decides; $ stands for the end of the path."""
    everybody = ROBOTS.split("\n\n")[0]
    rules = [line.split(": ") for line in everybody.splitlines()[1:]]
    fits = [
        (len(rule), verb)
        for verb, rule in rules
        if (path == rule[:-1] if rule.endswith("$") else path.startswith(rule))
    ]
    return max(fits)[1] == "Allow"


def test_home_the_rules_and_every_lesson_may_be_read() -> None:
    addresses = [reverse(f"games:{name}") for name in ("home", "rules", "learn")]
    for name in ("rules-of", "learn-of", "learn-finished"):
        addresses.append(reverse(f"games:{name}", args=["perudo"]))
    addresses += [reverse("games:learn-step", args=["perudo", step]) for step in range(1, 11)]
    assert [path for path in addresses if not may_be_read(path)] == []


def test_tables_replays_people_and_accounts_may_not(alice: User, bob: User) -> None:
    running, over = running_game(alice, bob), finished_game(alice, bob, "steady")
    addresses = [
        reverse("games:table", args=[running.code]),
        reverse("games:replay", args=[over.code]),
        reverse("games:record-json", args=[over.code]),
        reverse("games:profile", args=["alice"]),
        *map(reverse, ("games:new", "account", "account_login", "account_signup", "my-data")),
        reverse("admin:index"),
    ]
    assert [path for path in addresses if may_be_read(path)] == []


def test_a_simple_reader_understands_it_too() -> None:
    reader = RobotFileParser()
    reader.parse(ROBOTS.splitlines())
    assert reader.can_fetch("*", "/learn/perudo/3")
    hidden = ("/games/abc", "/players/alice", "/account/")
    assert [path for path in hidden if reader.can_fetch("*", path)] == []


def test_programs_that_preview_a_shared_link_may_read_it() -> None:
    reader = RobotFileParser()
    reader.parse(ROBOTS.splitlines())
    for program in ("Twitterbot", "facebookexternalhit", "LinkedInBot"):
        for path in ("/games/abc", "/games/abc/replay", "/games/abc/preview.png"):
            assert reader.can_fetch(program, path)
        assert not reader.can_fetch(program, "/players/alice")
