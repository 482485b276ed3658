"""The pages of the games: the lobby, a table in all its states, replays, refusals."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.models import Game
from games.play import before_start
from games.rendering import frames as screens
from tests.games.evening import CALZA, CONFIRM, DUDO, LEAVE, Evening, bid, dealt
from tests.games.playing import EVENING, finished_game, open_table
from tests.tour.visitor import Page, Visitor


def the_lobby(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """Home with tables of all kinds, a new table, and the room before a game."""
    for path in ("/", "/?game=perudo", "/rules", "/learn"):
        yield Visitor(language).gets(path)
    yield Visitor(language).fetches("/now")
    host = Visitor(language, alice)
    yield host.gets("/games/new")
    yield host.posts("/games/new", 422, preset="none", seats="9", pace="1", public="x")
    yield host.posts("/play-now", bots="9", strength="none")
    full = open_table(alice, bob, "sharp", preset="web_fr", calza="on", turn_seconds=None)
    room = before_start.open_game(
        alice,
        key=full.rules,
        preset="asmodee_it",
        options=full.options,
        size=4,
        turn_seconds=90,
        public=True,
        now=EVENING,
    )
    yield host.gets(f"/games/{room.code}")
    yield host.does(room.code, "add-bot", kind="beginner")
    yield host.posts(f"/games/{room.code}/remove", seat="1")
    before_start.sit(room.code, bob, now=EVENING)
    yield Visitor(language, bob).posts(f"/games/{room.code}/stand")
    before_start.sit(room.code, bob, now=EVENING)
    for code in (full.code, room.code):
        for person in (alice, bob, charlie, None):
            yield Visitor(language, person).gets(f"/games/{code}")
    friend = Visitor(language)
    for status, name in ((422, "alice"), (200, "aurelia")):
        yield friend.posts(f"/games/{room.code}/sit-as-guest", status, username=name)
    for status, name in ((422, "alice"), (200, "fulvio")):
        yield friend.posts(f"/games/{room.code}/name", status, username=name)
    finished_game(bob, charlie)
    dealt(bob, charlie, "steady", hands=[[2] * 5, [3] * 5, [4] * 5])
    for person in (alice, None):
        yield Visitor(language, person).gets("/")
    yield host.does(room.code, "close")
    yield host.gets(f"/games/{room.code}")
    yield host.does(full.code, "start")


def tables(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """A table in each of its phases, as its seats and a spectator see it."""
    watcher = User.objects.create_user("watcher")
    for visible in (True, False):
        evening = dealt(
            alice,
            bob,
            charlie,
            hands=[[1, 1, 2, 3, 4], [4, 4, 5, 6, 1], [2, 3, 4, 5, 6]],
            preset="asmodee_fr",
            calza="on",
            lost_dice_visible=visible,
        )
        seen = [Visitor(language, person) for person in (alice, bob, charlie, watcher)]

        def look(evening: Evening = evening, seen: list[Visitor] = seen) -> Iterator[Page]:
            yield from (visitor.gets(f"/games/{evening.code}") for visitor in seen)

        yield from look()  # the opening
        evening.says(0, bid("4x3"))
        yield from look()
        evening.says(1, bid("5x3"))
        evening.says(0, CALZA, after=0.5)
        yield from look()  # a claim
        evening.clock_strikes()
        yield from look()  # the cups are up
        evening.says(0, CONFIRM)
        yield from look()  # one has seen it
        evening.clock_strikes(rolls=None)
        evening.says(0, bid("9x2"))
        evening.says(1, DUDO)
        yield from look()
        evening.clock_strikes(rolls=None)
        evening.clock_strikes(rolls=None)
        evening.clock_strikes(rolls=None)
        yield from look()  # somebody sleeps
        yield seen[0].fetches(f"/games/{evening.code}/rounds")
        yield seen[0].fetches(f"/games/{evening.code}/now")
        evening.says(2, LEAVE)
        yield from look()


def to_the_end(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """Palifico, elimination, the end of a game and the rematch; with rolls for the opening."""
    evening = Evening(finished_game(alice, bob, charlie, preset="web_fr"))
    host = Visitor(language, alice)
    for person in (alice, bob, None):
        yield Visitor(language, person).gets(f"/games/{evening.code}")
    yield host.does(evening.code, "rematch")
    yield host.gets(f"/games/{evening.code}")
    duel = dealt(alice, bob, hands=[[2] * 5, [3] * 5])
    duel.says(0, LEAVE)
    yield host.gets(f"/games/{duel.code}")
    yield Visitor(language, bob).gets(f"/games/{duel.code}")


def games_over(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """Replays, moment by moment, and profiles."""
    game = finished_game(alice, bob, "sharp", preset="web_fr", calza="on", seed=3)
    visitor = Visitor(language)
    yield visitor.gets(f"/games/{game.code}/replay")
    last = visitor.client.get(f"/games/{game.code}/replay").context["moment"]["count"]
    assert last > 20
    for moment in (*range(1, last, 4), last - 1, last):
        yield visitor.gets(f"/games/{game.code}/replay/{moment}")
    for reader in (visitor, Visitor(language, alice)):
        yield reader.gets("/players/alice")
        yield reader.gets("/players/alice?outcome=left&calza=on")
        yield reader.gets("/players/alice?game=perudo")
        yield reader.gets("/players/alice?outcome=nonsense")
    yield Visitor(language, charlie).gets("/players/charlie")
    running = dealt(alice, bob, hands=[[2] * 5, [3] * 5])
    yield visitor.posts(f"/games/{running.code}/sit")
    answer = visitor.client.get(f"/games/{running.code}/replay", follow=True)
    yield "a replay too early", answer.content.decode()


def refusals(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """Moves and actions that are refused; tests of the words go through the reasons one by one."""
    evening = dealt(alice, bob, hands=[[1, 2, 2, 3, 4], [4, 4, 5, 6, 1]])
    mover = Visitor(language, alice)
    seen = evening.game.seq
    for wrong in (
        {"do": "jump"},
        {"do": "dudo"},
        {"do": "bid", "quantity": 1, "face": 1},
        {"do": "bid", "quantity": 99, "face": 3},
        {"do": "bid", "quantity": "many", "face": 7},
    ):
        yield mover.does(evening.code, "move", seen=seen, **wrong)
    evening.says(0, bid("4x3"))
    evening.says(1, bid("5x3"))
    seen = evening.game.seq
    for quantity, face in ((4, 3), (2, 1), (6, 4), (4, 6)):
        move = {"do": "bid", "quantity": quantity, "face": face}
        yield mover.does(evening.code, "move", seen=seen, **move)
    yield mover.does(evening.code, "move", seen=1, do="dudo")
    for action in ("sit", "start", "close", "rematch", "back", "skip", "new-game"):
        yield mover.does(evening.code, action)
        yield Visitor(language, charlie).posts(f"/games/{evening.code}/{action}")
    yield Visitor(language, charlie).posts(f"/games/{evening.code}/sit-as-guest")


def frames(game: Game) -> Iterator[Page]:
    """What a socket sends just now to each seat of a table and to a spectator."""
    for seat in [*game.seat_set.select_related("user"), None]:
        number, user = (None, AnonymousUser()) if seat is None else (seat.number, seat.user)
        yield f"{game.code} at {game.seq} for {number}", screens.frame(game, number, user=user)
