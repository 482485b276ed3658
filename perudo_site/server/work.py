"""The kind of work that each view does; `thread_choice` chooses the thread of a request by it.

Our own views have it as an attribute `work`. Views of libraries are marked by `on`, where a URL
configuration lists them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

from django.conf import settings
from django.urls import Resolver404, ResolverMatch, get_resolver

from perudo_site.marks import Marks

READING: Final = ("GET", "HEAD")


class Work(StrEnum):
    """Kinds of work; views have the values as attributes."""

    PAGE = "page"  # the default: a GET only reads
    TABLE = "table"  # a GET only reads, a POST changes a table
    STORED_POST = "stored_post"  # a GET replays what was posted before signing in
    LOOK = "look"  # reads, and records who watches
    ACCOUNT = "account"  # a GET only reads, a POST may hash passwords
    SESSION = "session"  # hashes passwords, takes long or writes to the session, even in a GET
    PICTURE = "picture"  # draws a picture
    FILE = "file"  # needs no database


_marks: Final[Marks[Work]] = Marks()
on: Final = _marks.on


def resolved(path: str) -> ResolverMatch | None:
    """Return the match of the view at this path; None if there is none."""
    try:
        return get_resolver().resolve(path)
    except Resolver404:
        return None


def work_of(scope: Any, match: ResolverMatch | None) -> Work:
    """Return the kind of work of a request; `match` is that of its view."""
    if scope["path"].startswith(settings.STATIC_URL) and scope["method"] in READING:
        return Work.FILE  # no view: a middleware answers
    return Work.PAGE if match is None else of_view(match.func)


def of_view(view: object) -> Work:
    """Return the kind of work in the view's attribute, or that `on` has marked it with."""
    said: str = getattr(view, "work", "")
    return Work(said) if said else _marks.of(view) or Work.PAGE
