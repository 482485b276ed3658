"""Every address, asked by everybody in every way: the table's answer, and nothing more done."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import sha256
from html import unescape
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.client import ClientHandler
from django.urls import reverse

from accounts import lifecycle
from accounts.models import User
from games.contract import catalogue
from games.core.moves import Leave
from games.lobby.standing import ownership as standing
from games.models import ChatMessage, DailyRound, Game, TableSettings
from games.social.chat import talk
from games.study.questions import choosing, days
from games.study.questions import question_links as questions
from games.study.review import cards, reviews
from tests.security.addresses import ADDRESSES, NEITHER, PEOPLE, Address, Answer, patterns
from tests.support.cases import untouched
from tests.support.fast_games import START, finished_game, open_table
from tests.support.fixtures import PASSWORD, forget_everything, rolled_back, signed_in
from tests.support.game_driver import GameDriver, deal_game

_WRITING = re.compile(r"\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b", re.IGNORECASE)
# What Django stores of any visit: no row of a game or of a person.
_VISITS = ("django_session",)
# Methods, and whether a script asks.
WAYS = [
    *(("GET", False), ("GET", True), ("HEAD", False), ("POST", False), ("POST", True)),
    *((method, False) for method in NEITHER),
]


@dataclass
class World:
    """The cast, by what they are, and a table in each state."""

    sessions: dict[str, str]
    codes: dict[str, str]
    message: int
    word: str  # of the outsider's standing table
    asked: str  # of a question about the game that is over
    day: str  # of a question of the day
    sign: str  # of the card of the first seat of the game that is over
    mark: str = ""  # of the whole database, while nobody has asked yet
    handlers: dict[bool, ClientHandler] = field(default_factory=dict)

    def client(self, who: str, *, enforce_csrf_checks: bool = False) -> Client:
        client = Client(enforce_csrf_checks, raise_request_exception=False)
        # Those of one kind share the middleware, which takes as long to load as a short answer.
        client.handler = self.handlers.setdefault(enforce_csrf_checks, client.handler)
        if who in self.sessions:
            client.cookies["sessionid"] = self.sessions[who]
        return client

    def with_a_form(self, who: str) -> tuple[Client, str]:
        """A client whose posts are checked, and the token of the form on its page."""
        client = self.client(who, enforce_csrf_checks=True)
        page = client.get("/learn/perudo/1").content.decode()
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert found
        return client, found[1]

    def path(self, name: str) -> str:
        """The address under this name, with real things in it."""
        at = self.codes[ADDRESSES[name].at] if name in ADDRESSES else ""
        things = {
            "code": at,
            "number": self.message,
            "rest": "codes/",
            "moment": 2,
            "seq": 1,
            "first": 1,
            "step": 3,
            "username": "host",
            "word": self.word,
            "uidb36": "1",
            "key": "abc-def",
            "kind_key": "perudo",
            "seed": 5,
            "asked": self.asked,
            "day": self.day,
            "seat": 0,
            "sign": self.sign,
            "language": "fr",
        }
        route = next(route for route, found in patterns() if found == name)
        wanted = re.findall(r"<(?:\w+:)?(\w+)>", route)
        return reverse(name, kwargs={thing: things[thing] for thing in wanted})


@pytest.fixture(scope="module")
def arranged(module_db: None) -> World:
    """One world for all; `asked` and each test's own transaction leave it as it was."""
    host, outsider, seated, gone = (
        User.objects.create_user(name, password=PASSWORD)
        for name in ("host", "outsider", "seated", "gone")
    )
    clerk = User.objects.create_user("clerk", password=PASSWORD, is_staff=True)
    cast = {
        "guest": lifecycle.guest(),
        "outsider": outsider,
        "seated": seated,
        "gone": gone,
        "clerk": clerk,
    }
    over = finished_game(seated, "steady")
    reviews.make(over, now=START)
    choosing.choose(catalogue.of("perudo"), days.day_of(START), now=START)
    room = open_table(seated, host)
    Game.objects.filter(pk=room.pk).update(size=4)
    driver = deal_game(
        seated, gone, host, hands=[[1, 2, 3, 4, 5], [2, 2, 3, 3, 4], [6, 6, 5, 5, 4]]
    )
    driver.move(1, Leave())
    talk.say(driver.game, host, phrase="", text="well", now=START)
    return World(
        sessions={
            who: signed_in(person).cookies["sessionid"].value for who, person in cast.items()
        },
        codes={"running": driver.code, "room": room.code, "over": over.code},
        message=ChatMessage.objects.get().pk,
        word=standing.make(outsider, TableSettings.of(over), now=START).word,
        asked=questions.ask(over, 3, seated, named=True, now=START).word,
        day=DailyRound.objects.get().day.isoformat(),
        sign=cards.signature(over, 0),
        mark=digest(),
    )


@pytest.fixture
def world(arranged: World, db: None, settings: Any) -> World:
    settings.POSTS_PER_PERSON = settings.POSTS_PER_ADDRESS = 100_000
    settings.ACCOUNT_RATE_LIMITS = False
    return arranged


@dataclass
class Pen:
    """What was written while it was asked."""

    written: list[str] = field(default_factory=list)

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if _WRITING.match(sql) and not any(table in sql for table in _VISITS):
            self.written.append(sql)
        return execute(sql, params, many, context)


def asked(
    world: World, who: str, method: str, path: str, form: dict[str, str], *, htmx: bool
) -> tuple[int, bool]:
    """The status, and whether anything in the database was another then; it is as before now."""
    client, pen, before = world.client(who), Pen(), world.mark
    ask = getattr(client, method.lower())
    given = {"data": form} if method == "POST" else {}
    with rolled_back():
        with connection.execute_wrapper(pen):
            answer = ask(path, headers={"HX-Request": "true"} if htmx else {}, **given)
        # A request that claims a row before it is refused gives it back.
        return answer.status_code, bool(pen.written) and digest() != before


def expected(answer: Answer | None, who: str) -> int:
    match answer:
        case None:
            return 405
        case int():
            return answer
        case _:
            return answer.get(who, answer.get("rest", 0))


def answer_to(address: Address, method: str, *, htmx: bool) -> Answer | None:
    match method:
        case "GET" | "HEAD":
            return address.get_by_htmx if htmx and address.get_by_htmx is not None else address.get
        case "POST":
            return address.by_htmx if htmx and address.by_htmx is not None else address.post
        case _:
            return address.others.get(method)


def digest() -> str:
    """A mark of everything in the database but the sessions."""
    mark = sha256()
    for model in sorted(apps.get_models(), key=lambda one: one._meta.db_table):
        if model._meta.db_table not in _VISITS:
            with connection.cursor() as cursor:
                cursor.execute(f'SELECT * FROM "{model._meta.db_table}" ORDER BY 1')  # noqa: S608
                mark.update(repr(cursor.fetchall()).encode())
    return mark.hexdigest()


def test_the_table_names_every_address_of_the_site_and_no_other() -> None:
    ours = {name for route, name in patterns() if not route.startswith("admin/")}
    assert ours == set(ADDRESSES)


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize(("method", "htmx"), WAYS)
def test_every_address_answers_as_the_table_says(
    method: str, htmx: bool, who: str, world: World
) -> None:
    wrong = []
    for name, address in ADDRESSES.items():
        forget_everything()
        found = asked(world, who, method, world.path(name), address.form, htmx=htmx)
        changes = method == "POST" and who in address.does.split()
        if address.watches and method in ("GET", "HEAD"):
            changes = found[1]
        wanted = (expected(answer_to(address, method, htmx=htmx), who), changes)
        if found != wanted:
            wrong.append(f"{name}: {found}, not {wanted}")
    assert not wrong, "\n".join(wrong)
    assert digest() == world.mark


@pytest.mark.slow
def test_the_admin_needs_permission(world: World) -> None:
    """Where people are sent instead, and the pages that every clerk has, are no matter here."""
    shared = {"admin:index", "admin:login", "admin:logout", "admin:jsi18n", "admin:view_on_site"}
    shared |= {"admin:password_change", "admin:password_change_done"}
    wrong = []
    for route, name in patterns():
        if not route.startswith("admin/"):
            continue
        path = "/" + re.sub(r"<[^>]*>|\(\?P<[^)]*\)", "1", route).replace("$", "")
        for who in PEOPLE:
            for method in ("GET", "POST", "DELETE"):
                status, changed = asked(world, who, method, path, {"_save": "yes"}, htmx=False)
                let_in = status == 200 and name not in shared
                if changed or let_in or status >= 500:
                    wrong.append(f"{who} {method} {path}: {status} {changed=}")
    assert not wrong, "\n".join(wrong)


# --- posts that are not honest -------------------------------------------------------------------

ACTIONS = [name for name, address in ADDRESSES.items() if address.post is not None]


# A post's token and headers, where "mine" and "theirs" stand for the tokens of two people.
DISHONEST: list[tuple[str, dict[str, str]]] = [
    ("", {}),
    ("theirs", {}),
    ("", {"X-CSRFToken": "theirs"}),
    ("x" * 64, {}),
    ("mine", {"Origin": "https://evil.example"}),
    ("mine", {"Origin": "null"}),
    ("mine", {"Origin": "http://testserver:81"}),
    ("mine", {"Origin": "https://testserver"}),
    ("mine", {"Referer": "https://evil.example/"}),
    ("mine", {"Referer": "https://testserver.evil.example/"}),
    ("mine", {"Referer": ""}),
]


@pytest.mark.parametrize(("token", "headers"), DISHONEST, ids=str)
def test_a_post_that_no_page_sends_is_refused(
    token: str, headers: dict[str, str], world: World
) -> None:
    """Without a token, with somebody else's, or from another origin, secure or not."""
    _, theirs = world.with_a_form("outsider")
    client, mine = world.with_a_form("seated")
    tokens = {"mine": mine, "theirs": theirs}
    more = {"csrfmiddlewaretoken": tokens.get(token, token)} if token else {}
    headers = {name: tokens.get(value, value) for name, value in headers.items()}
    secure, wrong = "Referer" in headers, []
    for name in ACTIONS:
        pen, form = Pen(), ADDRESSES[name].form | more
        with connection.execute_wrapper(pen):
            answer = client.post(world.path(name), form, headers=headers, secure=secure)
        told = "Please submit the form again" in unescape(answer.content.decode())
        if answer.status_code != 403 or not told or pen.written:
            wrong.append(f"{name}: {answer.status_code} {told=} {pen.written}")
    assert not wrong, "\n".join(wrong)
    assert digest() == world.mark


def test_a_person_who_has_to_sign_in_first_comes_to_a_page(world: World) -> None:
    """Not to the address of the form, which nobody can open."""
    wrong = []
    for name in ACTIONS:
        with untouched():
            answer = world.client("nobody").post(world.path(name), ADDRESSES[name].form)
            where, _, query = answer.headers.get("Location", "").partition("?")
            if where == reverse("account_login"):
                afterwards = QueryDict(query).get("next", "/")
                page = world.client("seated").get(afterwards, follow=True)
                if page.status_code == 405:
                    wrong.append((name, afterwards))
    assert wrong == []


def test_a_replayed_form_is_done_once(world: World) -> None:
    code = world.codes["running"]
    seen = Game.objects.get(code=code).seq
    client = world.client("seated")
    form = {"do": "bid", "quantity": "2", "face": "3", "seen": str(seen)}
    for _ in range(3):
        client.post(f"/games/{code}/move", form)
    assert GameDriver(Game.objects.get(code=code)).kinds.count("bid_made") == 1


def test_a_form_of_another_game_moves_nothing_here(world: World) -> None:
    """The address says which game it is and the session says which seat: the form says neither."""
    client = world.client("outsider")
    form = {"do": "bid", "quantity": "2", "face": "3", "seen": "9", "seat": "0", "number": "0"}
    for code in world.codes.values():
        client.post(f"/games/{code}/move", form | {"code": world.codes["running"], "user": "1"})
    assert digest() == world.mark
