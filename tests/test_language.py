"""Plain words: phrases the project no longer uses, in its docs, pages, code and tests.

Each phrase names what to write instead; docs/glossary.md has the terms to use.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Phrase:
    """A banned phrase: a regular expression of whole words, and what to write instead."""

    pattern: str
    instead: str
    kinds: tuple[str, ...] = ("docs", "pages", "code", "tests")

    @property
    def expression(self) -> re.Pattern[str]:
        return whole_words(self.pattern)


@cache
def whole_words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w’'])(?:{pattern})(?![\w’'])", re.IGNORECASE)


PHRASES = (
    # Persons.
    Phrase(r"he|his|him|himself", "they, their, them"),
    Phrase(r"whoever|whomever|who ever", "if you …, the player who …"),
    Phrase(r"nobody(?: \w+)? was told|came to nobody", "delivery failed"),
    Phrase(r"sleepers?|falls? asleep|sleeps? through", "absent player, misses a turn"),
    Phrase(r"(?:is|are|was|were|be) played for", "a bot plays for …, timed out"),
    # Pictures for machinery.
    Phrase(r"the houses?|house plays", "server, site, scheduler, bot"),
    Phrase(r"ears?", "subscription"),
    Phrase(r"overhear\w*|overheard", "receive chat"),
    Phrase(r"w(?:ind|inds|ound|inding)(?: up)? (?:the|a|its|this) clock", "start the scheduler"),
    Phrase(r"clock on the wall|wall['’]s clock|the wall['’]s", "wall clock"),
    Phrase(r"skipped a beat|the clock (?:waits|wakes|punishes|looks)", "the scheduler …"),
    Phrase(r"knock(?:s|ed|ing)?", "handshake, pending connection"),
    Phrase(r"farewells?|last words?", "close, final messages"),
    Phrase(r"doors?|doorway", "entry point, command, admission"),
    Phrase(r"hall", "lobby"),
    Phrase(r"shop window", "exports"),
    Phrase(r"let(?:s|ting)? in|lets? \w+ in", "admit, accept"),
    Phrase(r"deeds?", "action"),
    Phrase(r"laws? of the \w+", "architecture tests"),
    Phrase(r"crowd comes? back|come back in a crowd", "mass reconnect"),
    Phrase(r"by day|by lamplight|lamplight", "light theme, dark theme"),
    Phrase(r"dyes?|grown up", "colour, several processes"),
    Phrase(r"nonsense", "invalid input, fuzzing"),
    # Words of the game and of chat.
    Phrase(r"reckon(?:s|ed|ing)?", "calculate, work out, based on"),
    Phrase(r"jokers?", "wild"),
    Phrase(r"(?:player|seat|turn|killa|who is) to speak", "player on turn"),
    Phrase(r"table talk|the talk", "chat"),
    Phrase(r"sayings?", "message"),
    Phrase(r"(?:cups?|they) go(?:es)? up", "the dice are revealed"),
    Phrase(r"silenced|to silence|let talk again", "ban from chat"),
    Phrase(r"look into your mailbox|unwanted mail", "check your inbox, spam folder"),
    # Word order and choice that sound translated.
    Phrase(r"anew", "again, new"),
    Phrase(r"so many (?:at a time|dice|are)", "at most …, this many dice"),
    Phrase(r"as good as told|is another one", "has changed"),
    Phrase(r"of ours|of its own kind", "our"),
    Phrase(r"leaf through|goes? by place", "page through"),
    Phrase(r"pushed? about", "layout shift"),
    Phrase(r"once more", "again"),
    # Pages only.
    Phrase(r"i have seen it|put this hint away", "Continue, Hide this hint", ("pages",)),
    Phrase(r"go on|begin again|back, do nothing", "Continue, Start over, Cancel", ("pages",)),
    Phrase(r"at this site|here since", "on this site, member since", ("pages",)),
    Phrase(r"(?:table|bid) of %\(\w+\)s", "%(name)s's table", ("pages",)),
    Phrase(r"sit down|stand up", "Join this table, Leave the table", ("pages",)),
    Phrase(r"second step|two-step", "two-factor authentication", ("pages", "docs")),
    Phrase(r"everybody", "everyone", ("pages",)),
    Phrase(r"silences?", "ban from chat", ("pages",)),
    # French, Italian, Spanish pages.
    Phrase(
        r"la maison|ranger ce conseil|j['’]ai vu|propos de table", "le site, Masquer …", ("fr",)
    ),
    Phrase(r"couper les voix|ne plus entendre|te voilà", "Masquer la discussion", ("fr",)),
    Phrase(r"arrondie au-dessus|enchère parle|les chances", "arrondie au supérieur, …", ("fr",)),
    Phrase(r"la casa|ho visto|metti via|dillo", "il sito, un bot, Continua …", ("it",)),
    Phrase(r"lo sguardo|non vanno insieme|solido|temibile", "In attesa di …, Medio", ("it",)),
    Phrase(
        r"la casa|guardar este consejo|cada cual|charla", "el sitio, Ocultar, cada uno", ("es",)
    ),
    Phrase(r"queda en evidencia|sólido|temible|en palifico", "se equivoca, Medio, …", ("es",)),
)

# Uses that are right: the text where they stand, and the phrase as it is written there.
ALLOWED: frozenset[tuple[str, str]] = frozenset(
    {
        ("docs/first-game.md", "so many dice"),  # quotes a page of that time
        ("docs/performance.md", "saying"),  # the name of a database table
        ("docs/translating.md", "joker"),  # is French
        ("games/chat/services.py", "silenced"),  # the code of a refusal
    }
)


@dataclass(frozen=True)
class Text:
    """A text for people, and where it begins."""

    file: str
    line: int
    words: str


def files(*patterns: str) -> Iterator[Path]:
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            if "migrations" not in path.parts and path.name != Path(__file__).name:
                yield path


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def docs() -> Iterator[Text]:
    """The paragraphs of the documents, without code and the targets of links."""
    for path in files("*.md", "docs/*.md"):
        prose = re.sub(r"(?ms)^ *```.*?^ *```$", _blank, path.read_text())
        prose = re.sub(r"`[^`]*`", _blank, prose)
        prose = re.sub(r"\]\([^)]*\)", "]", prose)
        for found in re.finditer(r"\|.*|(?:(?!\|).+\n?)+", prose):
            yield Text(relative(path), prose.count("\n", 0, found.start()) + 1, found[0])


def _blank(code: re.Match[str]) -> str:
    return "·" + "\n" * code[0].count("\n")


def messages(language: str | None) -> Iterator[Text]:
    """The messages of all pages: in English, or their translations."""
    catalogue = ROOT / "locale" / (language or "fr") / "LC_MESSAGES" / "django.po"
    with catalogue.open("rb") as file:
        for message in read_po(file):
            if message.id:
                said = message.string if language else message.id
                for words in [said] if isinstance(said, str) else said:
                    yield Text(relative(catalogue), message.lineno or 0, words)


CODE = ("accounts/**/*", "benchmarks/**/*", "deploy/**/*", "games/**/*", "perudo_site/**/*")
STRINGS_OF_A_LOG = {"debug", "info", "warning", "error", "exception"}


def comments(*patterns: str) -> Iterator[Text]:
    """Docstrings, comments, log messages and names of tests in Python files."""
    for path in files(*patterns):
        source, name = path.read_text(), relative(path)
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield Text(name, token.start[0], token.string)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                line = getattr(node, "lineno", 1)
                yield Text(name, line, ast.get_docstring(node) or "")
                title = getattr(node, "name", "")
                if title.startswith("test_"):
                    yield Text(name, line, title.replace("_", " "))
            elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in STRINGS_OF_A_LOG:
                for argument in node.args[:1]:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield Text(name, node.lineno, argument.value)


def other_comments() -> Iterator[Text]:
    """Comments of templates, scripts and styles."""
    kinds = (
        ("templates/**/*.html", r"{#.*?#}|(?s:{% comment %}.*?{% endcomment %})"),
        ("games/**/static/**/*.css", r"(?s:/\*.*?\*/)"),
        ("games/**/static/**/*.js", r"(?s:/\*.*?\*/)|(?<!:)//.*"),
        ("perudo_site/static/**/*.css", r"(?s:/\*.*?\*/)"),
        ("perudo_site/static/**/*.js", r"(?s:/\*.*?\*/)|(?<!:)//.*"),
    )
    for pattern, comment in kinds:
        for path in files(pattern):
            source = path.read_text()
            for found in re.finditer(comment, source):
                yield Text(relative(path), source.count("\n", 0, found.start()) + 1, found[0])


def code() -> Iterator[Text]:
    yield from comments("*.py", *(f"{pattern}.py" for pattern in CODE))
    yield from other_comments()


KINDS: Mapping[str, Callable[[], Iterator[Text]]] = {
    "docs": docs,
    "pages": lambda: messages(None),
    "fr": lambda: messages("fr"),
    "it": lambda: messages("it"),
    "es": lambda: messages("es"),
    "code": code,
    "tests": lambda: comments("tests/**/*.py"),
}


@cache
def texts(kind: str) -> tuple[Text, ...]:
    return tuple(KINDS[kind]())


def banned(kind: str, words: str) -> Iterator[tuple[str, Phrase]]:
    """The banned phrases in a text, as they are written there, also across its line breaks."""
    joined = re.sub(r"\s*\n\s*(?:# )?", " ", words)
    if not any_phrase(kind).search(joined):
        return
    for phrase in PHRASES:
        if kind in phrase.kinds:
            for found in phrase.expression.finditer(joined):
                yield found[0], phrase


@cache
def any_phrase(kind: str) -> re.Pattern[str]:
    return whole_words("|".join(each.pattern for each in PHRASES if kind in each.kinds))


@pytest.mark.parametrize("kind", KINDS)
def test_no_banned_phrase_is_used(kind: str) -> None:
    found = [
        f"{text.file}:{text.line}: “{said}”: write {phrase.instead}"
        for text in texts(kind)
        for said, phrase in banned(kind, text.words)
        if (text.file, said) not in ALLOWED
    ]
    assert found == []


def test_every_allowed_phrase_is_still_there() -> None:
    files_of_them = {file for file, _ in ALLOWED}
    used = {
        (text.file, said)
        for kind in KINDS
        for text in texts(kind)
        if text.file in files_of_them
        for said, _ in banned(kind, text.words)
    }
    assert used >= ALLOWED


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        *(("docs", 500), ("pages", 500), ("fr", 500), ("it", 500), ("es", 500)),
        *(("code", 1000), ("tests", 1000)),
    ],
)
def test_texts_of_every_kind_are_found(kind: str, least: int) -> None:
    found = [text for text in texts(kind) if text.words.strip()]
    assert len(found) > least


@pytest.mark.parametrize(
    ("kind", "sentence", "said"),
    [
        ("docs", "A bot plays for whoever is away.", ["whoever"]),
        ("docs", "The player takes back his seat; he has time.", ["his", "he"]),
        ("docs", "When the house was closed, wind the clock.", ["the house", "wind the clock"]),
        ("docs", "This hearth, the year and the theory he-said", ["he"]),
        ("docs", "“His” dice", ["His"]),
        ("pages", "Put this hint away", ["Put this hint away"]),
        ("pages", "Table of %(host)s", ["Table of %(host)s"]),
        ("docs", "You can go on playing.", []),
        ("fr", "La maison reprend son souffle.", ["La maison"]),
        ("docs", "The history of the shelter is in the household.", []),
        ("docs", "A process lets\nin eight sockets.", ["lets in"]),
    ],
)
def test_phrases_are_found_as_whole_words(kind: str, sentence: str, said: list[str]) -> None:
    assert sorted(found for found, _ in banned(kind, sentence)) == sorted(said)
