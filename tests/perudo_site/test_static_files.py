"""Scripts that import each other and comments, as they are written and as they are collected."""

from __future__ import annotations

import json
import re
from pathlib import Path

from perudo_site.static_files import lean
from tests.support.live_site import ROOT

OURS = [
    file
    for app in ("accounts", "games", "perudo_site")
    for file in (ROOT / app).rglob("static/**/*")
    if file.suffix in (".css", ".js", ".svg")
]
IMPORTED = re.compile(r"""(?:from |import\()["'](\.[^"']+)["']""")


def test_a_script_is_imported_by_its_hashed_name_and_so_runs_once(prepared_folder: Path) -> None:
    hashed = [
        file
        for app in ("games", "site")
        for file in (prepared_folder / "static" / app).glob("*.js")
        if re.search(r"\.[0-9a-f]{12}\.js$", file.name)
    ]
    found = [name for file in hashed for name in IMPORTED.findall(file.read_text())]
    assert any("push." in name for name in found)
    assert [name for name in found if not re.search(r"\.[0-9a-f]{12}\.js$", name)] == []


def test_no_script_dies_with_that_of_pushes() -> None:
    """Lists of what to block name it: whoever imports it goes on without it."""
    files = [*ROOT.glob("games/**/static/**/*.js"), *ROOT.glob("perudo_site/static/**/*.js")]
    importing = {file.name: file.read_text() for file in files if "/push.js" in file.read_text()}
    assert {"notify.js", "search.js"} <= set(importing)
    for name, text in importing.items():
        every = re.findall(r"""["'][^"']*/push\.js["'].*""", text)
        assert all(".catch(" in each for each in every), name


def test_comments_are_left_behind_and_what_looks_like_one_is_not() -> None:
    sheet = '/* a */ a::after {\n  content: "/* b */"; /* c */\n}\n'
    assert lean("a.css", sheet) == 'a::after {\ncontent: "/* b */"; \n}\n'
    script = "// a\n/**\n * b\n */\nconst c = 1; // d\n  // e\nf(`//`);\n"
    assert lean("a.js", script) == "\n\n\n\nconst c = 1; // d\n\nf(`//`);\n"
    assert lean("a.svg", "<svg>\n  <!-- a\n  b -->\n  <g/>\n</svg>\n") == "<svg>\n<g/>\n</svg>\n"


def test_no_script_has_a_text_over_lines_in_which_a_comment_could_seem_to_be() -> None:
    for file in OURS:
        if file.suffix == ".js":
            lines = lean(file.name, file.read_text()).splitlines()
            code = [re.sub(r" // .*", "", line) for line in lines]
            assert [line for line in code if line.count("`") % 2] == [], file


def test_our_files_are_collected_without_comments_and_those_of_packages_as_they_are(
    prepared_folder: Path,
) -> None:
    static = prepared_folder / "static"
    names = json.loads((static / "staticfiles.json").read_text())["paths"]
    sheet, script = (static / names[each] for each in ("site/site.css", "site/reconnect.js"))
    assert "/*" not in sheet.read_text()
    assert not re.search(r"^\s*(//|/\*)", script.read_text(), flags=re.MULTILINE)
    assert "/*" in (static / names["admin/css/base.css"]).read_text()
