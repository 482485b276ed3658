"""One's own dice are drawn in one way, wherever they lie: at a table, in a lesson, on the stage."""

from __future__ import annotations

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[1] / "templates" / "perudo"
STYLES = Path(__file__).parents[1] / "static" / "perudo"


def test_one_template_draws_them() -> None:
    drawing = {
        file.name for file in TEMPLATES.glob("*.html") if 'class="my-dice' in file.read_text()
    }
    including = {
        file.name for file in TEMPLATES.glob("*.html") if "perudo/_my_dice.html" in file.read_text()
    }
    assert drawing == {"_my_dice.html"}
    assert including == {"_own.html", "_lesson_own.html", "_stage.html", "_question_own.html"}


def test_one_style_sheet_says_how_they_lie() -> None:
    """The sheet of dice, which all those pages load."""
    laying = {
        file.name for file in STYLES.glob("*.css") if re.search(r"--tilt: -?\d", file.read_text())
    }
    assert laying == {"dice.css"}
