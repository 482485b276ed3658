"""Reading a page as a translator does: every word people see or hear, and where it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import allauth
import django
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("fr", "it", "es")
# Our own catalogue puts every sentence between these shows what does not come from it.
OPEN, CLOSE = "⟦", "⟧"
# What a screen reader says, a tab shows or a script says later.
_SPOKEN = {"alt", "aria-label", "aria-description", "label", "placeholder", "title"}
_UNSEEN = {"script", "style"}
_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")
_TAG = re.compile(r"</?\w[^>]*>")
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")


# --- catalogues --------------------------------------------------------------------------


def catalogue_file(language: str) -> Path:
    return ROOT / "locale" / language / "LC_MESSAGES" / "django.po"


def read(file: Path) -> Catalog:
    with file.open("rb") as lines:
        return read_po(lines)


def messages(catalogue: Iterable[Message]) -> Iterator[Message]:
    """The messages without the header."""
    return (message for message in catalogue if message.id)


def forms(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """A sentence in all its forms: one, or those of the plural."""
    return (text,) if isinstance(text, str) else tuple(text)


@cache
def library_messages(language: str) -> tuple[Message, ...]:
    """What Django and allauth bring along in a language; in "en" their sources."""
    packages = [Path(django.__file__).parent, Path(allauth.__file__).parent]
    found = [po for each in packages for po in each.rglob(f"{language}/LC_MESSAGES/django.po")]
    assert len(found) > 5
    return tuple(message for po in sorted(found) for message in messages(read(po)))


@cache
def marked_catalogue(language: str) -> bytes:
    """Ours, as Django reads it, but every sentence stands between marks.

    It belongs into a folder of `LOCALE_PATHS`, as `LANGUAGE/LC_MESSAGES/django.mo`.
    """
    marked = Catalog(locale=language)
    for message in messages(read(catalogue_file(language))):
        told = tuple(f"{OPEN}{form}{CLOSE}" for form in forms(message.string))
        marked.add(
            message.id, told[0] if isinstance(message.id, str) else told, context=message.context
        )
    file = BytesIO()
    write_mo(file, marked)
    return file.getvalue()


# --- pages -------------------------------------------------------------------------------


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.spoken: list[str] = []
        self.unseen = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.unseen += tag in _UNSEEN
        for name, value in attributes:
            # These hold selectors and addresses.
            selectors = ("data-when", "data-sounds", "data-hides", "data-tags")
            words = name.startswith("data-") and name not in selectors
            words = words and re.search(r"[^\W\d_]{2}.* .*[^\W\d_]{2}", value or "")
            if value and (name in _SPOKEN or words):
                self.spoken.append(value)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        self.unseen -= tag in _UNSEEN

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.texts.append(data)


def _read(html: str) -> _Reader:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader


def visible_texts(html: str) -> list[str]:
    """Every text of a page and every attribute that is spoken, without empty ones."""
    reader = _read(html)
    found = (" ".join(text.split()) for text in (*reader.texts, *reader.spoken))
    return [text for text in found if text]


def untranslated_texts(html: str) -> set[str]:
    """The words of a page in a marked language that no catalogue gave it; a letter is no word, and
    what is written in code is of no language.
    """
    reader = _read(re.sub(r"<code>[^<]*</code>", " ", html))
    return {
        word
        for text in (" ".join(reader.texts), *reader.spoken)
        for word in re.findall(r"[^\W\d_][\w.@'-]+", _outside(text))
    }


def _outside(text: str) -> str:
    kept, depth = [], 0
    for letter in text:
        depth += (letter == OPEN) - (letter == CLOSE)
        assert depth >= 0, text
        kept.append(letter if not depth else " ")
    assert depth == 0, text
    return "".join(kept)


# --- what is left of the source ----------------------------------------------------------


class _Sentences:
    """Sentences with placeholders, so that a text of a page can be known again."""

    def __init__(self, sentences: Iterable[str]) -> None:
        self.plain: set[str] = set()
        patterns = set()
        for sentence in sentences:
            for part in _TAG.split(sentence):
                part = " ".join(part.split())
                if sum(map(str.isalpha, _PLACEHOLDER.sub("", part))) < 4:
                    continue  # too little to be known by
                if _PLACEHOLDER.search(part):
                    patterns.add(".+".join(map(re.escape, _PLACEHOLDER.split(part))))
                else:
                    self.plain.add(part)
        self.pattern = re.compile("|".join(sorted(patterns)))

    def __contains__(self, text: str) -> bool:
        return text in self.plain or bool(self.pattern.fullmatch(text))


@cache
def _english() -> _Sentences:
    sources = (*library_messages("en"), *messages(read(catalogue_file("fr"))))
    return _Sentences(form for message in sources for form in forms(message.id))


@cache
def _own(language: str) -> _Sentences:
    known = (*library_messages(language), *messages(read(catalogue_file(language))))
    return _Sentences(form for message in known for form in forms(message.string))


def texts_left_in_english(html: str, language: str) -> set[str]:
    """The texts of a page that are English sources, and no translation by any chance."""
    texts = visible_texts(html)
    sentences = {each for text in texts for each in _SENTENCE_END.split(text)}
    found = {*texts, *sentences} - {"English"}  # that is its name, everywhere
    return {text for text in found if text in _english() and text not in _own(language)}
