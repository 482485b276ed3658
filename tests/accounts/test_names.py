"""Names: what may be one, and when two are the same."""

from __future__ import annotations

import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from accounts import free_names, names, skeletons
from accounts.forms import GuestForm
from accounts.models import User
from accounts.skeletons import ignorable
from games.contract import catalogue
from games.models.bot_names import BOT_NAMES
from tests.accounts.name_checks import judged_otherwise, refusal, refusal_of_another
from tests.support.fixtures import PASSWORD, signed_in


def test_letters_of_any_script_make_a_name() -> None:
    tried = ["Bob", "Toucan-4821", "élise.m", "Łukasz_3", "Ольга", "太郎さん"]
    assert judged_otherwise(tried, None) == {}


def test_a_name_has_three_to_twenty_characters() -> None:
    assert judged_otherwise(["", "ab", "x" * 21, "  ab  "], "name_length") == {}


def test_a_name_holds_nothing_that_breaks_a_line_an_address_or_a_page() -> None:
    tried = ["two words", "a/b/c", "<script>", "...", "__-__", "new\nline", "bob\u200d", "al🎲ice"]
    assert judged_otherwise(tried, "name_characters") == {}


def test_a_name_does_not_mix_letters_that_look_alike() -> None:
    tried = ["аlice", "bоb-the-1", "Ρeter"]  # each begins or goes on foreign
    assert judged_otherwise(tried, "name_alphabets") == {}


def test_names_of_the_site_are_reserved() -> None:
    tried = ["admin", "ADMIN", "Deleted-7", "bot-anna", "Guest", "ａｄｍｉｎ"]
    assert judged_otherwise(tried, "name_reserved") == {}


def test_a_name_has_no_invisible_characters() -> None:
    tried = ["admin\u115f", "Alice12345\u3164", "\u115f" * 3, "\u3164" * 3, "a\uffa0lice"]
    assert judged_otherwise(tried, "name_invisible") == {}


def test_a_name_does_not_look_like_a_reserved_one() -> None:
    tried = "stɑff ᴀdmin aꓒmin ᗅDMIN adrnin B0t lnti SAMl bօt_7 Dеleted-7".split()
    assert judged_otherwise(tried, "name_reserved", "name_alphabets") == {}


def test_every_ignorable_character_that_a_name_could_hold_is_refused() -> None:
    """Whatever this Python takes for a letter, in every form that a browser may send it in."""
    shown_as_nothing = [chr(code) for code in range(sys.maxunicode + 1) if ignorable(chr(code))]
    assert len(shown_as_nothing) > 4000
    assert {refusal(f"alice{each}") for each in shown_as_nothing} == {
        "name_characters",
        "name_invisible",
    }


SPEAKING = """
    moderation webmaster Perudo_ TeamPerudo Peco_Peco a.d.m.i.n 5taff 5taff7 4dm1n m0d3rat0r -admin-
    Admin2026 007admin PERUDO perudo99 Perudo.Support The_Moderators Real-Admin official_team 7eam
    Administrateur Modérateur modérat1on équipe.perudo Amministratore moderatore_1 Administración
    Soporte Ádmin siteAdmin no-reply postmaster ᴀdmin9 s-t-a-f-f BOTS_ Help_Desk PecoPecoTeam
""".split()


def test_nobody_speaks_for_the_site() -> None:
    assert judged_otherwise(SPEAKING, "name_reserved") == {}


def test_names_with_such_a_word_in_them_are_free() -> None:
    tried = """Perudo_Anna AnnaPerudo perudista Modesto Teammate Robot9 Abbot Steam99 Hostile
        Rosita Amin Sami92 Inti-7 Mali Systems_of Peco Real The-Real-1 Rooted Houseman
        Toucan-4821""".split()
    assert judged_otherwise(tried, None) == {}


def test_the_name_of_the_site_is_its_own(settings: Any) -> None:
    settings.SITE_NAME = "Chez Élise 24"
    refused = {"chezelise", "Chez_Élise", "ChezElise24", "TeamChezElise", "chez.3lise"}
    assert {refusal(name) for name in refused} == {"name_reserved"}
    assert refusal("Elise") is None and refusal("Chez_Anna") is None
    settings.SITE_NAME = "遊び場"
    assert refusal("遊び場") == "name_reserved" and refusal("Anna") is None
    settings.SITE_NAME = "Go"
    assert refusal("Goteam") is None


def test_an_account_of_before_keeps_such_a_name(db: None) -> None:
    person = User.objects.create_user("TeamPerudo", password=PASSWORD)
    client = Client()
    client.post("/account/login/", {"login": "teamperudo", "password": PASSWORD})
    chosen = {"username": "TeamPerudo", "language": "it", "theme": ""}
    assert client.post("/account/", chosen).status_code == 302
    person.refresh_from_db()
    assert (person.username, person.language) == ("TeamPerudo", "it")
    answer = client.post("/account/", chosen | {"username": "Team_Perudo"})
    assert "riservato" in answer.content.decode()


CHARACTERS = [each.name for kind in catalogue.every() for each in kind.characters.values()]


def test_nobody_takes_the_name_of_a_bot() -> None:
    named = [*BOT_NAMES, *CHARACTERS]
    tried = [form for name in named for form in (name, name.lower(), name.upper())]
    assert judged_otherwise(tried, "name_reserved") == {}
    alike = [name.replace("a", "ɑ").replace("o", "ο") for name in named]
    assert judged_otherwise(alike, "name_reserved", "name_alphabets") == {}


def test_bots_have_names_of_their_own() -> None:
    named = [*BOT_NAMES, *CHARACTERS]
    assert len(named) == len({look for name in named for look in {names.key(name)}})
    assert {names.key(name) for name in named} == names.BOTS


def test_neither_a_new_account_nor_a_guest_is_called_like_a_character(
    db: None, client: Client
) -> None:
    for name in CHARACTERS:
        fields = {"username": name, "email": "", "password1": PASSWORD}
        assert "reserved" in client.post("/account/signup/", fields).content.decode(), name
        assert "reserved" in str(GuestForm({"username": name}).errors["username"]), name
        assert not User.objects.filter(username=name).exists()


def test_an_account_that_had_the_name_of_a_character_keeps_it(db: None, bob: User) -> None:
    for name in CHARACTERS:
        person = User.objects.create_user(name, password=PASSWORD)
        client = Client()
        client.post("/account/login/", {"login": name.lower(), "password": PASSWORD})
        chosen = {"username": name, "language": "it", "theme": ""}
        assert client.post("/account/", chosen).status_code == 302, name
        person.refresh_from_db()
        assert (person.username, person.language) == (name, "it")
        answer = signed_in(bob).post("/account/", chosen | {"username": name})
        assert "reserved" in answer.content.decode(), name


@given(st.text(max_size=25))
def test_a_tidied_name_stays_as_it_is(text: str) -> None:
    assert names.tidy(names.tidy(text)) == names.tidy(text)
    assert names.key(names.tidy(text)) == names.key(text)


def test_a_name_is_taken_in_any_case_and_any_width(alice: User) -> None:
    twins = ("ALICE", "Alice", "ａｌｉｃｅ", " alice ")
    assert [each for each in twins if refusal_of_another(each) != "name_taken"] == []


def test_accented_twins_are_twins_too(db: None) -> None:
    User.objects.create_user("Élise")
    with pytest.raises(ValidationError, match="taken"):
        free_names.free_name("éLISE")


def test_a_name_that_looks_like_another_ones_is_refused(alice: User) -> None:
    doubles = ("ᗅlice", "ᗅLICE", "aIice", "a1ice", "аӏісе")
    assert [each for each in doubles if refusal_of_another(each) != "name_confusable"] == []


def test_names_look_alike_in_the_letters_they_are_written_in(db: None) -> None:
    doubles = {"Ivan": "lvan", "Ольга": "Oльгa", "Bamey": "Barney", "ВОВ": "Bob"}
    for name in doubles:
        User.objects.create_user(name)
    assert [each for each in doubles.values() if refusal_of_another(each) is None] == []


def test_names_that_only_resemble_each_other_are_both_free(alice: User) -> None:
    others = ("alicia", "al-ice", "álice", "malice", "Элис")
    assert [each for each in others if free_names.free_name(each) != each] == []


def test_the_database_itself_refuses_a_double(db: None) -> None:
    User.objects.create_user("Ivan")
    with pytest.raises(IntegrityError):
        User.objects.create_user("lvan")


def test_the_table_of_look_alikes_is_what_the_command_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    confusables, properties = tmp_path / "confusables.txt", tmp_path / "properties.txt"
    confusables.write_text(
        "\ufeff# Version: 99.0.0\n\n0131 ;\t0069 ;\tMA\t# ı\n1E9E ;\t0053 0053 ;\tMA\n"
    )
    properties.write_text(
        "# DerivedCoreProperties-99.0.1.txt\n0041 ; Alphabetic\n"
        "115F..1160 ; Default_Ignorable_Code_Point # Lo\n"
    )
    written = tmp_path / "written.txt"
    monkeypatch.setattr(skeletons, "FILE", written)
    call_command("read_confusables", confusables, properties, stdout=StringIO())
    lines = written.read_text().splitlines()
    assert "99.0.0" in lines[0] and "99.0.1" in lines[1]
    assert [line for line in lines if line[0] != "#"] == [
        "115F..1160",
        "0069\t0131",
        "0053 0053\t1E9E",
    ]


def test_the_database_itself_refuses_a_twin(db: None) -> None:
    User.objects.create_user("Élise")
    with pytest.raises(IntegrityError):
        User.objects.create_user("élise")


def test_a_person_may_change_the_case_of_the_own_name(alice: User) -> None:
    assert free_names.free_name("Alice", person=alice) == "Alice"
