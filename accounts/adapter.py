"""allauth's account adapter: name checks, sign-in, rate limits and redirects."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import (
    addresses,
    attempts,
    free_names,
    guest_names,
    handover,
    handover_stage,
    known_browsers,
    names,
    outbox,
)

SENT_TO_CONFIRM = _("We've sent you an email. Follow its link to confirm your address.")


def _question(*, signup: bool) -> str:
    """Return the message shown after sign-in if the email address is not confirmed."""
    if signup:
        return str(SENT_TO_CONFIRM)
    return format_html(
        '{} <a href="{}">{}</a>',
        gettext("Your email address isn't confirmed yet."),
        reverse("confirm-my-email"),
        gettext("Confirm it"),
    )


class PeopleAdapter(DefaultAccountAdapter):
    _is_new = False
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _("Wrong name or password."),
        "incorrect_password": _("Wrong password."),
        "too_many_login_attempts": _(
            "Too many sign-in attempts. Please try again in a few minutes."
        ),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Check and tidy a name. `shallow` is allauth's flag for “do not query the database”."""
        if shallow:
            for check in names.validators:
                check(username)
            return names.tidy(username)
        return free_names.free_name(username)

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> Any:
        guest_names.make_room(form.cleaned_data["username"])
        return super().save_user(request, user, form, commit)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Look up one account, then let allauth check its password.

        allauth's own lookup also finds unconfirmed addresses, and hashes the password once for each
        account that claims the address.
        """
        typed = credentials.get("username") or ""
        person = addresses.signs_in(typed)
        # Count by the text as typed: a counter shared by an account's name and address would reveal
        # whose address it is.
        self._attempts = attempts.of(request, name=typed, person=person)
        # No name contains an @: given an unknown address, allauth finds nobody, and still hashes
        # once.
        credentials["username"] = typed if person is None else person.username
        return super().authenticate(request, **credentials)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt; allauth reverts the count if the password is right."""
        self._login_failed_rl_usage = attempts.count(request, self._attempts)
        if self._login_failed_rl_usage is None:
            raise self.validation_error("too_many_login_attempts")

    def get_login_stages(self) -> list[str]:
        return [*super().get_login_stages(), "accounts.handover_stage.HandOverStage"]

    def login(self, request: HttpRequest, user: Any) -> None:
        """Sign in, by any method, and move the data of this browser's guest to the account.

        If the user chose not to move it, the guest leaves their tables instead.
        """
        guest, now = handover.guest_of(request), timezone.now()
        if guest is None:
            return super().login(request, user)
        site, takes_along = handover.of_site(), handover_stage.takes_along(request)
        if takes_along:
            site.take_along(guest, user, now=now)
        super().login(request, user)
        if not takes_along:
            site.leave_behind(guest, now=now)
        return None

    def add_message(self, *args: Any, **kwargs: Any) -> None:
        """Add no message after sign-up: new users see that they are signed in."""
        if not self._is_new:
            super().add_message(*args, **kwargs)

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        self._is_new = bool(kwargs.get("signup", False))
        response = super().post_login(request, user, **kwargs)
        known_browsers.remember(request, response, user)
        if user.email and outbox.has_mail() and not addresses.confirmed(user):
            messages.info(request, _question(signup=kwargs.get("signup", False)))
        return response

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        return reverse("welcome")

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Never used: a mail server must not delay or fail a request. See `outbox.put`."""
        raise NotImplementedError(template_prefix)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Offer the second factor alone to users who have one, and the password to others."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [method for method in methods if method["id"] != "reauthenticate"] or methods
