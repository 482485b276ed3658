"""The page of rules: what every printed rulebook says where they part."""

from __future__ import annotations

import re
from html import unescape
from itertools import product

import pytest
from django.test import Client
from django.utils import translation

from games.perudo import words
from games.perudo.rules.options import PRESETS, SITE_OPTIONS, SITE_PRESET, differences


def sections(client: Client, language: str) -> dict[str, str]:
    """The text of each rulebook's section, by its heading."""
    page = client.get("/rules/perudo", headers={"Accept-Language": language}).content.decode()
    found = re.findall(r'<section class="preset".*?<h3[^>]*>(.*?)</h3>(.*?)</section>', page, re.S)
    return {unescape(heading): unescape(body) for heading, body in found}


def test_every_rulebook_has_a_section_in_the_readers_language(
    client: Client, db: None, subtests: pytest.Subtests
) -> None:
    for language in ["en", "fr", "it", "es"]:
        found = sections(client, language)
        with subtests.test(language=language), translation.override(language):
            assert set(found) == {words.preset(key) for key in PRESETS}


def test_a_section_says_every_point_in_which_its_book_differs_from_another(
    client: Client, db: None
) -> None:
    found = sections(client, "en")
    assert [
        (key, name, value)
        for key, other in product(PRESETS, PRESETS)
        for name, value in differences(PRESETS[key], other).items()
        if words.setting(name, value) not in found[words.preset(key)]
    ] == []


def test_the_page_says_how_quick_games_are_played(client: Client, db: None) -> None:
    page = unescape(client.get("/rules/perudo").content.decode())
    for name, value in differences(SITE_OPTIONS, SITE_PRESET).items():
        assert f"<li>{words.setting(name, value)}</li>" in page
