"""The request of a view that only signed-in people reach, for the type checker."""

from __future__ import annotations

from django.http import HttpRequest

from accounts.models import User


class SignedIn(HttpRequest):
    user: User
