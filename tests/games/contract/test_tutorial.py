"""The tutorial and the rules of every game: questions with answers, and whole pages."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from games.contract import catalogue
from tests.games.contract.arenas import ARENAS
from tests.games.contract.kinds import LANGUAGES, every_kind
from tests.games.contract.test_presenter import unplain


def steps_of(kind: catalogue.GameKind) -> range:
    return range(1, len(kind.tutorial.titles()) + 1)


def step(kind: catalogue.GameKind, number: int, move: Any = None) -> dict[str, Any]:
    return kind.tutorial.step(number, move, user=AnonymousUser())


def shown(kind: catalogue.GameKind, number: int) -> dict[str, str]:
    """The move that a step shows, as a form sends it."""
    return {name: str(value) for name, value in step(kind, number)["show"].items()}


def page(client: Client, name: str, *args: Any, language: str = "en", **data: str) -> str:
    answer = client.get(
        reverse(f"games:{name}", args=args), data, headers={"Accept-Language": language}
    )
    assert answer.status_code == 200
    return str(answer.content.decode())


@every_kind
def test_every_step_asks_in_words_and_is_answered_right_by_what_it_shows(
    kind: catalogue.GameKind, subtests: pytest.Subtests
) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language), translation.override(language):
            titles = [str(title) for title in kind.tutorial.titles()]
            assert len(titles) > 3 and len(set(titles)) == len(titles)
            for number in steps_of(kind):
                question = step(kind, number)
                assert question["verdict"] is None and question["me"]
                answer = step(kind, number, shown(kind, number))
                assert answer["verdict"] == "right"
                for text in (
                    question["lead"],
                    question["ask"],
                    answer["reply"],
                    answer["narration"],
                ):
                    assert text and "%(" not in str(text)


@every_kind
def test_a_step_uses_only_the_fields_of_its_form(kind: catalogue.GameKind) -> None:
    for number in steps_of(kind):
        assert set(shown(kind, number)) <= set(kind.tutorial.FIELDS)


@every_kind
def test_what_is_no_move_is_refused_in_words(kind: catalogue.GameKind) -> None:
    for odd in ({}, {"do": "fly"}, {"do": "½"}, dict.fromkeys(kind.tutorial.FIELDS, "9" * 5000)):
        answer = step(kind, 1, odd)
        assert answer["verdict"] == "refused"
        assert answer["reply"] == kind.words.reason("malformed")


@every_kind
def test_the_table_of_a_step_is_plain(kind: catalogue.GameKind) -> None:
    for number in steps_of(kind):
        question = step(kind, number)
        assert unplain({"t": question["t"], "o": question["o"]}) == []


@every_kind
def test_a_move_is_posted_and_its_answer_leads_to_the_next_step(
    kind: catalogue.GameKind, client: Client, db: None
) -> None:
    for number in steps_of(kind):
        address = reverse("games:learn-step", args=[kind.key, number])
        posted = {**shown(kind, number), "seen": "0"}
        html = client.post(address, posted, follow=True).content.decode()
        last = number == len(steps_of(kind))
        following = (
            reverse("games:learn-finished", args=[kind.key])
            if last
            else reverse("games:learn-step", args=[kind.key, number + 1])
        )
        assert f'<a class="button primary big" href="{following}">' in html
        assert "is-right" in html and 'name="do"' not in html


@every_kind
def test_there_is_no_step_before_the_first_or_after_the_last(
    kind: catalogue.GameKind, client: Client, db: None
) -> None:
    for number in (0, len(steps_of(kind)) + 1, 999):
        address = reverse("games:learn-step", args=[kind.key, number])
        assert client.get(address).status_code == 404
        assert client.post(address, {"do": "fly"}).status_code == 404


@every_kind
def test_a_stranger_learns_without_a_query(
    kind: catalogue.GameKind, client: Client, db: None, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        for number in steps_of(kind):
            page(client, "learn-step", kind.key, number)
            page(client, "learn-step", kind.key, number, **shown(kind, number))


@every_kind
def test_a_signed_in_person_learns_under_their_own_name(
    kind: catalogue.GameKind, alice: User, alice_client: Client
) -> None:
    assert "You are alice" in page(alice_client, "learn-step", kind.key, 1)


@every_kind
def test_the_tutorial_is_found_and_its_start_leads_to_every_step(
    kind: catalogue.GameKind, client: Client, db: None
) -> None:
    door = f'href="{reverse("games:learn-of", args=[kind.key])}"'
    assert door in page(client, "rules-of", kind.key) and door in page(client, "learn")
    start = page(client, "learn-of", kind.key)
    for number in steps_of(kind):
        assert f'href="{reverse("games:learn-step", args=[kind.key, number])}"' in start


@every_kind
def test_the_end_of_the_tutorial_leads_to_a_real_table(
    kind: catalogue.GameKind, client: Client, db: None
) -> None:
    html = page(client, "learn-finished", kind.key)
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)">', html))
    table = client.post(reverse("games:play-now"), {"game": kind.key} | fields, follow=True)
    assert table.status_code == 200
    assert table.redirect_chain[-1][0].startswith("/games/")


# --- the rules -----------------------------------------------------------------------------------


@every_kind
def test_the_rules_explain_every_preset_in_the_readers_language(
    kind: catalogue.GameKind, client: Client, db: None, subtests: pytest.Subtests
) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language):
            html = unescape(page(client, "rules-of", kind.key, language=language))
            assert 'id="rule-sets"' in html and html.count("<h1") == 1 and "%(" not in html
            with translation.override(language):
                for preset in ARENAS[kind.key].presets:
                    assert kind.words.preset(preset) in html
