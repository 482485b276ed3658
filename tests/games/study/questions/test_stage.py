"""The question of the day on the home page: two answers, and the reveal in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games.models import DailyAnswer, DailyRound
from games.study.questions import choosing, daily, days, stage
from tests.games.contract import kinds
from tests.games.study.questions.test_daily import address

HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def question_of(kind: Any) -> DailyRound:
    now = timezone.now()
    assert choosing.choose(kind, days.day_of(now), now=now)
    return DailyRound.objects.get()


def shown(html: str) -> str:
    """The stage, as it is on a page or is sent after an answer."""
    found = re.search(r'<section id="stage".*?</section>', html, re.DOTALL)
    assert found is not None
    return found[0]


def form(html: str, word: str) -> dict[str, str]:
    """The fields that pressing this button sends."""
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html))
    [do] = re.findall(rf'name="do"\s+value="(\w+)"><b>{word}</b>', html)
    return {**fields, "do": do}


@kinds.every_kind
@pytest.mark.parametrize("place", [0, 1])
def test_a_stranger_answers_on_the_home_page_and_is_shown_what_lay_there(
    kind: Any, place: int, db: None, client: Client
) -> None:
    asked = question_of(kind)
    decision = daily.decision_of(asked)
    sides = decision.part.sides(decision.known, decision.seat)
    before = shown(client.get("/").text)
    assert "is-open" not in before and before.count("<button") == 2
    fields = form(before, re.escape(str(sides[place].word)))
    answer = client.post(address(asked), fields, headers={"HX-Request": "true"})
    assert answer.status_code == HTTPStatus.OK
    after = shown(answer.text)
    assert "is-open" in after and "<button type=submit" not in after
    [stored] = DailyAnswer.objects.all()
    move = decision.moves_by_key[stored.choice]
    assert (move == decision.part.CHALLENGE) == (place == 0)
    context = stage.answered(
        stage.of_round(asked, stored.person, timezone.now()), stored.person, now=timezone.now()
    )
    assert str(context["told"]) in after.replace("&#x27;", "'")
    again = shown(client.get("/").text)
    assert "is-open" in again and "is-fresh" in after and "is-fresh" not in again
    assert "You&#x27;re the first to answer." in again or "You're the first to answer." in again
