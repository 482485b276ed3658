"""Dates and numbers in the format of the reader's region: 22 Nov 2026, 17:31 in Britain.

The language of the page comes from Django, and the region from the first entry of Accept-Language
in that language (en-GB). Without a region, the default format of the language is used. Babel
provides the CLDR data. Content shared by several readers must not be formatted here; see
tests/perudo_site/test_regions.py.

Browsers do not send their time zone, so times are in UTC. On pages, site.js replaces the times of
`element` by the time in the reader's zone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_datetime, format_time, get_datetime_format
from babel.numbers import format_decimal
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone
from django.utils.translation import get_language
from django.utils.translation.trans_real import (
    get_supported_language_variant,
    parse_accept_lang_header,
)

_accepted: ContextVar[str] = ContextVar("accepted", default="")


@contextmanager
def accepting(header: str) -> Iterator[None]:
    """Use `header` as the Accept-Language of the reader's browser within this context."""
    token = _accepted.set(header)
    try:
        yield
    finally:
        _accepted.reset(token)


def language_of(code: str) -> str:
    """Return the site's language closest to this code, or the default language."""
    try:
        return get_supported_language_variant(code)
    except LookupError:
        return settings.LANGUAGE_CODE


def day(value: date) -> str:
    """Format a date without time zone: 22 November 2026."""
    return format_date(value, "long", locale=_locale())


def long_date(value: datetime) -> str:
    """22 November 2026"""
    local = value.astimezone(get_current_timezone())
    return format_date(local, "long", locale=_locale())


def short_date(value: datetime) -> str:
    """22 Nov 2026"""
    local = value.astimezone(get_current_timezone())
    return format_date(local, "medium", locale=_locale())


def date_time(value: datetime) -> str:
    """22 Nov 2026, 17:31 UTC"""
    locale = _locale()
    local = value.astimezone(get_current_timezone())
    day = format_date(local, "medium", locale=locale)
    # "medium" would include seconds, and "short" would write the date as 22/11/26.
    clock = format_time(local, "short", tzinfo=get_current_timezone(), locale=locale)
    said = str(get_datetime_format("medium", locale=locale)).format(clock, day)
    return _with_zone(said, local)


def exact_time(value: datetime) -> str:
    """22 Nov 2026, 17:31:07 UTC"""
    local = value.astimezone(get_current_timezone())
    said = format_datetime(local, "medium", tzinfo=get_current_timezone(), locale=_locale())
    return _with_zone(said, local)


def _with_zone(said: str, local: datetime) -> str:
    return f"{said}\N{NO-BREAK SPACE}{local.tzname()}"


# The formats of times on pages; site.js has the same.
FORMS = {form.__name__: form for form in (long_date, short_date, date_time, exact_time)}


def element(value: datetime, form: str) -> SafeString:
    """Return a <time> element in one of FORMS, which site.js converts to the reader's zone."""
    said = FORMS[form](value)
    return format_html(
        '<time datetime="{}" data-form="{}">{}</time>', value.isoformat(), form, said
    )


def number(value: int) -> str:
    """1,250"""
    return format_decimal(value, locale=_locale())


def decimal(value: float, places: int) -> str:
    """Format a number with this many decimal places: −0.35"""
    digits = format_decimal(abs(value), f"0.{'0' * places}", locale=_locale())
    return f"−{digits}" if round(value, places) < 0 else digits


def _locale() -> Locale:
    return _best(get_language() or "en", _accepted.get())


@lru_cache(maxsize=1000)
def _best(language: str, header: str) -> Locale:
    """Return the reader's locale for this language, without a region if none is known."""
    for code, _weight in parse_accept_lang_header(header):
        if code.partition("-")[0] == language:
            try:
                return Locale.parse(code, sep="-")
            except (UnknownLocaleError, ValueError):
                continue
    return Locale.parse(language, sep="-")
