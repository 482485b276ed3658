"""Somebody who walks through the site in one language."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, ClassVar

from django.test import Client
from django.urls import resolve

from accounts.models import User

Page = tuple[str, str]  # what it is, its HTML or text


class TourVisitor:
    """A visitor with a browser in one language. Each response must be as expected."""

    been_at: ClassVar[set[str]] = set()  # the names of all addresses that anybody ever visited

    def __init__(self, language: str, person: User | None = None) -> None:
        self.client = Client(headers={"Accept-Language": language})
        if person is not None:
            self.client.force_login(person)

    def get(self, address: str, status: int = 200) -> Page:
        return f"GET {address}", self._page(self.client.get(address), status)

    def fetch(self, address: str) -> Page:
        """A part of a page, by htmx."""
        answer = self.client.get(address, headers={"HX-Request": "true"})
        return f"GET {address} by htmx", self._page(answer, 200)

    def post(self, address: str, status: int = 200, **fields: Any) -> Page:
        """Sends a form; after a redirect the page that tells how it went."""
        self.been_at.add(resolve(address.partition("?")[0]).view_name)
        answer = self.client.post(address, fields, follow=True)
        return f"POST {address} {sorted(fields)}", self._page(answer, status)

    def act(self, code: str, action: str, **fields: Any) -> Page:
        """Something done at a table by htmx: the notice."""
        return self.send(f"/games/{code}/{action}", **fields)

    def send(self, address: str, **fields: Any) -> Page:
        """Sends a form by htmx: the part of the page that answers it."""
        answer = self.client.post(address, fields, headers={"HX-Request": "true"})
        return f"POST {address} {sorted(fields.items())}", self._page(answer, 200)

    def _page(self, answer: Any, status: int) -> str:
        assert answer.status_code == status, answer.status_code
        if status != HTTPStatus.NOT_FOUND:
            self.been_at.add(answer.resolver_match.view_name)
        return answer.content.decode()
