"""Style sheets that import others: one file each once they are collected."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest
from django.contrib.staticfiles import finders

from accounts.models import User
from games.contract import catalogue
from perudo_site.static_files import lean
from tests.support.fixtures import signed_in

IMPORT = re.compile(r'@import "([^"]+)";')
JOINED = [
    "site/site.css",
    *(game.assets.table_style for game in catalogue.every()),
    *(game.assets.lesson_style for game in catalogue.every()),
]


def source(name: str) -> str:
    found = finders.find(name)
    assert found is not None, name
    return Path(found).read_text()


def imported(name: str) -> Iterator[str]:
    """The sheets that hold the rules of this one, in their order."""
    names = [normpath(join(dirname(name), each)) for each in IMPORT.findall(source(name))]
    for each in names:
        yield from imported(each)
    if not names:
        yield name


@pytest.mark.parametrize("name", JOINED)
def test_it_is_collected_as_one_file_with_all_that_it_imports(
    prepared_folder: Path, name: str
) -> None:
    collected = prepared_folder / "static"
    hashed = json.loads((collected / "staticfiles.json").read_text())["paths"][name]
    text = re.sub(r"\.[0-9a-f]{12}(?=\.\w+\"\))", "", (collected / hashed).read_text())
    assert "@import" not in text
    places = [text.find(lean(each, source(each)).strip()) for each in imported(name)]
    assert len(places) > 5
    assert places == sorted(places)
    assert -1 not in places


@pytest.mark.django_db
@pytest.mark.parametrize("game", [*catalogue.every()], ids=lambda game: game.key)
def test_a_table_links_two(alice: User, game: catalogue.GameKind) -> None:
    client = signed_in(alice)
    asked = {"game": game.key, "bots": "5", "strength": "mixed"}
    page = client.post("/play-now", asked, follow=True).content.decode()
    sheets = re.findall(r'<link rel="stylesheet" href="/static/([^"]+)"', page)
    assert sheets == ["site/site.css", game.assets.table_style]
    assert page.count('rel="stylesheet"') == 2
