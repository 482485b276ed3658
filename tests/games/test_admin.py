"""Staff look at every game and at no hidden die: in no page, in no question to the database."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.admin import SomePages
from games.models import (
    ChatMessage,
    FactRow,
    Game,
    GameReview,
    Habits,
    Report,
    ReviewedPlay,
    Seat,
    Tie,
)
from games.perudo.models import Round
from games.perudo.tests.leaks import runs
from games.social.chat import talk
from games.social.friends import ties as friends
from games.store import proofs
from tests.support.fast_games import START, running_game
from tests.support.fixtures import PASSWORD, rolled_back, signed_in_as_staff

pytestmark = pytest.mark.django_db

MODELS = (Game, Seat, Round, FactRow)
ROOMS = (*MODELS, GameReview, Habits, ReviewedPlay, ChatMessage, Report, Tie, User, LogEntry, Group)
TOOLS = {
    Game: ["close"],
    ChatMessage: ["hide"],
    Report: ["answer", "hide_what_was_said", "ban_from_chat", "ban"],
    User: ["ban_from_chat", "lift_chat_ban", "ban", "lift_ban", "remove_two_factor"],
}


@dataclass
class Arranged:
    """What is there before each test: a game, and the session of a superuser."""

    game: int
    session: str


@pytest.fixture(scope="module")
def arranged(module_db: None) -> Arranged:
    """A round is over, another runs; there was talk, a report, and something in the record."""
    alice, bob, charlie = (
        User.objects.create_user(name, f"{name}@example.org", PASSWORD)
        for name in ("alice", "bob", "charlie")
    )
    keeper = signed_in_as_staff(User.objects.create_superuser("keeper", password=PASSWORD))
    game = running_game(alice, bob, charlie, rounds=1, bids=1)
    talk.say(game, bob, text="Three of a kind.", now=START)
    said = ChatMessage.objects.get()
    talk.report(alice, bob, reason="insult", words="Look.", about=said, now=START)
    talk.ban_from_chat(bob, until=None)
    friends.ask(alice, bob, now=START)
    LogEntry.objects.log_actions(alice.pk, [game], CHANGE, "Looked at.")
    Group.objects.create(name="staff")
    return Arranged(game.pk, keeper.cookies["sessionid"].value)


@pytest.fixture
def staff(arranged: Arranged, db: None) -> Client:
    client = Client()
    client.cookies["sessionid"] = arranged.session
    return client


@pytest.fixture
def game(arranged: Arranged, db: None) -> Game:
    return Game.objects.get(pk=arranged.game)


def address(model: type, page: str, *arguments: object) -> str:
    meta = model._meta  # type: ignore[attr-defined]
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_{page}", args=arguments)


def addresses(game: Game) -> Iterator[str]:
    """Every page there is, with the searches, filters and orders that staff can try."""
    yield reverse("admin:index")
    for app in ("games", "accounts", "admin", "auth"):
        yield reverse("admin:app_list", args=[app])
    yield reverse("admin:jsi18n")
    yield f"{reverse('admin:autocomplete')}?app_label=games&model_name=event&field_name=game&term=1"
    for model in ROOMS:
        listing = address(model, "changelist")
        yield listing
        yield address(model, "add")
        for query in (game.code, "rolled", "dice", "sealed", "[1,", "alice"):
            yield f"{listing}?q={query}"
        for filtered in filters(model):
            yield f"{listing}?{filtered}"
        for row in model._default_manager.all():
            for page in ("change", "history", "delete"):
                yield address(model, page, row.pk)
            content = ContentType.objects.get_for_model(model).pk
            yield f"/admin/r/{content}/{row.pk}/"
    for row in FactRow.unsealed.filter(game=game, audience__isnull=False):
        for page in ("change", "history", "delete"):
            yield address(FactRow, page, row.pk)
    for person in User.objects.all():
        yield reverse("admin:auth_user_password_change", args=[person.pk])


def filters(model: type) -> Iterator[str]:
    """Every choice beside a list, as its link says it; every order; every page of dates."""
    room = admin.site._registry[model]
    request = RequestFactory().get("/")
    request.user = User.objects.get(username="keeper")
    changes = room.get_changelist_instance(request)
    for spec in changes.filter_specs:
        for choice in spec.choices(changes):
            yield choice["query_string"].removeprefix("?")
    for number, _name in enumerate(changes.list_display):
        yield f"o={number}"
        yield f"o=-{number}"
    if room.date_hierarchy:
        for dates in ("year=2026", "year=2026&month=3", "year=2026&month=3&day=1"):
            yield "&".join(f"{room.date_hierarchy}__{each}" for each in dates.split("&"))
    yield from ("audience=0", "kind=rolled", "all=", "p=0", "_popup=1", "_to_field=id", "e=1")


@dataclass
class Read:
    """What staff read by address, without what differs from visit to visit, and what was asked."""

    pages: dict[str, str] = field(default_factory=dict)
    queries: dict[str, list[str]] = field(default_factory=dict)


def everything(client: Client, game: Game) -> Read:
    """Visit every page there is and use every tool as far as its question."""
    read = Read()
    client.get(reverse("admin:index"))  # the messages of signing in have been shown
    for place in addresses(game):
        with CaptureQueriesContext(connection) as asked:
            answer = client.get(place, follow=True)
        assert answer.status_code in (200, 400, 403, 404), place
        read.pages[place] = whole(answer)
        read.queries[place] = [query["sql"] for query in asked.captured_queries]
    for model, tools in TOOLS.items():
        for tool in tools:
            row = model._default_manager.first()
            assert row is not None
            form = {"action": tool, "_selected_action": row.pk}
            answer = client.post(address(model, "changelist"), form, follow=True)
            assert "<form" in answer.text and "Reason" in answer.text
            read.pages[f"{model.__name__} {tool}"] = whole(answer)
    return read


@pytest.fixture(scope="module")
def read(arranged: Arranged) -> Read:
    """Everything, read while `HANDS` lie under the cups of the running round."""
    client = Client()
    client.cookies["sessionid"] = arranged.session
    game = Game.objects.get(pk=arranged.game)
    with rolled_back():
        planted(game, *HANDS)
        return everything(client, game)


def whole(answer: Any) -> str:
    """Headers and body, every byte that was sent but for tokens, the time of day, and the length of
    the body, whose five figures may happen to be those of a hand.
    """
    token = r'csrfmiddlewaretoken" value="\w+"|"x-csrftoken": "\w+"|data-now="\d+"'
    body = re.sub(token, "", answer.content.decode())
    passing = ("Expires", "Last-Modified", "Content-Length")
    headers = sorted(item for item in answer.headers.items() if item[0] not in passing)
    return f"{headers}\n{body}"


def planted(game: Game, *hands: list[int]) -> None:
    """Put these dice under the cups of the running round."""
    sealed = FactRow.unsealed.filter(game=game, kind="rolled", seq__gt=game.deal_seq).order_by(
        "seq"
    )
    for row, hand in zip(sealed, hands, strict=True):
        row.data = {**row.data, "dice": hand}
        row.save(update_fields=["data"])


def found(text: str) -> list[list[int]]:
    """The planted hands that stand there, as they lay or sorted, in whatever way it is written."""
    rows = {row for _where, row in runs(text)}
    forms = [(hand, order) for hand in HANDS for order in (tuple(hand), tuple(sorted(hand)))]
    return [
        hand
        for hand, order in forms
        if any(order == row[at : at + 5] for row in rows for at in range(len(row)))
    ]


HANDS = ([6, 1, 6, 2, 6], [5, 1, 5, 3, 5], [4, 1, 4, 2, 4])


@pytest.mark.slow
def test_no_hidden_die_is_in_any_page(read: Read) -> None:
    assert len(read.pages) > 300
    for place, text in read.pages.items():
        assert not found(text), f"{found(text)} in {place}"


@pytest.mark.slow
def test_no_hidden_die_changes_a_page(staff: Client, game: Game, read: Read) -> None:
    planted(game, *([7 - die for die in hand] for hand in HANDS))
    assert everything(staff, game).pages == read.pages


def test_no_question_to_the_database_touches_what_is_sealed(read: Read) -> None:
    touched = 0
    for place, queries in read.queries.items():
        for query in queries:
            assert "games_packedlog" not in query, f"{place}: {query}"
            if "games_event" in query:
                touched += 1
                assert '"games_event"."only" IS NULL' in query, f"{place}: {query}"
    assert touched > 20


def test_the_same_search_finds_the_dice_once_the_cups_were_up(staff: Client, game: Game) -> None:
    row = game.round_set.get(number=1)
    row.hands = HANDS
    row.save(update_fields=["hands"])
    assert found(staff.get(address(Round, "change", row.pk)).text) == list(HANDS)


def test_a_sealed_fact_cannot_be_opened_by_its_number(staff: Client, game: Game) -> None:
    sealed = FactRow.unsealed.filter(game=game, audience__isnull=False).first()
    assert sealed is not None
    answer = staff.get(address(FactRow, "change", sealed.pk))
    assert (answer.status_code, answer["Location"]) == (302, reverse("admin:index"))
    public = FactRow.objects.filter(game=game).first()
    assert public is not None
    assert staff.get(address(FactRow, "change", public.pk)).status_code == 200


def test_staff_cannot_ask_about_dice_through_the_address(staff: Client, game: Game) -> None:
    """The joins behind such a question would pass the manager by, so it must not be answered."""
    cases = [
        (Game, "factrow__data__dice__contains=1"),
        (Game, "factrow__data__icontains=dice"),
        (Game, "factrow__audience=0"),
        (Seat, "game__factrow__data__icontains=dice"),
        (Round, "game__factrow__data__icontains=dice"),
        (FactRow, "game__factrow__data__icontains=dice"),
        (FactRow, "game__factrow__audience=0"),
    ]
    wrong = [
        (model, question)
        for model, question in cases
        if staff.get(f"{address(model, 'changelist')}?{question}").status_code != 400
    ]
    assert wrong == []


def test_people_cannot_be_sifted_by_their_dice(staff: Client, game: Game) -> None:
    place = reverse("admin:accounts_user_changelist")
    question = "seat__game__factrow__data__icontains=dice"
    assert staff.get(f"{place}?{question}").status_code == 400


@pytest.mark.parametrize("app", ["games", "games.FactRow"])
def test_dumpdata_leaves_hidden_dice_out(game: Game, app: str) -> None:
    out = StringIO()
    call_command("dumpdata", app, stdout=out)
    dumped = [row for row in json.loads(out.getvalue()) if row["model"] == "games.factrow"]
    assert len(dumped) == FactRow.objects.count() > 0
    assert all(row["fields"]["audience"] is None for row in dumped)
    assert "rolled" not in {row["fields"]["kind"] for row in dumped}


@pytest.mark.parametrize("app", ["games", "games.DrawProof"])
def test_dumpdata_leaves_the_secret_of_a_running_game_out(game: Game, app: str) -> None:
    def dumped() -> list[str]:
        out = StringIO()
        call_command("dumpdata", app, stdout=out)
        return [
            row["pk"] for row in json.loads(out.getvalue()) if row["model"] == "games.drawproof"
        ]

    proofs.commit(game)
    assert dumped() == []
    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED)
    assert dumped() == [game.pk]


def test_nothing_can_be_added_changed_or_deleted(
    staff: Client, game: Game, subtests: pytest.Subtests
) -> None:
    for model in MODELS:
        with subtests.test(model=model.__name__):
            row = model._default_manager.filter(
                **{"pk" if model is Game else "game": game.pk}
            ).first()
            assert staff.get(address(model, "add")).status_code == 403
            assert staff.post(address(model, "change", row.pk), {}).status_code == 403
            assert staff.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
            doomed = {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"}
            staff.post(address(model, "changelist"), doomed)
            assert model._default_manager.filter(pk=row.pk).exists()


def test_staff_find_a_game_by_its_code_and_by_its_host(staff: Client, game: Game) -> None:
    for words in (game.code, "alice"):
        text = staff.get(f"{address(Game, 'changelist')}?q={words}").content.decode()
        assert address(Game, "change", game.pk) in text
    text = staff.get(f"{address(Game, 'changelist')}?q=nobody").content.decode()
    assert address(Game, "change", game.pk) not in text


def test_no_list_counts_or_sorts_every_row_of_a_table(
    staff: Client, game: Game, subtests: pytest.Subtests
) -> None:
    for model in MODELS:
        with subtests.test(model=model.__name__):
            with CaptureQueriesContext(connection) as asked:
                assert staff.get(address(model, "changelist")).status_code == 200
            lists = [
                each["sql"] for each in asked if f'FROM "{model._meta.db_table}"' in each["sql"]
            ]
            counts = [sql for sql in lists if "COUNT" in sql]
            assert counts and all("LIMIT" in sql for sql in counts), counts
            [listed] = [sql for sql in lists if "COUNT" not in sql and "DISTINCT" not in sql]
            order = listed.partition("ORDER BY ")[2]
            number = "id" if model is Game else "game_id"  # what an index begins with
            assert order.startswith(f'"{model._meta.db_table}"."{number}" DESC'), order


def test_a_list_is_counted_only_so_far(
    staff: Client, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SomePages, "MOST", 3)
    assert staff.get(address(FactRow, "changelist")).context["cl"].result_count == 3


def test_a_page_that_breaks_tells_nothing(staff: Client, game: Game) -> None:
    """A row of an older version breaks a page; the answer and the log hold no variable of it."""
    staff.raise_request_exception = False
    planted(game, *HANDS)
    ChatMessage.objects.update(phrase="no_such_phrase", text="")
    answer = staff.get(address(Report, "changelist"))
    assert answer.status_code == 500
    assert answer.text.count("<h1") == 1 and "no_such_phrase" not in answer.text
    assert "Traceback" not in answer.text
