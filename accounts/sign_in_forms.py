"""Forms for sign-in, sign-up, passwords and two-factor authentication."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.mfa.adapter import get_adapter as mfa_adapter
from allauth.mfa.base import forms as step_forms
from allauth.mfa.base.internal.flows import check_rate_limit
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp_forms
from django import forms
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import addresses, lifecycle, outbox, two_factor
from accounts.digits import ascii_digits
from accounts.forms import (
    EMAIL_HELP,
    LONGEST_EMAIL,
    NEW_NAME_HELP,
    PASSWORD_HELP,
    NameField,
    type_once,
)
from accounts.models import Letter


def without_placeholders(form: forms.Form) -> None:
    """Remove placeholders, which vanish during typing and repeat the label.

    Also shorten the help text of a new password to one sentence, from Django's four.
    """
    for name, field in form.fields.items():
        field.widget.attrs.pop("placeholder", None)
        if name == "password1":
            field.help_text = PASSWORD_HELP


class LoginField(forms.CharField):
    """Field for a name or a confirmed address; a typed name may be longer than its tidied form."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Name or email address") if outbox.has_mail() else _("Name"),
            max_length=LONGEST_EMAIL,
            widget=forms.TextInput(
                attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
            ),
        )


class LoginForm(allauth_forms.LoginForm):
    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"] = LoginField()
        without_placeholders(self)
        self.fields["password"].help_text = ""  # the page shows the link elsewhere

    def offers_code(self) -> bool:
        """Whether a sign-in was refused here and the site can email a code instead.

        It is the same for every login, so the page never reveals who has a confirmed address.
        """
        return bool(self.non_field_errors()) and outbox.has_mail()


class SignupForm(allauth_forms.SignupForm):
    username = NameField(widget=forms.TextInput(attrs={"autocomplete": "username"}))

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        without_placeholders(self)
        self.fields["username"].label = _("Name")
        self.fields["username"].help_text = NEW_NAME_HELP
        self.fields["email"].label = _("Email address (optional)")
        self.fields["email"].help_text = EMAIL_HELP
        self.fields["email"].validators.append(MaxLengthValidator(LONGEST_EMAIL))
        type_once(self)

    def save(self, request: HttpRequest) -> Any:
        person: Any = super().save(request)
        if person.email:
            site = request.build_absolute_uri("/").rstrip("/")
            lifecycle.ask_to_confirm(person, site=site, now=timezone.now())
        return person


class ChangePasswordForm(allauth_forms.ChangePasswordForm):
    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        without_placeholders(self)
        self.fields["oldpassword"].help_text = ""


class ResetPasswordForm(allauth_forms.ResetPasswordForm):
    """Form that puts one row into the outbox, the same for any address.

    Neither the response nor its time reveals whether an account has the address.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        without_placeholders(self)
        self.fields["email"].validators.append(MaxLengthValidator(LONGEST_EMAIL))

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].lower()
        return email

    def save(self, request: HttpRequest, **kwargs: object) -> str:
        email: str = self.cleaned_data["email"]
        site = request.build_absolute_uri("/").rstrip("/")
        asker = getattr(request, "asker", "")  # see `views.ask_for_reset`
        kind = Letter.Kind.RESET
        outbox.put(kind, email=email, asker=asker, site=site, now=timezone.now())
        return email


class AskForCodeForm(forms.Form):
    """Form to request a sign-in code; the account is looked up when the email is sent."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"] = LoginField()


class CodeField(forms.CharField):
    """Field for a code with digits of any script.

    A phone shows its number pad, and suggests the code from the app or the email.
    """

    def __init__(self, *, label: Any, **attrs: Any) -> None:
        digits = {"autocomplete": "one-time-code", "inputmode": "numeric"}
        super().__init__(
            label=label, max_length=20, widget=forms.TextInput(attrs={**digits, **attrs})
        )

    def to_python(self, value: object) -> str:
        return ascii_digits(super().to_python(value) or "")


class SentCodeForm(forms.Form):
    code = CodeField(label=_("Code from the email"), autofocus=True)


class ResetPasswordKeyForm(allauth_forms.ResetPasswordKeyForm):
    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        without_placeholders(self)

    def save(self) -> None:
        """Save the password and confirm the address: only a reader of its mail has the link."""
        super().save()
        addresses.confirm(self.user)


class ReauthenticateForm(allauth_forms.ReauthenticateForm):
    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        without_placeholders(self)
        self.fields["password"].label = _("Your password")
        self.fields["password"].help_text = ""  # signed-in users know their password


# --- two-factor authentication --------------------------------------------------------------------


def asks_for_a_code(form: forms.Form, *, label: object) -> None:
    """Replace the field `code` with one for digits."""
    form.fields["code"] = CodeField(label=label)


class OnceOnly(step_forms.BaseAuthenticateForm):
    """Accept a code of the app only once, and no earlier code after it."""

    def clean_code(self) -> str:
        given = self.cleaned_data["code"]
        if two_factor.is_used(self.user, given, now=timezone.now()):
            # Refuse it here: allauth would accept it and reset the count of wrong codes.
            check_rate_limit(self.user)
            raise mfa_adapter().validation_error("incorrect_code")
        code: str = super().clean_code()
        by_app = self.authenticator.type == Authenticator.Type.TOTP
        if by_app and not two_factor.use(self.authenticator, code, now=timezone.now()):
            raise mfa_adapter().validation_error("incorrect_code")
        return code


class CodeForm(OnceOnly, step_forms.AuthenticateForm):
    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        asks_for_a_code(self, label=_("Code from your app, or a recovery code"))


class CodeAgainForm(OnceOnly, step_forms.ReauthenticateForm):
    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        asks_for_a_code(self, label=_("Code from your app, or a recovery code"))


class FirstCodeForm(totp_forms.ActivateTOTPForm):
    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        asks_for_a_code(self, label=_("Code from the app"))
