"""A game is found by the names of its modules, and one that lacks a part stops the start."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from games.contract import catalogue
from games.contract.game_modules import MODULES, TEMPLATES, game_in, names_in
from tests.support.live_site import ROOT


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a package `third` with every part of a game."""
    folder = tmp_path / "third"
    (folder / "rules").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    for name in sorted(MODULES):
        path = "rules/__init__" if name == "rules" else name.replace(".", "/")
        (folder / f"{path}.py").write_text(f"from games.peco_peco.{name} import *\n")
    with (folder / "rules" / "__init__.py").open("a") as file:
        file.write("KEY = 'third'\n")
    (folder / "templates" / "third").mkdir(parents=True)
    for name in TEMPLATES:
        (folder / "templates" / "third" / name).touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.split(".")[0] == "third"]:
        del sys.modules[name]


def test_the_games_of_the_site_are_those_of_the_setting_in_its_order() -> None:
    assert [game.key for game in catalogue.every()] == [
        package.rsplit(".", 1)[1] for package in settings.GAMES
    ]


def test_a_folder_with_every_module_is_a_game(copy: Path) -> None:
    game = game_in("third")
    assert game.key == "third"
    assert game.words.name() == "Peco Peco"
    assert game.stand_in in game.bots


@pytest.mark.parametrize("name", MODULES)
def test_a_missing_module_is_named(copy: Path, name: str) -> None:
    file = copy / f"{name.replace('.', '/')}.py"
    (file if file.exists() else copy / name / "__init__.py").unlink()
    with pytest.raises(ImproperlyConfigured) as error:
        game_in("third")
    assert "the game third lacks" in str(error.value)
    assert name in str(error.value)


def test_everything_missing_is_named_at_once(copy: Path) -> None:
    (copy / "pace.py").write_text("def turn_seconds(seats): ...\n")
    (copy / "replay.py").unlink()
    (copy / "templates" / "third" / "_own.html").unlink()
    with pytest.raises(ImproperlyConfigured) as error:
        game_in("third")
    said = str(error.value)
    assert said.startswith("the game third lacks pace.bot_seconds, pace.bots_wait_ms, ")
    assert "the module replay" in said
    assert "templates/third/_own.html" in said
    assert "pace.turn_seconds" not in said


def test_a_part_that_a_game_need_not_have_is_whole_where_it_is(copy: Path) -> None:
    assert game_in("third").trainer is None
    (copy / "trainer.py").write_text("STYLES = ()\n")
    with pytest.raises(ImproperlyConfigured) as error:
        game_in("third")
    lacks = "trainer.odds_question, templates/third/_odds_question.html"
    assert str(error.value) == f"the game third lacks {lacks}"


def test_marks_need_their_words(copy: Path) -> None:
    assert game_in("third").marks is None
    (copy / "marks.py").write_text("from games.peco_peco.marks import *\n")
    with pytest.raises(ImproperlyConfigured, match="third lacks the module words.marks"):
        game_in("third")


def test_guesses_need_questions(copy: Path) -> None:
    assert game_in("third").guesses is None
    (copy / "guesses.py").write_text("from games.peco_peco.guesses import *\n")
    with pytest.raises(ImproperlyConfigured, match="third lacks the module questions"):
        game_in("third")


def test_what_is_wrong_inside_a_module_is_raised_as_it_is(copy: Path) -> None:
    (copy / "pace.py").write_text("import no_such_module\n")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        game_in("third")


def test_the_stand_in_is_one_of_the_bots(copy: Path) -> None:
    (copy / "bots.py").write_text("BOTS = MIXED = {}\nSTAND_IN = 'medium'\n")
    with pytest.raises(ImproperlyConfigured, match="no bot 'medium'"):
        game_in("third")


def test_two_games_cannot_have_one_key() -> None:
    games = [*catalogue.every()]
    with pytest.raises(ValueError, match=f"two games have the key '{games[0].key}'"):
        catalogue.install([*games, games[0]])
    assert [*catalogue.every()] == games


def test_every_interface_asks_for_something() -> None:
    for name, interface in MODULES.items():
        assert names_in(interface), name


@pytest.mark.slow
def test_a_third_game_is_one_folder_and_one_line_of_the_settings(copy: Path) -> None:
    """Started as the site is, it has its game in the catalogue and finds its templates."""
    line = "settings.GAMES.append('third'); settings.INSTALLED_APPS.append('third')"
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import tests.settings as settings; {line}; import django; django.setup()\n"
            "from games.contract import catalogue\n"
            "from django.template.loader import get_template\n"
            "print([game.key for game in catalogue.every()][-1])\n"
            "print(get_template('third/_table.html').origin.name)\n",
        ],
        cwd=ROOT,
        env={"PYTHONPATH": str(copy.parent), "DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    key, template = done.stdout.split()
    assert key == "third"
    assert template == str(copy / "templates" / "third" / "_table.html")
