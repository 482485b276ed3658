"""The forms in which users change their own account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import SetPasswordMixin
from django.utils.functional import lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import avatars, free_names, lifecycle, names, outbox
from accounts.models import User

LONGEST_EMAIL = 254  # RFC 5321, and the column


def _email_help() -> str:
    if outbox.has_mail():
        return gettext("To sign in and to reset a forgotten password. Nobody else sees it.")
    return gettext("Only used to reset a forgotten password. Nobody else sees it.")


EMAIL_HELP = lazy(_email_help, str)()


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
        return name if self.keeps_name() else free_names.free_name(name, person=self.instance)

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

    games_shown_to = forms.ChoiceField(
        label=_("Who sees my games"),
        required=False,
        choices=User.GamesShownTo.choices,
        help_text=_(
            "The list of your finished games and your statistics, on your page. "
            "Replays have links of their own."
        ),
    )

    shows_reviews = forms.BooleanField(
        label=_("Others see my review figures"),
        required=False,
        help_text=_("Accuracy, errors and luck on your page. If off, only you see them."),
    )
    shows_online = forms.BooleanField(
        label=_("My friends see when I'm here"),
        required=False,
    )
    lends_decisions = forms.BooleanField(
        label=_("My decisions may be asked as the question of the day"),
        required=False,
        help_text=_("Of public games in which everybody agrees, and never with a name."),
    )

    class Meta:
        model = User
        fields = (
            *("username", "language", "theme", "animal", "cloth", "games_shown_to"),
            *("shows_reviews", "shows_online", "lends_decisions"),
        )
        field_classes = {"username": NameField}
        widgets = {"username": forms.TextInput(attrs={"autocomplete": "username"})}

    def clean_games_shown_to(self) -> str:
        """As it was, where the form of a page from before does not ask."""
        chosen: str = self.cleaned_data["games_shown_to"]
        return chosen or self.instance.games_shown_to

    def save(self, commit: bool = True) -> User:
        person: User = super().save(commit=False)
        chosen = (
            *("language", "theme", "animal", "cloth", "games_shown_to"),
            *("shows_reviews", "shows_online", "lends_decisions"),
        )
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
