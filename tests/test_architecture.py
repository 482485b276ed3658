"""Architecture tests: which layer imports which, who writes, and who reads hidden facts."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.template_files import template_files

ROOT = Path(__file__).resolve().parent.parent
GAMES = ROOT / "games"
WRITING = {
    *("save", "create", "delete", "update", "bulk_create", "bulk_update"),
    *("get_or_create", "update_or_create", "aupdate", "asave", "acreate", "adelete"),
}
MANAGERS = {"objects", "unsealed"}


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


def files(folder: str) -> list[Path]:
    """The Python files of the product: a game's tests are none of it."""
    found = sorted(
        path
        for path in (ROOT / folder).rglob("*.py")
        if not {"migrations", "tests"} & set(path.relative_to(ROOT).parts)
    )
    assert found, f"{folder} is empty"
    return found


def others(*owners: str) -> list[Path]:
    """The files of games but these."""
    owned = {GAMES / owner for owner in owners}
    assert all(path.exists() for path in owned)
    return [path for path in files("games") if path not in owned]


def imported(file: Path) -> Iterator[str]:
    """Every name a file imports, in full: games.models.FactRow, django.db …"""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{file} imports relatively"
            for alias in node.names:
                yield f"{node.module}.{alias.name}"


def imports(file: Path, package: str) -> bool:
    return any(f"{name}.".startswith(f"{package}.") for name in imported(file))


def attributes(file: Path) -> Iterator[tuple[str, str]]:
    """Every `owner.attribute` of a file whose owner is a plain name."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield node.value.id, node.attr


def calls(file: Path) -> Iterator[str]:
    """The name of every method a file calls."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func.attr


def where(found: Iterator[Path] | list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in found]


# --- the browser ---------------------------------------------------------------------------------


def test_no_script_reads_the_clock_of_the_device() -> None:
    """People set it, and it jumps; clock.js has the server's. A given moment may be formatted."""
    scripts = [*GAMES.rglob("static/**/*.js"), *(ROOT / "perudo_site").rglob("static/**/*.js")]
    assert len(scripts) > 15
    read = re.compile(r"Date\.now|new Date\(\)|new Date\b(?!\()|\bDate\(\)|timeOrigin")
    # It notices by the difference of both clocks that the device slept, and then asks the server.
    to_look_again = ROOT / "perudo_site/static/site/reconnect.js"
    found = [file for file in scripts if read.search(file.read_text())]
    assert where([file for file in found if file != to_look_again]) == []


# --- 1. the rules are pure -----------------------------------------------------------------------


# Each folder of pure code, and what else of the games it may import.
PURE = {
    "games/core": ("games.core",),
    "games/perudo/rules": ("games.core", "games.perudo.rules"),
    "games/peco_peco/rules": ("games.core", "games.peco_peco.rules"),
}


@pytest.mark.parametrize("folder", PURE)
def test_the_rules_import_the_standard_library_and_what_is_pure_alone(folder: str) -> None:
    for file in files(folder):
        foreign = {name.split(".")[0] for name in imported(file)} - sys.stdlib_module_names
        assert foreign <= {"games"}
        ours = [name for name in imported(file) if name.split(".")[0] == "games"]
        assert all(f"{name}.".startswith(tuple(f"{own}." for own in PURE[folder])) for name in ours)


@pytest.mark.parametrize("module", ["datetime", "time", "random", "os"])
def test_the_rules_know_neither_time_nor_luck_nor_the_machine(module: str) -> None:
    pure = [file for folder in PURE for file in files(folder)]
    pure.remove(GAMES / "core" / "chance.py")  # where luck comes from
    assert where([file for file in pure if imports(file, module)]) == []


def test_one_game_never_imports_another() -> None:
    games = [path.parent.name for path in GAMES.glob("*/rules")]
    assert len(games) == 2
    for game in games:
        for file in files(f"games/{game}"):
            assert not any(imports(file, f"games.{other}") for other in games if other != game)


# What only one game has. Cards are not among them: on pages, other things are laid out as cards.
OF_ONE_GAME = (
    r"bids?|bidder|dudo|calza|palifico|pacos?|dice|die|cups?|"
    r"slap|accuse|accusation|declare\w*|declaring|declarations?|bluff|stakes?|buffet|dish(es)?"
)
# General files that name a game nevertheless, and why.
NAMING = {
    "games/static/games/preferences.js": "what a browser kept under names from before",
}


def test_no_general_file_names_a_game() -> None:
    games = sorted(path.parent.name for path in GAMES.glob("*/rules"))
    name = re.compile(rf"\b({'|'.join(games)})\b", re.IGNORECASE)
    word = re.compile(rf"\b({OF_ONE_GAME})\b", re.IGNORECASE)
    pages = template_files()
    looks = [
        file
        for static in (GAMES, ROOT / "perudo_site")
        for kind in ("js", "css")
        for file in sorted(static.rglob(f"static/**/*.{kind}"))
    ]
    assert len(pages) > 50 and len(looks) > 40
    general = {
        str(path.relative_to(ROOT)): path.read_text()
        for path in [*files("games"), *pages, *looks]
        if path.relative_to(ROOT).parts[1] not in games
    }
    naming = {
        path
        for path, text in general.items()
        if name.search(text) or (not path.endswith(".py") and word.search(text))
    }
    assert naming == NAMING.keys()


# --- 2. the log and what is sealed in it ---------------------------------------------------------


# The only files that read facts.
LOG = ("store/event_log.py", "store/archive.py")


def test_only_the_log_names_the_rows_of_facts() -> None:
    strangers = others(*LOG, "models/__init__.py", "models/game.py", "admin.py")
    assert where([file for file in strangers if imports(file, "games.models.FactRow")]) == []
    assert where([file for file in strangers if ("models", "FactRow") in attributes(file)]) == []
    assert (
        where([file for file in strangers if any(a == "factrow_set" for _, a in attributes(file))])
        == []
    )


def test_only_the_log_names_the_records_in_which_old_logs_are_packed() -> None:
    strangers = others(*LOG, "models/__init__.py", "models/results.py")
    for package in ("games.models.PackedLog", "games.models.results"):
        assert where([file for file in strangers if imports(file, package)]) == []
    assert where([file for file in strangers if ("models", "PackedLog") in attributes(file)]) == []


def test_neither_people_nor_the_staff_ever_see_the_rows_of_facts() -> None:
    for file in [*files("accounts"), *files("perudo_site")]:
        assert not imports(file, "games.models.FactRow"), file
        assert not imports(file, "games.models.PackedLog"), file
        assert not {"FactRow", "factrow_set", "unsealed"} & {
            name for _, name in attributes(file)
        }, file


def test_only_a_step_looks_under_the_cups_of_a_running_game() -> None:
    for file in others("play/transaction.py", "store/event_log.py"):
        assert ("event_log", "unsealed") not in attributes(file), file
        assert not imports(file, "games.store.event_log.unsealed"), file


def test_only_the_log_reads_packed_rows() -> None:
    for file in others(*LOG):
        assert ("archive", "packed_rows") not in attributes(file), file
        assert not imports(file, "games.store.archive.packed_rows"), file


def test_only_the_record_of_a_finished_game_reads_the_whole_log() -> None:
    for file in others(
        *("store/record_export.py", "store/event_log.py", "store/moments.py"),
        "peco_peco/stats.py",  # bluffs are counted when the game is over
    ):
        assert ("event_log", "unsealed_facts") not in attributes(file), file


# --- 3. who writes -------------------------------------------------------------------------------


def test_only_play_takes_steps_of_a_running_game() -> None:
    for module, users in (
        ("transaction", ["commands"]),
        ("draft", ["commands", "finish", "transaction", "writers"]),
    ):
        strangers = others(*(f"play/{name}.py" for name in users))
        assert where([file for file in strangers if imports(file, f"games.play.{module}")]) == []


def test_only_play_and_the_lobby_write_games() -> None:
    writers = (
        "play/commands.py play/transaction.py play/draft.py play/before_start.py "
        "play/close_by_staff.py "
        "play/finish.py play/presence.py play/pausing.py play/next_tables.py "
        "play/next_seats.py play/waiting_tables.py play/quick_tables.py play/trying.py "
        "perudo/stats.py peco_peco/stats.py store/event_log.py store/archive.py "
        "chat/services.py chat/retention.py inbox/services.py inbox/retention.py "
        "models/heartbeat.py play/open_pages.py "
        "matching/services.py matching/settling.py matching/jobs.py matching/head.py "  # searches
        "play/standing_games.py standing/services.py standing/retention.py questions/services.py "
        "questions/daily.py questions/choosing.py friends/services.py friends/presence.py "
        "review/services.py push/subscriptions.py push/outbox.py calling/sending.py "
        "calling/to_many.py views/notifications.py "
        "views/daily.py "  # who lends decisions
        "rendering/preview_drawing.py "  # saves a picture
        "views/invitations.py views/guests.py views/matching.py"  # save the name of a guest
    )
    readers = others(*writers.split())
    assert where([file for file in readers if WRITING & set(calls(file))]) == []


def test_the_log_the_chat_and_the_heartbeat_write_no_game() -> None:
    for file in (
        GAMES / "store/event_log.py",
        GAMES / "chat/services.py",
        GAMES / "chat/retention.py",
        GAMES / "inbox/services.py",
        GAMES / "models/heartbeat.py",
    ):
        written = {model for model, manager in attributes(file) if manager in MANAGERS}
        assert written and not {"Game", "Seat"} & written, file


def test_of_a_game_that_is_over_only_results_and_its_time_in_the_archive_are_written() -> None:
    for file, models, writing in (
        ("play/finish.py", {"Result", "Tally"}, {"bulk_create"}),
        ("perudo/stats.py", {"Round"}, {"save", "bulk_update"}),
        ("peco_peco/stats.py", {"Round"}, {"save", "bulk_update"}),
    ):
        managers = {model for model, name in attributes(GAMES / file) if name in MANAGERS}
        assert managers == models
        assert WRITING & set(calls(GAMES / file)) == writing
    # The archive saves a packed log and deletes the rows in it.
    assert WRITING & set(calls(GAMES / "store/archive.py")) == {"update", "save", "delete"}
    for node in ast.walk(tree(GAMES / "store/archive.py")):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == "update":
            assert [keyword.arg for keyword in node.keywords] == ["pack_at"]


def test_presence_writes_nothing_but_when_somebody_watched() -> None:
    assert WRITING & set(calls(GAMES / "play/presence.py")) == {"update"}
    for node in ast.walk(tree(GAMES / "play/presence.py")):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == "update":
            assert [keyword.arg for keyword in node.keywords] in (["watched_at"], ["seen_at"])


def test_who_has_a_page_open_is_all_that_its_sockets_write() -> None:
    assert WRITING & set(calls(GAMES / "play/open_pages.py")) == {"update"}
    for node in ast.walk(tree(GAMES / "play/open_pages.py")):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == "update":
            assert [keyword.arg for keyword in node.keywords] == ["present_at"]


def test_only_a_step_and_the_lobby_announce_what_is_new() -> None:
    announcing = (
        "draft finish before_start waiting_tables next_tables pausing close_by_staff quick_tables "
        "standing_games announce"
    )
    for file in others(*(f"play/{name}.py" for name in announcing.split())):
        announced = {name for owner, name in attributes(file) if owner == "announce"}
        talk = {"chat_changed"} if file == GAMES / "chat/services.py" else set()
        talk |= {"inbox_changed"} if file == GAMES / "inbox/services.py" else set()
        assert announced <= {"group", "person", "LOBBY"} | talk, file


# --- 4. and 5. who knows whom --------------------------------------------------------------------


@pytest.mark.parametrize(
    "file",
    ["live/consumers.py", "live/base_consumer.py", "live/person_consumer.py", "chat/services.py"],
)
def test_neither_sockets_nor_talk_ever_play(file: str) -> None:
    assert not imports(GAMES / file, "games.play.commands")


def test_screens_know_nothing_of_sockets() -> None:
    assert where([file for file in files("games/rendering") if imports(file, "channels")]) == []


def test_nobody_inside_imports_the_site() -> None:
    inside = [*files("games"), *files("accounts")]
    assert where([file for file in inside if imports(file, "perudo_site")]) == []


def test_people_have_never_heard_of_games() -> None:
    assert where([file for file in files("accounts") if imports(file, "games")]) == []


# What a part of `games` imports stands on a floor below it, also for types alone. Parts
# of one floor know nothing of each other. A new part is given its floor here.
FLOORS = (
    "core errors meeting metrics regional_formats",
    "models",
    "game_values",
    "optional_parts",
    "catalogue",
    "game_modules",
    "store page_identity words",
    "play push",
    "chat forms inbox players questions review standing trying",
    "calling friends",
    "rendering",
    "actions admin matching",
    "live management templatetags views <game>",
    "apps urls",
)
_FLOOR = {part: floor for floor, parts in enumerate(FLOORS) for part in parts.split()}


def _part(module: str) -> str:
    """The part of `games` that a module belongs to, as `FLOORS` names it; "" outside."""
    top, _, rest = module.partition(".")
    part = rest.split(".")[0]
    if top != "games":
        return ""
    return "<game>" if (GAMES / part / "rules").is_dir() else part


@cache
def graph() -> dict[str, set[str]]:
    """Every module of ours, and those of ours that it imports, also inside functions or for types
    alone."""
    everywhere = [*files("games"), *files("accounts"), *files("perudo_site")]
    modules = {_module(file): file for file in everywhere}
    found = {
        name: {_nearest(each, modules) for each in imported(modules[name])} for name in modules
    }
    return {name: others - {name, ""} for name, others in found.items()}


def _module(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _nearest(name: str, modules: Collection[str]) -> str:
    """The module that an imported name is, or comes from; "" for one that is not ours."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name


def test_imports_go_down_also_those_for_types() -> None:
    parts = {(_part(name), _part(other)) for name, others in graph().items() for other in others}
    crossing = {(above, below) for above, below in parts if above and below and above != below}
    assert {each for pair in crossing for each in pair} <= _FLOOR.keys(), "give it a floor"
    assert [(a, b) for a, b in sorted(crossing) if _FLOOR[a] <= _FLOOR[b]] == []


def test_no_modules_import_each_other_in_a_circle_also_not_for_types() -> None:
    left = graph()
    while ends := {name for name, others in left.items() if not others & left.keys()}:
        left = {name: others for name, others in left.items() if name not in ends}
    # What remains is on a circle, or imports something on one.
    assert {name: sorted(others & left.keys()) for name, others in left.items()} == {}


# --- habits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("package", ["django.dispatch", "django.db.models.signals"])
def test_there_are_no_signals(package: str) -> None:
    everywhere = [*files("games"), *files("accounts"), *files("perudo_site")]
    assert where([file for file in everywhere if imports(file, package)]) == []


def test_saving_a_row_does_nothing_but_save_it() -> None:
    for file in (*files("games/models"), ROOT / "accounts/models.py"):
        methods = [node.name for node in ast.walk(tree(file)) if isinstance(node, ast.FunctionDef)]
        assert not {"save", "delete"} & set(methods)


@pytest.mark.parametrize("folder", ["games", "accounts", "perudo_site"])
def test_a_file_says_its_promise_first_and_fits_the_head(folder: str) -> None:
    for file in files(folder):
        text = file.read_text()
        assert not text or ast.get_docstring(tree(file)), file
        assert text.count("\n") < 350, file  # some 300 is the aim, this the end of patience
