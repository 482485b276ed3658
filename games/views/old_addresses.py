"""Redirects from former addresses to the present ones, with the query and the posted data."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from accounts.old_addresses import sent_on


def moved_to(name: str) -> Callable[..., HttpResponse]:
    """A view that redirects to the URL of this name with the same arguments."""

    def moved(request: HttpRequest, **arguments: object) -> HttpResponse:
        return sent_on(request, reverse(name, kwargs=arguments))

    return moved
