"""Link previews: what programs read of a shared link, the pictures, and how many are drawn."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from html import unescape
from io import BytesIO
from pathlib import Path
from time import perf_counter

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from PIL import Image

from accounts import avatars
from accounts.models import User
from games.models import Game
from games.perudo.bots.characters import CHARACTERS
from games.play import before_start
from games.views import link_preview, preview_drawing, preview_faces, preview_image
from games.views.preview_image import SIZE, Picture
from tests.support.fast_games import START, finished_game, open_table
from tests.support.game_driver import bid, deal_game
from tests.support.live_site import LiveSite

MOST_BYTES = 300_000  # what messengers load of a picture


def preview(path: str, **headers: str) -> dict[str, str]:
    """The properties of a page's preview, as a program without cookies reads them."""
    html = Client(headers=headers).get(path).content.decode()
    found = re.findall(r'<meta (?:property="og:|name="twitter:)([\w:]+)" content="([^"]*)">', html)
    return {name: unescape(content) for name, content in found}


def picture(path: str, **extra: str) -> tuple[int, bytes]:
    answer = Client().get(path, **extra)
    return answer.status_code, answer.content


def path_of(address: str) -> str:
    return address.removeprefix("http://testserver")


def test_an_open_table_invites(alice: User) -> None:
    game = open_table(alice, "steady")
    told = preview(f"/games/{game.code}")
    assert told["title"] == "alice's table"
    assert told["description"].startswith("You're invited")
    assert told["url"] == f"http://testserver/games/{game.code}"
    assert told["card"] == "summary_large_image"
    status, png = picture(path_of(told["image"]))
    assert status == 200
    assert Image.open(BytesIO(png)).size == SIZE
    assert len(png) < MOST_BYTES


def test_a_replay_names_the_winner(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    winner = game.seat_set.get(place=1).name
    for path in (f"/games/{game.code}", f"/games/{game.code}/replay"):
        told = preview(path)
        assert told["title"] == f"Winner: {winner}"
        assert "replay" in told["description"]
        assert picture(path_of(told["image"]))[0] == 200


def test_the_picture_of_a_game_that_is_over_shows_its_winner(alice: User, bob: User) -> None:
    """In their own poncho, with what the game turned on; another face is another picture."""
    game = finished_game(alice, bob)
    winner = game.seat_set.select_related("user").get(place=1)
    shown = link_preview.of_game(game).picture
    worn = winner.avatar
    assert shown.title == f"{winner.name} wins"
    assert shown.winners == ((worn["animal"], worn["cloth"], worn["weave"]),)
    png = preview_image.draw(shown)
    other = next(each for each in avatars.CLOTHS if each != worn["cloth"])
    dressed = replace(shown, winners=((worn["animal"], other, worn["weave"]),))
    assert len(png) < MOST_BYTES and Image.open(BytesIO(png)).size == SIZE
    assert preview_image.draw(dressed) != png
    words = {}
    for language in ("en", "fr", "it", "es"):
        Game.objects.filter(pk=game.pk).update(language=language)
        found = link_preview.of_game(Game.objects.get(pk=game.pk)).picture
        words[language] = (found.title, found.text)
        assert len(preview_image.draw(found)) < MOST_BYTES
    assert len(set(words.values())) == 4
    Game.objects.filter(pk=game.pk).update(visibility=Game.Visibility.LINK, listed=False)
    hidden = link_preview.of_game(Game.objects.get(pk=game.pk)).picture
    assert not hidden.winners and winner.name not in hidden.title


def test_every_face_has_its_layers(subtests: pytest.Subtests) -> None:
    """All animals and characters, ponchos and colours; more than three winners are cut."""
    folder = Path(preview_image._path(f"{preview_faces.FACES}/cloths.json")).parent
    worn = [avatars.avatar("", animal=each) for each in avatars.ANIMALS]
    worn += [avatars.avatar("", cloth=each) for each in avatars.CLOTHS]
    worn += [each.avatar for each in CHARACTERS.values()]
    for each in worn:
        with subtests.test(**each):
            drawn = preview_faces.face(
                str(folder), each["animal"], each["cloth"], each["weave"], 100
            )
            assert drawn.getpixel((0, 0))[3] == 0 and drawn.getpixel((50, 50))[3] == 255  # type: ignore[index]


def test_previews_speak_the_language_in_which_the_table_was_created(
    alice: User, alice_client: Client
) -> None:
    form = {"preset": "asmodee_fr", "seats": "2", "pace": "45", "visibility": "public"}
    answer = alice_client.post("/games/new", form, headers={"Accept-Language": "fr"})
    path = answer["Location"]
    assert preview(path)["locale"] == "fr"
    assert preview(path, accept_language="it")["locale"] == "fr"
    Game.objects.update(language="")  # a table from before there was one
    assert preview(path)["locale"] == "en"
    assert preview(path, accept_language="it")["locale"] == "it"


def test_a_private_table_shows_no_name_and_the_picture_of_all_of_them(
    alice: User, bob: User
) -> None:
    games = [open_table(person, "steady", public=False) for person in (alice, bob)]
    heads, pictures = [], []
    for game in games:
        html = Client().get(f"/games/{game.code}").content.decode()
        heads.append(html.split("</head>")[0].replace(game.code, ""))
        pictures.append(picture(f"/games/{game.code}/preview.png"))
    assert heads[0] == heads[1]
    assert "alice" not in heads[0]
    assert pictures[0] == pictures[1] and pictures[0][0] == 200
    for game, host in zip(games, (alice, bob), strict=True):
        before_start.start(game.code, host, now=START)
        assert picture(f"/games/{game.code}/preview.png") == pictures[0]


def test_a_running_game_tells_nothing_of_how_it_stands(alice: User, bob: User) -> None:
    hands = [[1, 2, 3, 4, 5], [6, 6, 6, 6, 6]]
    seen = set()
    for way in (hands, hands[::-1]):
        driver = deal_game(alice, bob, hands=way)
        for move in (None, bid("2x6")):
            if move:
                driver.move(0, move)
            told = preview(f"/games/{driver.code}")
            words = (told["title"], told["description"])
            seen.add((words, picture(f"/games/{driver.code}/preview.png")))
    assert len(seen) == 1


def test_the_home_page_has_a_picture_in_every_language(db: None) -> None:
    told = {language: preview("/", accept_language=language) for language in ("en", "fr")}
    assert told["en"]["image"] == "http://testserver/preview/en.png"
    assert told["fr"]["locale"] == "fr"
    for each in told.values():
        assert picture(path_of(each["image"]))[0] == 200
    assert picture("/preview/xx.png")[0] == 404


def test_a_name_in_other_letters_is_left_out_of_the_picture(alice: User) -> None:
    game = open_table(alice, "steady")
    written = picture(f"/games/{game.code}/preview.png")[1]
    User.objects.filter(pk=alice.pk).update(username="Алиса")
    unwritten = picture(f"/games/{game.code}/preview.png")[1]
    assert preview_image.can_write("alice's table")
    assert not preview_image.can_write("Алиса's table")
    assert written != unwritten
    assert preview(f"/games/{game.code}")["title"] == "Алиса's table"


def test_the_longest_words_stay_on_the_picture(subtests: pytest.Subtests) -> None:
    text = "Ce joueur est très très long. " * 6
    for name in ["W" * 20, "WWWW-WWWW.WWWW_WWWWW", "i" * 20, "x"]:
        with subtests.test(name=name):
            png = preview_image.draw(
                Picture(preview_image.SITE_GROUND, "Perudo", f"{name}'s table", text)
            )
            assert len(png) < MOST_BYTES
            ground = preview_drawing.opened_ground(preview_image._path(preview_image.SITE_GROUND))
            drawn = Image.open(BytesIO(png))
            edge = (0, 0, SIZE[0], 60)
            assert drawn.crop(edge).tobytes() == ground.crop(edge).tobytes()
            right = (700, 0, *SIZE)
            assert drawn.crop(right).tobytes() == ground.crop(right).tobytes()


def test_one_address_makes_the_site_draw_only_so_often(alice: User, settings: object) -> None:
    settings.PREVIEWS_PER_ADDRESS, settings.PREVIEWS = 3, 5  # type: ignore[attr-defined]
    game = open_table(alice, "steady")

    def renamed(number: int, **extra: str) -> int:
        User.objects.filter(pk=alice.pk).update(username=f"alice{number}")
        return picture(f"/games/{game.code}/preview.png", **extra)[0]

    assert [renamed(number) for number in range(5)] == [200, 200, 200, 429, 429]
    assert [renamed(number) for number in range(3)] == [200] * 3  # they are kept
    other = {"REMOTE_ADDR": "198.51.100.7"}
    assert [renamed(number, **other) for number in range(5, 10)] == [200, 200, 429, 429, 429]


def test_few_pictures_are_kept(db: None) -> None:
    for number in range(110):
        preview_image._drawn.keep(number, 0, b"")
    assert len(preview_image._drawn) == 100


def test_a_visitor_is_no_guest_for_having_looked(client: Client, alice: User) -> None:
    game = open_table(alice, "steady")
    answer = client.get(f"/games/{game.code}/preview.png")
    assert answer.headers["Cache-Control"] == "public, max-age=3600"
    assert "Set-Cookie" not in answer.headers and not answer.cookies
    assert isinstance(answer.wsgi_request.user, AnonymousUser)


@pytest.mark.real_server
def test_pages_are_answered_while_strangers_make_the_site_draw(
    new_site: object,
) -> None:
    site: LiveSite = new_site(PREVIEWS_PER_ADDRESS="1000000", PREVIEWS="1000000")  # type: ignore[operator]
    site.start()
    form = {"preset": "asmodee_fr", "seats": "2", "pace": "45", "visibility": "public"}
    with ExitStack() as open_clients:
        reader = open_clients.enter_context(site.client())
        tables = []  # of different hosts, so that every picture has to be drawn
        for _ in range(12):
            host = open_clients.enter_context(site.guest())
            tables.append(host.post("/games/new", data=form).url.path)

        def attack(table: str) -> int:
            with site.client() as stranger:
                return stranger.get(f"{table}/preview.png").status_code

        with ThreadPoolExecutor(12) as crowd:
            attacks = [crowd.submit(attack, table) for table in tables]
            started = perf_counter()
            assert reader.get("/rules").status_code == 200
            waited = perf_counter() - started
            assert [each.result() for each in attacks] == [200] * 12
            assert waited < (perf_counter() - started) * 0.8  # not behind all the drawings
