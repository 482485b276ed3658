"""Where allauth asks us: which names are free, and where people go next."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import names, people


class PeopleAdapter(DefaultAccountAdapter):
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _("The name and the password do not belong together."),
        "too_many_login_attempts": _(
            "Those were too many attempts to sign in. Please try again in a few minutes."
        ),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """`shallow` is allauth's word for “do not ask the database”."""
        if shallow:
            for check in names.validators:
                check(username)
            return names.tidy(username)
        return people.free_name(username)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")
