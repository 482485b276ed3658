"""The tutorial, and the pages about company at the table: talk, muting, reporting."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from accounts.models import User
from games.chat import services as staff
from games.chat.phrases import phrases
from games.models import Report, Saying
from games.perudo.tutorial import LESSONS, form_of
from games.play import close_by_staff
from tests.games.evening import dealt
from tests.tour.visitor import Page, Visitor


def lessons(language: str, *_: User) -> Iterator[Page]:
    """Every step of the tutorial: its question, the right answer, other answers, a refusal."""
    learner = Visitor(language)
    for path in ("/learn", "/learn/perudo"):
        yield learner.gets(path)
    for moved in ("/learn/1", "/learn/finished"):
        yield learner.gets(moved, 308)
    for number, lesson in enumerate(LESSONS, start=1):
        step = f"/learn/perudo/{number}"
        yield learner.gets(step)
        yield learner.posts(step, **form_of(lesson.show))
        for do in ("leave", "dudo", "nonsense"):
            yield learner.posts(step, do=do)
        for face in (1, 4, 6):
            for quantity in (3, 10):
                yield learner.posts(step, do="bid", quantity=quantity, face=face)
    yield learner.gets("/learn/perudo/finished")


def talk(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """Chat at a table, and muting, blocking and reporting its authors."""
    evening = dealt(alice, bob, charlie, hands=[[2] * 5, [3] * 5, [4] * 5])
    table = f"/games/{evening.code}"
    host, other = Visitor(language, alice), Visitor(language, bob)
    for key, _words in phrases()[:5]:
        yield other.does(evening.code, "say", phrase=key)
    for wrong in ({}, {"phrase": "none"}, {"text": "12 " * 99}):
        yield host.does(evening.code, "say", **wrong)
    yield host.does(evening.code, "say", text="123 https://example.org")
    yield Visitor(language).gets(table)
    saying = Saying.objects.filter(by=bob).first()
    assert saying is not None
    for about in (f"{table}/sayings/{saying.pk}", "/players/bob/company"):
        yield host.gets(about)
        for do in ("mute", "block"):
            yield host.posts(about, do=do)
            yield host.gets("/muted")
        yield host.posts(about, do="hear")
        yield host.posts(about, 422, do="report")
        yield host.posts(about, do="report", reason="other", words="")
        yield host.gets("/reports")
    for report, outcome in zip(Report.objects.all(), ("acted", "nothing"), strict=True):
        staff.settle(report, outcome=outcome)
        yield host.gets("/reports")
    yield other.gets("/reports")
    yield host.gets("/players/alice/company")
    yield host.gets("/muted")
    staff.silence(bob, until=None)
    yield other.does(evening.code, "say", phrase="hello")
    staff.silence(bob, until=datetime(2126, 5, 1, 20, tzinfo=UTC))
    yield other.does(evening.code, "say", phrase="hello")
    staff.unsilence(bob)
    yield host.does(evening.code, "chat", chat="off")
    yield other.does(evening.code, "say", text="123")
    yield other.gets(table)
    assert close_by_staff.close(evening.code)
    yield other.gets(table)
