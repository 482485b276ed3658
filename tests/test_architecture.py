"""Architecture tests: which layer imports which, who steps, and who reads hidden facts.

Each rule finds what breaks it in the whole source, and has a breach that is planted in a file to
see that the rule finds it. Who writes which model is in test_writers.py.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Collection, Iterable
from functools import cache
from pathlib import Path

import pytest

from tests.template_files import template_files

ROOT = Path(__file__).resolve().parent.parent
GAMES = ROOT / "games"
PRODUCT = ("games", "accounts", "perudo_site")

Rule = Callable[[], list[str]]
RULES: dict[Rule, tuple[str, str]] = {}
# What a test has planted at the end of a file.
_planted: dict[Path, str] = {}


def rule(file: str, breach: str) -> Callable[[Rule], Rule]:
    """A rule gives the places that break it; `breach`, at the end of `file`, would."""

    def register(check: Rule) -> Rule:
        RULES[check] = (file, breach)
        return check

    return register


# --- reading the source --------------------------------------------------------------------------


def text_of(file: Path) -> str:
    return f"{_read(file)}\n{_planted[file]}" if file in _planted else _read(file)


@cache
def _read(file: Path) -> str:
    return file.read_text()


@cache
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


def tree(file: Path) -> ast.Module:
    return _parsed(text_of(file))


@cache
def files(*folders: str) -> tuple[Path, ...]:
    """The Python files of the product: a game's tests are none of it."""
    found = [
        path
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not {"migrations", "tests"} & set(path.relative_to(ROOT).parts)
    ]
    assert found, f"{folders} are empty"
    return tuple(found)


def others(*owners: str) -> list[Path]:
    """The files of games but these."""
    owned = {GAMES / owner for owner in owners}
    assert all(path.exists() for path in owned)
    return [path for path in files("games") if path not in owned]


def imported(file: Path) -> frozenset[str]:
    """Every name a file imports, in full: games.models.FactRow, django.db …"""
    return _imported(text_of(file))


@cache
def _imported(text: str) -> frozenset[str]:
    found = set()
    for node in ast.walk(_parsed(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"imports relatively: {ast.unparse(node)}"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def imports(file: Path, *packages: str) -> bool:
    return any(
        f"{name}.".startswith(f"{package}.") for name in imported(file) for package in packages
    )


def attributes(file: Path) -> frozenset[tuple[str, str]]:
    """Every `owner.attribute` of a file whose owner is a plain name."""
    return _attributes(text_of(file))


@cache
def _attributes(text: str) -> frozenset[tuple[str, str]]:
    return frozenset(
        (node.value.id, node.attr)
        for node in ast.walk(_parsed(text))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    )


def where(found: Iterable[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in found]


def changes(file: Path) -> list[tuple[str, ...]]:
    """The columns of every `.update(column=…)` of a file."""
    return [
        tuple(keyword.arg or "**" for keyword in node.keywords)
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == "update"
    ]


# --- 1. the rules are pure -----------------------------------------------------------------------


# Each folder of pure code, and what else of the games it may import.
PURE = {
    "games/core": ("games.core",),
    "games/perudo/rules": ("games.core", "games.perudo.rules"),
    "games/peco_peco/rules": ("games.core", "games.peco_peco.rules"),
}


@rule("games/core/chance.py", "from games.store import event_log")
def pure_code_imports_the_standard_library_and_what_is_pure() -> list[str]:
    return [
        f"{file.relative_to(ROOT)} imports {name}"
        for folder, own in PURE.items()
        for file in files(folder)
        for name in imported(file)
        if name.split(".")[0] not in sys.stdlib_module_names
        and not f"{name}.".startswith(tuple(f"{each}." for each in own))
    ]


@rule("games/perudo/rules/__init__.py", "from time import monotonic")
def pure_code_knows_neither_time_nor_luck_nor_the_machine() -> list[str]:
    luck = GAMES / "core" / "chance.py"
    pure = [file for file in files(*PURE) if file != luck]
    return where(file for file in pure if imports(file, "datetime", "time", "random", "os"))


def _games() -> list[str]:
    found = sorted(path.parent.name for path in GAMES.glob("*/rules"))
    assert len(found) == 2
    return found


@rule("games/peco_peco/stats.py", "from games.perudo import stats")
def one_game_never_imports_another() -> list[str]:
    return where(
        file
        for game in _games()
        for file in files(f"games/{game}")
        if imports(file, *(f"games.{other}" for other in _games() if other != game))
    )


# What only one game has. Cards are not among them: on pages, other things are laid out as cards.
OF_ONE_GAME = (
    r"bids?|bidder|dudo|calza|palifico|pacos?|dice|die|cups?|"
    r"slap|accuse|accusation|declare\w*|declaring|declarations?|bluff|stakes?|buffet|dish(es)?"
)
# General files that name a game nevertheless, and why.
NAMING = {
    "games/static/games/preferences.js": "what a browser kept under names from before",
    "games/static/games/verify.py": "checks the draws of each game, in one file to download",
}


@rule("games/play/finish.py", 'if game.kind_key == "perudo": ...')
def no_general_file_names_a_game() -> list[str]:
    name = re.compile(rf"\b({'|'.join(_games())})\b", re.IGNORECASE)
    word = re.compile(rf"\b({OF_ONE_GAME})\b", re.IGNORECASE)
    looks = [
        file
        for static in (GAMES, ROOT / "perudo_site")
        for kind in ("js", "css")
        for file in sorted(static.rglob(f"static/**/*.{kind}"))
    ]
    pages = template_files()
    assert len(pages) > 50 and len(looks) > 40
    general = {
        str(path.relative_to(ROOT)): text_of(path)
        for path in [*files("games"), *pages, *looks]
        if path.relative_to(ROOT).parts[1] not in _games()
    }
    naming = {
        path
        for path, text in general.items()
        if name.search(text) or (not path.endswith(".py") and word.search(text))
    }
    return sorted(naming ^ NAMING.keys())


# --- 2. the log and what is sealed in it ---------------------------------------------------------


# The only files that read facts.
LOG = ("store/event_log.py", "store/archive.py")


@rule("games/table/ending.py", "facts = game.factrow_set.all()")
def only_the_log_names_the_rows_of_facts() -> list[str]:
    strangers = others(*LOG, "models/__init__.py", "models/facts.py", "models/game.py", "admin.py")
    return where(
        file
        for file in [*strangers, *files("accounts", "perudo_site")]
        if imports(file, "games.models.FactRow")
        or ("models", "FactRow") in attributes(file)
        or any(name == "factrow_set" for _, name in attributes(file))
    )


@rule("games/views/replay.py", "from games.models import PackedLog")
def only_the_log_names_the_records_in_which_old_logs_are_packed() -> list[str]:
    strangers = others(*LOG, "models/__init__.py", "models/results.py")
    return where(
        file
        for file in [*strangers, *files("accounts", "perudo_site")]
        if imports(file, "games.models.PackedLog", "games.models.results")
        or ("models", "PackedLog") in attributes(file)
    )


@rule("games/play/autoplay.py", "from games.models import DrawProof")
def only_the_store_of_proofs_names_the_rows_of_secrets() -> list[str]:
    strangers = others("store/proofs.py", "models/__init__.py", "models/proofs.py")
    return where(
        file
        for file in [*strangers, *files("accounts", "perudo_site")]
        if imports(file, "games.models.DrawProof", "games.models.SeatPart", "games.models.proofs")
        or {("models", "DrawProof"), ("models", "SeatPart")} & attributes(file)
    )


@rule("games/play/autoplay.py", "from games.store.proofs import TableChance")
def only_moves_draw_from_the_secret_of_a_game() -> list[str]:
    drawing = others(
        *("play/commands.py", "play/before_start.py", "play/first_deal.py"),
        "store/record_export.py",
        *("views/fairness.py", "table/waiting_room.py"),  # the seal
    )
    return where(file for file in drawing if imports(file, "games.store.proofs"))


@rule("perudo_site/staff/apps.py", "rows = Anything.unsealed")
def neither_people_nor_the_staff_see_what_is_sealed() -> list[str]:
    return where(
        file
        for file in files("accounts", "perudo_site")
        if {"factrow_set", "unsealed"} & {name for _, name in attributes(file)}
    )


@rule("games/play/due.py", "event_log.unsealed(game)")
def only_a_step_looks_under_the_cups_of_a_running_game() -> list[str]:
    return where(
        file
        for file in others("play/transaction.py", "store/event_log.py")
        if ("event_log", "unsealed") in attributes(file)
        or imports(file, "games.store.event_log.unsealed")
    )


@rule("games/study/review/analysis.py", "from games.store.archive import packed_rows")
def only_the_log_reads_packed_rows() -> list[str]:
    return where(
        file
        for file in others(*LOG)
        if ("archive", "packed_rows") in attributes(file)
        or imports(file, "games.store.archive.packed_rows")
    )


@rule("games/table/frames.py", "event_log.unsealed_facts(game)")
def only_the_record_of_a_finished_game_reads_the_whole_log() -> list[str]:
    strangers = others(
        *("store/record_export.py", "store/event_log.py", "store/moments.py"),
        "peco_peco/stats.py",  # bluffs are counted when the game is over
        "play/throws.py",  # as is what was thrown
    )
    return where(file for file in strangers if ("event_log", "unsealed_facts") in attributes(file))


# --- 3. who takes steps --------------------------------------------------------------------------


STEPS = {
    "transaction": ["commands"],
    "draft": ["commands", "finish", "transaction", "writers"],
}


@rule("games/play/due.py", "from games.play.transaction import Transaction")
def only_play_takes_steps_of_a_running_game() -> list[str]:
    return [
        f"{told} imports {module}"
        for module, users in STEPS.items()
        for told in where(
            file
            for file in others(*(f"play/{name}.py" for name in users))
            if imports(file, f"games.play.{module}")
        )
    ]


# What changes no game but these columns.
COLUMNS = {
    "store/archive.py": {("pack_at",)},
    "play/presence.py": {("watched_at",), ("seen_at",)},
    "play/open_pages.py": {("present_at",)},
}


@rule("games/play/open_pages.py", "Seat.objects.update(live=False)")
def what_notes_times_writes_nothing_else() -> list[str]:
    return [
        f"{file} writes {columns}"
        for file, allowed in COLUMNS.items()
        for columns in changes(GAMES / file)
        if columns not in allowed
    ]


# Who may announce, and what: all of it, or what belongs to them.
ANNOUNCING = (
    "draft finish before_start first_deal waiting_tables next_tables pausing close_by_staff "
    "quick_tables standing_games announce"
)
OWN_NEWS = {"social/chat/talk.py": "chat_changed", "social/inbox/entries.py": "inbox_changed"}


@rule("games/views/chat.py", "announce.game_changed(code, 1)")
def only_a_step_and_the_lobby_announce_what_is_new() -> list[str]:
    found = []
    for file in others(*(f"play/{name}.py" for name in ANNOUNCING.split())):
        announced = {name for owner, name in attributes(file) if owner == "announce"}
        told = announced - {"group", "person", "LOBBY"}
        if told - {OWN_NEWS.get(str(file.relative_to(GAMES)), "")}:
            found.append(file)
    return where(found)


# --- 4. and 5. who knows whom --------------------------------------------------------------------


@rule("games/live/moves.py", "from games.play import commands")
def neither_sockets_nor_talk_nor_screens_play_but_by_act() -> list[str]:
    steps = [f"games.play.{name}" for name in ("commands", "transaction", "draft")]
    parts = [f"games/{part}" for part in ("live", "social", "lobby", "study", "notify")]
    plays = {GAMES / "table/act.py", GAMES / "table/at_a_table.py"}
    found = [*files(*parts), *(file for file in files("games/table") if file not in plays)]
    return where(file for file in found if imports(file, *steps))


@rule("games/table/frames.py", "from channels.layers import get_channel_layer")
def screens_know_nothing_of_sockets() -> list[str]:
    return where(
        file
        for file in files("games/table", "games/study", "games/lobby")
        if imports(file, "channels")
    )


@rule("accounts/outbox.py", "import perudo_site.settings")
def nobody_inside_imports_the_site() -> list[str]:
    return where(file for file in files("games", "accounts") if imports(file, "perudo_site"))


@rule("accounts/names.py", "from games.models import Seat")
def people_have_never_heard_of_games() -> list[str]:
    return where(file for file in files("accounts") if imports(file, "games"))


@cache
def floors() -> dict[str, int]:
    """The floor of each part of `games`, as docs/architecture.md draws them, from the ground."""
    drawn = (ROOT / "docs" / "architecture.md").read_text().partition("```floors\n")[2]
    lines = drawn.partition("```")[0].splitlines()
    assert len(lines) > 5
    return {
        part: floor
        for floor, line in enumerate(reversed(lines))
        for part in re.split(r"\s{2,}", line)[0].split()
    }


def _part(module: str) -> str:
    """The part of `games` that a module belongs to, as the floors name it; "" outside."""
    top, _, rest = module.partition(".")
    part = rest.split(".")[0]
    if top != "games":
        return ""
    return "<game>" if (GAMES / part / "rules").is_dir() else part


def graph() -> dict[str, set[str]]:
    """Every module of ours, and those of ours that it imports, also inside functions or for types
    alone."""
    modules = {_module(file): file for file in files(*PRODUCT)}
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


@rule("games/models/game.py", "from games.play import commands")
def imports_go_down_also_those_for_types() -> list[str]:
    """Parts of one floor know nothing of each other. A new part is given its floor in the docs."""
    parts = {(_part(name), _part(other)) for name, others in graph().items() for other in others}
    crossing = {(above, below) for above, below in parts if above and below and above != below}
    if adrift := {each for pair in crossing for each in pair} ^ floors().keys():
        return [f"the docs and the source differ about {each}" for each in sorted(adrift)]
    return [f"{a} imports {b}" for a, b in sorted(crossing) if floors()[a] <= floors()[b]]


@rule("games/store/statements.py", "from games.store import event_log")
def no_modules_import_each_other_in_a_circle_also_not_for_types() -> list[str]:
    left = graph()
    while ends := {name for name, others in left.items() if not others & left.keys()}:
        left = {name: others for name, others in left.items() if name not in ends}
    # What remains is on a circle, or imports something on one.
    return sorted(left)


# --- habits --------------------------------------------------------------------------------------


@rule("games/apps.py", "from django.db.models.signals import post_save")
def there_are_no_signals() -> list[str]:
    signals = ("django.dispatch", "django.db.models.signals")
    return where(file for file in files(*PRODUCT) if imports(file, *signals))


@rule("games/models/game.py", "class More(Model):\n    def save(self) -> None: ...")
def saving_a_row_does_nothing_but_save_it() -> list[str]:
    return where(
        file
        for file in (*files("games/models"), ROOT / "accounts/models.py")
        if {"save", "delete"}
        & {node.name for node in ast.walk(tree(file)) if isinstance(node, ast.FunctionDef)}
    )


@rule("games/play/alarm.py", "\n" * 350)
def a_file_says_its_promise_first_and_fits_the_head() -> list[str]:
    """Some 300 lines are the aim, 350 the end of patience."""
    return where(
        file
        for file in files(*PRODUCT)
        if (text := text_of(file))
        and (not ast.get_docstring(tree(file)) or text.count("\n") >= 350)
    )


@rule("games/static/games/sound.js", "const now = Date.now();")
def no_script_reads_the_clock_of_the_device() -> list[str]:
    """People set it, and it jumps; clock.js has the server's. A given moment may be formatted."""
    scripts = [*GAMES.rglob("static/**/*.js"), *(ROOT / "perudo_site").rglob("static/**/*.js")]
    assert len(scripts) > 15
    read = re.compile(r"Date\.now|new Date\(\)|new Date\b(?!\()|\bDate\(\)|timeOrigin")
    # It notices by the difference of both clocks that the device slept, and then asks the server.
    to_look_again = ROOT / "perudo_site/static/site/reconnect.js"
    found = [file for file in scripts if read.search(text_of(file))]
    return where(file for file in found if file != to_look_again)


def test_the_source_keeps_every_rule() -> None:
    assert {check.__name__: found for check in RULES if (found := check())} == {}


def test_every_rule_finds_the_breach_that_is_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    blind = []
    for check, (file, breach) in RULES.items():
        assert (ROOT / file).exists()
        with monkeypatch.context() as planting:
            planting.setitem(_planted, ROOT / file, breach)
            if check() == []:
                blind.append(check.__name__)
    assert blind == []
