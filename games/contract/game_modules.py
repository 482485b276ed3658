"""Discovery of a game's parts by module names, with a check at the start of the site.

If a game lacks parts, the start fails with an error that names everything missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured

from games.contract import catalogue, game_values, optional_parts, pages, throws
from games.core.contract import Rules


class _Assets:
    ASSETS: game_values.Assets


# The required modules of a game, and the interface with the names each must define.
MODULES: Final[dict[str, type[Any]]] = {
    "rules": Rules,
    "rules.notation": catalogue.Notation,
    "bots": catalogue.Bots,
    "pace": catalogue.Pace,
    "presenter": catalogue.Presenter,
    "replay": catalogue.Replay,
    "assets": _Assets,
    "words": catalogue.Words,
    "stats": catalogue.Statistics,
    "forms": pages.Forms,
    "rules_page": pages.RulesPage,
    "tutorial": pages.Tutorial,
}
# The optional modules.
OPTIONAL: Final[dict[str, type[Any]]] = {
    "trainer": optional_parts.Trainer,
    "questions": optional_parts.Questions,
    "try_again": optional_parts.TryAgain,
    "review": optional_parts.Judge,
    "review.fitting": optional_parts.Fitting,
    "words.review": optional_parts.ReviewWords,
    "guesses": optional_parts.Guesses,
    "seats_knew": optional_parts.SeatsKnew,
    "bots.characters": optional_parts.Characters,
    "words.characters": optional_parts.CharacterWords,
    "judgement": optional_parts.Judgement,
    "ratings": optional_parts.Ratings,
    "throws": throws.Throws,
    "marks": optional_parts.Marks,
    "words.marks": optional_parts.MarkWords,
}
# The templates that optional modules require in addition.
OPTIONAL_TEMPLATES: Final = {
    "trainer": "_odds_question.html",
    "questions": "_question_table.html",
    "throws": "fair.html",
}
# The required templates in `templates/<key>/`; the Protocols of the catalogue describe each.
TEMPLATES: Final = (
    *("_table.html", "_own.html", "_story.html", "_replay_table.html", "_lesson_own.html"),
    *("_hints.html", "_keys.html", "_leave.html", "_hero.html", "_icon.html"),
    *("rules.html", "learn.html", "learned.html"),
)


def game_in(package: str) -> catalogue.GameKind:
    """Load the game of this package. Raises ImproperlyConfigured naming all missing parts."""
    found = {name: _module(package, name) for name in MODULES | OPTIONAL}
    lacks = list(_missing(package, found))
    if lacks:
        raise ImproperlyConfigured(f"the game {package} lacks {', '.join(lacks)}")
    part: dict[str, Any] = found
    if part["bots"].STAND_IN not in part["bots"].BOTS:
        raise ImproperlyConfigured(f"the game {package} has no bot {part['bots'].STAND_IN!r}")
    if part["try_again"] and part["try_again"].BOT not in part["bots"].BOTS:
        raise ImproperlyConfigured(f"the game {package} has no bot {part['try_again'].BOT!r}")
    characters = part["bots.characters"].CHARACTERS if part["bots.characters"] else {}
    if characters and not part["words.characters"]:
        raise ImproperlyConfigured(f"the game {package} lacks the module words.characters")
    if part["guesses"] and not part["questions"]:
        raise ImproperlyConfigured(f"the game {package} lacks the module questions")
    if part["marks"] and not part["words.marks"]:
        raise ImproperlyConfigured(f"the game {package} lacks the module words.marks")
    for key, each in characters.items():
        if each.base not in part["bots"].BOTS:
            raise ImproperlyConfigured(f"the base of {key!r} is no bot of the game {package}")
    return catalogue.GameKind(
        key=part["rules"].KEY,
        rules=part["rules"],
        notation=part["rules.notation"],
        bots=part["bots"].BOTS,
        mixed_bots=part["bots"].MIXED,
        stand_in=part["bots"].STAND_IN,
        pace=part["pace"],
        presenter=part["presenter"],
        replay=part["replay"],
        assets=part["assets"].ASSETS,
        words=part["words"],
        stats=part["stats"],
        forms=part["forms"],
        rules_page=part["rules_page"],
        tutorial=part["tutorial"],
        trainer=part["trainer"],
        questions=part["questions"],
        try_again=part["try_again"],
        review=part["review"],
        fitting=part["review.fitting"],
        review_words=part["words.review"],
        guesses=part["guesses"],
        seats_knew=part["seats_knew"],
        characters=characters,
        character_words=part["words.characters"],
        judgement=part["judgement"],
        ratings=part["ratings"],
        throws=part["throws"],
        marks=part["marks"],
        mark_words=part["words.marks"],
    )


def _module(package: str, name: str) -> ModuleType | None:
    """Import a module, or return None if there is no such file; errors inside it are raised."""
    parents = [package, *(f"{package}.{parent}" for parent in name.split(".")[:-1])]
    for parent in parents:
        spec = find_spec(parent)
        if spec is None or spec.submodule_search_locations is None:  # a file, not a folder
            return None
    whole = f"{package}.{name}"
    return import_module(whole) if find_spec(whole) else None


def _missing(package: str, found: dict[str, ModuleType | None]) -> Iterator[str]:
    for name, module in found.items():
        if module is None:
            if name in MODULES:
                yield f"the module {name}"
            continue
        interface = (MODULES | OPTIONAL)[name]
        yield from (f"{name}.{each}" for each in names_in(interface) if not hasattr(module, each))
    key = getattr(found["rules"], "KEY", None)
    folder = Path(import_module(package).__path__[0]) / "templates" / f"{key}"
    templates = [*TEMPLATES, *(each for name, each in OPTIONAL_TEMPLATES.items() if found[name])]
    if key:
        yield from (
            f"templates/{key}/{each}" for each in templates if not (folder / each).is_file()
        )


def names_in(interface: type[Any]) -> list[str]:
    """Return the names that an interface requires of a module, in its order."""
    asked = [*interface.__annotations__, *vars(interface)]
    return [name for name in dict.fromkeys(asked) if not name.startswith("_")]
