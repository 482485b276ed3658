"""Names in the scripts of the world: with their marks, as they are typed, and as one is found."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection
from django.test import Client
from pytest_django import DjangoDbBlocker

from accounts import free_names, names
from accounts.forms import GuestForm
from accounts.models import User
from perudo_site import databases
from tests.accounts.name_checks import judged_otherwise, refusal
from tests.support.databases import using_database
from tests.support.fixtures import PASSWORD

NAMES = {
    "Hindi": "प्रिया सिंह ज़ीनत ख़ाँसाहब उमा",
    "Bengali": "রিনা চাঁদনী প্রিয়াঙ্কা র\u200d্যাচেল",
    "Gujarati": "પ્રિયા",
    "Gurmukhi": "ਸਿੰਘ ਗੁਰਪ੍ਰੀਤ",
    "Tamil": "குமார் ஸ்ரீதர்",
    "Telugu": "చంద్ర లక్ష్మి",
    "Kannada": "ಕೃಷ್ಣ ರಾಜೇಶ್",
    "Malayalam": "മോഹൻ രമണന്\u200d ലക്ഷ്മി",
    "Sinhala": "ශ්\u200dරියානි දිනේෂ්",
    "Thai": "สมชาย์ น้ำฝน กิ่งแก้ว",
    "Lao": "ຄຳແສງ ບຸນມີ",
    "Burmese": "မောင် ကျော်စွာ ဖြိုး လှိုင်စိုး",
    "Khmer": "សុខា អ៊ុំសុខ",
    "Tibetan": "སྒྲོལ་མ ཚེ་རིང",
    "Arabic": "محمد مُحَمَّد",
    "Persian": "علی\u200cرضا",
    "Hebrew": "דוד דָּוִד שָּׁלוֹם",
    "Thaana": "ދިވެހި",
    "Chinese": "王芳 李小龙",
    "Japanese": "太郎 ユイ さくら がぎぐ",
    "Korean": "민수 김민준",
    "Latin": "O'Neil D'Angelo Nguyễn Ọ́látúnjí",
    "Cyrillic": "Мария Лук'ян",
    "Greek": "Νίκος",
    "Armenian": "Օհան",
    "Georgian": "ესმა",
    "Amharic": "ሀይሌ ቤተልሔም",
}


@pytest.mark.slow
def test_people_are_called_as_they_write_it(db: None, subtests: pytest.Subtests) -> None:
    """Composed and taken apart, as a guest, an account, and when they sign in."""
    for script, written in NAMES.items():
        for name in written.split():
            with subtests.test(script=script, name=name):
                assert_may_be_called(name)


def assert_may_be_called(name: str) -> None:
    for form in ("NFC", "NFD", "NFKC"):
        typed = unicodedata.normalize(form, name)
        assert refusal(typed) is None, form
        assert GuestForm({"username": typed}).is_valid(), form
    person = User.objects.create_user(names.tidy(name), password=PASSWORD)
    person.refresh_from_db()
    assert person.username == names.tidy(name)
    for typed in (name, unicodedata.normalize("NFD", name), name.upper()):
        client = Client(REMOTE_ADDR=f"198.51.100.{person.pk % 200}")  # limits count by address
        client.post("/account/login/", {"login": typed, "password": PASSWORD})
        assert client.session.get("_auth_user_id") == str(person.pk)
        assert client.get(f"/players/{typed}", follow=True).status_code == 200


def test_a_name_is_kept_as_fonts_draw_it() -> None:
    assert names.tidy("น้ำ") == "น้ำ" == names.tidy("น้\u0e4dา")
    assert names.tidy("ຄຳ") == "ຄຳ"
    assert names.tidy("D’Angelo") == names.tidy("D\u02bcAngelo") == "D'Angelo"


def test_two_characters_are_a_name_only_where_each_is_a_syllable() -> None:
    tried = ["王", "김", "ab", "王a", "é\u0323\u0301", "a\u0301b", "王\u200d"]
    assert judged_otherwise(tried, "name_length", "name_characters") == {}


def test_marks_stand_on_letters_of_their_script_and_are_not_piled_up() -> None:
    tried = [
        *("\u0301anna", "ก็็็กก", "कीीीमम", "कीुेमम", "z\u0336a\u0336l", "a\u0301\u0302\u0303nna"),
        *("anna\u093e", "кाаа", "7\u0301anna", "_\u0301anna", "anna\u20dd", "مُحَمُّ\u064eد"),
    ]
    assert judged_otherwise(tried, "name_characters") == {}


def test_an_apostrophe_stands_within_a_word() -> None:
    tried = "'anna anna' an''na an-'na an'-na o'7a '''' an་na ་སྒྲོལ སྒྲོལ་".split()
    assert judged_otherwise(tried, "name_characters") == {}


def test_what_joins_letters_stands_only_where_it_is_seen() -> None:
    tried = [
        *("bob\u200d", "bo\u200dby", "bo\u200cby", "\u200cعلی", "علی\u200c", "علی\u200d\u200dرضا"),
        *("अ\u200dमम", "प्\u200c", "prи\u200dя", "علی\u200cab", "क\u200c्म", "สม\u200dชา"),
    ]
    assert judged_otherwise(tried, "name_characters", "name_length") == {}


def test_nobody_has_the_name_of_another_but_for_what_is_not_seen(db: None) -> None:
    for name, twin in (
        ("ශ්\u200dරියානි", "ශ්රියානි"),
        ("علی\u200cرضا", "علیرضا"),
        ("O'Neil", "o’neil"),
        ("O'Connor", "O\u02bbConnor"),
    ):
        User.objects.create_user(name)
        with pytest.raises(ValidationError, match=r"taken|looks too much"):
            free_names.free_name(twin)
        assert User.named(name) is not None


def test_signs_marks_and_digits_do_not_free_a_name_of_the_site() -> None:
    tried = """imprint Impressum legal legal.team 1mprint Mentions_Legales AvisoLegal nullǃ ǃnull
        nuǃǃ admǃn ⵑadmin adminⵑ admin٩ ٤dmin ad'min admin ádmín a\u0323dmin nullʹ""".split()
    assert judged_otherwise(tried, "name_reserved", "name_alphabets", "name_characters") == {}


def test_no_name_is_longer_in_any_column_than_the_database_has_room_for() -> None:
    """The longest of each letter and mark that a name may hold; PostgreSQL would refuse them."""
    columns = {"name_key": names.key, "skeleton_as_written": names.skeleton_as_written}
    columns["skeleton_folded"] = names.skeleton_folded
    rooms = {each: User._meta.get_field(each).max_length or 0 for each in columns}
    for code in [*range(0x3000), *range(0xA000, 0xAC00), 0xCB94, *range(0x10000, 0x12000)]:
        letter = unicodedata.normalize("NFKC", chr(code)) if not 0xD800 <= code < 0xE000 else "a"
        if unicodedata.category(letter[0])[0] in "LMN" and len(letter) == 1:
            for column, value in columns.items():
                assert len(value(letter)) * names.LONGEST <= rooms[column], (hex(code), column)


def test_an_account_with_another_apostrophe_is_found_after_the_upgrade(
    prepared_folder: Path, tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> None:
    """Before, only a letter that looks like one could stand there, and its key held that letter."""
    file = tmp_path / "db.sqlite3"
    file.write_bytes((prepared_folder / "db.sqlite3").read_bytes())
    with django_db_blocker.unblock(), using_database(databases.sqlite(file)):
        call_command("migrate", "accounts", "0015", verbosity=0)
        with connection.cursor() as cursor:
            for name in ("Гʼур", "Anna"):
                key = name.casefold()
                cursor.execute(
                    "INSERT INTO accounts_user (username, name_key, skeleton_as_written,"
                    " skeleton_folded, password, first_name, last_name, email, language, theme,"
                    " animal, cloth, is_superuser, is_staff, is_active, is_guest, date_joined)"
                    " VALUES (%s, %s, %s, %s, '!', '', '', '', '', '', '', '', %s, %s, %s, %s,"
                    " '2026-03-01 12:00:00+00:00')",
                    [name, key, f"{key} written", f"{key} folded", False, False, True, False],
                )
        call_command("migrate", verbosity=0)
        for typed in ("гʼур", "Г’ур", "Г'ур"):
            found = User.named(typed)
            assert found is not None and found.username == "Гʼур"
        call_command("migrate", "accounts", "0015", verbosity=0)
        assert User.objects.filter(name_key="гʼур").exists()
        call_command("migrate", verbosity=0)
