"""Where allauth asks us: which names are free, and where people go next."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import addresses, attempts, free_names, known_browsers, names, outbox

SENT_TO_CONFIRM = _("We've sent you an email. Follow its link to confirm your address.")


def _question(*, signup: bool) -> str:
    """What somebody who has just signed in reads about an address that is not confirmed."""
    if signup:
        return str(SENT_TO_CONFIRM)
    return format_html(
        '{} <a href="{}">{}</a>',
        gettext("Your email address isn't confirmed yet."),
        reverse("confirm-my-email"),
        gettext("Confirm it"),
    )


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
        return free_names.free_name(username)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Find the one account that is meant, then let allauth check one password: its own search
        for addresses also finds unconfirmed ones, and hashes once for each account that claims one.
        """
        typed = credentials.get("username") or ""
        person = addresses.signs_in(typed)
        # Counted as it was typed: a common counter would tell whose address it is.
        self._attempts = attempts.of(request, name=typed, person=person)
        # An address is no name: allauth finds nobody, and hashes once all the same.
        credentials["username"] = typed if person is None else person.username
        return super().authenticate(request, **credentials)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt; allauth takes it back if the password is right."""
        self._login_failed_rl_usage = attempts.count(request, self._attempts)
        if self._login_failed_rl_usage is None:
            raise self.validation_error("too_many_login_attempts")

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        response = super().post_login(request, user, **kwargs)
        known_browsers.remember(request, response, user)
        if user.email and outbox.has_mail() and not addresses.confirmed(user):
            messages.info(request, _question(signup=kwargs.get("signup", False)))
        return response

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Never: a mail server must not delay or fail a request. Letters go to `outbox.put`."""
        raise NotImplementedError(template_prefix)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Users with a second factor confirm with it; others may know their password."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [method for method in methods if method["id"] != "reauthenticate"] or methods
