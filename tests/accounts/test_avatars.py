"""Avatars: chosen in the settings, otherwise the same for a name everywhere."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from accounts import account_data, avatars, lifecycle
from accounts.models import User
from games.models import Seat
from games.models.bot_names import BOT_AVATARS, BOT_NAMES
from tests.accounts.test_settings_page import CHOSEN


def sprite() -> str:
    found = finders.find("site/avatars.svg")
    assert isinstance(found, str)
    with open(found, encoding="utf-8") as file:
        return file.read()


def test_a_name_has_one_avatar_however_it_is_written() -> None:
    assert avatars.avatar("Anna") == avatars.avatar("ANNA") == avatars.avatar(" anna ")
    # Stored nowhere, so this must never change: crc32("anna") is 559726263 = 7 + 16 * (3 + 8 * …).
    assert avatars.avatar("Anna") == {"animal": "fox", "cloth": "green", "weave": "steps"}


def test_a_guest_named_after_an_animal_has_its_face() -> None:
    assert avatars.avatar("Toucan-4821")["animal"] == "toucan"
    assert avatars.avatar("Toucan-4821")["cloth"] != avatars.avatar("Toucan-4825")["cloth"]


def test_names_are_spread_over_all_avatars() -> None:
    seen = Counter(tuple(avatars.avatar(f"player{n}").values()) for n in range(2_000))
    assert len(seen) == len(avatars.ANIMALS) * len(avatars.CLOTHS)
    assert max(seen.values()) < 40


@pytest.mark.parametrize("gone", ["", "dodo"])
def test_what_is_not_chosen_or_exists_no_more_follows_from_the_name(gone: str) -> None:
    chosen = avatars.avatar("Anna", animal=gone, cloth="lake")
    assert chosen == {"animal": "fox", "cloth": "lake", "weave": "zigzag"}


def test_everything_is_drawn_in_one_small_file() -> None:
    drawn = set(re.findall(r'<symbol id="([a-z]+)"', sprite()))
    assert drawn == {*avatars.ANIMALS, *avatars.WEAVES}
    assert len(sprite().encode()) < 14_000
    css = finders.find("site/seats.css")
    assert isinstance(css, str)
    with open(css, encoding="utf-8") as file:
        assert set(re.findall(r"\.avatar\.is-(\w+) \{\s*--ground", file.read())) == {
            *avatars.CLOTHS
        }


def test_every_bot_has_an_avatar_of_its_own() -> None:
    assert len(set(BOT_AVATARS)) == len(BOT_AVATARS) == len(BOT_NAMES)
    assert len({animal for animal, _, _ in BOT_AVATARS}) == len(BOT_NAMES)
    for number, (animal, cloth, weave) in enumerate(BOT_AVATARS):
        shown = avatars.avatar("anything", animal=animal, cloth=cloth)
        assert shown == {"animal": animal, "cloth": cloth, "weave": weave}
        assert Seat(number=number, bot="any").avatar == shown


def test_an_avatar_is_chosen_and_taken_back(alice: User, alice_client: Client) -> None:
    answer = alice_client.post("/account/", CHOSEN | {"animal": "puma", "cloth": "night"})
    assert answer.status_code == 302
    alice.refresh_from_db()
    assert alice.avatar == {"animal": "puma", "cloth": "night", "weave": "steps"}
    assert account_data.export(alice)["avatar"] == alice.avatar
    alice_client.post("/account/", CHOSEN)
    alice.refresh_from_db()
    assert alice.avatar == avatars.avatar("alice")


@pytest.mark.parametrize("wrong", [{"animal": "dragon"}, {"cloth": "plastic"}])
def test_an_avatar_that_does_not_exist_is_refused(
    alice: User, alice_client: Client, wrong: dict[str, str]
) -> None:
    answer = alice_client.post("/account/", CHOSEN | {"animal": "puma"} | wrong)
    assert "not one of the available choices" in answer.content.decode()
    alice.refresh_from_db()
    assert (alice.animal, alice.cloth) == ("", "")


def test_every_choice_is_named_in_words(alice_client: Client) -> None:
    page = alice_client.get("/account/").content.decode()
    for key, words in (avatars.ANIMALS | avatars.CLOTHS).items():
        assert f'value="{key}"' in page
        assert f"<span>{words}</span>" in page


def test_the_profile_shows_the_avatar(alice: User, client: Client) -> None:
    User.objects.filter(pk=alice.pk).update(animal="owl", cloth="green")
    page = client.get(f"/players/{alice.username}").content.decode()
    assert 'class="avatar is-green"' in page
    assert re.search(r"avatars[.\w]*\.svg#owl", page)


def test_a_deleted_account_keeps_no_choice(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(animal="owl", cloth="green")
    alice.refresh_from_db()
    lifecycle.forget(alice)
    alice.refresh_from_db()
    assert (alice.animal, alice.cloth) == ("", "")
