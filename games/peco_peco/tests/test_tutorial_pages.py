"""The pages of the tutorial and of the rules of Peco Peco, as a browser gets them."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from games.peco_peco import words
from games.peco_peco.rules import KEY
from games.peco_peco.rules.moves import Play
from games.peco_peco.rules.stakes import STAKES

from .test_tutorial import LANGUAGES, STEPS, right_moves


def address(step: int) -> str:
    return reverse("games:learn-step", args=[KEY, step])


def read(
    client: Client, path: str, data: dict[str, str] | None = None, language: str = "en"
) -> str:
    response = client.get(path, data, headers={"Accept-Language": language})
    assert response.status_code == 200
    return response.content.decode()


def test_every_right_move_may_be_made_with_the_controls_of_the_page(
    client: Client, db: None, subtests: pytest.Subtests
) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            page = read(client, address(step))
            buttons = set(re.findall(r'name="do"\s+value="(\w+)"', page))
            cards = re.findall(r'name="card"\s+value="(\w+)"(?![^>]*disabled)', page)
            for move in right_moves(step):
                assert move.kind in buttons
                if isinstance(move, Play):
                    assert move.card in cards
                    target = re.search(rf'name="target"\s+value="{move.target}"', page)
                    assert (target is not None) == (move.target is not None)


def test_a_wrong_try_is_answered_beside_the_same_table(
    client: Client, db: None, subtests: pytest.Subtests
) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            page = read(client, address(step), {"do": "play", "card": "Mb"})
            assert "is-refused" in page
            assert 'name="do"' in page
            shown = re.search(r'<a href="([^"]+)">Show me</a>', page)
            assert shown
            assert "is-right" in read(client, unescape(shown[1]))


def test_a_page_draws_the_cards_of_the_learner(
    client: Client, db: None, subtests: pytest.Subtests
) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            page = read(client, address(step))
            own = page[page.index('id="own"') :]
            assert len(re.findall(r'class="animal-card', own)) >= 3 - (step == 6)
            assert page.count("<h1") == 1


def test_a_wild_card_is_answered_with_a_sentence(
    client: Client, db: None, subtests: pytest.Subtests
) -> None:
    for text in ["", "9" * 5000, "<b>", "\x00", "½"]:
        with subtests.test(text=text):
            answer = client.post(address(1), {"do": "play", "card": text}, follow=True)
            assert words.reason("malformed") in unescape(answer.content.decode())


def test_the_start_leads_to_every_step_and_the_end_to_a_real_table(
    client: Client, db: None
) -> None:
    start = read(client, reverse("games:learn-of", args=[KEY]))
    assert all(f'href="{address(step)}"' in start for step in STEPS)
    page = read(client, reverse("games:learn-finished", args=[KEY]))
    posted = dict(
        re.findall(r'<input type="hidden" name="(game|bots|strength)" value="(\w+)">', page)
    )
    assert posted == {"game": KEY, "bots": "3", "strength": "easy"}
    table = client.post(reverse("games:play-now"), posted, follow=True)
    assert table.status_code == 200
    assert table.redirect_chain[-1][0].startswith("/games/")


# --- the rules -----------------------------------------------------------------------------------


def test_every_stake_is_drawn_and_every_sign_has_its_words(
    client: Client, db: None, subtests: pytest.Subtests
) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language):
            page = read(client, reverse("games:rules-of", args=[KEY]), language=language)
            stakes = page[page.index('class="stakes"') :]
            assert len(re.findall(r'class="stake-card"', page)) == 1 + len(STAKES) + 3
            for stake in STAKES.values():
                assert f"#{stake.food}" in stakes
            signs = set(re.findall(r'<svg class="sign"[^>]*><use href="[^"]*#([\w-]+)"', page))
            everything = {stake.rule for stake in STAKES.values()} - {"none"}
            everything |= {"reverse", "draw", "steal", "bomb", "more", "fewer", "tilt"}
            assert everything <= signs
            assert 'id="rule-sets"' in page


def test_the_pages_lead_to_each_other(client: Client, db: None) -> None:
    rules, learn = reverse("games:rules-of", args=[KEY]), reverse("games:learn-of", args=[KEY])
    assert f'href="{learn}"' in read(client, rules)
    assert f'href="{rules}"' in read(client, learn)
    assert f'href="{rules}"' in read(client, reverse("games:learn-finished", args=[KEY]))
