"""Dates and numbers follow the whole locale that a browser asks for, not its language alone."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings as site
from django.test import Client
from django.utils import translation
from django.utils.formats import localize

from accounts.models import User
from games import regional_formats, words
from games.models import Game, Result, Tally
from tests.support.fast_games import finished_game
from tests.support.fixtures import signed_in, signed_in_as_staff
from tests.template_files import template_files

EVENING = datetime(2026, 11, 22, 17, 31, 7, tzinfo=UTC)
# What a browser sends, and: joined, finished, a moment of a replay, a number.
REGIONS: dict[str, tuple[str, str, str, str]] = {
    "en-GB,en;q=0.9": ("22 November 2026", "22 Nov 2026, 17:31 UTC", "17:31:07 UTC", "1,250"),
    "en-US,en;q=0.9": ("November 22, 2026", "Nov 22, 2026, 5:31 PM UTC", "5:31:07 PM UTC", "1,250"),
    "en": ("November 22, 2026", "Nov 22, 2026, 5:31 PM UTC", "5:31:07 PM UTC", "1,250"),
    "en-AU": ("22 November 2026", "22 Nov 2026, 5:31 pm UTC", "5:31:07 pm UTC", "1,250"),
    "fr-FR": ("22 novembre 2026", "22 nov. 2026, 17:31 UTC", "17:31:07 UTC", "1 250"),
    "fr-CA": ("22 novembre 2026", "22 nov. 2026, 17 h 31 UTC", "17 h 31 min 07 s UTC", "1 250"),
    "it-CH": ("22 novembre 2026", "22 nov 2026, 17:31 UTC", "17:31:07 UTC", "1’250"),
    "es-ES": ("22 de noviembre de 2026", "22 nov 2026, 17:31 UTC", "17:31:07 UTC", "1.250"),
    "es-MX": ("22 de noviembre de 2026", "22 nov 2026, 5:31 p.m. UTC", "5:31:07 p.m. UTC", "1,250"),
    "de-DE,en-GB;q=0.5": ("22 November 2026", "22 Nov 2026, 17:31 UTC", "17:31:07 UTC", "1,250"),
    "en-XX": ("November 22, 2026", "Nov 22, 2026, 5:31 PM UTC", "5:31:07 PM UTC", "1,250"),
}


def plain(text: str) -> str:
    """With spaces that break, and no more than one at a time."""
    return re.sub(r"\s+", " ", text)


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """A game that ended, and two people who joined, on that evening."""
    game = finished_game(alice, bob)
    Result.objects.update(finished_at=EVENING)
    Game.objects.update(finished_at=EVENING)
    Tally.objects.filter(user=alice, counter__startswith="place_").delete()
    Tally.objects.add("perudo", {alice.pk: {"place_1": 1250}})
    User.objects.update(date_joined=EVENING)
    return game


def test_a_profile_is_written_as_the_readers_region_writes(
    game: Game, alice_client: Client, subtests: pytest.Subtests
) -> None:
    for header, (joined, finished, _, number) in REGIONS.items():
        with subtests.test(header=header):
            answer = alice_client.get("/players/alice", headers={"Accept-Language": header})
            page = plain(answer.content.decode())
            assert joined in page
            assert f">{finished}</time>" in page
            assert f">{number} " in page or f" {number} " in page
            assert "Accept-Language" in answer.headers["Vary"]


def test_so_is_the_clock_of_a_replay() -> None:
    for header, (_, _, moment, _) in REGIONS.items():
        language = "en" if header.startswith("de") else header[:2]
        with translation.override(language), regional_formats.accepting(header):
            assert plain(regional_formats.exact_time(EVENING)).endswith(moment), header


def test_a_replay_shows_it(game: Game, client: Client) -> None:
    answer = client.get(f"/games/{game.code}/replay/1", headers={"Accept-Language": "en-GB"})
    assert re.search(r">\d+ \w{3} \d{4}, \d\d:\d\d:\d\d\sUTC</time>", answer.content.decode())


def test_a_saved_language_keeps_the_region_of_the_browser_in_that_language(
    game: Game, alice: User
) -> None:
    User.objects.filter(pk=alice.pk).update(language="fr")
    page = signed_in(alice).get(
        "/players/alice", headers={"Accept-Language": "en-GB,fr-CA;q=0.8,fr-CH;q=0.7"}
    )
    assert "22 nov. 2026, 17 h 31 UTC" in plain(page.content.decode())


def test_a_refusal_tells_the_end_of_a_silence_so() -> None:
    with regional_formats.accepting("en-GB"):
        said = words.reason("silenced", {"until": EVENING.isoformat()})
    assert "22 Nov 2026, 17:31 UTC" in plain(said)


def test_no_header_breaks_a_page(client: Client, alice: User) -> None:
    for header in ("", "*", "en-", "en-GB-oxendict", "x" * 5000, "en-\u00e9\u00e9"):
        answer = client.get("/players/alice", headers={"Accept-Language": header})
        assert answer.status_code == 200, header


# Parts of pages; the last one also of fragments that are shared, whose times site.js writes.
NOT_SHARED = {
    *("_game_list.html", "_over_time.html", "_statistics.html", "_marks.html"),
    "_dice_counted.html",
    *("_ratings.html", "_rating_tables.html", "_rating_rows.html", "_replay_line.html"),
}


def test_no_fragment_that_readers_share_has_a_date_or_a_number_in_it() -> None:
    """They are kept by language, and a language has many regions."""
    regional_ = r"{% when\b|\|(number|date|time|intcomma)\b"
    templates = {file: file.read_text() for file in template_files() if file.suffix == ".html"}
    found = {file: text for file, text in templates.items() if re.search(regional_, text)}
    assert len(found) >= 3
    parts = {file.name for file, text in found.items() if not text.startswith("{% extends")}
    assert parts == NOT_SHARED


def test_the_language_of_the_page_stays_a_supported_one(client: Client, db: Any) -> None:
    page = client.get("/rules", headers={"Accept-Language": "en-GB"}).content.decode()
    assert '<html lang="en"' in page
    assert {code for code, _ in site.LANGUAGES} == {"en", "fr", "it", "es"}


# A time of day that a page or a letter says, and what follows it.
_CLOCK = re.compile(
    r"\b\d{1,2}(?::| h )\d\d(?:(?::| min )\d\d(?: s)?)?(?: [ap]\.?m\.?)?\s*(\S*)", re.I
)


def without_zone(text: str) -> list[str]:
    """The times of day in a text that do not say which zone's they are."""
    words = plain(re.sub(r"<[^>]*>", " ", text))
    return [found[0] for found in _CLOCK.finditer(words) if not found[1].startswith("UTC")]


def test_no_time_of_day_is_shown_without_its_zone(
    game: Game, alice: User, alice_client: Client, subtests: pytest.Subtests
) -> None:
    User.objects.filter(pk=alice.pk).update(
        is_staff=True, is_superuser=True, last_login=EVENING, email="alice@example.org"
    )
    staff = signed_in_as_staff(User.objects.get(pk=alice.pk))
    pages = (
        (alice_client, "/players/alice"),
        (alice_client, f"/games/{game.code}/replay/1"),
        (staff, "/admin/accounts/user/"),
        (staff, f"/admin/accounts/user/{alice.pk}/change/"),
        (staff, "/admin/games/game/"),
        (staff, f"/admin/games/game/{game.pk}/change/"),
    )
    for language in ("en-GB", "en-US", "fr-FR", "fr-CA", "it-IT", "es-MX"):
        with subtests.test(language=language):
            seen = 0
            for client, address in pages:
                page = client.get(address, headers={"Accept-Language": language}).text
                main = page[page.index("<main") if "<main" in page else 0 :]
                assert without_zone(main) == [], address
                seen += "UTC" in main
            assert seen >= 4


def test_letters_say_the_zone_too() -> None:
    for language in ("en", "fr", "it", "es"):
        with translation.override(language):
            said = str(localize(EVENING))
        assert said.endswith("UTC") and not without_zone(said), language
