"""Posts of people who have been signed out meanwhile: they sign in first."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils import timezone

from accounts import errands

View = Callable[..., HttpResponse]


def signs_in_first(page: str) -> Callable[[View], View]:
    """`login_required` for a view of posts: nobody can open its address, so that whoever signs in
    comes to `page`, the name of the address from which they can do it again.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def asked(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(resolve_url(page))
            return view(request, *arguments, **named)

        return asked

    return decorate


def goes_on_after_signing_in(request: HttpRequest, *, otherwise: str) -> HttpResponse:
    """To sign in, and then on with this post; `otherwise` is the page for when it is too late."""
    return redirect_to_login(errands.keep(request, otherwise=otherwise, now=timezone.now()))
