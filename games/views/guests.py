"""Visitors who become guests by the same form with which they do something else."""

from __future__ import annotations

from typing import Any

from allauth.core import ratelimit
from django.conf import settings
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse

from accounts import lifecycle
from accounts.forms import GuestForm


def come_in(request: HttpRequest, form: GuestForm | None) -> HttpResponse | None:
    """Sign a visitor in as a guest with the name of `form`; without one the site chooses.

    A refused name is an error of the form, and nobody is signed in then. The response is that of
    an address that has had too many guests.
    """
    # Counted before the name is looked up: nobody can ask for thousands of names.
    if not ratelimit.consume(request, action="guest"):
        return ratelimit.respond_429(request)
    person = None
    if form is None:
        person = lifecycle.guest()
    elif form.is_valid():
        try:
            person = form.save()
        except ValidationError as taken:  # since the form looked
            form.add_error("username", taken)
    if person is not None:
        login(request, person, backend=settings.AUTHENTICATION_BACKENDS[0])
    return None


def form_of(request: HttpRequest) -> GuestForm:
    """The field `username` of a posted form."""
    return GuestForm(request.POST)


def refused_name(request: HttpRequest, form: GuestForm) -> dict[str, Any]:
    """What `games/_guest_name.html` shows of a name that was refused: itself, and why."""
    return {
        "name": request.POST.get("username", ""),
        "errors": form.errors.get("username", []),
    }


def proposal(request: HttpRequest) -> str:
    """A free name for the form of a visitor; "" for somebody who has a name."""
    return "" if request.user.is_authenticated else lifecycle.proposed_name()
