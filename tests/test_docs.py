"""The documents agree with the code: links, paths, the index, and the interfaces of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from games import catalogue

ROOT = Path(__file__).resolve().parent.parent
DOCS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
# Where a path in a document may begin.
BASES = [ROOT, ROOT / "games", ROOT / "games" / "perudo", ROOT / "perudo_site"]

# Paths that documents name already; none once everything has its place.
PLANNED: frozenset[str] = frozenset()


def paths(text: str) -> Iterator[str]:
    """The paths in code spans, such as `play/deadlines.py`; not URLs, placeholders or .venv."""
    for span in re.findall(r"`([\w./-]+/[\w.-]*)`", text):
        if not span.startswith(("/", "./", ".", "var/")):
            yield span


@pytest.mark.parametrize("document", DOCS, ids=lambda path: path.name)
def test_links_lead_to_files(document: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", document.read_text())
    ours = [link for link in links if "://" not in link]
    assert [link for link in ours if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCS, ids=lambda path: path.name)
def test_paths_in_documents_exist(document: Path) -> None:
    named = set(paths(document.read_text()))
    missing = {name for name in named if not any((base / name).exists() for base in BASES)}
    assert missing - PLANNED - {"DATA_DIR/secret_key", "DATA_DIR/deleted_accounts"} == set()


def test_paths_are_found_in_code_spans() -> None:
    found = paths("See `play/deadlines.py`, `games/<key>/`, `/healthz`, `.venv/` and `docs/`.")
    assert list(found) == ["play/deadlines.py", "docs/"]


def test_the_index_lists_every_document() -> None:
    index = (ROOT / "docs" / "README.md").read_text()
    listed = set(re.findall(r"\]\(([a-z-]+\.md)\)", index))
    assert listed == {path.name for path in ROOT.glob("docs/*.md")} - {"README.md"}


@pytest.mark.parametrize("interface", [field.name for field in fields(catalogue.Game)])
def test_adding_a_game_names_every_interface(interface: str) -> None:
    guide = (ROOT / "docs" / "adding-a-game.md").read_text()
    assert interface == "key" or f"\n| `{interface}` |" in guide


def test_the_architecture_fits_into_250_lines_and_lists_the_packages() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    assert text.count("\n") <= 250
    tree = text.split("## The tree")[1].split("```")[1]
    packages = {path.parent.name for path in ROOT.glob("games/*/__init__.py")}
    shown = set(re.findall(r"^ +([a-z_0-9]+)/", tree, flags=re.MULTILINE))
    assert packages - {"migrations", "templatetags"} <= shown
