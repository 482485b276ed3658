"""The pages of friends: everything that can be asked, answered and refused, and the link."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unittest.mock import patch

from django.utils import timezone

from accounts.models import User
from games.models import Game, Presence, Seat, Tie
from games.play import before_start
from games.social.friends import presence, ties
from tests.support.fast_games import START, finished_game
from tests.support.tour.visitor import Page, TourVisitor


def friend_pages(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """Alice has friends, and is asked; Bob asks and follows her link; Eve is a guest."""
    over = finished_game(alice, bob, charlie, seed=4)
    eve = User.objects.create_user("eve", is_guest=True)
    one, other, third, guest = (
        TourVisitor(language, person) for person in (alice, bob, charlie, eve)
    )
    yield from _after_a_game(one, over)
    yield guest.get("/friends")
    yield guest.post("/friends/act", do="ask", whom="alice")
    yield one.get("/friends")
    yield one.get("/friends?name=nobody")
    yield one.get("/friends?name=bob")
    yield one.post("/friends/act", do="renew")
    word = ties.link_of(alice)
    for reader in (TourVisitor(language), one, other, guest):
        yield reader.get(f"/f/{word}")
    yield guest.post(f"/f/{word}")
    yield TourVisitor(language).get("/f/bodikamu-renalofi", 404)
    yield other.post("/friends/act", do="ask", whom="alice")
    yield third.post("/friends/act", do="ask", whom="alice", next="/players/alice")
    yield third.get("/friends")
    yield one.get("/friends")
    yield one.get("/inbox")
    yield one.get("/players/bob")
    yield one.post("/friends/act", do="accept", whom="bob")
    yield one.post("/friends/act", do="decline", whom="charlie")
    yield one.post("/friends/act", do="accept", whom="eve")
    yield one.post("/friends/act", do="ask", whom="alice")
    yield one.get("/players/bob")
    presence.note([bob.pk], now=timezone.now())
    yield one.get("/friends")
    yield one.post("/friends/act", do="invite", whom="bob")
    yield one.post("/friends/act", do="invite", whom="charlie")
    yield other.get("/inbox")
    begun = Game.objects.get(host=alice, status=Game.Status.OPEN)
    yield from _while_a_table_waits(one, begun)
    before_start.add_bot(begun.code, alice, kind="steady", now=START)
    before_start.start(begun.code, alice, now=START)
    yield other.get("/inbox")
    yield without_places(one.get("/notifications"))
    yield without_places(one.post("/notifications", 422, quiet_from="22"))
    hours = {"quiet_from": "22", "quiet_until": "8"}
    yield without_places(one.post("/notifications", turn="on", **hours))
    yield without_places(one.get("/notifications"))
    yield one.get("/open?text=hello", 302)
    yield one.get("/")
    for do in ("on", "off", "all-off", "unwant"):
        yield one.post("/notifications/browser", 422 if do == "on" else 200, do=do)
    yield TourVisitor(language).post("/notifications/browser", 403)
    one.get("/notifications/browser")  # for the service worker, in no language
    yield one.post("/friends/act", do="remove", whom="bob")
    ties.decline(alice, charlie, now=START)
    yield other.post(f"/f/{word}")
    with patch.object(ties, "MOST_FRIENDS", 1):
        yield one.post("/friends/act", do="ask", whom="charlie")
    with patch.object(ties, "MOST_OPEN", 0):
        yield other.post("/friends/act", do="ask", whom="charlie")
    eve.delete()


def _after_a_game(reader: TourVisitor, game: Game) -> Iterator[Page]:
    """Whom to add, and what becomes of a press with a script and without; nothing is left of it."""
    yield reader.get(f"/games/{game.code}")
    fields = {"game": game.code, "next": f"/games/{game.code}"}
    yield reader.post("/friends/act", **fields, ask="bob")
    yield reader.send("/friends/act", **fields, ask="charlie")
    yield reader.send("/friends/act", **fields, ask="alice")
    Tie.objects.all().delete()


def _while_a_table_waits(reader: TourVisitor, game: Game) -> Iterator[Page]:
    """Who was invited, who is not here, and a table without a free seat."""
    yield reader.get(f"/games/{game.code}")
    yield reader.send("/friends/act", game=game.code, invite="eve")
    Presence.objects.update(seen_at=None)
    yield reader.get(f"/games/{game.code}")
    bot = Seat.objects.create(game=game, number=1, bot="steady")
    Game.objects.filter(pk=game.pk).update(size=2)
    yield reader.fetch(f"/friends?table={game.code}")
    yield reader.send("/friends/act", game=game.code, invite="eve")
    bot.delete()
    Game.objects.filter(pk=game.pk).update(size=game.size)


def without_places(page: Page) -> Page:
    """Babel names the places of time zones, in their languages."""
    where, text = page
    kept, places = re.subn(r'(<option value="\w+/[^"]+"[^>]*>).*?</option>', r"\1</option>", text)
    assert places > 100
    return where, kept
