"""Creating guests: visitors choose a name in the same form in which they do something else."""

from __future__ import annotations

from allauth.core import ratelimit
from django.conf import settings
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse

from accounts import lifecycle
from accounts.forms import GuestForm
from games.models import Game
from games.play import table_names


def come_in(request: HttpRequest, form: GuestForm | None) -> HttpResponse | None:
    """Sign a visitor in as a guest with the name in `form`; without a form the site chooses one.

    If the name is refused, the form has an error, and nobody is signed in. Returns None, or the
    response for an address that has created too many guests.
    """
    # Counted before the name is looked up, so that nobody can probe thousands of names.
    if not ratelimit.consume(request, action="guest"):
        return ratelimit.respond_429(request)
    person = None
    if form is None:
        person = lifecycle.guest()
    elif form.is_valid():
        try:
            person = form.save()
        except ValidationError as taken:  # since the form was validated
            form.add_error("username", taken)
    if person is not None:
        login(request, person, backend=settings.AUTHENTICATION_BACKENDS[0])
    return None


def form_of(request: HttpRequest, game: Game | None = None) -> GuestForm:
    """The form for a posted `username`; if given a game, it checks for names at that table."""
    return GuestForm(request.POST, others=table_names.at(game) if game is not None else ())


def refused_name(request: HttpRequest, form: GuestForm) -> dict[str, object]:
    """The values of `games/_guest_name.html` for a refused name: a free name, or else the refused
    one, and the errors.
    """
    return {
        "name": form.offered or request.POST.get("username", ""),
        "errors": form.errors.get("username", []),
    }


def proposal(request: HttpRequest, game: Game | None = None) -> str:
    """A free name for a visitor's form, at this table if given; "" for people who are signed in."""
    if request.user.is_authenticated:
        return ""
    return lifecycle.proposed_name(table_names.at(game) if game is not None else ())
