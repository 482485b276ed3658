"""Avatars: chosen in the settings, otherwise the same for a name everywhere."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from accounts import account_data, avatars, lifecycle
from accounts.models import User
from games.models import Seat, ponchos
from games.models.bot_names import BOT_AVATARS, BOT_NAMES
from tests.accounts.test_settings_page import CHOSEN
from tests.support.sprites import Sprite, has_expressions, parts


def test_a_name_has_one_avatar_however_it_is_written() -> None:
    assert avatars.avatar("Anna") == avatars.avatar("ANNA") == avatars.avatar(" anna ")
    # Stored nowhere, so this must never change: crc32("anna") is 559726263 = 7 + 16 * (3 + 8 * …).
    assert avatars.avatar("Anna") == {"animal": "fox", "cloth": "green", "weave": "steps"}


def test_a_guest_named_after_an_animal_has_its_face() -> None:
    for name in ("Toucan", "Toucan2", "Toucan-4821"):
        assert avatars.avatar(name)["animal"] == "toucan"
    assert avatars.avatar("Toucan-4821")["cloth"] != avatars.avatar("Toucan-4825")["cloth"]


def test_an_animal_has_its_face_in_every_language(subtests: pytest.Subtests) -> None:
    for name, animal in [
        ("lama", "llama"),
        ("TOUCAN", "toucan"),
        ("Tucano", "toucan"),
        ("tucán", "toucan"),
        ("Flamant", "flamingo"),
        ("Renard2", "fox"),
        ("Búho-17", "owl"),
        ("Oso", "bear"),
        ("Zorro", "fox"),
    ]:
        with subtests.test(name=name):
            assert avatars.avatar(name)["animal"] == animal
            assert avatars.avatar(name, animal="puma")["animal"] == "puma"
    for name, animal in [("Lamartine", "llama"), ("Orsola", "bear")]:  # no more than a beginning
        with subtests.test(name=name):
            assert avatars.avatar(name)["animal"] != animal


def test_no_two_at_a_table_look_the_same(subtests: pytest.Subtests) -> None:
    foxes = [avatars.avatar(name) for name in ("Zorro", "Fox", "Renard", "Volpe") * 2]
    worn = avatars.apart(foxes)
    assert worn[0] == foxes[0]
    assert {each["animal"] for each in worn} == {"fox"}
    assert len({each["cloth"] for each in worn}) == len(foxes) == 8
    for each in worn:
        assert each == avatars.avatar("any", animal="fox", cloth=each["cloth"])
    assert avatars.apart(worn) == worn
    bots = [avatars.avatar("any", animal=animal, cloth=cloth) for animal, cloth, _ in BOT_AVATARS]
    assert avatars.apart(bots) == bots


def test_who_has_chosen_a_poncho_keeps_it(alice: User, bob: User) -> None:
    alice.animal = bob.animal = "owl"
    bob.cloth = alice.avatar["cloth"]
    first, second = ponchos.dressed([Seat(number=0, user=alice), Seat(number=1, user=bob)])
    assert second.avatar == bob.avatar == alice.avatar
    assert first.avatar["animal"] == "owl" and first.avatar["cloth"] != bob.cloth


def test_names_are_spread_over_all_avatars() -> None:
    seen = Counter(tuple(avatars.avatar(f"player{n}").values()) for n in range(2_000))
    assert len(seen) == len(avatars.ANIMALS) * len(avatars.CLOTHS)
    assert max(seen.values()) < 40


def test_what_is_not_chosen_or_exists_no_more_follows_from_the_name() -> None:
    for gone in ("", "dodo"):
        chosen = avatars.avatar("Anna", animal=gone, cloth="lake")
        assert chosen == {"animal": "fox", "cloth": "lake", "weave": "zigzag"}, gone


def test_everything_is_drawn_in_one_small_file() -> None:
    sprite = Sprite("site/avatars.svg")
    assert set(sprite.drawings) == parts(avatars.ANIMALS) | {*avatars.WEAVES}
    assert sprite.is_whole()
    assert sprite.packed < 8_300
    css = finders.find("site/seats.css")
    assert isinstance(css, str)
    with open(css, encoding="utf-8") as file:
        assert set(re.findall(r"\.avatar\.is-(\w+) \{\s*--ground", file.read())) == {
            *avatars.CLOTHS
        }


def test_every_animal_has_an_expression_for_every_mood(subtests: pytest.Subtests) -> None:
    sprite = Sprite("site/avatars.svg")
    for animal in avatars.ANIMALS:
        with subtests.test(animal=animal):
            assert has_expressions(sprite, animal)


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


def test_an_avatar_that_does_not_exist_is_refused(alice: User, alice_client: Client) -> None:
    for wrong in ({"animal": "dragon"}, {"cloth": "plastic"}):
        answer = alice_client.post("/account/", CHOSEN | {"animal": "puma"} | wrong)
        assert "not one of the available choices" in answer.content.decode(), wrong
        alice.refresh_from_db()
        assert (alice.animal, alice.cloth) == ("", ""), wrong


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
