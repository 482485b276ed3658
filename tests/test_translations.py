"""The catalogues are whole and true: every sentence, every placeholder, every plural, in time."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from django.conf import settings

from tests.support.fixtures import unavailable
from tests.support.live_site import clean_environment
from tests.support.page_texts import (
    LANGUAGES,
    ROOT,
    catalogue_file,
    forms,
    library_messages,
    messages,
    read,
)

# Words that are the same in another language. Add one only on purpose.
SAME = {
    "fr": "contact cookies h "
    "avatar bot bots calza capybara chinchilla collusion condor dudo expert indigo invitations "
    "jaguar json maki menu message messages min moment n normal notifications onigiri paco pacos "
    "pages palifico point points poncho puma question questions s site six standard surprise sushi "
    "tables toucan violet volume",
    "it": "privacy cookie cookies h "
    "armadillo avatar bluff bot bots bravo calza chat condor dudo esc host iguana json link "
    "maestro maki menu min n onigiri paco palifico password poncho puma s staff standard sushi "
    "volume",
    "es": "cookies h "
    "armadillo avatar bot bots calza chat chinchilla dudo esc iguana jaguar json llama "
    "maki min n normal onigiri paco pacos palifico poncho puma s sushi",
}
NARROW = "\u202f"  # the narrow no-break space of French


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def catalogue(language: str) -> Catalog:
    return read(catalogue_file(language))


def told(catalogue: Catalog) -> list[tuple[str, str]]:
    """Every sentence beside its translation; a plural once for each of its forms."""
    pairs = []
    for message in messages(catalogue):
        sources, translations = forms(message.id), forms(message.string)
        pairs += [
            (sources[min(place, len(sources) - 1)], text) for place, text in enumerate(translations)
        ]
    return pairs


def placeholders(text: str) -> list[str]:
    return sorted(set(re.findall(r"%\(\w+\)[sd]|%%|%[sd]", text)))


def tags(text: str) -> list[str]:
    return sorted(re.findall(r"<[^>]+>", text))


def prose(text: str) -> str:
    """A translation without its tags and without the names of keys."""
    return re.sub(r"<kbd>.*?</kbd>|<[^>]+>", "", text)


def test_every_language_of_the_site_has_a_catalogue() -> None:
    assert {code for code, _ in settings.LANGUAGES} == {"en", *LANGUAGES}
    assert {file.parent.parent.name for file in ROOT.glob("locale/*/LC_MESSAGES/*.po")} == {
        *LANGUAGES
    }


# --- whole -------------------------------------------------------------------------------


def test_every_sentence_is_translated(catalogue: Catalog) -> None:
    assert len(catalogue) > 400
    missing = [source for source, translation in told(catalogue) if not translation.strip()]
    assert missing == []


def test_every_plural_has_all_its_forms(catalogue: Catalog) -> None:
    plurals = [message for message in messages(catalogue) if message.pluralizable]
    assert len(plurals) > 10
    for message in plurals:
        assert len(forms(message.string)) == catalogue.num_plurals == 2, message.id


def test_no_translation_is_a_guess(catalogue: Catalog) -> None:
    assert [message.id for message in messages(catalogue) if message.fuzzy] == []


def test_no_translation_outlived_its_sentence(catalogue: Catalog) -> None:
    assert list(catalogue.obsolete) == []


# --- true --------------------------------------------------------------------------------


def test_placeholders_and_tags_are_those_of_the_source(catalogue: Catalog) -> None:
    for source, translation in told(catalogue):
        assert placeholders(translation) == placeholders(source), translation
        assert tags(translation) == tags(source), translation


def test_a_whole_sentence_stays_one(catalogue: Catalog) -> None:
    for source, translation in told(catalogue):
        assert source.endswith(".") == translation.endswith("."), translation
        assert translation == translation.strip(), translation


def test_no_sentence_was_left_in_english(catalogue: Catalog, language: str) -> None:
    for source, translation in told(catalogue):
        if source == translation:
            words = re.findall(r"[a-z]+", re.sub(r"%\(\w+\)[sd]|<[^>]+>", "", source).lower())
            assert set(words) <= set(SAME[language].split()), source


def test_the_words_of_the_game_are_kept(catalogue: Catalog) -> None:
    for source, translation in told(catalogue):
        for word in ("dudo", "calza", "paco", "palifico"):
            assert (word in source.lower()) == (word in translation.lower()), translation


def test_french_signs_keep_their_narrow_space() -> None:
    for _, text in told(read(catalogue_file("fr"))):
        for before, sign in pairwise(prose(text)):
            assert sign not in ";:!?»" or before == NARROW, text
            assert before != "«" or sign == NARROW, text
        assert not re.search(r"\w'\w|[“”\"]", prose(text)), text


def test_a_french_name_may_begin_with_a_vowel() -> None:
    people = "name|host|caller|bidder|winner|next|me|username"
    for _, text in told(read(catalogue_file("fr"))):
        assert not re.search(rf"\b(de|le|la|que|lorsque|puisque|si) %\(({people})\)s", text), text


def test_spanish_questions_and_cries_are_opened() -> None:
    for _, text in told(read(catalogue_file("es"))):
        assert prose(text).count("¿") == prose(text).count("?"), text
        assert prose(text).count("¡") == prose(text).count("!"), text
        assert not re.search("[“”]", text), text


def test_italian_apostrophes_and_quotes_are_its_own() -> None:
    for _, text in told(read(catalogue_file("it"))):
        assert not re.search(r"\w'|[“”]", text), text


@pytest.mark.parametrize(
    ("language", "formal"),
    [
        ("fr", r"\b(vous|votre|vos|veuillez)\b|\w{3,}ez\b(?<!chez)"),
        ("it", r"\b(Lei|Suo|Sua|Suoi|Sue|voi|vostr[oaie])\b"),
        ("es", r"\b(usted|ustedes|Vd)\b"),
    ],
)
def test_people_are_spoken_to_as_at_a_table(language: str, formal: str) -> None:
    for _, text in told(read(catalogue_file(language))):
        assert not re.search(formal, text, re.IGNORECASE if language != "it" else 0), text


# --- in time -----------------------------------------------------------------------------


def test_what_django_reads_is_what_was_written(catalogue: Catalog, language: str) -> None:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    read_by_django = catalogue_file(language).with_suffix(".mo")
    assert read_by_django.exists(), "say: make test"
    assert read_by_django.read_bytes() == compiled.getvalue(), "say: make test"


def test_the_catalogues_hold_exactly_the_sentences_of_the_sources(tmp_path: Path) -> None:
    if not all(map(shutil.which, ("xgettext", "msgmerge"))):
        unavailable("GNU gettext is not installed")
    for name in ("accounts", "games", "perudo_site", "templates", "locale"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "manage.py", tmp_path)
    done = subprocess.run(
        [sys.executable, "manage.py", "makemessages", "--all", "--no-obsolete"],
        cwd=tmp_path,
        env=clean_environment(DATA_DIR=str(tmp_path / "var")),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for language in LANGUAGES:
        written = catalogue_file(language)
        found = read(tmp_path / written.relative_to(ROOT))
        assert sources(found) == sources(read(written)), "say: make messages, and translate"


def sources(catalogue: Iterable[Message]) -> set[tuple[str | None, tuple[str, ...]]]:
    def source(message: Message) -> tuple[str | None, tuple[str, ...]]:
        return message.context, forms(message.id)

    return {source(message) for message in messages(catalogue)}


def test_a_borrowed_sentence_is_still_there_to_borrow() -> None:
    theirs = {(message.context, forms(message.id)) for message in library_messages("en")}
    ours = sources(
        message
        for message in messages(read(catalogue_file("fr")))
        if ("perudo_site/i18n_overrides.py", None) in message.locations
    )
    assert len(ours) > 20
    assert ours - theirs == set()


# --- scripts -----------------------------------------------------------------------------


def test_scripts_have_no_words_of_their_own() -> None:
    """What they show or say stands in the page, in the page's language."""
    said = re.compile(
        r"(?:textContent|innerText|innerHTML|title|placeholder|ariaLabel)\s*\+?=\s*[\"'`]\s*[^\"'`\s]"
        r"|(?:alert|confirm|prompt|new Notification)\(\s*[\"'`]"
    )
    scripts = [*ROOT.glob("games/**/static/**/*.js"), *ROOT.glob("perudo_site/static/**/*.js")]
    assert len(scripts) >= 3
    for script in scripts:
        for line in script.read_text().splitlines():
            found = said.search(line)
            assert not found or '= "0"' in line, f"{script.name}: {line.strip()}"
