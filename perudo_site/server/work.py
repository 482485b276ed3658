"""What kind of work each view does: from it `asgi` chooses the thread on which a request runs.

A view of ours says it itself, by an attribute `work`; those of others are marked by `on` where they
are given an address. So every address is written once, in a URL configuration.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, TypeVar

from django.conf import settings
from django.urls import Resolver404, ResolverMatch, URLPattern, URLResolver, get_resolver

READING: Final = ("GET", "HEAD")

Address = TypeVar("Address", URLPattern, URLResolver)


class Work(StrEnum):
    """Kinds of work; the values are what views say."""

    PAGE = "page"  # of a view that says nothing: a GET only reads
    TABLE = "table"  # a GET only reads, a POST changes a table
    ERRAND = "errand"  # a GET does what was posted before signing in, as at a table
    LOOK = "look"  # reads, and notes who watches
    ACCOUNT = "account"  # a GET only reads, a POST may hash passwords
    SESSION = "session"  # hashes passwords, takes long or writes to the session, a GET too
    PICTURE = "picture"  # is drawn
    FILE = "file"  # needs no database


_marked: Final[dict[Any, Work]] = {}


def on(work: Work, address: Address) -> Address:
    """The same address, its views marked; those that are marked already stay as they are."""
    _mark(work, address)
    return address


def _mark(work: Work, address: URLPattern | URLResolver) -> None:
    if isinstance(address, URLPattern):
        _marked.setdefault(address.callback, work)
        return
    for each in address.url_patterns:
        _mark(work, each)


def resolved(path: str) -> ResolverMatch | None:
    """The view at this path; None when there is none."""
    try:
        return get_resolver().resolve(path)
    except Resolver404:
        return None


def work_of(scope: Any, match: ResolverMatch | None) -> Work:
    """The work of a request; `match` is its view."""
    if scope["path"].startswith(settings.STATIC_URL) and scope["method"] in READING:
        return Work.FILE  # no view: a middleware answers
    return Work.PAGE if match is None else of_view(match.func)


def of_view(view: Any) -> Work:
    """What a view says itself, or its address."""
    said: str = getattr(view, "work", "")
    return Work(said) if said else _marked.get(view, Work.PAGE)
