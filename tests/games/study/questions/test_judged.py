"""How good an answer was: on the page of a day and of a shared question, and in what is shared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from http import HTTPStatus
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.contract import catalogue
from games.core.codec import key_of
from games.models import DailyRound, Game
from games.play import worker
from games.study.questions import choosing, daily, daily_page, days, decisions, judging
from tests.games.study.questions.test_daily import (
    _OF_A_PAGE,
    MONDAY,
    address,
    chosen_on,
    lent_game,
)
from tests.games.study.questions.test_questions import HANDS, asked, over
from tests.games.study.questions.test_questions import address as address_of_question
from tests.support.fixtures import signed_in


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def today(db: None) -> DailyRound:
    kind = catalogue.of("perudo")
    now = timezone.now()
    assert choosing.choose(kind, days.day_of(now), now=now)
    return DailyRound.objects.get()


def form_of(move: Any) -> dict[str, str]:
    if move.kind != "bid":
        return {"do": move.kind}
    return {"do": "bid", "quantity": str(move.quantity), "face": str(move.face)}


def best_and_worst(shown: DailyRound) -> tuple[Any, Any]:
    moves = daily.decision_of(shown).moves_by_key
    best, *_, worst = shown.judgement["values"]
    return moves[best], moves[worst]


def page(client: Client, where: str) -> str:
    answer = client.get(where)
    assert answer.status_code == HTTPStatus.OK
    return answer.content.decode()


def shared_text(html: str) -> str:
    [text] = re.findall(r"<textarea[^>]*>([^<]*)</textarea>", html)
    return str(text)


# --- a day ---------------------------------------------------------------------------------------


def test_after_an_answer_the_page_says_how_good_it_was(
    today: DailyRound, alice: User, bob: User
) -> None:
    best, worst = best_and_worst(today)
    right, wrong = signed_in(alice), signed_in(bob)
    right.post(address(today), form_of(best))
    wrong.post(address(today), form_of(worst))
    html = page(right, address(today))
    assert "<b>Best move</b>" in html and "Nothing was worth more." in html
    assert html.count('class="is-played"') == 1 and "Dice won or lost, on average" in html
    html = page(wrong, address(today))
    assert "<b>Blunder</b>" in html and 'href="#mark-blunder"' in html
    assert 'id="mark-blunder"' in html and re.search(r"<span>−[\d.]+ dice</span>", html)


def test_what_is_shared_is_the_same_however_good_the_answer_was(
    today: DailyRound, alice: User, bob: User
) -> None:
    texts = set()
    for person, move in zip((alice, bob), best_and_worst(today), strict=True):
        client = signed_in(person)
        client.post(address(today), form_of(move))
        texts.add(shared_text(page(client, address(today))))
    [text] = texts
    known = daily.decision_of(today)
    assert known.part.signs(known.known, known.seat) in text and "1-day streak" in text


def test_before_a_choice_no_byte_depends_on_the_judgement(today: DailyRound, alice: User) -> None:
    """Nor in the archive, the picture of a link, on the home page and where a choice is refused."""
    found: dict[str, set[bytes]] = {}
    here = address(today)
    values = today.judgement["values"]
    turned = dict(zip(reversed(values), values.values(), strict=True))
    client = signed_in(alice)
    for judgement in (today.judgement, today.judgement | {"values": turned}, None):
        DailyRound.objects.update(judgement=judgement)
        for path in (here, f"{here}/preview.png", "/daily", "/daily/archive", "/"):
            answer = client.get(path)
            head = "".join(f"{name}: {value}\n" for name, value in answer.headers.items())
            body = head.encode() + _OF_A_PAGE.sub(b"", answer.content)
            found.setdefault(path, set()).add(re.sub(rb"\d+(\.\d+)? ?ms|dur=[\d.]+", b"", body))
        refused = client.post(here, {"do": "nonsense"})
        found.setdefault("refused", set()).add(_OF_A_PAGE.sub(b"", refused.content))
        assert b"judgement" not in refused.content
    assert {path: len(each) for path, each in found.items()} == dict.fromkeys(found, 1)


def test_a_judgement_on_the_page_before_a_choice_would_be_found(
    today: DailyRound, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = daily_page.asked

    def leaking(shown: DailyRound) -> dict[str, Any]:
        context = plain(shown)
        narration = " " * len(f"{shown.judgement}")
        context["t"] = replace(context["t"], narration=narration)
        return context

    monkeypatch.setattr(daily_page, "asked", leaking)
    with pytest.raises(AssertionError):
        test_before_a_choice_no_byte_depends_on_the_judgement(today, alice)


def test_a_round_from_before_shows_no_judgement(today: DailyRound, alice: User) -> None:
    DailyRound.objects.update(judgement=None)
    client = signed_in(alice)
    client.post(address(today), {"do": "dudo"})
    html = page(client, address(today))
    assert "What others chose" in html and 'class="judgement' not in html
    assert not re.search("[★●▲■]", shared_text(html))


def test_a_game_without_values_says_nothing_of_them(alice: User) -> None:
    now = timezone.now()
    assert choosing.choose(catalogue.of("peco_peco"), days.day_of(now), now=now)
    shown = DailyRound.objects.get()
    assert shown.judgement is None
    client = signed_in(alice)
    for do in ("declare", "accuse"):
        client.post(address(shown), {"do": do})
    html = page(client, address(shown))
    assert "What others chose" in html and 'class="judgement' not in html


def test_what_is_taken_out_takes_its_judgement_along(today: DailyRound) -> None:
    daily.withdraw(DailyRound.objects.all(), now=timezone.now())
    today.refresh_from_db()
    assert today.judgement is None and today.facts == []


# --- choosing one of a game ----------------------------------------------------------------------


def test_a_round_of_a_game_keeps_its_judgement(alice: User, bob: User, charlie: User) -> None:
    lent_game(alice, bob, charlie)
    shown = chosen_on(MONDAY)
    assert shown.game is not None
    decision = daily.decision_of(shown)
    assert shown.judgement["values"].keys() == decision.moves_by_key.keys()
    judge = catalogue.of("perudo").judgement
    assert judge is not None
    assert shown.judgement == judge.clear(daily.written(decision.told), decision.seat)


def test_a_decision_that_is_not_clear_is_not_asked(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    lent_game(alice, bob, charlie)
    monkeypatch.setattr(catalogue.of("perudo").judgement, "LEAST", 2.0)
    shown = chosen_on(MONDAY)
    assert shown.game is None and shown.shipped == "0" and shown.judgement


@pytest.mark.parametrize("error", [worker.Busy, worker.Failed, TimeoutError])
def test_without_the_worker_the_shipped_set_is_asked(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    lent_game(alice, bob, charlie)

    def fails(*_: Any, seconds: float) -> Any:
        if error is worker.Busy:
            raise error
        found: Any = worker.Future()
        found.set_exception(error())
        return found

    monkeypatch.setattr(worker, "ask", fails)
    assert chosen_on(MONDAY).shipped == "0"


def test_the_real_worker_judges_the_same(alice: User, bob: User, charlie: User) -> None:
    lent_game(alice, bob, charlie)
    shown = chosen_on(MONDAY)
    decision = daily.decision_of(shown)
    told = [[daily.written(decision.told), decision.seat]]
    real = worker.Worker(seconds=200.0)
    try:
        asking = real.ask(judging.clear, "games.perudo.judgement", told, 1, 100.0)
        assert asking.result(200.0) == [[0, shown.judgement]]
    finally:
        real.stop(5.0)


def test_the_worker_looks_for_so_many_and_for_so_long(
    alice: User, bob: User, charlie: User
) -> None:
    lent_game(alice, bob, charlie)
    decision = daily.decision_of(chosen_on(MONDAY))
    judge = catalogue.of("perudo").judgement
    assert judge is not None
    told = [(daily.written(decision.told), decision.seat)] * 3
    module = judge.clear.__module__
    assert [place for place, _ in judging.clear(module, told, 2, 60.0)] == [0, 1]
    assert len(judging.clear(module, told, 3, 0.0)) <= 1


# --- a shared question ---------------------------------------------------------------------------


def test_a_shared_question_is_judged_after_a_choice_alone(
    alice: User, bob: User, charlie: User, client: Client
) -> None:
    game: Game = over(alice, bob, charlie, HANDS)
    question = address_of_question(asked(game, 4, alice))
    assert 'class="judgement' not in page(client, question)
    assert 'class="judgement' not in page(client, f"{question}?do=nonsense")
    html = page(client, f"{question}?do=dudo")
    assert 'class="judgement' in html and html.count('class="is-played"') == 1
    assert "The bid was" in html  # what was true is told beside
    decision = decisions.of_game(game, 4)
    judge = catalogue.of("perudo").judgement
    assert decision is not None and judge is not None
    *_, worst = judge.judgement(decision.known, decision.seat)["values"]
    answer = client.post(question, form_of(decision.moves_by_key[worst]), follow=True)
    assert "<b>Blunder</b>" in answer.content.decode()


def test_keys_of_a_judgement_are_those_of_the_moves(today: DailyRound) -> None:
    found = daily.decision_of(today)
    assert {key_of(move) for move in found.moves} == set(today.judgement["values"])
