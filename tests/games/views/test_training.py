"""The odds trainer as its pages show it: questions, replies, scores, and addresses that fail."""

from __future__ import annotations

import re
from http import HTTPStatus

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.perudo import trainer
from games.views import training

SET = "/learn/perudo/odds/77"


def right_answers(seed: int) -> str:
    return "".join(
        "y" if trainer.odds_question(seed, number).is_likely else "n"
        for number in range(1, training.QUESTIONS + 1)
    )


def links(html: str) -> list[str]:
    return re.findall(r'href="([^"]*said=[^"]*)"', html.replace("&amp;", "&"))


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == HTTPStatus.OK, address
    return answer.content.decode()


def test_the_start_leads_to_questions_of_its_own(client: Client) -> None:
    found = {client.get("/learn/perudo/odds").headers["Location"] for _ in range(5)}
    assert len(found) > 1
    assert all(re.fullmatch(r"/learn/perudo/odds/\d{1,6}", each) for each in found)
    assert "no-store" in client.get("/learn/perudo/odds").headers["Cache-Control"]


def test_ten_right_answers_one_after_the_other(client: Client) -> None:
    """By nothing but the links of the pages."""
    address, answers = SET, right_answers(77)
    for number, answer in enumerate(answers, start=1):
        html = page(client, address)
        assert f"Question {number} of 10" in html
        reason = trainer.odds_question(77, number).reason
        assert reason.replace("'", "&#x27;") not in html
        yes, no = links(html)
        replied = page(client, yes if answer == "y" else no)
        assert "Right!" in replied and reason.replace("'", "&#x27;") in replied
        assert f"{number} right" in replied
        [address] = links(replied)
    html = page(client, address)
    assert "10 of 10 right" in html
    assert html.count('class="is-right"') == 10 and "is-wrong" not in html
    assert reverse("games:odds", args=["perudo"]) in html


def test_a_wrong_answer_is_told_why(client: Client) -> None:
    wrong = "n" if right_answers(77)[0] == "y" else "y"
    html = page(client, f"{SET}?said={wrong}")
    assert "Wrong." in html and "0 right" in html
    score = page(client, f"{SET}?said={wrong}{right_answers(77)[1:]}&next")
    assert "9 of 10 right" in score and score.count('class="is-wrong"') == 1


def test_what_is_no_address_of_a_question_is_not_found(client: Client) -> None:
    cases = [
        f"{SET}?said=x",
        f"{SET}?said=Y",
        f"{SET}?said=yn%0A",
        f"{SET}?said=yyyyyyyyyyy",
        f"{SET}?said={'y' * 5000}",
        "/learn/perudo/odds/1000000",
        f"/learn/perudo/odds/{'9' * 400}",
        "/learn/nonsense/odds",
        "/learn/nonsense/odds/5",
        "/learn/peco_peco/odds",  # has no trainer
        "/learn/peco_peco/odds/5",
    ]
    wrong = [
        address for address in cases if client.get(address).status_code != HTTPStatus.NOT_FOUND
    ]
    assert wrong == []


def test_a_question_costs_no_query(client: Client, db: None) -> None:
    with CaptureQueriesContext(connection) as asked:
        for address in (SET, f"{SET}?said=y", f"{SET}?said=y&next", f"{SET}?said=yyyyynnnnn&next"):
            page(client, address)
    assert not asked.captured_queries


def test_the_tutorial_leads_to_the_trainer_of_a_game_that_has_one(client: Client) -> None:
    for name in ("learn-of", "learn-finished"):
        assert 'href="/learn/perudo/odds"' in page(
            client, reverse(f"games:{name}", args=["perudo"])
        )
        assert "/odds" not in page(client, reverse(f"games:{name}", args=["peco_peco"]))
