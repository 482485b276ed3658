"""The names that templates, scripts and styles share are those that docs/browser.md lists."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.live_site import ROOT

LISTED = (ROOT / "docs/browser.md").read_text().partition("\n## Data attributes and events\n")[2]
FIRST_CELLS = "\n".join(re.findall(r"^\| (`.*?) \|", LISTED, flags=re.MULTILINE))
FILES = [
    file
    for folder in ("accounts", "games", "perudo_site", "templates")
    for file in sorted((ROOT / folder).rglob("*"))
    if file.suffix in {".css", ".html", ".js", ".py"} and "tests" not in file.parts
]
OF_BROWSERS = {"change", "input", "open"}
ATTRIBUTE = r"(?<![\w-])data-[a-z]+(?:-[a-z]+)*"


def test_every_data_attribute_is_listed_and_every_one_listed_is_used() -> None:
    used = {name for file in FILES for name in attributes(file)}
    assert len(used) > 90
    assert set(re.findall(ATTRIBUTE, FIRST_CELLS)) == used


def attributes(file: Path) -> set[str]:
    text = file.read_text()
    names = set(re.findall(ATTRIBUTE, text))
    if file.suffix == ".js":
        properties = re.findall(r"\bdataset\.(\w+)", text)
        names |= {"data-" + re.sub("[A-Z]", r"-\g<0>", name).lower() for name in properties}
    return names


def test_every_event_is_listed_and_every_one_listed_is_used() -> None:
    texts = [file.read_text() for file in FILES]
    dispatched = r"""(?:new (?:Custom)?Event\(|htmx\.trigger\(.*, |trigger_client_event\(\w+, )"""
    ours = {name for text in texts for name in re.findall(r'"(site:\w+)"', text)}
    others = {name for text in texts for name in re.findall(rf'{dispatched}"(\w+)"', text)}
    heard = re.sub(ATTRIBUTE, "", FIRST_CELLS)
    assert set(re.findall(r"`([\w:]+)`", heard)) == ours | others - OF_BROWSERS
