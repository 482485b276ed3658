"""The documents agree with the code: links, paths, the index, and the interfaces of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.game_modules import MODULES, TEMPLATES

ROOT = Path(__file__).resolve().parent.parent
DECISIONS = sorted(ROOT.glob("docs/decisions/*.md"))
DOCS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]) + DECISIONS
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
    made = {f"DATA_DIR/{name}" for name in ("secret_key", "push_key", "deleted_accounts")}
    assert missing - PLANNED - made == set()


def test_the_index_lists_every_document() -> None:
    index = (ROOT / "docs" / "README.md").read_text()
    listed = set(re.findall(r"\]\(([a-z-]+\.md)\)", index))
    assert listed == {path.name for path in ROOT.glob("docs/*.md")} - {"README.md"}


def test_the_index_lists_every_decision_by_its_number() -> None:
    index = (ROOT / "docs" / "README.md").read_text()
    listed = re.findall(r"^\d+\. \[(.*)\]\(decisions/(\S+)\)$", index, flags=re.MULTILINE)
    assert listed == [(_title(path), path.name) for path in DECISIONS]
    assert [int(path.name[:4]) for path in DECISIONS] == [*range(1, len(DECISIONS) + 1)]


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda path: path.name)
def test_a_decision_says_what_why_and_what_would_change_it(decision: Path) -> None:
    parts = re.findall(r"^\*\*(.+?)\.\*\*", decision.read_text(), flags=re.MULTILINE)
    assert parts == ["Decided", "Why", "What would change our mind"]


def _title(document: Path) -> str:
    return document.read_text().partition("\n")[0].removeprefix("# ")


@pytest.mark.parametrize("module", MODULES)
def test_adding_a_game_names_every_module(module: str) -> None:
    guide = (ROOT / "docs" / "adding-a-game.md").read_text()
    assert f"\n| `{module}` |" in guide


@pytest.mark.parametrize("template", TEMPLATES)
def test_adding_a_game_names_every_template(template: str) -> None:
    assert f"`{template}`" in (ROOT / "docs" / "adding-a-game.md").read_text()


def test_the_architecture_fits_into_250_lines_and_lists_the_packages() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    assert text.count("\n") <= 250
    tree = text.split("## The tree")[1].split("```")[1]
    packages = {path.parent.name for path in ROOT.glob("games/*/__init__.py")}
    shown = set(re.findall(r"^ +([a-z_0-9]+)/", tree, flags=re.MULTILINE))
    assert packages - {"migrations", "templatetags"} <= shown
