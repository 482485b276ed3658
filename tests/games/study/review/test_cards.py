"""Cards: a player shares their own luck and errors, nobody makes a card of another."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from accounts import lifecycle
from accounts.models import User
from games.models import Game, GameReview
from games.peco_peco.tests import fast_games as peco_peco
from games.study.review import card_page, cards, reviews
from games.study.review.cards import Card
from games.study.review.figures import in_points
from games.views import preview_image
from tests.games.contract.random_games import seeded
from tests.games.views.test_previews import path_of, picture, preview
from tests.support import fast_games
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db

NOW = fast_games.START + timedelta(days=1)
HTMX = {"HX-Request": "true"}
FIGURES = {"own": -0.03, "luck": -0.12, "residual": 0.02, "gifts": 0.07}


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return reviewed(fast_games.finished_game(alice, bob, "steady", seed=2))


@pytest.fixture
def private(alice: User, bob: User) -> Game:
    return reviewed(fast_games.finished_game(alice, bob, "steady", seed=2, public=False))


def reviewed(game: Game, **figures: float) -> Game:
    content = reviews.judge_of(game.kind_key).analyse(reviews.log_of(game))
    account = content["accounts"][0]
    account |= FIGURES | {"decisions": 31}
    account["first"] = account["last"] - account["machine"] - sum(FIGURES.values())
    account |= figures
    reviews.write(game.pk, content["judge"], content, now=NOW)
    return game


def address(game: Game, number: int = 0) -> str:
    return reverse("games:card", args=[game.code, number, cards.signature(game, number)])


def offered(client: Client, game: Game) -> bool:
    """Whether the review leads this reader to a card, and then to no card but their own."""
    path = reverse("games:review", args=[game.code])
    pages = [client.get(path, headers=headers).content.decode() for headers in ({}, HTMX)]
    found = {"Share my luck and errors" in page for page in pages}
    assert len(found) == 1
    return found.pop()


def card_of(**figures: float) -> Card:
    game = Game(kind_key="perudo", code="abc")
    return Card(
        game, Game().seat_set.model(game=game, number=0), FIGURES | {"decisions": 31} | figures
    )


def test_who_left_says_so_and_not_that_they_played_well() -> None:
    card = card_of(luck=-0.12, own=-0.03)
    card.seat.user_id, card.seat.gone = 1, True
    assert card_page.sentence(card) == "I didn't play to the end."
    card.seat.gone = False
    assert card_page.sentence(card) == "The dice owed me one."


def test_what_the_player_says_follows_the_figures_as_they_are_shown(
    subtests: pytest.Subtests,
) -> None:
    for figures, luck, played_well in [
        ({"luck": -0.12, "own": -0.03}, "unlucky", True),
        ({"luck": -0.3, "own": -0.25}, "unlucky", True),
        ({"luck": -0.12, "own": -0.12}, "unlucky", False),
        ({"luck": 0.12, "own": -0.12}, "lucky", False),
        ({"luck": 0.12, "own": -0.09}, "lucky", True),
        ({"luck": 0.044, "own": 0.0}, "even", True),
        ({"luck": -0.044, "own": -0.1}, "even", False),
        ({"luck": 0.046, "own": 0.0}, "lucky", True),
    ]:
        with subtests.test(figures=figures):
            card = card_of(residual=0.0, **figures)
            assert (card.luck, card.played_well) == (luck, played_well)


def test_every_outcome_has_a_sentence_of_its_own(subtests: pytest.Subtests) -> None:
    for language in ["en", "fr", "it", "es"]:
        with subtests.test(language=language):
            with override(language):
                said = {
                    card_page.sentence(card_of(luck=luck, own=own, residual=0.005))
                    for luck in (-0.2, 0.03, 0.2, 0.01)
                    for own in (0.0, -0.4)
                }
            assert len(said) == 8 and "" not in said


def test_a_card_says_nothing_of_luck_that_the_remainder_could_change(
    subtests: pytest.Subtests,
) -> None:
    for luck, residual, says in [
        (0.3, 0.0999, True),
        (0.3, -0.1001, False),
        (-0.3, 0.1001, False),
        (0.0, 0.0, True),
    ]:
        with subtests.test(luck=luck, residual=residual):
            card = card_of(luck=luck, residual=residual, own=-0.15)
            assert (card.luck is not None) == says
            words = (card_page.headline, card_page.sentence, card_page.shared_text)
            told = " ".join(word(card) for word in words)
            assert ("luck" in told.lower() or "dice" in told) == says
            assert "rrors −15%" in told


def test_a_card_tells_luck_errors_and_what_they_count(game: Game) -> None:
    page = unescape(Client().get(address(game)).content.decode())
    assert "<h1>Luck −12%, errors −3%</h1>" in page
    assert "The dice owed me one." in page and "alice" in page
    [_, figures] = page.split('<dl class="facts">')
    for part in ("<dt>n</dt><dd>31", "<dt>others' errors</dt><dd>+7"):
        assert part in figures
    assert "remainder" not in page
    assert reverse("games:review", args=[game.code]) in page
    assert "data-share" not in page and "bob" not in page


@pytest.mark.parametrize("first", [0.25, 0.333])
def test_the_parts_of_a_card_add_up_without_a_remainder(game: Game, first: float) -> None:
    """Who opens the first round is part of the chance at the start."""
    reviewed(game, first=first, machine=-0.04, last=first - 0.1)
    page = card_page.page(Card(game, game.seat_set.get(number=0), account_of(game)), is_mine=True)
    figures = {label: int(told.replace("−", "-")) for label, told in page["figures"]}
    assert [*figures] == ["start", "errors", "others' errors", "moves by bots", "luck", "end", "n"]
    assert figures.pop("n") == 31 and abs(figures["start"] - 100 * (first + 0.02)) <= 1
    shown = in_points(account_of(game))
    assert (figures["errors"], figures["luck"]) == (shown["own"], shown["luck"]), "as on the page"
    end = figures.pop("end")
    assert sum(figures.values()) == end


def account_of(game: Game) -> Any:
    review = reviews.of_game(game)
    assert review is not None
    return review.content["accounts"][0]


def test_its_player_alone_is_offered_to_share_it(game: Game, alice: User, bob: User) -> None:
    for reader, is_offered in ((None, False), (bob, True), (alice, True)):
        client = Client() if reader is None else signed_in(reader)
        assert offered(client, game) == is_offered
    mine = signed_in(alice).get(address(game)).content.decode()
    assert "data-share" in mine and f"http://testserver{address(game)}" in mine
    assert "31 decisions" in mine
    assert "Anyone with the link" in mine
    assert "data-share" not in signed_in(bob).get(address(game)).content.decode()


def test_nobody_makes_a_card_of_another(game: Game, bob: User) -> None:
    """Whoever sees the review knows code and seats, and the end of their own card's address."""
    client = signed_in(bob)
    mine = cards.signature(game, 1)
    for sign in (mine, mine[:-1], "x", "x" * 5000):
        path = reverse("games:card", args=[game.code, 0, sign])
        for each in (path, f"{path}/preview.png"):
            assert client.get(each).status_code == 404
    path = reverse("games:card", args=[game.code, "9" * 30, mine])
    assert client.get(path).status_code == 404


def test_who_hides_review_figures_shares_a_card_nevertheless(game: Game, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(shows_reviews=False, games_shown_to="nobody")
    assert Client().get(address(game)).status_code == 200


def test_a_card_of_a_private_game_is_for_its_players(
    private: Game, alice: User, bob: User, charlie: User
) -> None:
    path = address(private)
    for stranger in (Client(), signed_in(charlie)):
        assert stranger.get(path).status_code == 404
        assert stranger.get(f"{path}/preview.png").status_code == 404
    page = signed_in(bob).get(path).content.decode()
    assert "Luck −12%" in page
    head = page.split("</head>")[0]
    assert f"/games/{private.code}/preview.png" in head and "og:title" in head
    assert not any(each in head.partition("og:")[2] for each in ("alice", "−12"))
    assert "only its players" in signed_in(alice).get(path).content.decode()
    assert picture(f"{path}/preview.png")[0] == 404


def test_its_preview_shows_name_luck_and_errors(game: Game) -> None:
    told = preview(address(game))
    assert told["title"] == "alice: Luck −12%, errors −3%"
    assert told["description"] == "The dice owed me one. 31 decisions."
    assert path_of(told["image"]) == f"{address(game)}/preview.png"
    status, png = picture(path_of(told["image"]))
    assert status == 200 and png.startswith(b"\x89PNG")


def test_a_name_in_other_letters_is_not_on_the_picture(game: Game, alice: User) -> None:
    asked = []
    with patch.object(preview_image, "draw", lambda of: asked.append(of) or b""):
        picture(f"{address(game)}/preview.png")
        User.objects.filter(pk=alice.pk).update(username="Алиса")
        picture(f"{address(game)}/preview.png")
    assert [each.kicker for each in asked] == ["Perudo · alice", "Perudo"]


def test_one_address_has_so_many_pictures_of_cards_drawn(
    game: Game, alice: User, settings: Any
) -> None:
    """Somebody asks for the picture of their card under ever new names."""
    settings.PREVIEWS_PER_ADDRESS, settings.PREVIEWS = 3, 5
    path, answers = f"{address(game)}/preview.png", []
    with patch.object(preview_image, "draw", return_value=b"png") as draw:
        for number in range(8):
            User.objects.filter(pk=alice.pk).update(username=f"alice{number}")
            answers.append(picture(path)[0])
        for number in range(8):
            User.objects.filter(pk=alice.pk).update(username=f"alicia{number}")
            answers.append(picture(path, REMOTE_ADDR="192.0.2.7")[0])
        # What is not signed costs no picture and does not count.
        unsigned = reverse("games:card", args=[game.code, 0, "x"]) + "/preview.png"
        assert picture(unsigned, REMOTE_ADDR="192.0.2.8")[0] == 404
    assert answers == [200] * 3 + [429] * 5 + [200] * 2 + [429] * 6
    assert draw.call_count == 5


def test_there_is_none_where_nothing_was_judged(
    game: Game, alice: User, bob: User, charlie: User
) -> None:
    other = peco_peco.played_game(alice, bob, charlie, "easy")
    reviews.make(other, now=NOW)
    assert not offered(signed_in(alice), other)
    bot = game.seat_set.get(user=None).number
    for path in (address(other), address(game, bot), address(game, 7)):
        assert Client().get(path).status_code == 404
    reviewed(game, decisions=0)
    assert not offered(signed_in(alice), game)
    assert Client().get(address(game)).status_code == 404


def test_it_stays_until_its_player_or_the_game_is_gone(game: Game, alice: User, bob: User) -> None:
    GameReview.objects.update(judge="expert 0")  # by another judge; no link is broken by that
    for number in (0, 1):
        assert Client().get(address(game, number)).status_code == 200
    lifecycle.forget(alice)
    assert Client().get(address(game)).status_code == 404
    theirs = address(game, 1)
    game.delete()
    assert Client().get(theirs).status_code == 404


def test_luck_and_own_errors_are_the_nearest_numbers_and_all_parts_add_up() -> None:
    """So a page that says one of them alone says the same number as the review."""
    generator = seeded(5)
    for _ in range(2000):
        account = {name: generator.uniform(-0.6, 0.6) for name in ("gifts", "machine", "luck")}
        account |= {"own": -generator.random(), "residual": generator.uniform(-0.02, 0.02)}
        account |= {name: 0.0 for name in ("gifts", "machine", "own") if generator.random() < 0.3}
        first = 1 / generator.randint(2, 6)
        shown = in_points(account | {"first": first, "last": first + sum(account.values())})
        assert [shown[name] for name in ("own", "luck")] == [
            round(100 * account[name]) for name in ("own", "luck")
        ]
        assert shown["first"] + sum(shown[name] for name in account) == shown["last"]
        for name, value in account.items():
            assert abs(shown[name] - 100 * value) < 3
            assert shown[name] == 0 or value != 0
