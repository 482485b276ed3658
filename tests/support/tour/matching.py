"""The pages of people who look for others to play with."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from games.lobby.matching import jobs
from games.models import Game, Search
from games.play import before_start
from tests.support.tour.visitor import Page, TourVisitor


def pages(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """Alone, asked, ready, silent, on another device, at a table; and every answer."""
    visitor = TourVisitor(language)
    yield visitor.get("/play")
    yield visitor.post("/play", username="x" * 40, status=422)
    first, second, third = (TourVisitor(language, each) for each in (alice, bob, charlie))
    yield first.get("/play")
    yield first.post("/play", game="nothing")
    yield first.post("/play/answer", do="start")  # before there is a place
    yield first.post("/play")
    yield first.get("/play")
    table = Game.objects.get(origin="quick", status="open")
    yield first.get(f"/games/{table.code}")
    yield visitor.get(f"/games/{table.code}")
    yield second.post("/play")
    yield second.get("/play")
    yield first.get("/play")
    yield first.get(f"/games/{table.code}")
    yield first.post("/play/answer", do="here")
    yield second.post("/play/answer", do="no_bots")
    Game.objects.filter(pk=table.pk).update(starts_at=timezone.now() - timedelta(seconds=1))
    jobs.end_countdowns(timezone.now(), 0)
    yield first.get("/play")
    yield first.post("/play/answer", do="dismiss")
    yield third.post("/play")
    yield third.post("/play/answer", do="not_now")
    yield third.post("/play")
    Search.objects.filter(user=bob).update(device="another")
    yield second.get("/play")
    yield second.post("/play/answer", do="here")
    yield second.post("/play/answer", do="start")
    yield third.get("/play")
    yield third.post("/play")
    for person in (alice, bob, charlie):
        before_start.leave_everything(person, now=timezone.now())
