"""The pages and tables of Peco Peco: every kind of move and end, as every seat sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from django.conf import settings as site
from django.template.loader import render_to_string
from django.utils import translation

from accounts.models import User
from games.core.contract import Fact, fold
from games.core.moves import Leave
from games.core.values import changed
from games.models import Game, Seat
from games.peco_peco import last_step, presenter, rules, scene
from games.peco_peco.rules.moves import Accuse, Declare, JoinTeam, Move, Play, Waive
from games.peco_peco.rules.options import PRESETS, Options
from games.peco_peco.rules.stakes import STAKES
from games.peco_peco.rules.state import State
from games.peco_peco.shown import RoundView
from games.peco_peco.tests.fast_games import open_table, play_until, played_game, running_game
from games.peco_peco.tests.tables import after, choosing_a_team, facts_of, table
from games.peco_peco.tutorial.lesson import form_of
from games.peco_peco.tutorial.lessons import LESSONS
from games.peco_peco.words.stakes import ending
from games.play import commands
from games.store import event_log
from games.table import shown_seats
from tests.support.tour import questions
from tests.support.tour.games import frames
from tests.support.tour.visitor import Page, TourVisitor

KEY = rules.KEY
CALL = Options(peco_call="on")
TEAMS = Options(teams="on", team_accuse_partner=False)


def pages_and_waiting_room(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """Its pages to read, a new table with its mistakes, the waiting room and a refused start."""
    reader = TourVisitor(language)
    for path in (f"/?game={KEY}", f"/rules/{KEY}", f"/learn/{KEY}"):
        yield reader.get(path)
    host = TourVisitor(language, alice)
    yield host.get(f"/games/new?game={KEY}")
    wrong = {"game": KEY, "preset": "none", "seats": "9", "pace": "1", "visibility": "x"}
    wrong |= {"teams": "none", "slap_window_ms": "1"}
    yield host.post("/games/new", 422, **wrong)
    for preset, person in zip(PRESETS, (alice, bob, charlie), strict=True):
        form = {"game": KEY, "preset": preset, "seats": "8", "pace": "auto", "visibility": "public"}
        form |= {"short_pile": "on", "slap_window_ms": "2000", "first_feast_on_top": "false"}
        yield TourVisitor(language, person).post("/games/new", **form)
    room = open_table(alice, bob, "medium", preset="peco_teams")
    for person in (alice, bob, charlie, None):
        yield TourVisitor(language, person).get(f"/games/{room.code}")
    yield host.act(room.code, "start")
    yield host.get("/")
    for left in Game.objects.filter(status=Game.Status.OPEN).select_related("host"):
        yield TourVisitor(language, left.host).act(left.code, "close")


def lessons(language: str, *_: User) -> Iterator[Page]:
    """Every step of its tutorial: the question, the right answer, all others, a refusal."""
    learner = TourVisitor(language)
    for number, lesson in enumerate(LESSONS, start=1):
        step = f"/learn/{KEY}/{number}"
        yield learner.get(step)
        for do in ("leave", "declare", "accuse", "waive", "nonsense"):
            yield learner.post(step, do=do)
        yield learner.post(step, do="play", card="Mb", target=9)
        state: State = fold(rules, lesson.position())
        for move in rules.legal_moves(state, 0):
            if isinstance(move, Play):
                target = {} if move.target is None else {"target": move.target}
                yield learner.post(step, do="play", card=move.card, **target)
    yield learner.get(f"/learn/{KEY}/finished")


def tables(language: str, *_: User) -> Iterator[Page]:
    """Real tables, whenever something happens that was not seen before, and somebody who left."""
    frida, gil, hana = (User.objects.create_user(name) for name in ("frida", "gil", "hana"))
    for settings in ({"preset": "peco_der_des_der"}, {"preset": "peco_teams"}):
        game = running_game(frida, gil, hana, "easy", seed=2, slap_window_ms=1000, **settings)
        yield from _watched(language, game)
    game = running_game(frida, gil, hana, "easy")
    address = f"/games/{game.code}"
    visitors = [TourVisitor(language, person) for person in (frida, gil, hana, None)]
    yield from (visitor.get(address) for visitor in visitors)
    for wrong in ({"do": "play"}, {"do": "play", "card": "Mb", "target": 9}, {"do": "accuse"}):
        yield visitors[0].act(game.code, "move", seen=game.seq, **wrong)
    play_until(game, lambda state: bool(game.seat_set.filter(asleep=True)), missed=1)
    yield from (visitor.get(address) for visitor in visitors)
    now = event_log.latest_public_facts(game)[-1].at
    commands.move(game.code, 0, Leave(), seen=None, now=now)
    yield from (visitor.get(address) for visitor in visitors)
    play_until(game, lambda state: 0 in state.removed)
    yield from (visitor.get(address) for visitor in visitors)
    yield visitors[0].fetch(f"{address}/rounds")
    yield visitors[0].fetch(f"{address}/now")


def _watched(language: str, game: Game) -> Iterator[Page]:
    """Some rounds of a game: the frames of all viewers at each new kind of position."""
    pages: list[Page] = []
    seen: set[Any] = set()

    def look(state: State) -> bool:
        steps = last_step.steps(event_log.known(game).since)
        news = steps[-1].facts if steps else []
        rule = STAKES[state.stake_id].rule
        kind = (
            state.phase,
            rule,
            bool(state.confirmed),
            *(fact.kind for fact in news if fact.kind != "cards_drawn"),
        )
        if kind not in seen:
            seen.add(kind)
            with translation.override(language):
                pages.extend(frames(game))
        return state.number > 5  # noqa: PLR2004  by then most has happened

    play_until(game, look)
    return iter(pages)


def positions(language: str, *_: User) -> Iterator[Page]:
    """What games seldom lead to: the table and the own fragment of each seat."""
    four = "hands A[Es,M] B[C,C] C[M,M] D[E,M]; top C; draw E,E,E,E; turn A; clockwise; rule "
    rules_ = ("none", "inverse", "no_accuse", "slap", "severe", "first_feast")
    won: list[tuple[int, Move]] = [(0, Play("Es", 1)), *((seat, Declare()) for seat in (1, 2, 3))]
    ways: list[tuple[str, State, Sequence[tuple[int, Move]]]] = [
        ("a declaration", table(four + rule), [(0, Declare())]) for rule in rules_
    ]
    ways += [
        ("an accusation", table(four + rule), [(0, Declare()), (1, Accuse())])
        for rule in ("none", "severe", "slap")
    ]
    honest = four.replace("A[Es,M]", "A[C,M]")
    ways += [
        ("honesty", table(honest + rule), [(0, Declare()), (1, Accuse())])
        for rule in ("none", "severe")
    ]
    ways += [
        ("waivers", table(four + "slap"), [(0, Declare()), (2, Waive())]),
        ("the call", table(four + "none", options=CALL), [(0, Play("Es", 1, True))]),
        ("no call", table(four + "none", options=CALL), [(0, Play("Es", 1))]),
        ("partners", table(four + "none", options=TEAMS), [(0, Play("Es", 1))]),
        (
            "a new pile",
            table(four.replace("Es", "Ed").replace("draw E,E,E,E", "draw empty") + "none"),
            [(0, Play("Ed"))],
        ),
        ("a choice", choosing_a_team(), []),
        ("a team of three", choosing_a_team(), [(0, JoinTeam(1))]),
        ("nobody played", table(four + "none"), [(seat, Declare()) for seat in range(4)]),
        ("a round won", table(four + "none"), won),
        ("the last stake", changed(table(four + "none"), food=(), food_left=0), won),
    ]
    with translation.override(language):
        for what, state, moves in ways:
            yield from _shown(what, state, moves)
        for why in ("severe", "call", "taken", "stolen", "covered"):
            yield f"out: {why}", render_to_string("peco_peco/_out.html", {"why": why})
        lost = RoundView(number=3, stake=scene.stake("F02"), winner=None)
        yield "a lost round", render_to_string("peco_peco/_story_round.html", {"round": lost})
        for kind in ("set", "pile", "others_left"):
            yield f"the end: {kind}", ending(kind)


def _shown(what: str, state: State, moves: Sequence[tuple[int, Move]]) -> Iterator[Page]:
    """A position after some moves: the table, and what each seat holds and may do."""
    news: list[Fact] = []
    for seat, move in moves:
        news = facts_of(state, seat, move)
        state = after(state, (seat, move))
    people = [Seat(number=number, bot="easy") for number in range(state.seats)]
    names = [seat.name for seat in people]
    public = [fact for fact in news if fact.audience is None]
    view = scene.of_state(state, shown_seats.at_table(people), narration="", news=public)
    yield what, render_to_string("peco_peco/_table.html", {"t": view, "SITE_NAME": site.SITE_NAME})
    for number in range(state.seats):
        told = last_step.narration_for(news, number, names)
        own = replace(presenter.choices(state, number, names), narration=told)
        values = {"o": own, "code": "abcdefghij", "SITE_NAME": site.SITE_NAME}
        html = render_to_string("peco_peco/_own.html", values)
        yield f"{what} for {number}", html


def finished_games(language: str, *_: User) -> Iterator[Page]:
    """Games to their end, the replay, the profile and the rematch."""
    ivan, julia = (User.objects.create_user(name) for name in ("ivan", "julia"))
    visitor = TourVisitor(language)
    guest = User.objects.create_user("Toucan-1066", is_guest=True)
    for settings in ({"preset": "peco_der_des_der", "seed": 3}, {"preset": "peco_teams"}):
        game = played_game(ivan, julia, guest, "hard", **settings)
        address = f"/games/{game.code}"
        for reader in (visitor, TourVisitor(language, ivan), TourVisitor(language, guest)):
            yield reader.get(address)
        yield visitor.fetch(f"{address}/rounds")
        last = visitor.client.get(f"{address}/replay").context["moment"].count
        for moment in (*range(1, min(last, 60), 3), last - 1, last):
            yield visitor.get(f"{address}/replay/{moment}")
    yield from questions.pages(game, language, ivan, form_of)
    for reader in (visitor, TourVisitor(language, ivan)):
        yield reader.get(f"/players/ivan?game={KEY}")
        yield reader.get(f"/players/ivan?game={KEY}&teams=on")
    yield TourVisitor(language, ivan).act(game.code, "rematch")
    yield TourVisitor(language, julia).get(address)
