"""A site with two games: each has its pages, tables and numbers; one game alone has no tabs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import words
from games.contract import catalogue
from games.forms import PlayNowForm
from games.lobby import lobby_frame
from games.models import Game
from games.models.bot_names import BOT_NAMES
from games.peco_peco import rules
from games.peco_peco.rules import KEY as SECOND
from games.peco_peco.tests.fast_games import open_table as opened
from games.peco_peco.tests.fast_games import played_game as played
from games.perudo.rules import KEY as FIRST
from games.play import before_start, close_by_staff, deadlines, rematches
from games.store import event_log
from games.study.players.history import export
from games.study.players.statistics import statistics
from tests.support.fast_games import START, finished_game, open_table, seeded, won_by
from tests.support.fixtures import PASSWORD, signed_in_as_staff
from tests.support.game_driver import refusal_of

pytestmark = pytest.mark.django_db
TABLE = {"game": SECOND, "preset": "peco_base", "seats": "8", "pace": "45", "visibility": "public"}
NAME = "Peco Peco"


@pytest.fixture
def alone() -> Iterator[catalogue.GameKind]:
    """The first game is the only one of the site."""
    games = [*catalogue.every()]
    catalogue.install(games[:1])
    yield games[0]
    catalogue.install(games)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """The starters that the rules of the second game were given, newest last."""
    starters: list[int | None] = []
    start = rules.start

    def noting(*args: Any, starter: int | None = None) -> Any:
        starters.append(starter)
        return start(*args, starter=starter)

    monkeypatch.setattr(rules, "start", noting)
    return starters


def html(client: Client, address: str, **query: str) -> str:
    answer = client.get(address, query)
    assert answer.status_code == 200, answer
    return unescape(answer.content.decode())


# --- the pages of each game ----------------------------------------------------------------------


def test_the_page_of_bots_presents_every_game_and_each_can_be_played_at_once(
    client: Client,
) -> None:
    assert 'href="/bots"' in html(client, "/")
    page = html(client, "/bots")
    for game in catalogue.every():
        assert game.words.name() in page and game.words.tagline() in page
        for name in ("rules-of", "learn-of"):
            assert f'href="{reverse(f"games:{name}", args=[game.key])}"' in page
        assert f'href="/games/new?game={game.key}"' in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("key", [FIRST, SECOND])
def test_the_first_bid_is_two_clicks_away_in_every_game(client: Client, key: str) -> None:
    forms = re.findall(r'<form class="play-now".*?</form>', html(client, "/bots"), re.DOTALL)
    [form] = [one for one in forms if f'name="game" value="{key}"' in one]
    bots = re.search(r'<option value="(\d)" selected', form)
    assert bots
    answer = client.post("/play-now", {"game": key, "bots": bots[1]}, follow=True)
    assert 'id="own"' in answer.content.decode()
    assert Game.objects.get().kind_key == key


def test_the_rules_and_lessons_are_chosen_by_game(client: Client) -> None:
    for index, name in (("rules", "rules-of"), ("learn", "learn-of")):
        page = html(client, reverse(f"games:{index}"))
        for game in catalogue.every():
            assert f'href="{reverse(f"games:{name}", args=[game.key])}"' in page


@pytest.mark.parametrize("key", [FIRST, SECOND])
def test_the_pages_of_a_game_lead_to_no_other_game(client: Client, key: str) -> None:
    other = SECOND if key == FIRST else FIRST
    pages = [reverse(f"games:{name}", args=[key]) for name in ("rules-of", "learn-of")]
    pages += [reverse("games:learn-step", args=[key, step]) for step in (1, 10)]
    pages.append(reverse("games:learn-finished", args=[key]))
    for address in pages:
        main = html(client, address).split("<main")[1].split("</main>")[0]
        assert not re.search(rf'="/(?:rules|learn)/{other}\b|value="{other}"', main), address
        assert re.search(rf'="/(?:rules|learn)/{key}\b', main), address


def test_a_move_in_a_lesson_stays_in_its_game(client: Client) -> None:
    here = reverse("games:learn-step", args=[SECOND, 1])
    answer = client.post(here, {"do": "declare"})
    assert answer["Location"].startswith(f"{here}?")


@pytest.mark.parametrize("path", ["/rules/hazard", "/learn/hazard", "/learn/hazard/1",
                                  "/learn/hazard/finished", "/?game=hazard"])  # fmt: skip
def test_an_unknown_game_has_no_pages(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/learn/3", f"/learn/{FIRST}/3"),
        ("/learn/3?do=bid&quantity=4&face=6", f"/learn/{FIRST}/3?do=bid&quantity=4&face=6"),
        ("/learn/finished", f"/learn/{FIRST}/finished"),
    ],
)
def test_old_addresses_lead_to_the_first_game(client: Client, old: str, new: str) -> None:
    for ask in (client.get, client.post):
        answer = ask(old)
        assert (answer.status_code, answer["Location"]) == (308, new)


def test_a_table_leads_to_the_rules_of_its_game(alice_client: Client, alice: User) -> None:
    for game in (opened(alice, size=5), open_table(alice, "steady")):
        main = html(alice_client, f"/games/{game.code}").split("<main")[1].split("</main>")[0]
        assert f'href="/rules/{game.kind_key}"' in main


def test_footer_manifest_and_description_name_all_games(client: Client) -> None:
    names = [game.words.name() for game in catalogue.every()]
    page = html(client, "/account/login/")
    for game in catalogue.every():
        assert f'<a href="/rules/{game.key}">How to play {game.words.name()}</a>' in page
    assert ", ".join(names) in re.findall(r'name="description"\s+content="([^"]+)"', page)[0]
    manifest = json.loads(client.get("/manifest.webmanifest").content)
    assert all(name in manifest["description"] for name in names)


def test_one_game_alone_is_neither_named_nor_chosen(
    client: Client, alice_client: Client, alone: catalogue.GameKind, alice: User, bob: User
) -> None:
    open_table(alice, bob)
    page = html(client, "/bots")
    assert f'<h1 id="hero-{alone.key}">{alone.words.tagline()}</h1>' in page
    for address in ("/", "/games/new"):
        assert 'class="tabs"' not in html(alice_client, address)
    assert words.game_mark(alone.key) == ""
    assert html(client, "/rules").count("<h1") == 1
    assert 'id="rule-sets"' in html(client, "/rules")
    assert f"/learn/{alone.key}/1" in html(client, "/learn")


# --- tables --------------------------------------------------------------------------------------


def test_the_lobby_shows_all_tables_or_those_of_one_game(
    client: Client, alice: User, bob: User
) -> None:
    first, second = open_table(alice, bob), opened(alice, bob)
    both = html(client, "/")
    assert first.code in both and second.code in both
    assert NAME in lobby_frame.lobby()
    for shown, hidden in ((first, second), (second, first)):
        page = html(client, "/", game=shown.kind_key)
        assert shown.code in page and hidden.code not in page
        assert f"/ws/lobby?lang=en&game={shown.kind_key}" in page
        current = re.search(r'<a href="/\?game=(\w+)#lobby" aria-current="true">', page)
        assert current and current[1] == shown.kind_key


def test_finished_games_are_shown_by_game_too(alice: User, bob: User, charlie: User) -> None:
    first = finished_game(alice, bob)
    second = won_by(alice, played(alice, bob, charlie, "easy"))
    assert first.code in lobby_frame.lobby() and second.code in lobby_frame.lobby()
    assert first.code not in lobby_frame.lobby(SECOND)
    assert second.code in lobby_frame.lobby(SECOND)


def test_the_form_of_a_new_table_is_that_of_the_chosen_game(alice_client: Client) -> None:
    page = html(alice_client, "/games/new", game=SECOND)
    assert f'href="/games/new?game={FIRST}"' in page
    assert re.search(rf'href="/games/new\?game={SECOND}" aria-current="page"', page)
    assert f'href="/rules/{SECOND}#rule-sets"' in page
    seats = re.search(r'<select name="seats".*?</select>', page, re.DOTALL)
    assert seats and re.findall(r'value="(\d)"', seats[0]) == list("45678")
    assert "as few as 4 players" in page
    assert f'<input type="hidden" name="game" value="{SECOND}"' in page
    answer = alice_client.post("/games/new", TABLE)
    game = Game.objects.get()
    assert answer["Location"] == f"/games/{game.code}"
    assert (game.kind_key, game.size) == (SECOND, 8)


@pytest.mark.parametrize("seats", ["3", "9"])
def test_a_game_has_its_own_numbers_of_seats(alice_client: Client, seats: str) -> None:
    assert alice_client.post("/games/new", TABLE | {"seats": seats}).status_code == 422


def test_a_table_of_eight_is_filled_and_everybody_has_a_name(
    alice_client: Client, alice: User
) -> None:
    game = opened(alice, *["easy"] * 7)
    page = html(alice_client, f"/games/{game.code}")
    assert all(f'data-seat="{number}"' in page for number in range(8))
    names = [seat.name for seat in game.seat_set.all()]
    assert len(set(names)) == 8 and set(names[1:]) <= set(BOT_NAMES)
    before_start.start(game.code, alice, now=START)
    assert Game.objects.get(pk=game.pk).status == Game.Status.PLAYING


def test_a_game_starts_with_as_many_as_it_needs(alice_client: Client, alice: User) -> None:
    game = opened(alice, "easy", "easy", size=5)
    assert "You need at least 4 players to start." in html(alice_client, f"/games/{game.code}")
    assert refusal_of(lambda: before_start.start(game.code, alice, now=START)) == "too_few"
    answer = alice_client.post(f"/games/{game.code}/start", follow=True)
    assert "You need at least 4 players" in unescape(answer.content.decode())
    before_start.add_bot(game.code, alice, kind="easy", now=START)
    before_start.start(game.code, alice, now=START)


@pytest.mark.parametrize(("bots", "seated"), [({}, 4), ({"bots": "7"}, 8)])
def test_a_quick_game_has_the_seats_of_its_game(
    alice_client: Client, bots: dict[str, str], seated: int
) -> None:
    alice_client.post("/play-now", {"game": SECOND} | bots)
    assert Game.objects.get().size == Game.objects.get().seat_set.count() == seated
    assert not PlayNowForm({"game": SECOND, "bots": "2"}).is_valid()


# --- the time for a turn -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "seats", "site", "seconds"),
    [(FIRST, 6, 45, 45), (SECOND, 4, 45, 30), (SECOND, 7, 45, 20), (SECOND, 8, 45, 20),
     (SECOND, 8, 10, 10)],
)  # fmt: skip
def test_a_game_may_keep_turns_shorter_at_large_tables(
    settings: Any, key: str, seats: int, site: int, seconds: int
) -> None:
    settings.TURN_SECONDS = site
    assert deadlines.turn_seconds(key, seats) == seconds


def test_quick_games_and_new_tables_have_the_proposed_time(alice_client: Client) -> None:
    alice_client.post("/play-now", {"game": SECOND, "bots": "7"})
    assert Game.objects.get().turn_seconds == 20
    for seats, pace, seconds in (("8", "auto", 20), ("4", "auto", 30), ("8", "90", 90)):
        form = catalogue.of(SECOND).forms.NEW_TABLE(TABLE | {"seats": seats, "pace": pace})
        assert form.is_valid(), form.errors
        assert form.table_settings().turn_seconds == seconds
    chosen = re.search(
        r'<option value="auto" selected>', html(alice_client, "/games/new", game=SECOND)
    )
    assert chosen
    form = catalogue.of(FIRST).forms.NEW_TABLE({"kind": "standard", "seats": "4", "pace": "auto",
                                                "visibility": "public"})  # fmt: skip
    assert form.is_valid(), form.errors
    assert form.table_settings().turn_seconds == 45


def test_bots_are_quicker_at_large_tables(alice: User, settings: Any) -> None:
    for seats, seconds in ((5, settings.BOT_SECONDS), (8, 0.7)):
        game = opened(alice, *["easy"] * (seats - 1))
        before_start.start(game.code, alice, now=START, chance=seeded(3))
        game = Game.objects.get(pk=game.pk)
        on_turn = game.seat_set.get(number=event_log.public_state(game).turn)
        assert on_turn.bot and game.turn_ends_at
        assert (game.turn_ends_at - START).total_seconds() == pytest.approx(seconds)
        close_by_staff.close(game.code)


# --- the next game -------------------------------------------------------------------------------


def test_the_winner_starts_the_rematch(alice: User, bob: User, started: list[int | None]) -> None:
    old = played(alice, bob, "easy", "hard")
    winner = old.seat_set.get(place=1)
    for host, other in ((alice, bob), (bob, alice)):
        Game.objects.filter(pk=old.pk).update(rematch=None)
        new = rematches.rematch(old.code, host, now=START)
        rematches.rematch(old.code, other, now=START)
        seats = list(new.seat_set.order_by("number"))
        starter = started[-1]
        assert starter is not None
        assert (seats[starter].user_id, seats[starter].bot) == (winner.user_id, winner.bot)
        close_by_staff.close(new.code)


@pytest.mark.slow
def test_nobody_starts_for_a_winner_who_is_not_there(
    alice: User, bob: User, started: list[int | None]
) -> None:
    old = played(alice, bob, "easy", "hard")
    old.seat_set.update(place=2)
    old.seat_set.filter(user=bob).update(place=1)
    new = rematches.rematch(old.code, alice, now=START)
    before_start.add_bot(new.code, alice, kind="hard", now=START)
    before_start.start(new.code, alice, now=START)
    assert started[-1] is None
    fresh = opened(alice, "easy", "easy", "easy")
    before_start.start(fresh.code, alice, now=START)
    assert started[-1] is None


def test_one_of_several_winners_starts(alice: User, bob: User, started: list[int | None]) -> None:
    old = played(alice, bob, "easy", "hard")
    old.seat_set.update(place=3)
    old.seat_set.filter(user__isnull=False).update(place=1)
    new = rematches.rematch(old.code, alice, now=START)
    before_start.sit(new.code, bob, now=START)
    before_start.start(new.code, alice, now=START)
    starter = started[-1]
    assert starter is not None
    assert new.seat_set.get(number=starter).user in (alice, bob)


# --- people --------------------------------------------------------------------------------------


def test_numbers_and_lists_of_a_person_are_by_game(alice: User, bob: User, charlie: User) -> None:
    first, second = finished_game(alice, bob), played(alice, bob, charlie, "easy")
    assert [one["game_mark"] for one in statistics(alice)] == ["Perudo", NAME]
    assert [one["game_mark"] for one in statistics(charlie)] == [NAME]
    address = reverse("games:profile", args=["alice"])
    page = html(Client(), address)
    assert f"<h3>{NAME}</h3>" in page
    assert first.code in page and second.code in page
    for shown, hidden in ((first, second), (second, first)):
        page = html(Client(), address, game=shown.kind_key)
        assert shown.code in page and hidden.code not in page


def test_ones_data_have_the_games_of_both(alice: User, bob: User, charlie: User) -> None:
    games = [finished_game(alice, bob), played(alice, bob, charlie, "easy")]
    told = {game["code"]: game for game in export(alice)["games"]}
    assert {code: game["kind_key"] for code, game in told.items()} == {
        game.code: game.kind_key for game in games
    }
    assert all(game["rounds"] for game in told.values())


def test_the_staff_see_which_game_a_table_has(alice: User) -> None:
    boss = User.objects.create_superuser("boss", password=PASSWORD)
    first, second = open_table(alice, "steady"), opened(alice, size=5)
    client = signed_in_as_staff(boss)
    page = html(client, "/admin/games/game/")
    assert first.code in page and second.code in page
    page = html(client, "/admin/games/game/", kind_key__exact=SECOND)
    assert first.code not in page and second.code in page
