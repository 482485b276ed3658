"""Every page, frame and letter is in one language: the reader's."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from html import unescape
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx
import pytest
from babel.dates import get_month_names
from django.conf import settings as site
from django.core.cache import cache
from django.test import override_settings
from django.urls import URLResolver, get_resolver
from django.utils import translation
from django.utils.translation import gettext
from websockets.sync.client import ClientConnection as Connection
from websockets.sync.client import connect

from accounts import lifecycle
from accounts.models import User
from games import words
from games.models import Tally
from games.peco_peco import rules as peco_rules
from games.peco_peco.words import reasons as peco_reasons
from games.perudo.rules import KEY
from games.perudo.words import reasons
from tests.perudo_site.test_site_name import OURS, assert_titles_have_the_name
from tests.support import tour
from tests.support.fast_games import START, play_until, running_game
from tests.support.live_site import PATIENCE, LiveSite
from tests.support.page_texts import (
    CLOSE,
    LANGUAGES,
    OPEN,
    marked_catalogue,
    texts_left_in_english,
    untranslated_texts,
)

# What stands on pages as it is: names of people and bots, the game, languages in their own words.
NAMES = set("alice bob charlie dora eve grace watcher keeper frida gil hana ivan julia".split())
NAMES |= {"aurelia", "fulvio", "federica", "ottavia", "UTC", "Wanderer"}
NAMES |= {f"listed{number:02}" for number in range(70)}
NAMES |= set(
    "Toucan-4821 Toucan-1066 Perudo Peco Inti Killa Chaska Waman Illa Sami Wayra Urpi "
    "Crela Zigo Sulmo Fanfo Tokka".split()
) | {name for _, name in site.LANGUAGES}
NAMES |= set(lifecycle.ANIMALS)  # guests are called by them
# Babel writes the months of dates in their languages.
NAMES |= {
    name
    for language in LANGUAGES
    for width in ("wide", "abbreviated")
    for name in get_month_names(width, locale=language).values()
} | {"de"}
# What is for programs.
NO_PAGES = set(
    "manifest worker robots my-data games:record-text games:record-json".split()
    + [
        "games:part",
        "games:salt",
        "table-preview",
        "site-preview",
        "standing-preview",
        "question-preview",
        "day-preview",
        "card-preview",
        "games:meeting",
        "go-on",
    ]
)
ADDRESS = re.compile(
    r'https?://[^\s<"]+|(?<!\S)\S+@example\.org|testserver'
    r"|\b([a-z][aeiou]){4}-([a-z][aeiou]){4}\b"  # the words of a link
)


@pytest.fixture
def cast(alice: User, bob: User, charlie: User) -> tuple[User, ...]:
    return alice, bob, charlie


@pytest.fixture
def marked(tmp_path: Path) -> Iterator[None]:
    """Every sentence of our catalogues now stands between marks."""
    for language in LANGUAGES:
        catalogue = tmp_path / language / "LC_MESSAGES" / "django.mo"
        catalogue.parent.mkdir(parents=True)
        catalogue.write_bytes(marked_catalogue(language))
    with override_settings(LOCALE_PATHS=[tmp_path]):
        forget_words()
        yield
    forget_words()


def forget_words() -> None:
    """Clear what functions of ours keep for as long as the process lives: some is translated."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in {"accounts", "games"}:
            for each in vars(module).values():
                if type(each) is functools._lru_cache_wrapper:  # a lazy object would wake up
                    each.cache_clear()


# --- pages -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("marked")
def test_every_word_of_every_page_comes_from_our_catalogue(
    cast: tuple[User, ...], settings: Any
) -> None:
    """Each part of the site in one language, without English, every title with the site's name.

    One is enough: what all comes from a catalogue has no English in the other languages either
    (tests/test_translations.py).
    """
    settings.SITE_NAME = OURS
    names = NAMES | set(OURS.split())
    strays = {}
    for walk, language in zip(tour.LEGS.values(), cycle(LANGUAGES), strict=False):
        pages = list(walk(language, *cast))
        assert any(OPEN in page for _, page in pages)
        for what, page in pages:
            read = page.replace(OPEN, "").replace(CLOSE, "")
            found = untranslated_texts(ADDRESS.sub(" ", page)) - names | texts_left_in_english(
                read, language
            )
            if found:
                strays[what, language] = found
        assert_titles_have_the_name(pages)
        cache.clear()
    assert strays == {}
    everywhere = {name for name in addresses(get_resolver()) if not name.startswith("admin:")}
    assert everywhere - tour.TourVisitor.been_at == NO_PAGES


def addresses(resolver: URLResolver, space: str = "") -> Iterator[str]:
    """The names of all addresses of the site."""
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from addresses(each, f"{each.namespace}:" if each.namespace else space)
        else:
            yield f"{space}{each.name}"


# --- tables ------------------------------------------------------------------------------


@pytest.mark.usefixtures("marked")
def test_every_frame_of_a_whole_game_is_in_the_readers_language(cast: tuple[User, ...]) -> None:
    alice, bob, _ = cast
    game = running_game(alice, bob, "sharp", preset="web_fr", calza="on", lost_dice_visible=True)
    shown = 0

    def look(_: object) -> bool:
        nonlocal shown
        game.refresh_from_db()
        with translation.override("fr"):
            for what, html in tour.frames(game):
                assert untranslated_texts(html) <= NAMES, what
                shown += 1
        return False

    play_until(game, look)
    look(None)
    assert shown > 100


@pytest.mark.usefixtures("marked")
def test_every_refusal_is_in_the_readers_language() -> None:
    perudo_codes = [*reasons.RULES, *reasons.PLAY, *words.SITE]
    peco_codes = [*peco_reasons.RULES, *peco_reasons.PLAY]
    for game, codes, details in (
        (KEY, perudo_codes, {"bid": "1x2", "last": "4x3"}),
        (KEY, perudo_codes, {"bid": "1x2", "last": "3xP"}),
        (peco_rules.KEY, peco_codes, {"card": "Es", "top": "Mb"}),
    ):
        with translation.override("fr"):
            said = {
                (code, detailed): words.reason(code, details if detailed else None, kind_key=game)
                for code in codes
                for detailed in (False, True)
            }
        assert {
            refusal: text
            for refusal, text in said.items()
            if not (text.startswith(OPEN) and text.endswith(CLOSE))
        } == {}
        assert len(said) == 2 * len(set(codes)) > 20


# --- sockets -----------------------------------------------------------------------------


@contextmanager
def listener(site: LiveSite, guest: httpx.Client, code: str, language: str) -> Iterator[Connection]:
    """The socket of a table's page, opened by a browser that wishes for this language."""
    page = guest.get(f"/games/{code}", headers={"Accept-Language": language}).text
    path = unescape(re.findall(r'ws-connect="([^"]+)"', page)[0])
    cookies = "; ".join(f"{name}={value}" for name, value in guest.cookies.items())
    headers = {"Cookie": cookies, "Origin": site.url}
    with connect(site.ws_url + path, additional_headers=headers) as socket:
        yield socket


@pytest.mark.real_server
def test_each_socket_of_a_table_hears_its_own_language(shared_site: LiveSite) -> None:
    with shared_site.guest() as host, shared_site.guest() as watcher, ExitStack() as open_sockets:
        # An animal drawn as a name may be the English word for a picture, too.
        host.post("/account/", data={"username": "frida"}).raise_for_status()
        form = {"preset": "asmodee_fr", "seats": 3, "pace": "", "visibility": "link"}
        code = host.post("/games/new", data=form).url.path.removeprefix("/games/")
        sockets = {
            language: open_sockets.enter_context(listener(shared_site, guest, code, language))
            for language, guest in {"en": host, **dict.fromkeys(LANGUAGES, watcher)}.items()
        }
        host.post(f"/games/{code}/add-bot", data={"kind": "steady"}).raise_for_status()
        host.post(f"/games/{code}/start").raise_for_status()
        for language, socket in sockets.items():
            with translation.override(language):
                expected = gettext("Round %(number)s") % {"number": 1}
            frame = ""
            while expected not in frame:
                frame = str(socket.recv(timeout=PATIENCE))
            others = {"Round 1", "Manche 1", "Mano 1", "Ronda 1"} - {expected}
            assert "frida" in frame and not any(other in frame for other in others)
            assert language == "en" or not texts_left_in_english(frame, language)


@pytest.mark.real_server
def test_each_socket_of_the_lobby_hears_its_own_language(shared_site: LiveSite) -> None:
    for language in ("en", *LANGUAGES):
        with translation.override(language):
            expected = gettext("Public tables")
        address = f"{shared_site.ws_url}/ws/lobby?lang={language}"
        with connect(address, additional_headers={"Origin": shared_site.url}) as socket:
            assert expected in str(socket.recv(timeout=PATIENCE))


# --- dates and numbers -------------------------------------------------------------------


def test_dates_and_numbers_are_written_as_the_reader_writes_them(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(date_joined=START)
    Tally.objects.add("perudo", {alice.pk: {"place_1": 1250}})
    for language, said in {
        "en": ["March 1, 2026", "1,250", "100%", "1,250 games"],
        "fr": ["1 mars 2026", "1\u202f250", "100\u202f%", "1\u202f250 parties"],
        "it": ["1 marzo 2026", "1.250", "100%", "1.250 partite"],
        "es": ["1 de marzo de 2026", "1.250", "100\u202f%", "1.250 partidas"],
    }.items():
        _, page = tour.TourVisitor(language).get("/players/alice")
        read = " ".join(page.replace("\xa0", "\u202f").split(" "))
        assert [each for each in said if each not in read] == [], language


def test_the_numbers_that_scripts_use_are_the_same_in_every_language(
    cast: tuple[User, ...],
) -> None:
    alice, bob, _ = cast
    game = running_game(alice, bob, "steady", lost_dice_visible=True, show_odds=True, bids=2)
    numbers = []
    for language in ("en", *LANGUAGES):
        with translation.override(language):
            html = "".join(html for _, html in tour.frames(game))
        numbers.append(re.findall(r'\b(?:value|min|max|data-[\w-]+)="([\d.,\s]+)"', html))
    assert len(numbers[0]) > 20
    assert all(each == numbers[0] for each in numbers)
