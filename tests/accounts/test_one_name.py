"""A name is one name everywhere, however it is typed, on both databases."""

from __future__ import annotations

import re
import secrets
import sqlite3
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import dj_database_url
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker

from accounts import lifecycle, name_keys, names
from accounts.models import User
from games.models import Mute
from perudo_site import databases
from tests.support.databases import using_database
from tests.support.fixtures import PASSWORD, new_database, signed_in, signed_in_as_staff
from tests.support.live_site import LiveSite
from tests.support.players import wait_for

SIGN_IN, SIGN_UP = "/account/login/", "/account/signup/"

# The name as it is chosen, and what other keyboards and habits make of it.
WAYS = [
    ("Alice", "alice ALICE aLICE Ａｌｉｃｅ ａｌｉｃｅ"),
    ("Élise", "élise ÉLISE ÉLise"),
    ("François", "FRANÇOIS françois"),
    ("Niccolò", "NICCOLÒ niccolò"),
    ("Íñigo", "íñigo ÍÑIGO"),
    ("Straße", "strasse STRASSE STRAẞE straße"),
    ("Işık", "ışık IŞIK Işik işik İŞİK"),
    ("izmirli", "İzmirli İZMİRLİ IZMIRLI izmırlı"),
    ("Σίσυφος", "ΣΊΣΥΦΟΣ σίσυφος σίσυφοσ"),
    ("Ольга", "ольга ОЛЬГА"),
    ("Łukasz", "ŁUKASZ łukasz"),
    ("Nguyễn", "NGUYỄN nguyễn"),
    ("ガブリエル", "ｶﾞﾌﾞﾘｴﾙ"),
    ("한국사람", "한국사람"),
    ("ﬁnnegan", "finnegan FINNEGAN"),
]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.real_server)])
def each_vendor(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@contextmanager
def database_like(vendor: str, model: str, folder: Path) -> Iterator[dict[str, Any]]:
    """The settings of a new database, which is a copy of this file or of what this address has."""
    if vendor == "sqlite":
        file = folder / "db.sqlite3"
        file.write_bytes(Path(model).read_bytes())
        yield databases.sqlite(file)
    else:
        with new_database(like=model) as address:
            yield databases.postgresql(dict(dj_database_url.parse(address)))


@pytest.fixture
def each_database(
    each_vendor: str,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[None]:
    """A migrated database of this test's own."""
    if each_vendor == "sqlite":
        model = str(request.getfixturevalue("prepared_folder") / "db.sqlite3")
    else:
        model = request.getfixturevalue("migrated_postgres")
    with (
        database_like(each_vendor, model, tmp_path) as settings,
        django_db_blocker.unblock(),
        using_database(settings),
    ):
        yield


def forms_of(ways: str) -> Iterator[str]:
    """Each way composed and decomposed."""
    for way in ways.split():
        yield from (unicodedata.normalize(form, way) for form in ("NFC", "NFD"))


def visitor() -> Client:
    """Somebody at another address, for whom no limit counts yet."""
    return Client(REMOTE_ADDR=f"198.51.{secrets.randbelow(256)}.{secrets.randbelow(256)}")


def sign_up(name: str) -> str:
    """Why it is refused; "" when it is not."""
    form = {"username": name, "password1": PASSWORD}
    answer = visitor().post(SIGN_UP, form)
    assert answer.status_code in (200, 302)
    return "" if answer.status_code == 302 else answer.content.decode()


def signed_in_as(name: str) -> str | None:
    """Who is signed in by this name and the password of all; None for nobody."""
    client = visitor()
    client.post(SIGN_IN, {"login": name, "password": PASSWORD})
    number = client.session.get("_auth_user_id")
    return number and User.objects.get(pk=number).username


@pytest.mark.slow
def test_who_signs_up_signs_in_however_the_name_is_typed(each_database: None) -> None:
    for name, ways in WAYS:
        kept = names.tidy(name)
        assert sign_up(unicodedata.normalize("NFD", name)) == ""
        typed = [name, kept, *forms_of(f"{name} {ways}")]
        assert {way: signed_in_as(way) for way in typed} == dict.fromkeys(typed, kept)
        for way in typed:
            assert re.search("taken|looks too much", sign_up(way)), way


def test_other_accents_are_other_people(each_database: None) -> None:
    for name in ("Elise", "Élise", "Elisé"):
        assert sign_up(name) == ""
    for name in ("elise", "ÉLISE", "elisÉ"):
        assert (signed_in_as(name) or "").casefold() == name.casefold()


def test_every_page_about_a_person_finds_them(each_database: None) -> None:
    name, ways = "Işık", list(forms_of("ışık IŞIK"))
    person = User.objects.create_user(name, password=PASSWORD)
    me = signed_in(User.objects.create_user("Élise", password=PASSWORD))
    for way in ways:
        assert f"<h1>{name}" in me.get(f"/players/{way}", follow=True).content.decode()
        assert name in me.get(f"/players/{way}/mute").content.decode()
        me.post(f"/players/{way}/mute", {"do": "mute"})
        assert Mute.objects.filter(whom=person).exists()
        assert me.post("/muted", {"name": way}).status_code == 302
        assert not Mute.objects.filter(whom=person).exists()


def test_staff_find_a_person_by_a_part_of_the_name(each_database: None) -> None:
    people = {name: User.objects.create_user(name) for name in ("Élise", "Elise", "Işık")}
    staff = signed_in_as_staff(User.objects.create_superuser("boss", "", PASSWORD))
    for typed, found in (("ÉLI", "Élise"), ("IŞı", "Işık"), ("ｅlis", "Elise")):
        page = staff.get("/admin/accounts/user/", {"q": typed}).content.decode()
        assert [name for name in people if f">{name}</a>" in page] == [found]
    for path in ("games/game", "games/seat", "games/chatmessage", "games/report", "admin/logentry"):
        assert staff.get(f"/admin/{path}/", {"q": "Éli %_"}).status_code == 200


def test_commands_find_a_person_too(each_database: None) -> None:
    User.objects.create_user("Işık")
    with pytest.raises(CommandError, match="Işık has no"):
        call_command("remove_two_factor", "IŞIK")
    with pytest.raises(CommandError, match="taken"):
        call_command(
            "createsuperuser", username="ışık", email="", interactive=False, stdout=StringIO()
        )


@pytest.mark.slow
def test_no_letter_changes_a_name_by_its_case_or_form() -> None:
    """Every letter of Unicode that a name may hold."""
    letters = {
        unicodedata.normalize("NFKC", chr(code))
        for code in range(sys.maxunicode + 1)
        if not 0xD800 <= code < 0xE000
    }
    cases = (str.upper, str.lower, str.title, str.swapcase, str.casefold)
    checked = 0
    for letter in letters:
        if not re.fullmatch(r"\w+", letter):
            continue
        name = f"a{letter}b"
        ways = {unicodedata.normalize(f, case(name)) for case in cases for f in ("NFC", "NFD")}
        assert {names.key(way) for way in ways} == {names.key(name)}, (letter, ways)
        assert names.key(names.key(name)) == names.key(name)
        checked += 1
    assert checked > 100_000


def test_signing_in_reads_no_other_accounts(each_database: None) -> None:
    """The plan of the database says so; it would compare every name otherwise."""
    person = User.objects.create_user("Élise", password=PASSWORD)
    User.objects.bulk_create(User(username=f"player{number}") for number in range(5000))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with CaptureQueriesContext(connection) as asked:
        assert signed_in_as("élise") == "Élise"
    found = User.objects.filter(username__iexact="ÉLISE")
    assert list(found) == [person]
    by_name = [q["sql"] for q in asked if '"name_key" IN' in q["sql"]]
    assert len(by_name) >= 2 and not any("UPPER(" in q["sql"] or "LIKE" in q["sql"] for q in asked)
    plan = found.explain()
    assert re.search("USING INDEX|Index Scan", plan) and "Seq Scan" not in plan, plan


# --- accounts of before ----------------------------------------------------------------------


def older(name: str) -> User:
    """An account as the version before stored it, in a process that still runs it."""
    person = User.objects.create_user(name, password=PASSWORD)
    columns = {
        "name_key": names.strict_key(name),
        "skeleton_folded": names.strict_skeleton_folded(name),
    }
    User.objects.filter(pk=person.pk).update(**columns)
    return person


OLD = ["İzmirli", "Izmirli", "Işık", "Ayşe", "ışıklı", "boss"]


@pytest.fixture(scope="module")
def old_sites(
    prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory, django_db_setup: None,
    django_db_blocker: DjangoDbBlocker, request: pytest.FixtureRequest,
) -> Iterator[Callable[[str], str]]:  # fmt: skip
    """By vendor, the file or address of a database of before, with people, to make copies of.

    It is made once, since going back takes seconds.
    """
    with ExitStack() as opened:

        @cache
        def of(vendor: str) -> str:
            if vendor == "sqlite":
                place = str(tmp_path_factory.mktemp("old") / "db.sqlite3")
                Path(place).write_bytes((prepared_folder / "db.sqlite3").read_bytes())
                settings: dict[str, Any] = databases.sqlite(Path(place))
            else:
                model = request.getfixturevalue("migrated_postgres")
                place = opened.enter_context(new_database(like=model))
                settings = databases.postgresql(dict(dj_database_url.parse(place)))
            with django_db_blocker.unblock(), using_database(settings):
                for name in OLD:  # while the tables have every column of today's
                    older(name)
                call_command("migrate", "accounts", "0005", verbosity=0)
            return place

        yield of


@pytest.fixture
def old_people(
    each_vendor: str, old_sites: Callable[[str], str], tmp_path: Path,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[None]:  # fmt: skip
    """Two of them have one name by now."""
    place = old_sites(each_vendor)
    with (
        database_like(each_vendor, place, tmp_path) as settings,
        django_db_blocker.unblock(),
        using_database(settings),
    ):
        yield


def test_the_upgrade_keeps_every_account_and_every_sign_in(old_people: None) -> None:
    call_command("migrate", verbosity=0)
    assert [person.username for person in User.objects.order_by("pk")] == OLD
    assert [signed_in_as(name) for name in OLD] == OLD
    assert signed_in_as("IŞIK") == signed_in_as("işik") == "Işık"
    assert signed_in_as("izmirli") == "Izmirli"  # who had that key already keeps it
    assert signed_in_as("İZMiRLi") == "İzmirli"


def test_older_accounts_are_changed_and_saved_as_ever(old_people: None) -> None:
    call_command("migrate", verbosity=0)
    for person in User.objects.order_by("pk"):
        chosen = {"username": person.username, "language": "it", "theme": ""}
        assert signed_in(person).post("/account/", chosen).status_code == 302
        person.refresh_from_db()
        person.save()
        assert person.language == "it"
    assert [signed_in_as(name) for name in OLD] == OLD
    # When the other one goes, the name is one again.
    lifecycle.forget(User.objects.get(username="Izmirli"))
    User.objects.get(username="İzmirli").save()
    assert signed_in_as("izmirli") == "İzmirli"


def test_the_upgrade_can_be_taken_back(old_people: None) -> None:
    before = [*User.objects.order_by("pk").values_list("username", "name_key", "skeleton_folded")]
    call_command("migrate", verbosity=0)
    call_command("migrate", "accounts", "0005", verbosity=0)
    after = [*User.objects.order_by("pk").values_list("username", "name_key", "skeleton_folded")]
    assert after == before


def test_what_an_older_process_stores_after_the_upgrade_is_found(each_database: None) -> None:
    older("Işık")
    assert signed_in_as("Işık") == signed_in_as("işıK") == "Işık"
    assert sign_up("IŞIK") != "" and sign_up("ışık") != ""
    assert name_keys.bring_up_to_date(User.objects.all()) == 1
    assert name_keys.bring_up_to_date(User.objects.all()) == 0
    assert signed_in_as("IŞIK") == "Işık"


@pytest.mark.real_server
def test_a_process_that_starts_brings_names_up_to_date(new_site: Callable[..., LiveSite]) -> None:
    """As in a rolling restart, in which another process has stored one since `migrate`."""
    site = new_site()
    with closing(sqlite3.connect(site.folder / "db.sqlite3")) as opened:
        opened.execute(
            "INSERT INTO accounts_user (username, name_key, password, first_name, last_name, email,"
            " language, theme, animal, cloth, is_superuser, is_staff, is_active, is_guest,"
            " date_joined) VALUES ('Işık', 'işık', '!', '', '', '', '', '', '', '', 0, 0, 1, 0,"
            " '2026-03-01 12:00:00')"
        )
        opened.commit()
        site.start()

        def key() -> bool:
            return opened.execute("SELECT name_key FROM accounts_user").fetchall() == [("işik",)]

        wait_for(key, "the new key")
    with site.client() as visitor:
        assert visitor.get("/players/IŞIK").status_code == 200
