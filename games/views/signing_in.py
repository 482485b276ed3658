"""POSTs of people who have been signed out meanwhile: they sign in first."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils import timezone

from accounts import stored_posts

View = Callable[..., HttpResponse]


def signs_in_first(page: str) -> Callable[[View], View]:
    """A `login_required` for views that only accept POSTs. As nobody can open their addresses,
    signing in leads to the URL named `page`, from which people can repeat their action.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def asked(request: HttpRequest, *arguments: object, **named: object) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(resolve_url(page))
            return view(request, *arguments, **named)

        return asked

    return decorate


def goes_on_after_signing_in(request: HttpRequest, *, otherwise: str) -> HttpResponse:
    """Redirect to sign in, and complete this POST then; `otherwise`: the page if it is too late."""
    return redirect_to_login(stored_posts.keep(request, otherwise=otherwise, now=timezone.now()))
