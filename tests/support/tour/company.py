"""The tutorial, and the pages about company at the table: talk, muting, reporting."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from django.utils import timezone

from accounts.models import User
from games.models import ChatMessage, Report, StandingTable
from games.perudo import trainer
from games.perudo.tutorial.lesson import form_of
from games.perudo.tutorial.lessons import LESSONS
from games.play import before_start, close_by_staff, standing_games
from games.social.chat import talk as chat
from games.social.chat.phrases import phrases
from games.social.inbox import entries as inbox
from games.social.inbox.kinds import TURN
from tests.support.fast_games import START, finished_game
from tests.support.game_driver import deal_game
from tests.support.tour.visitor import Page, TourVisitor


def lessons(language: str, *_: User) -> Iterator[Page]:
    """Every step of the tutorial: its question, the right answer, other answers, a refusal."""
    learner = TourVisitor(language)
    for path in ("/learn", "/learn/perudo"):
        yield learner.get(path)
    for moved in ("/learn/1", "/learn/finished"):
        yield learner.get(moved, 308)
    for number, lesson in enumerate(LESSONS, start=1):
        step = f"/learn/perudo/{number}"
        yield learner.get(step)
        yield learner.post(step, **form_of(lesson.show))
        for do in ("leave", "dudo", "nonsense"):
            yield learner.post(step, do=do)
        for face in (1, 4, 6):
            for quantity in (3, 10):
                yield learner.post(step, do="bid", quantity=quantity, face=face)
    yield learner.get("/learn/perudo/finished")
    yield from _odds(learner)


def _odds(learner: TourVisitor) -> Iterator[Page]:
    """The questions of the odds trainer, both replies to each, and scores."""
    yield learner.get("/learn/perudo/odds", 302)
    for seed in (5, 6):
        questions = f"/learn/perudo/odds/{seed}"
        yield learner.get(questions)
        for said in ("", "y", "yn", "ynyyn", "ynyynny", "ynyynnnyn"):
            yield learner.get(f"{questions}?said={said}y")
            yield learner.get(f"{questions}?said={said}n")
            yield learner.get(f"{questions}?said={said}n&next")
    for said in ("yyyyyyyyyy", "nnnnnnnnnn"):
        yield learner.get(f"/learn/perudo/odds/5?said={said}&next")
    right = "".join(
        "y" if trainer.odds_question(5, number).is_likely else "n" for number in range(1, 11)
    )
    wrong = right.translate(str.maketrans("yn", "ny"))
    for said in (right, wrong, right[0] + wrong[1:]):
        yield learner.get(f"/learn/perudo/odds/5?said={said}&next")


def talk(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """Chat at a table, and muting, blocking and reporting its authors."""
    driver = deal_game(alice, bob, charlie, hands=[[2] * 5, [3] * 5, [4] * 5])
    table = f"/games/{driver.code}"
    host, other = TourVisitor(language, alice), TourVisitor(language, bob)
    for key, _words in phrases()[:5]:
        yield other.act(driver.code, "say", phrase=key)
    for wrong in ({}, {"phrase": "none"}, {"text": "12 " * 99}):
        yield host.act(driver.code, "say", **wrong)
    yield host.act(driver.code, "say", text="123 https://example.org")
    yield TourVisitor(language).get(table)
    message = ChatMessage.objects.filter(by=bob).first()
    assert message is not None
    for about in (f"{table}/messages/{message.pk}", "/players/bob/mute"):
        yield host.get(about)
        for do in ("mute", "block"):
            yield host.post(about, do=do)
            yield host.get("/muted")
        yield host.post(about, do="unmute")
        yield host.post(about, 422, do="report")
        yield host.post(about, do="report", reason="other", words="")
        yield host.get("/reports")
    for old in (f"{table}/sayings/{message.pk}", "/players/bob/company"):
        yield host.get(old, 308)
    yield host.get("/inbox")  # still empty
    inbox.put(alice.pk, TURN, driver.code, now=timezone.now())
    yield host.get("/inbox")
    yield host.get("/inbox/now")
    yield host.post("/inbox/read", until=1)
    for report, outcome in zip(Report.objects.all(), ("acted", "nothing"), strict=True):
        chat.settle(report, outcome=outcome)
        yield host.get("/reports")
    yield other.get("/reports")
    yield host.get("/players/alice/mute")
    yield host.get("/muted")
    chat.ban_from_chat(bob, until=None)
    yield other.act(driver.code, "say", phrase="hello")
    chat.ban_from_chat(bob, until=datetime(2126, 5, 1, 20, tzinfo=UTC))
    yield other.act(driver.code, "say", phrase="hello")
    chat.lift_chat_ban(bob)
    yield host.act(driver.code, "chat", chat="off")
    yield other.act(driver.code, "say", text="123")
    yield other.get(table)
    assert close_by_staff.close(driver.code)
    yield other.get(table)


def standing_tables(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """A permanent link in each state, for its owner, its guests and strangers."""
    owner, friend, visitor = (TourVisitor(language, each) for each in (alice, bob, None))
    yield owner.get("/t")
    yield owner.get("/t/new")
    yield owner.post("/t/new", 422, seats="99", visibility="x")
    game = finished_game(alice, bob)
    yield owner.get(f"/t/new?from={game.code}")
    yield owner.post("/t/new", **{"from": game.code})
    table = StandingTable.objects.get(owner=alice)
    everybody = (owner, friend, visitor)
    yield from (each.get(f"/t/{table.word}") for each in everybody)
    yield visitor.post(f"/t/{table.word}/play", 422, username="alice")
    yield friend.post(f"/t/{table.word}/play")
    yield from (each.get(f"/t/{table.word}") for each in everybody)
    game = standing_games.join(table, charlie, now=START)
    yield from (each.get(f"/t/{table.word}") for each in everybody)
    before_start.start(game.code, charlie, now=START)
    yield from (each.get(f"/t/{table.word}") for each in everybody)
    yield visitor.post(f"/t/{table.word}/play", username="ottavia")
    yield owner.get(f"/t/{table.word}/rules")
    yield owner.post(f"/t/{table.word}/rules", kind="standard", seats="4", visibility="link")
    yield owner.get("/t")
    yield owner.post(f"/t/{table.word}/renew")
    yield from (each.get(f"/t/{table.word}", 410) for each in everybody)
    table.refresh_from_db()
    for _each in range(2):
        yield owner.post("/t/new", kind="standard", seats="4", visibility="link")
    yield owner.get("/t")
    yield owner.post("/t/new", 422, kind="standard", seats="4", visibility="link")
    yield owner.post(f"/t/{table.word}/delete")
    yield friend.get(f"/t/{table.word}", 404)
    yield visitor.get("/t")
    for person in (alice, bob, charlie):
        before_start.leave_everything(person, now=START)
