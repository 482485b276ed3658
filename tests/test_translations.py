"""The catalogues are whole and true: every sentence, every placeholder, every plural, in time."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
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
    "avatar bot bots calza capybara chinchilla collusion condor dudo expert face indigo "
    "invitations jaguar json maki menu message messages min moment n normal notifications onigiri "
    "paco pacos pages palifico place places point points poncho puma question questions s site six "
    "standard "
    "surprise sushi tables toucan violet volume europe",
    "it": "privacy cookie cookies h africa america asia australia "
    "armadillo avatar bluff bot bots bravo calza chat condor dudo esc host iguana json link "
    "maestro maki menu min n onigiri paco palifico password poncho puma s staff standard sushi "
    "volume",
    "es": "cookies h asia australia "
    "armadillo avatar bot bots calza chat chinchilla dudo esc iguana jaguar json llama "
    "maki min n normal onigiri paco pacos palifico poncho puma s sushi",
}
NARROW = "\u202f"  # the narrow no-break space of French


@cache
def catalogue(language: str) -> Catalog:
    return read(catalogue_file(language))


@cache
def told(language: str) -> list[tuple[str, str]]:
    """Every sentence beside its translation; a plural once for each of its forms."""
    pairs = []
    for message in messages(catalogue(language)):
        sources, translations = forms(message.id), forms(message.string)
        pairs += [
            (sources[min(place, len(sources) - 1)], text) for place, text in enumerate(translations)
        ]
    return pairs


def told_in_all() -> list[tuple[str, str]]:
    return [pair for language in LANGUAGES for pair in told(language)]


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


def test_every_sentence_is_translated() -> None:
    for language in LANGUAGES:
        assert len(catalogue(language)) > 400
        missing = [source for source, text in told(language) if not text.strip()]
        assert missing == [], language


def test_every_plural_has_all_its_forms() -> None:
    for language in LANGUAGES:
        count = catalogue(language).num_plurals
        plurals = [message for message in messages(catalogue(language)) if message.pluralizable]
        assert len(plurals) > 10
        for message in plurals:
            assert len(forms(message.string)) == count == 2, (language, message.id)


def test_no_translation_is_a_guess_or_outlived_its_sentence() -> None:
    for language in LANGUAGES:
        guesses = [message.id for message in messages(catalogue(language)) if message.fuzzy]
        assert (guesses, list(catalogue(language).obsolete)) == ([], []), language


# --- true --------------------------------------------------------------------------------


def test_placeholders_and_tags_are_those_of_the_source() -> None:
    for source, translation in told_in_all():
        assert placeholders(translation) == placeholders(source), translation
        assert tags(translation) == tags(source), translation


def test_a_whole_sentence_stays_one() -> None:
    for source, translation in told_in_all():
        assert source.endswith(".") == translation.endswith("."), translation
        assert translation == translation.strip(), translation


def test_no_sentence_was_left_in_english() -> None:
    for language in LANGUAGES:
        for source in (source for source, translation in told(language) if source == translation):
            words = re.findall(r"[a-z]+", re.sub(r"%\(\w+\)[sd]|<[^>]+>", "", source).lower())
            assert set(words) <= set(SAME[language].split()), (language, source)


def test_the_words_of_the_game_are_kept() -> None:
    for source, translation in told_in_all():
        kept = translation.lower().replace("¿dudas o", "dudo")  # a verb in Spanish: "dudas" for you
        for word in ("dudo", "calza", "paco", "palifico"):
            assert (word in source.lower()) == (word in kept), translation


def test_french_signs_keep_their_narrow_space() -> None:
    for _, text in told("fr"):
        for before, sign in pairwise(prose(text)):
            assert sign not in ";:!?»" or before == NARROW, text
            assert before != "«" or sign == NARROW, text
        assert not re.search(r"\w'\w|[“”\"]", prose(text)), text


def test_a_french_name_may_begin_with_a_vowel() -> None:
    people = "name|host|caller|bidder|winner|next|me|username"
    for _, text in told("fr"):
        assert not re.search(rf"\b(de|le|la|que|lorsque|puisque|si) %\(({people})\)s", text), text


def test_spanish_questions_and_cries_are_opened() -> None:
    for _, text in told("es"):
        assert prose(text).count("¿") == prose(text).count("?"), text
        assert prose(text).count("¡") == prose(text).count("!"), text
        assert not re.search("[“”]", text), text


def test_italian_apostrophes_and_quotes_are_its_own() -> None:
    for _, text in told("it"):
        assert not re.search(r"\w'|[“”]", text), text


def test_no_italian_article_stands_before_a_percentage() -> None:
    """It would depend on the number: "il 70%", but "l'83%" and "l'11%"."""
    numbers = "percent|chance|after|better|taken|dice|odds|accuracy|share"
    for _, text in told("it"):
        article = rf"\b(il|un|del|al|dal|nel|sul) %\(({numbers})\)[sd]"
        assert not re.search(article, text), text


def test_people_are_spoken_to_as_at_a_table() -> None:
    for language, formal in {
        "fr": r"(?i)\b(vous|votre|vos|veuillez)\b|\w{3,}ez\b(?<!chez)",
        "it": r"\b(Lei|Suo|Sua|Suoi|Sue|voi|vostr[oaie])\b",
        "es": r"(?i)\b(usted|ustedes|Vd)\b",
    }.items():
        assert [text for _, text in told(language) if re.search(formal, text)] == []


# --- in time -----------------------------------------------------------------------------


def test_what_django_reads_is_what_was_written() -> None:
    for language in LANGUAGES:
        compiled = io.BytesIO()
        write_mo(compiled, catalogue(language))
        read_by_django = catalogue_file(language).with_suffix(".mo")
        assert read_by_django.exists(), f"{language}: say: make test"
        assert read_by_django.read_bytes() == compiled.getvalue(), f"{language}: say: make test"


@pytest.mark.slow
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
        r"(?:textContent|innerText|innerHTML|title|placeholder|ariaLabel)\s*\+?=\s*[\"'`]\s*"
        r"(?!\$\{[^}]*\}`)[^\"'`\s]"
        r"|(?:alert|confirm|prompt|new Notification)\(\s*[\"'`]"
    )
    scripts = [*ROOT.glob("games/**/static/**/*.js"), *ROOT.glob("perudo_site/static/**/*.js")]
    scripts = [script for script in scripts if script.parent.name != "noble-hashes"]
    assert len(scripts) >= 3
    for script in scripts:
        for line in script.read_text().splitlines():
            found = said.search(line)
            assert not found or '= "0"' in line, f"{script.name}: {line.strip()}"
