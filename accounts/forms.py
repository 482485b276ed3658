"""The forms in which users change their own account."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.mfa.adapter import get_adapter as mfa_adapter
from allauth.mfa.base import forms as step_forms
from allauth.mfa.base.internal.flows import check_rate_limit
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp_forms
from django import forms
from django.conf import settings
from django.contrib.auth.forms import SetPasswordMixin
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import avatars, lifecycle, names, outbox, second_step
from accounts.models import User

LONGEST_EMAIL = 254  # RFC 5321, and the column
EMAIL_HELP = _("Only used to reset a forgotten password. Nobody else sees it.")


class NameField(forms.CharField):
    """A name, whose length is that of its tidied form: letters may be typed with separate marks."""

    def to_python(self, value: Any) -> Any:
        typed = super().to_python(value) or ""
        return names.tidy(typed) if len(typed) <= names.LONGEST_TYPED else typed


class Named(forms.ModelForm):
    """A form with a name in it: a new name must be valid, free and like nobody else's.

    A name that stays as it was is not checked: it may be older than the rule it breaks.
    """

    def keeps_name(self) -> bool:
        return self.instance.pk is not None and "username" not in self.changed_data

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        return name if self.keeps_name() else lifecycle.free_name(name, person=self.instance)

    def _get_validation_exclusions(self) -> set[str]:
        excluded: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]
        return excluded | {"username"} if self.keeps_name() else excluded


class SettingsForm(Named):
    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=lambda: [("", _("Same as browser")), *settings.LANGUAGES],
    )
    theme = forms.ChoiceField(label=_("Theme"), required=False, choices=User.Theme.choices)
    animal = forms.ChoiceField(  # type: ignore[call-arg]  # a stub of an older Django
        label=_("Your face"),
        required=False,
        choices=lambda: [("", _("From my name")), *avatars.animals()],
        widget=forms.RadioSelect,
        template_name="accounts/_faces.html",
    )
    cloth = forms.ChoiceField(  # type: ignore[call-arg]  # the same
        label=_("Your poncho"),
        required=False,
        choices=lambda: [("", _("From my name")), *avatars.cloths()],
        widget=forms.RadioSelect,
        template_name="accounts/_faces.html",
    )

    class Meta:
        model = User
        fields = ("username", "language", "theme", "animal", "cloth")
        field_classes = {"username": NameField}
        widgets = {"username": forms.TextInput(attrs={"autocomplete": "username"})}

    def save(self, commit: bool = True) -> User:
        person: User = super().save(commit=False)
        chosen = ("language", "theme", "animal", "cloth")
        person.save(update_fields=[*User.NAME_COLUMNS, *chosen])
        return person

    def animals(self) -> list[tuple[Any, dict[str, str]]]:
        """Each radio button of `animal` with the avatar it stands for."""
        return self._with_avatars("animal")

    def cloths(self) -> list[tuple[Any, dict[str, str]]]:
        """Each radio button of `cloth` with the avatar it stands for."""
        return self._with_avatars("cloth")

    def _with_avatars(self, field: str) -> list[tuple[Any, dict[str, str]]]:
        name, now = self.initial["username"], self.instance.avatar
        buttons = list(self[field])
        own = {"animal": now["animal"], "cloth": now["cloth"]}
        return [
            (button, avatars.avatar(name, **own | {field: str(button.data["value"])}))
            for button in buttons
        ]


class GuestForm(Named):
    """The one thing a guest chooses: the name shown at the table."""

    class Meta:
        model = User
        fields = ("username",)
        field_classes = {"username": NameField}

    def save(self, commit: bool = True) -> User:
        """The guest, new or with the new name."""
        if self.instance.pk is None:
            return lifecycle.guest(self.cleaned_data["username"])
        person: User = super().save(commit=False)
        person.save(update_fields=User.NAME_COLUMNS)
        return person


class EmailForm(forms.Form):
    """A new address can take the account over, so it asks for the password."""

    email = forms.EmailField(
        label=_("Email address"),
        required=False,
        max_length=LONGEST_EMAIL,
        help_text=EMAIL_HELP,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.person.check_password(password):
            raise forms.ValidationError(_("Wrong password."), code="password_wrong")
        return password


class KeepForm(SetPasswordMixin, Named):
    """What turns a guest into an account: a name, a password, perhaps an address."""

    password1, password2 = SetPasswordMixin.create_password_fields()
    email = forms.EmailField(
        label=_("Email address (optional)"),
        required=False,
        max_length=LONGEST_EMAIL,
        help_text=EMAIL_HELP,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    field_order = ("username", "email", "password1", "password2")

    class Meta:
        model = User
        fields = ("username",)
        field_classes = {"username": NameField}
        widgets = {"username": forms.TextInput(attrs={"autocomplete": "username"})}

    def keeps_name(self) -> bool:
        return False  # what becomes an account is checked like a new one

    def clean(self) -> dict[str, Any] | None:
        self.validate_passwords()
        return super().clean()

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]  # Django's hook has no stub
        # Only now does the instance carry the chosen name, which a password must not resemble.
        self.validate_password_for_user(self.instance, "password1")


class DeleteForm(forms.Form):
    """Deleting asks for the password; a guest, who has none, ticks a box."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    sure = forms.BooleanField(label=_("Yes, delete my account for good"))

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        del self.fields["sure" if person.has_usable_password() else "password"]

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.person.check_password(password):
            raise forms.ValidationError(_("Wrong password."), code="password_wrong")
        return password


def without_placeholders(form: forms.Form) -> None:
    """A placeholder vanishes while one types; the label says it already."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)


class LoginForm(allauth_forms.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Without the limit of a name's length, which a name may exceed as it is typed.
        self.fields["login"] = NameField(
            label=_("Name"),
            max_length=names.LONGEST_TYPED,
            widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
        )
        without_placeholders(self)
        self.fields["password"].help_text = ""  # the page has the link where it can be read


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


class ResetPasswordKeyForm(allauth_forms.ResetPasswordKeyForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        without_placeholders(self)

    def save(self) -> None:
        """Only who reads the letters to the address has the link, so it is confirmed as well."""
        super().save()
        lifecycle.confirm_email(self.user)


class ReauthenticateForm(allauth_forms.ReauthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        without_placeholders(self)
        self.fields["password"].label = _("Your password")
        self.fields["password"].help_text = ""  # signed-in users know it


# --- the second step -----------------------------------------------------------------------------


def asks_for_a_code(form: forms.Form, *, label: Any) -> None:
    """A field for digits: a phone shows its number pad and offers what the app has copied."""
    without_placeholders(form)
    form.fields["code"].label = label
    form.fields["code"].widget.attrs["inputmode"] = "numeric"


class OnceOnly(step_forms.BaseAuthenticateForm):
    """A code of the app is accepted once, and neither is one before it after that."""

    def clean_code(self) -> str:
        given = self.cleaned_data["code"]
        if second_step.is_used(self.user, given, now=timezone.now()):
            # Not left to allauth, which would take it for right and stop counting wrong ones.
            check_rate_limit(self.user)
            raise mfa_adapter().validation_error("incorrect_code")
        code: str = super().clean_code()
        by_app = self.authenticator.type == Authenticator.Type.TOTP
        if by_app and not second_step.use(self.authenticator, code, now=timezone.now()):
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
