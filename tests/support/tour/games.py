"""The pages of the games: the lobby, a table in all its states, replays, refusals."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.models import Game, Mark, SiteTally, TableSettings, Tally
from games.perudo.tutorial.lesson import form_of
from games.play import before_start
from games.store import proofs
from games.study.players import game_list
from games.table import frames as screens
from tests.support.fast_games import START, finished_game, open_table, running_game
from tests.support.game_driver import CALZA, CONFIRM, DUDO, LEAVE, GameDriver, bid, deal_game
from tests.support.tour import questions
from tests.support.tour.visitor import Page, TourVisitor


def lobby(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """Home with tables of all kinds, a new table, and the room before a game."""
    for path in ("/", "/?game=perudo", "/rules", "/learn"):
        yield TourVisitor(language).get(path)
    yield TourVisitor(language).fetch("/now")
    host = TourVisitor(language, alice)
    yield host.get("/games/new")
    yield host.post("/games/new", 422, preset="none", seats="9", pace="1", visibility="x")
    yield host.post("/play-now", bots="9", strength="none")
    full = open_table(alice, bob, "sharp", preset="web_fr", calza="on", turn_seconds=None)
    room = before_start.open_game(
        alice,
        TableSettings(
            kind_key=full.kind_key,
            preset="asmodee_it",
            options=full.options,
            size=4,
            turn_seconds=90,
        ),
        now=START,
    )
    yield host.get(f"/games/{room.code}")
    yield host.act(room.code, "add-bot", kind="beginner")
    yield host.post(f"/games/{room.code}/remove", seat="1")
    before_start.sit(room.code, bob, now=START)
    yield TourVisitor(language, bob).post(f"/games/{room.code}/stand")
    before_start.sit(room.code, bob, now=START)
    for code in (full.code, room.code):
        for person in (alice, bob, charlie, None):
            yield TourVisitor(language, person).get(f"/games/{code}")
    private = open_table(alice, bob, public=False)
    yield host.get(f"/games/{private.code}")
    private.delete()  # nobody sits at more tables than the site allows
    for code in (full.code, room.code):
        yield TourVisitor(language).get(f"/games/{code}/board")
    friend = TourVisitor(language)
    for status, name in ((422, "alice"), (200, "aurelia")):
        yield friend.post(f"/games/{room.code}/sit-as-guest", status, username=name)
    for status, name in ((422, "alice"), (200, "fulvio")):
        yield friend.post(f"/games/{room.code}/name", status, username=name)
    finished_game(bob, charlie)
    deal_game(bob, charlie, "steady", hands=[[2] * 5, [3] * 5, [4] * 5])
    for person in (alice, None):
        yield TourVisitor(language, person).get("/")
        yield TourVisitor(language, person).get("/bots")
    yield host.act(room.code, "close")
    yield host.get(f"/games/{room.code}")
    yield host.act(full.code, "start")


def tables(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """A table in each of its phases, as its seats and a spectator see it."""
    watcher = User.objects.create_user("watcher")
    for visible in (True, False):
        driver = deal_game(
            alice,
            bob,
            charlie,
            hands=[[1, 1, 2, 3, 4], [4, 4, 5, 6, 1], [2, 3, 4, 5, 6]],
            preset="asmodee_fr",
            calza="on",
            lost_dice_visible=visible,
        )
        seen = [TourVisitor(language, person) for person in (alice, bob, charlie, watcher)]

        def look(driver: GameDriver = driver, seen: list[TourVisitor] = seen) -> Iterator[Page]:
            yield from (visitor.get(f"/games/{driver.code}") for visitor in seen)
            yield seen[0].get(f"/games/{driver.code}/board")

        yield from look()  # the opening
        driver.move(0, bid("4x3"))
        yield from look()
        driver.move(1, bid("5x3"))
        driver.move(0, CALZA, after=0.5)
        yield from look()  # a claim
        driver.run_due()
        yield from look()  # the cups are up
        driver.move(0, CONFIRM)
        yield from look()  # one has seen it
        driver.run_due(rolls=None)
        driver.move(0, bid("9x2"))
        driver.move(1, DUDO)
        yield from look()
        driver.run_due(rolls=None)
        driver.run_due(rolls=None)
        driver.run_due(rolls=None)
        yield from look()  # somebody sleeps
        yield seen[0].fetch(f"/games/{driver.code}/rounds")
        yield seen[0].fetch(f"/games/{driver.code}/now")
        yield seen[0].fetch(f"/games/{driver.code}/board/now")
        driver.move(2, LEAVE)
        yield from look()


def end_of_a_game(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """Palifico, elimination, the end of a game and the rematch; with rolls for the opening."""
    driver = GameDriver(finished_game(alice, bob, charlie, preset="web_fr"))
    host = TourVisitor(language, alice)
    for person in (alice, bob, None):
        yield TourVisitor(language, person).get(f"/games/{driver.code}")
    yield host.get(f"/games/{driver.code}/board")
    yield host.act(driver.code, "rematch")
    yield host.get(f"/games/{driver.code}")
    yield TourVisitor(language, bob).get(f"/games/{driver.code}")
    yield TourVisitor(language, bob).act(driver.code, "rematch")
    yield TourVisitor(language, charlie).get(f"/games/{driver.code}")
    three = GameDriver(running_game(alice, bob, "steady", preset="web_fr"))
    watches = TourVisitor(language, charlie)
    yield watches.act(three.code, "next")
    yield watches.get(f"/games/{three.code}")
    yield watches.act(three.code, "not-next")
    yield host.act(three.code, "next")
    yield host.act(three.code, "play-on")
    three.move(1, LEAVE)
    yield host.get(f"/games/{three.code}")
    yield host.act(three.code, "play-on")
    yield host.act(three.code, "end-here")
    yield host.post(f"/games/{three.code}/find-people", game="nonsense")
    duel = deal_game(alice, bob, hands=[[2] * 5, [3] * 5])
    duel.move(0, LEAVE)
    yield host.get(f"/games/{duel.code}")
    yield TourVisitor(language, bob).get(f"/games/{duel.code}")


def finished_games(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """Replays, moment by moment, and profiles."""
    game = finished_game(alice, bob, "sharp", preset="web_fr", calza="on", seed=3)
    visitor = TourVisitor(language)
    yield visitor.get(f"/games/{game.code}/replay")
    last = visitor.client.get(f"/games/{game.code}/replay").context["moment"].count
    assert last > 20
    yield visitor.get(f"/games/{game.code}/fair")  # without a proof
    proofs.commit(game)
    yield visitor.get(f"/games/{game.code}/fair")
    for moment in (*range(1, last, 4), last - 1, last):
        yield visitor.get(f"/games/{game.code}/replay/{moment}")
    yield visitor.get(f"/games/{game.code}/replay/{game.seq}/from/1?in={language}")
    for number, key in enumerate(("first_win", "untouched", "ten_dice", "believed")):
        for person in (alice, bob, charlie)[: number or 1]:
            Mark.objects.create(
                user=person, kind_key="perudo", key=key, game=game, moment=1, at=START
            )
    yield TourVisitor(language, alice).get(f"/games/{game.code}/replay")
    for reader in (visitor, TourVisitor(language, alice)):
        yield reader.get("/players/alice")
        yield reader.get("/players/alice?outcome=left&calza=on")
        yield reader.get("/players/alice?game=perudo")
        yield reader.get("/players/alice?outcome=nonsense")
        for query in ("player=bob&period=week", "player=nobody", "period=2026&player=alice"):
            yield reader.get(f"/players/alice?{query}")
    for reader in (visitor, TourVisitor(language, alice), TourVisitor(language, charlie)):
        yield reader.get("/rules/perudo/fair")
    for faces in ((900, 1), (150, 90), (100, 100)):
        Tally.objects.filter(user=alice, counter__startswith="thrown").delete()
        SiteTally.objects.all().delete()
        thrown = {f"thrown_{face}": faces[face < 6] for face in range(1, 7)}
        Tally.objects.add("perudo", {alice.pk: thrown})
        SiteTally.objects.add("perudo", thrown, part=1)
        yield TourVisitor(language, alice).get("/rules/perudo/fair")
    yield TourVisitor(language, charlie).get("/players/charlie")
    yield visitor.get("/players/charlie")
    User.objects.filter(pk=bob.pk).update(games_shown_to=User.GamesShownTo.NOBODY)
    yield visitor.get("/players/bob")
    yield visitor.get("/players/alice?player=bob")
    with patch.object(game_list, "LOOKED_THROUGH", 1):
        yield visitor.get("/players/alice?player=charlie")
    running = deal_game(alice, bob, hands=[[2] * 5, [3] * 5])
    yield visitor.post(f"/games/{running.code}/sit")
    answer = visitor.client.get(f"/games/{running.code}/replay", follow=True)
    yield "a replay too early", answer.content.decode()
    yield from questions.pages(game, language, alice, form_of)


def refusals(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """Moves and actions that are refused; tests of the words go through the reasons one by one."""
    driver = deal_game(alice, bob, hands=[[1, 2, 2, 3, 4], [4, 4, 5, 6, 1]])
    mover = TourVisitor(language, alice)
    seen = driver.game.seq
    for wrong in (
        {"do": "jump"},
        {"do": "dudo"},
        {"do": "bid", "quantity": 1, "face": 1},
        {"do": "bid", "quantity": 99, "face": 3},
        {"do": "bid", "quantity": "many", "face": 7},
    ):
        yield mover.act(driver.code, "move", seen=seen, **wrong)
    driver.move(0, bid("4x3"))
    driver.move(1, bid("5x3"))
    seen = driver.game.seq
    for quantity, face in ((4, 3), (2, 1), (6, 4), (4, 6)):
        move = {"do": "bid", "quantity": quantity, "face": face}
        yield mover.act(driver.code, "move", seen=seen, **move)
    yield mover.act(driver.code, "move", seen=1, do="dudo")
    for action in ("sit", "start", "close", "rematch", "back", "skip", "new-game"):
        yield mover.act(driver.code, action)
        yield TourVisitor(language, charlie).post(f"/games/{driver.code}/{action}")
    yield TourVisitor(language, charlie).post(f"/games/{driver.code}/sit-as-guest")


def frames(game: Game) -> Iterator[Page]:
    """What a socket sends just now to each seat of a table and to a spectator."""
    for seat in [*game.seat_set.select_related("user"), None]:
        number, user = (None, AnonymousUser()) if seat is None else (seat.number, seat.user)
        yield f"{game.code} at {game.seq} for {number}", screens.frame(game, number, user=user).html
