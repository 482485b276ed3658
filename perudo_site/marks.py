"""Marks of views, set where a URL configuration lists them; so every URL is written only once."""

from __future__ import annotations

from typing import Generic, TypeVar

from django.urls import Resolver404, ResolverMatch, URLPattern, URLResolver, get_resolver

Mark = TypeVar("Mark")
Address = TypeVar("Address", URLPattern, URLResolver)


class Marks(Generic[Mark]):
    """One mark per view, and per `include`: that of the paths in it that have no view."""

    def __init__(self) -> None:
        self._marked: dict[object, Mark] = {}

    def on(self, mark: Mark, address: Address) -> Address:
        """Mark a URL pattern or resolver, and all below it that have no mark yet; return it."""
        self._mark(mark, address)
        return address

    def _mark(self, mark: Mark, address: URLPattern | URLResolver) -> None:
        if isinstance(address, URLPattern):
            self._marked.setdefault(address.callback, mark)
            return
        self._marked.setdefault(address, mark)
        for each in address.url_patterns:
            self._mark(mark, each)

    def of(self, view: object) -> Mark | None:
        return self._marked.get(view)

    def of_path(self, path: str) -> tuple[ResolverMatch | None, Mark | None]:
        """Return the match of the view at this path, or None, and the mark of the view, or of the
        `include` in which there is none.
        """
        try:
            match = get_resolver().resolve(path)
        except Resolver404 as error:
            tried = error.args[0].get("tried", ())
            begun = (part for parts in tried for part in parts[:-1] if part in self._marked)
            return None, self.of(next(begun, None))
        return match, self.of(match.func)
