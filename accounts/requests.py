"""Who makes a request, for the type checker."""

from __future__ import annotations

from typing import TypeAlias

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from accounts.models import User

AnyUser: TypeAlias = User | AnonymousUser


class SignedIn(HttpRequest):
    """The request of a view that only signed-in people reach."""

    user: User
