"""Ratings at a table, at its end, on a person's page, on the leaderboard; and hidden."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from games.models import Game, RatedSeat, Rating
from games.play.ratings import correcting
from games.social.friends import ties
from games.views.holder import home_of
from tests.support.fast_games import open_table, played_game, running_game
from tests.support.rated_people import rate
from tests.support.tour.visitor import Page, TourVisitor


def pages(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """Of games that count, with few people and with enough of them for a leaderboard."""
    now = timezone.now()
    yield TourVisitor(language).get("/ratings", 302)
    yield TourVisitor(language).get("/ratings/perudo")
    ties.ask(alice, bob, now=now)
    ties.accept(bob, alice, now=now)
    guest = User.objects.create_user("Wanderer", is_guest=True)
    for seed in range(1, 5):
        game = played_game(alice, bob, guest, charlie, rated=True, seed=seed, now=now)
    reader = TourVisitor(language, alice)
    for person in (alice, guest, None):
        yield TourVisitor(language, person).get(f"/games/{game.code}")
    for address in ("/players/alice", "/players/bob", "/ratings/perudo", "/ratings/peco_peco"):
        yield reader.get(address)
    running = running_game(alice, bob, rated=True, now=now)
    yield reader.get(f"/games/{running.code}")
    home = home_of("127.0.0.1")
    table = open_table(bob, "steady", rated=True, homes=[home], now=now)
    Game.objects.filter(pk=table.pk).update(size=3)
    yield reader.get(f"/games/{table.code}")
    yield reader.post(f"/games/{table.code}/sit")
    yield reader.get(f"/games/{table.code}")
    shared = played_game(alice, bob, charlie, guest, rated=True, homes=["h", "", ""], now=now)
    RatedSeat.objects.filter(game=shared, rating__user=alice).update(left_out="home")
    yield reader.get(f"/games/{shared.code}")
    Rating.objects.update(games=40, sigma=50.0, last_at=now - timedelta(days=1))
    for number in range(70):
        rate(f"listed{number:02}", 2000.0 - number, now=now)
    yield reader.get("/ratings/perudo")
    yield reader.get("/players/alice")
    correcting.annul(RatedSeat.objects.filter(game=game), now=now)
    yield reader.get(f"/games/{game.code}")
    User.objects.filter(pk=alice.pk).update(sees_ratings=False)
    yield TourVisitor(language, User.objects.get(pk=alice.pk)).get("/ratings/perudo")
    yield reader.post("/games/new", 422, kind="standard", seats="2", visibility="link", rated="on")
