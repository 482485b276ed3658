"""Templates lie in the apps they belong to, and ours come before those of packages."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.apps import apps
from django.template.loader import get_template

from tests.template_files import ROOT, template_files, template_name

OURS = {template_name(file): file for file in template_files()}


def origin(name: str) -> Path:
    return Path(get_template(name).origin.name)  # type: ignore[attr-defined]


def test_every_template_lies_in_one_folder_only() -> None:
    assert len(OURS) == len(template_files()) > 100


@pytest.mark.parametrize("name", OURS)
def test_our_template_is_the_one_that_is_found(name: str) -> None:
    assert origin(name) == OURS[name]


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
