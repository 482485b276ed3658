"""Names: what may be one, and when two are the same."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from hypothesis import given
from hypothesis import strategies as st

from accounts import names, people
from accounts.models import User
from games.models import BOT_NAMES


def refusal(name: str) -> str | None:
    """The code of the first check that refuses this name; None when it may be used."""
    for check in names.validators:
        try:
            check(name)
        except ValidationError as refused:
            return refused.code
    return None


@pytest.mark.parametrize("name", ["Bob", "Toucan-4821", "élise.m", "Łukasz_3", "Ольга", "太郎さん"])
def test_letters_of_any_script_make_a_name(name: str) -> None:
    assert refusal(name) is None


@pytest.mark.parametrize("name", ["", "ab", "x" * 21, "  ab  "])
def test_a_name_has_three_to_twenty_characters(name: str) -> None:
    assert refusal(name) == "name_length"


@pytest.mark.parametrize(
    "name", ["two words", "a/b/c", "<script>", "...", "__-__", "new\nline", "bob\u200d", "al🎲ice"]
)
def test_a_name_holds_nothing_that_breaks_a_line_an_address_or_a_page(name: str) -> None:
    assert refusal(name) == "name_characters"


@pytest.mark.parametrize("name", ["аlice", "bоb-the-1", "Ρeter"])  # each begins or goes on foreign
def test_a_name_does_not_mix_letters_that_look_alike(name: str) -> None:
    assert refusal(name) == "name_alphabets"


@pytest.mark.parametrize("name", ["admin", "ADMIN", "Deleted-7", "bot-anna", "Guest", "ａｄｍｉｎ"])
def test_names_of_the_house_are_kept_for_the_house(name: str) -> None:
    assert refusal(name) == "name_reserved"


@pytest.mark.parametrize("name", BOT_NAMES)
def test_nobody_takes_the_name_of_a_bot(name: str) -> None:
    assert refusal(name) == "name_reserved"


@given(st.text(max_size=25))
def test_a_tidied_name_stays_as_it_is(text: str) -> None:
    assert names.tidy(names.tidy(text)) == names.tidy(text)
    assert names.key(names.tidy(text)) == names.key(text)


@pytest.mark.parametrize("twin", ["ALICE", "Alice", "ａｌｉｃｅ", " alice "])
def test_a_name_is_taken_in_any_case_and_any_width(alice: User, twin: str) -> None:
    with pytest.raises(ValidationError, match="taken"):
        people.free_name(twin)


def test_accented_twins_are_twins_too(db: None) -> None:
    User.objects.create_user("Élise")
    with pytest.raises(ValidationError, match="taken"):
        people.free_name("éLISE")


def test_the_database_itself_refuses_a_twin(db: None) -> None:
    User.objects.create_user("Élise")
    with pytest.raises(IntegrityError):
        User.objects.create_user("élise")


def test_a_person_may_change_the_case_of_the_own_name(alice: User) -> None:
    assert people.free_name("Alice", person=alice) == "Alice"
