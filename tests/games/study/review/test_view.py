"""The review in the replay: on demand, with an end to waiting, for whoever sees the replay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import lifecycle
from accounts.models import User
from games.contract import catalogue
from games.models import Game, GameReview
from games.peco_peco import review as peco_peco_review
from games.peco_peco.tests import fast_games
from games.play import before_start, worker
from games.study.review import reviews
from tests.games.contract.random_games import seeded
from tests.games.study.review.desk import Desk

pytestmark = pytest.mark.django_db

NOW = fast_games.START + timedelta(days=1)
HTMX = {"HX-Request": "true"}


@pytest.fixture(params=[True, False], ids=["public", "private"])
def game(request: pytest.FixtureRequest, alice: User, bob: User, charlie: User) -> Game:
    return fast_games.played_game(alice, bob, charlie, "easy", public=request.param)


@pytest.fixture
def over(alice: User, bob: User, charlie: User) -> Game:
    return fast_games.played_game(alice, bob, charlie, "easy")


def address(game: Game, waited: int | str = "") -> str:
    return reverse("games:review", args=[game.code]) + (f"?waited={waited}" if waited else "")


def asked(client: Client, game: Game, waited: int | str = "") -> str:
    answer = client.get(address(game, waited), headers=HTMX)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_replay_offers_it_and_does_not_ask_for_it(
    over: Game, client: Client, desk: Desk
) -> None:
    page = client.get(reverse("games:replay", args=[over.code])).content.decode()
    assert f'hx-get="{address(over)}"' in page and f'href="{address(over)}?at=1"' in page
    assert not desk.asked


def test_whoever_sees_the_replay_gets_the_review(game: Game, client: Client, desk: Desk) -> None:
    for one in (client, Client()):
        assert one.get(reverse("games:moment", args=[game.code, 1])).status_code == 200
        first = asked(one, game)
        assert "Preparing the review" in first and "waited=1" in first and "every 1s" in first
    assert len(desk.asked) == 1
    desk.compute()
    worker.results.run(NOW, 1.0)
    page = asked(client, game, 2)
    assert "Not judged" in page and "every 1s" not in page
    assert 'href="/games/' in page and "Boldest bluff" in page
    assert "Best accusation" not in page  # that is the replay's, chosen otherwise


def test_it_is_a_page_of_its_own_without_a_script(over: Game, client: Client, desk: Desk) -> None:
    page = client.get(address(over)).content.decode()
    assert "<title>" in page and 'http-equiv="refresh"' in page and "waited=1" in page
    desk.compute()
    worker.results.run(NOW, 1.0)
    page = client.get(address(over, 1)).content.decode()
    assert "http-equiv" not in page and "Not judged" in page
    assert reverse("games:replay", args=[over.code]) in page


def test_who_waits_asks_no_second_time_and_not_for_ever(
    over: Game, client: Client, desk: Desk
) -> None:
    for waited in range(1, 30):
        assert f"waited={waited + 1}" in asked(client, over, waited)
    assert not desk.asked  # whoever waits has asked before
    for late in (30, 31, "9" * 5000):
        page = asked(client, over, late)
        assert "Please try again" in page and "every 1s" not in page
    assert "waited=1" in asked(client, over, "x")
    assert "waited=4" in asked(client, over, "٣")


def test_a_game_that_runs_has_none_and_nothing_is_analysed(
    alice: User, bob: User, charlie: User, client: Client, desk: Desk
) -> None:
    running = fast_games.running_game(alice, bob, charlie, "easy")
    room = fast_games.open_table(bob, charlie)
    closed = fast_games.open_table(alice, charlie)
    before_start.close(closed.code, alice, now=fast_games.START)
    for game in (running, room, closed):
        assert client.get(address(game)).status_code == 404
        assert client.get(address(game, 3), headers=HTMX).status_code == 404
    assert not desk.asked and not reviews.any_under_way()
    assert client.get("/games/nowhere/replay/review").status_code == 404


def test_a_game_without_a_judge_offers_none(
    over: Game, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "judges", dict)
    assert client.get(address(over)).status_code == 404
    kind = catalogue.of(over.kind_key)
    monkeypatch.setitem(catalogue._kinds, over.kind_key, replace(kind, review=None))
    page = client.get(reverse("games:replay", args=[over.code])).content.decode()
    assert address(over) not in page


def test_what_cannot_be_made_is_said(over: Game, client: Client, desk: Desk) -> None:
    asked(client, over)
    desk.fail()
    page = asked(client, over, 4)
    assert "be reviewed right now" in page and "every 1s" not in page
    assert not desk.asked


def test_a_busy_worker_is_asked_again_by_hand(
    over: Game, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise worker.Busy

    monkeypatch.setattr(worker, "ask", refuse)
    page = asked(client, over)
    assert "Please try again" in page and "Try again" in page and "every 1s" not in page


@pytest.mark.parametrize("who", ["nobody", "guest", "account"])
def test_a_person_and_an_address_ask_for_so_many(
    who: str, client: Client, over: Game, desk: Desk, settings: Any, outsider: User
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"review": "2/h/user,3/h/ip", "review_visitor": "2/h/ip"}
    if who != "nobody":
        client.force_login(outsider if who == "account" else lifecycle.guest())
    for _ in range(2):
        assert "Preparing the review" in asked(client, over)
        reviews._under_way.clear()
        cache.delete(reviews._claim(over.pk))
    refused = client.get(address(over), headers=HTMX)
    assert refused.status_code == 429 and "too many reviews" in refused.content.decode()
    assert len(desk.asked) == 2
    # What is there already is read as often as one likes.
    reviews.write(over.pk, "counts 3", peco_peco_review.analyse(reviews.log_of(over)), now=NOW)
    for _ in range(5):
        assert "Not judged" in asked(client, over)
    if who == "account":  # another of the same address
        GameReview.objects.all().delete()
        another = Client()
        another.force_login(lifecycle.guest())
        assert "Preparing the review" in asked(another, over)
        cache.delete(reviews._claim(over.pk))
        reviews._under_way.clear()
        assert another.get(address(over), headers=HTMX).status_code == 429


@pytest.fixture
def outsider() -> User:
    return User.objects.create_user("outsider")


def test_a_look_at_the_head_asks_for_nothing(over: Game, client: Client, desk: Desk) -> None:
    assert client.head(address(over)).status_code == 200
    assert not desk.asked


def of_people(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [each for each in content["decisions"] if each["by"] == "person"]


def judged(game: Game) -> None:
    """A review with figures, as a judge that computes values gives it."""
    content = peco_peco_review.analyse(reviews.log_of(game))
    costly = ((0.02, "inaccuracy"), (0.21, "mistake"), (0.07, None), (0.4, "blunder"))
    for (cost, label), each in zip(costly, of_people(content)[:4], strict=True):
        each |= {"cost": cost, "label": label, "regret": cost}
    figures = {"first": 0.25, "own": -0.2, "gifts": 0.1, "luck": 0.03, "residual": 0.01}
    content["accounts"][0] |= figures | {"last": 0.19, "accuracy": 0.912}
    content["accounts"][0] |= {"inaccuracies": 2, "mistakes": 1, "blunders": 0, "decisions": 34}
    reviews.write(game.pk, "counts 3", content, now=NOW)


def test_figures_are_told_with_what_they_count(over: Game, client: Client) -> None:
    judged(over)
    page = asked(client, over)
    assert "accuracy 91% (n = 34) · 2 inaccuracies, 1 mistake · luck +3%" in page
    assert "Not judged" not in page
    row = page[page.index("<tbody>") :]
    row = row[: row.index("</tr>")]
    cells = [each.partition("</td>")[0] for each in row.split("<td>")[1:]]
    assert cells == ["25", "−20", "+10", "+3", "+1", "19", "34"]
    assert "decision" in page  # the seats that were not judged


def test_the_three_costliest_lead_to_their_moments(over: Game, client: Client) -> None:
    judged(over)
    page = asked(client, over)
    costly = page[page.index("Moments to look at again") : page.index("Highlights")]
    content = reviews.of_game(over)
    assert content is not None
    numbers = [each["number"] for each in of_people(content.content)[:4]]
    # As they were played; one of them costs few dice, but much of the game.
    places = [costly.index(f'/replay/{numbers[n]}"') for n in (1, 2, 3)]
    assert places == sorted(places) and f'/replay/{numbers[0]}"' not in costly
    assert "−40%" in costly


def test_an_error_that_cost_less_than_a_point_is_not_among_the_costliest(
    over: Game, client: Client
) -> None:
    content = peco_peco_review.analyse(reviews.log_of(over))
    for each in of_people(content):
        each |= {"cost": 0.0099, "label": "blunder", "regret": 0.6}
    reviews.write(over.pk, "counts 3", content, now=NOW)
    assert "Costliest decisions" not in asked(client, over)


def test_the_parts_that_are_shown_add_up(over: Game, client: Client) -> None:
    content = peco_peco_review.analyse(reviews.log_of(over))
    names = ("own", "gifts", "machine", "luck", "residual")
    generator, off = seeded(5), 0
    for account in content["accounts"]:
        account |= {name: generator.uniform(-0.3, 0.3) for name in names} | {"first": 0.25}
        account |= {"last": 0.25 + sum(account[name] for name in names), "accuracy": 0.9}
    reviews.write(over.pk, "counts 3", content, now=NOW)
    page = asked(client, over)
    rows = page[page.index("<tbody>") :].split("</tr>")[: over.size]
    for account, row in zip(content["accounts"], rows, strict=True):
        cells = [each.partition("</td>")[0] for each in row.split("<td>")[1:]]
        first, *parts, last, _n = [int(each.replace("−", "-")) for each in cells]
        assert first + sum(parts) == last
        off += first + sum(round(100 * account[name]) for name in names) != last
    assert off  # each rounded by itself would not


def test_a_review_that_is_there_costs_few_queries(over: Game, client: Client) -> None:
    judged(over)
    asked(client, over)
    with CaptureQueriesContext(connection) as queries:
        asked(client, over)
    assert len(queries) <= 5, [each["sql"] for each in queries]
