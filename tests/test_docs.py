"""The documents agree with the code: links, paths, the index, and the interfaces of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from games.contract.game_modules import MODULES, TEMPLATES

ROOT = Path(__file__).resolve().parent.parent
DECISIONS = sorted(ROOT.glob("docs/decisions/*.md"))
DOCS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]) + DECISIONS
# Where a path in a document may begin.
BASES = [ROOT, ROOT / "games", ROOT / "games" / "perudo", ROOT / "perudo_site"]

# What a site writes.
MADE = {f"DATA_DIR/{name}" for name in ("secret_key", "push_key", "deleted_accounts")}


def paths(text: str) -> Iterator[str]:
    """The paths in code spans, such as `play/deadlines.py`; not URLs, placeholders or .venv."""
    for span in re.findall(r"`([\w./-]+/[\w.-]*)`", text):
        if not span.startswith(("/", "./", ".", "var/")):
            yield span


def test_links_lead_to_files() -> None:
    wrong = [
        (document.name, link)
        for document in DOCS
        for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", document.read_text())
        if "://" not in link and not (document.parent / link).exists()
    ]
    assert wrong == []


def test_paths_in_documents_exist() -> None:
    wrong = [
        (document.name, name)
        for document in DOCS
        for name in paths(document.read_text())
        if name not in MADE and not any((base / name).exists() for base in BASES)
    ]
    assert wrong == []


def test_the_index_lists_every_document() -> None:
    index = (ROOT / "docs" / "README.md").read_text()
    listed = set(re.findall(r"\]\(([a-z-]+\.md)\)", index))
    assert listed == {path.name for path in ROOT.glob("docs/*.md")} - {"README.md"}


def test_the_index_lists_every_decision_by_its_number() -> None:
    index = (ROOT / "docs" / "README.md").read_text()
    listed = re.findall(r"^\d+\. \[(.*)\]\(decisions/(\S+)\)$", index, flags=re.MULTILINE)
    assert listed == [(_title(path), path.name) for path in DECISIONS]
    assert [int(path.name[:4]) for path in DECISIONS] == [*range(1, len(DECISIONS) + 1)]


def test_a_decision_says_what_why_and_what_would_change_it() -> None:
    parts = ["Decided", "Why", "What would change our mind"]
    headings = re.compile(r"^\*\*(.+?)\.\*\*", re.MULTILINE)
    assert [each for each in DECISIONS if headings.findall(each.read_text()) != parts] == []


def _title(document: Path) -> str:
    return document.read_text().partition("\n")[0].removeprefix("# ")


def test_adding_a_game_names_every_module_and_every_template() -> None:
    guide = (ROOT / "docs" / "adding-a-game.md").read_text()
    assert [module for module in MODULES if f"\n| `{module}` |" not in guide] == []
    assert [template for template in TEMPLATES if f"`{template}`" not in guide] == []


def test_the_architecture_fits_into_250_lines_and_lists_the_packages() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    assert text.count("\n") <= 250
    tree = text.split("## The tree")[1].split("```")[1]
    packages = {path.parent.name for path in ROOT.glob("games/*/__init__.py")}
    shown = set(re.findall(r"^ +([a-z_0-9]+)/", tree, flags=re.MULTILINE))
    assert packages - {"migrations", "templatetags"} <= shown
