"""Where allauth asks us: which names are free, and where people go next."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import lifecycle, names


class PeopleAdapter(DefaultAccountAdapter):
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _("Wrong name or password."),
        "incorrect_password": _("Wrong password."),
        "too_many_login_attempts": _(
            "Too many sign-in attempts. Please try again in a few minutes."
        ),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """`shallow` is allauth's word for “do not ask the database”."""
        if shallow:
            for check in names.validators:
                check(username)
            return names.tidy(username)
        return lifecycle.free_name(username)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Users with a second factor confirm with it; others may know their password."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [method for method in methods if method["id"] != "reauthenticate"] or methods
