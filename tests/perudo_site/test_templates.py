"""Templates lie in the apps they belong to, and ours come before those of packages."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from django.apps import apps
from django.template.loader import get_template

from tests.template_files import ROOT, template_files, template_name

OURS = {template_name(file): file for file in template_files()}


def test_every_template_lies_in_one_folder_only() -> None:
    assert len(OURS) == len(template_files()) > 100


def test_our_templates_are_the_ones_that_are_found() -> None:
    assert {name: Path(get_template(name).origin.name) for name in OURS} == OURS  # type: ignore[attr-defined]


def test_the_templates_of_packages_that_we_replace_are_among_them() -> None:
    replaced = {
        name
        for app in apps.get_app_configs()
        if not Path(app.path).is_relative_to(ROOT) or "site-packages" in Path(app.path).parts
        for name in OURS
        if (Path(app.path) / "templates" / name).is_file()
    }
    assert {name.split("/")[0] for name in replaced} == {"account", "mfa", "admin"}
    assert len(replaced) > 25


def test_a_game_and_the_accounts_have_their_templates_themselves() -> None:
    at_the_top = {
        name.split("/")[0]
        for name, file in OURS.items()
        if file.parts[len(ROOT.parts)] == "templates"
    }
    assert not at_the_top & {"account", "accounts", "mfa", "games", "learn", "perudo", "peco_peco"}


def test_our_pages_are_stripped_of_indentation_and_those_of_packages_are_not() -> None:
    assert "\n " not in get_template("games/table.html").template.source  # type: ignore[attr-defined]
    assert "\n " in get_template("admin/index.html").template.source  # type: ignore[attr-defined]


_INCLUDED = re.compile(r'{% include "(?P<name>[^"]+)"(?P<how>[^%]*)%}')
_HAS_A_CONTROL = re.compile(r"<(?:input|select|textarea)\b|\bform=\"")


def test_a_control_that_several_templates_include_takes_only_what_it_is_given() -> None:
    """A page's own `form` or `name` once ended up within the field for a guest's name.

    With `only` a form's token is to be passed too.
    """
    includes = [
        (page, found["name"], found["how"].split())
        for page, file in OURS.items()
        for found in _INCLUDED.finditer(file.read_text())
    ]
    count = Counter(name for _page, name, _how in includes)
    parts = {name for name in count if _HAS_A_CONTROL.search(OURS[name].read_text())}
    shared = {name for name in parts if count[name] > 1}
    assert {"games/_guest_name.html", "games/_share.html", "friends/_act.html"} <= shared
    for page, name, how in includes:
        if name in shared:
            assert how[-1:] == ["only"], f"{page} includes {name}"
        if "only" in how and "{% csrf_token %}" in OURS[name].read_text():
            assert "csrf_token=csrf_token" in how, f"{page} includes {name} without a token"
