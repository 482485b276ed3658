"""Addresses that pages had once: they lead to those of today, with what was sent to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from accounts.old_addresses import sent_on


def moved_to(name: str) -> Callable[..., HttpResponse]:
    """A view that sends its address on to the one of this name with the same arguments."""

    def moved(request: HttpRequest, **arguments: Any) -> HttpResponse:
        return sent_on(request, reverse(name, kwargs=arguments))

    return moved
