"""The page of rules: what every printed rulebook says where they part."""

from __future__ import annotations

import re
from html import unescape

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


@pytest.mark.parametrize("language", ["en", "fr", "it", "es"])
def test_every_rulebook_has_a_section_in_the_readers_language(
    client: Client, db: None, language: str
) -> None:
    found = sections(client, language)
    with translation.override(language):
        assert set(found) == {words.preset(key) for key in PRESETS}


@pytest.mark.parametrize("key", PRESETS)
def test_a_section_says_every_point_in_which_its_book_differs_from_another(
    client: Client, db: None, key: str
) -> None:
    body = sections(client, "en")[words.preset(key)]
    for other in PRESETS:
        for name, value in differences(PRESETS[key], other).items():
            assert words.setting(name, value) in body


def test_the_page_says_how_quick_games_are_played(client: Client, db: None) -> None:
    page = unescape(client.get("/rules/perudo").content.decode())
    for name, value in differences(SITE_OPTIONS, SITE_PRESET).items():
        assert f"<li>{words.setting(name, value)}</li>" in page
