"""The forms of signing in and up, of passwords, and of two-factor authentication."""

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
from accounts.forms import EMAIL_HELP, LONGEST_EMAIL, NameField
from accounts.models import User


def without_placeholders(form: forms.Form) -> None:
    """A placeholder vanishes while one types; the label says it already."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)


class LoginField(forms.CharField):
    """A name or a confirmed address; a name may be longer as it is typed than it is."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Name or email address") if outbox.has_mail() else _("Name"),
            max_length=LONGEST_EMAIL,
            widget=forms.TextInput(
                attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
            ),
        )


class LoginForm(allauth_forms.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"] = LoginField()
        without_placeholders(self)
        self.fields["password"].help_text = ""  # the page has the link where it can be read

    def offers_code(self) -> bool:
        """Whether a password was refused here, and a code by mail can be had instead.

        The same for every name and address: the page never tells who has a confirmed one.
        """
        return bool(self.non_field_errors()) and outbox.has_mail()


class SignupForm(allauth_forms.SignupForm):
    username = NameField(widget=forms.TextInput(attrs={"autocomplete": "username"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        without_placeholders(self)
        self.fields["username"].label = _("Name")
        self.fields["username"].help_text = User._meta.get_field("username").help_text
        self.fields["email"].label = _("Email address (optional)")
        self.fields["email"].help_text = EMAIL_HELP
        self.fields["email"].validators.append(MaxLengthValidator(LONGEST_EMAIL))

    def save(self, request: HttpRequest) -> Any:
        person: Any = super().save(request)
        if person.email:
            site = request.build_absolute_uri("/").rstrip("/")
            lifecycle.ask_to_confirm(person, site=site, now=timezone.now())
        return person


class ChangePasswordForm(allauth_forms.ChangePasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        without_placeholders(self)
        self.fields["oldpassword"].help_text = ""


class ResetPasswordForm(allauth_forms.ResetPasswordForm):
    """Puts one row into the outbox, the same for any address: neither the answer nor the time it
    takes tells whether an account has it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        without_placeholders(self)
        self.fields["email"].validators.append(MaxLengthValidator(LONGEST_EMAIL))

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].lower()
        return email

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        email: str = self.cleaned_data["email"]
        site = request.build_absolute_uri("/").rstrip("/")
        outbox.put(outbox.Letter.Kind.RESET, email=email, site=site, now=timezone.now())
        return email


class AskForCodeForm(forms.Form):
    """For whom a code is wanted. Whether an account is meant is looked up when it is sent."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"] = LoginField()


class SentCodeForm(forms.Form):
    code = forms.CharField(
        label=_("Code from the email"),
        max_length=20,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True}
        ),
    )


class ResetPasswordKeyForm(allauth_forms.ResetPasswordKeyForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        without_placeholders(self)

    def save(self) -> None:
        """Only who reads the letters to the address has the link, so it is confirmed as well."""
        super().save()
        addresses.confirm(self.user)


class ReauthenticateForm(allauth_forms.ReauthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        without_placeholders(self)
        self.fields["password"].label = _("Your password")
        self.fields["password"].help_text = ""  # signed-in users know it


# --- two-factor authentication --------------------------------------------------------------------


def asks_for_a_code(form: forms.Form, *, label: Any) -> None:
    """A field for digits: a phone shows its number pad and offers what the app has copied."""
    without_placeholders(form)
    form.fields["code"].label = label
    form.fields["code"].widget.attrs["inputmode"] = "numeric"


class OnceOnly(step_forms.BaseAuthenticateForm):
    """A code of the app is accepted once, and neither is one before it after that."""

    def clean_code(self) -> str:
        given = self.cleaned_data["code"]
        if two_factor.is_used(self.user, given, now=timezone.now()):
            # Not left to allauth, which would take it for right and stop counting wrong ones.
            check_rate_limit(self.user)
            raise mfa_adapter().validation_error("incorrect_code")
        code: str = super().clean_code()
        by_app = self.authenticator.type == Authenticator.Type.TOTP
        if by_app and not two_factor.use(self.authenticator, code, now=timezone.now()):
            raise mfa_adapter().validation_error("incorrect_code")
        return code


class CodeForm(OnceOnly, step_forms.AuthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        asks_for_a_code(self, label=_("Code from your app, or a recovery code"))


class CodeAgainForm(OnceOnly, step_forms.ReauthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        asks_for_a_code(self, label=_("Code from your app, or a recovery code"))


class FirstCodeForm(totp_forms.ActivateTOTPForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        asks_for_a_code(self, label=_("Code from the app"))
