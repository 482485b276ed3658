"""Where the project's own templates lie: at the top level and in its apps."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = [
    ROOT / "templates",
    *(
        folder
        for app in ("accounts", "games")
        for folder in sorted((ROOT / app).rglob("templates"))
    ),
]


def template_files() -> list[Path]:
    return [file for folder in FOLDERS for file in sorted(folder.rglob("*")) if file.is_file()]


def template_name(file: Path) -> str:
    """By which Django finds it: `games/_card.html`."""
    folder = next(folder for folder in FOLDERS if file.is_relative_to(folder))
    return str(file.relative_to(folder))
