"""Forms in which users change their own account."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NoReturn

from django import forms
from django.conf import settings
from django.contrib.auth.forms import SetPasswordMixin
from django.utils.functional import lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import avatars, free_names, guest_names, lifecycle, names, outbox
from accounts.models import User

LONGEST_EMAIL = 254  # RFC 5321, and the column


def _email_help() -> str:
    if outbox.has_mail():
        return gettext("To sign in and to reset a forgotten password. Nobody else sees it.")
    return gettext("Only used to reset a forgotten password. Nobody else sees it.")


EMAIL_HELP = lazy(_email_help, str)()
# Sums up the password validators of the settings; an error message names the one that failed.
PASSWORD_HELP = _("At least 8 characters, hard to guess.")
NEW_NAME_HELP = _("Other players will see your name. You can change it later.")


def type_once(form: forms.BaseForm) -> None:
    """Prepare `password1` of a new account, which is typed once: a button shows it, and it stays in
    the form if something else is refused.
    """
    field: Any = form.fields["password1"]
    field.template_name = "accounts/_new_password.html"
    field.widget.render_value = True


class NameField(forms.CharField):
    """Field for a name; limits apply to the tidied form, as marks may be typed separately."""

    def to_python(self, value: Any) -> Any:
        typed = super().to_python(value) or ""
        return names.tidy(typed) if len(typed) <= names.LONGEST_TYPED else typed

    def widget_attrs(self, widget: forms.Widget) -> dict[str, object]:
        """Raise `maxlength`: a browser counts each separately typed mark as a character."""
        return {**super().widget_attrs(widget), "maxlength": str(names.LONGEST_TYPED)}


class Named(forms.ModelForm):
    """Base of forms with a name; a new name must be valid, free and unlike all others.

    An unchanged name is not checked: it may be older than a rule that it breaks.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stored = self.instance.username
        if self.instance.pk is not None:
            self.initial["username"] = self._stored.partition(names.MARK)[0]

    def keeps_name(self) -> bool:
        return self.instance.pk is not None and "username" not in self.changed_data

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        return name if self.keeps_name() else free_names.free_name(name, person=self.instance)

    def _get_validation_exclusions(self) -> set[str]:
        """Exclude the name: `free_names` has checked it, and guests may share it."""
        excluded: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]
        return excluded | {"username"}

    def settle_name(self, person: User) -> None:
        """Set the stored name of `person` from the valid form; call it before saving them."""
        if self.keeps_name():
            person.username = self._stored
        elif person.is_guest:
            person.username = guest_names.stored(person.username, person=person)
        else:
            guest_names.make_room(person.username, person=person)


class SettingsForm(Named):
    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=lambda: [("", _("Same as browser")), *settings.LANGUAGES],
    )
    theme = forms.ChoiceField(label=_("Theme"), required=False, choices=User.Theme.choices)
    animal = forms.ChoiceField(  # type: ignore[call-arg]  # a stub of an older Django
        label=_("Avatar"),
        required=False,
        choices=lambda: [("", _("Automatic (from your name)")), *avatars.animals()],
        widget=forms.RadioSelect,
        template_name="accounts/_faces.html",
    )
    cloth = forms.ChoiceField(  # type: ignore[call-arg]  # the same
        label=_("Your poncho"),
        required=False,
        choices=lambda: [("", _("Automatic (from your name)")), *avatars.cloths()],
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
        label=_("Show others my accuracy and luck"),
        required=False,
        help_text=_("Accuracy, errors and luck on your page. If off, only you see them."),
    )
    sees_ratings = forms.BooleanField(
        label=_("Show ratings"),
        required=False,
        help_text=_("If off, you see no ratings anywhere, neither yours nor those of others."),
    )
    shows_online = forms.BooleanField(
        label=_("My friends see when I'm here"),
        required=False,
    )
    lends_decisions = forms.BooleanField(
        label=_("My decisions can become questions of the day"),
        required=False,
        help_text=_("Only from public games whose players all agree, and never with a name."),
    )

    class Meta:
        model = User
        fields = (
            *("username", "language", "theme", "animal", "cloth", "games_shown_to"),
            *("shows_reviews", "sees_ratings", "shows_online", "lends_decisions"),
        )
        field_classes = {"username": NameField}
        widgets = {"username": forms.TextInput(attrs={"autocomplete": "username"})}

    def clean_games_shown_to(self) -> str:
        """Keep the current value if the page is older than this field."""
        chosen: str = self.cleaned_data["games_shown_to"]
        return chosen or self.instance.games_shown_to

    def save(self, commit: bool = True) -> User:
        person: User = super().save(commit=False)
        self.settle_name(person)
        chosen = (
            *("language", "theme", "animal", "cloth", "games_shown_to"),
            *("shows_reviews", "sees_ratings", "shows_online", "lends_decisions"),
        )
        person.save(update_fields=[*User.NAME_COLUMNS, *chosen])
        return person

    def animals(self) -> list[tuple[object, dict[str, str]]]:
        """Each radio button of `animal` with the avatar it stands for."""
        return self._with_avatars("animal")

    def cloths(self) -> list[tuple[object, dict[str, str]]]:
        """Each radio button of `cloth` with the avatar it stands for."""
        return self._with_avatars("cloth")

    def _with_avatars(self, field: str) -> list[tuple[object, dict[str, str]]]:
        name, now = self.initial["username"], self.instance.avatar
        buttons = list(self[field])
        own = {"animal": now["animal"], "cloth": now["cloth"]}
        return [
            (button, avatars.avatar(name, **own | {field: str(button.data["value"])}))
            for button in buttons
        ]


class GuestForm(Named):
    """Form for the only thing that a guest chooses: the name shown at the table.

    `others`: the names at the table. If the name is taken, `offered` is the name with a number.
    """

    class Meta:
        model = User
        fields = ("username",)
        field_classes = {"username": NameField}

    def __init__(self, *args: object, others: Collection[str] = (), **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.others, self.offered = others, ""

    def clean_username(self) -> str:
        try:
            name = super().clean_username()
        except forms.ValidationError as refused:
            if refused.code not in ("name_taken", "name_confusable"):
                raise
            self._offer(_("This name is taken. How about %(name)s?"), refused)
        if not any(guest_names.are_alike(name, other) for other in self.others):
            return name
        self._offer(_("Somebody at this table has this name. How about %(name)s?"), None)

    def _offer(self, sentence: Any, refused: forms.ValidationError | None) -> NoReturn:
        self.offered = guest_names.numbered(self.cleaned_data["username"], self.others)
        if not self.offered:
            raise refused or forms.ValidationError(
                _("This name is taken. Please choose another."), code="name_taken"
            )
        raise forms.ValidationError(sentence, code="name_taken", params={"name": self.offered})

    def save(self, commit: bool = True) -> User:
        """Create the guest, or save the new name; return the guest."""
        if self.instance.pk is None:
            return lifecycle.guest(self.cleaned_data["username"])
        person: User = super().save(commit=False)
        self.settle_name(person)
        person.save(update_fields=User.NAME_COLUMNS)
        return person


class EmailForm(forms.Form):
    """Form for a new email address, with the password: an address can take over the account."""

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
    """Form that turns a guest into an account: a name, a password, optionally an email address."""

    password1 = SetPasswordMixin.create_password_fields()[0]
    password1.help_text = PASSWORD_HELP
    email = forms.EmailField(
        label=_("Email address (optional)"),
        required=False,
        max_length=LONGEST_EMAIL,
        help_text=EMAIL_HELP,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    field_order = ("username", "email", "password1")

    class Meta:
        model = User
        fields = ("username",)
        field_classes = {"username": NameField}
        widgets = {"username": forms.TextInput(attrs={"autocomplete": "username"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = NEW_NAME_HELP
        type_once(self)

    def keeps_name(self) -> bool:
        return False  # the name of a new account is always checked

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]  # Django's hook has no stub
        # Only now does the instance carry the chosen name, which a password must not resemble.
        self.validate_password_for_user(self.instance, "password1")


class DeleteForm(forms.Form):
    """Form to delete an account with its password; guests, who have none, tick a box."""

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
