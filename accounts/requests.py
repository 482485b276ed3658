"""Types of requests and their users, for the type checker."""

from __future__ import annotations

from typing import TypeAlias

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from accounts.models import User

AnyUser: TypeAlias = User | AnonymousUser


class SignedIn(HttpRequest):
    """A request to a view that requires sign-in."""

    user: User
