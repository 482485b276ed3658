"""A person of the site, guest or not: one row for as long as the games that name it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import names


class NameKey(models.CharField):
    """The name as names.key sees it, written with every save.

    The database guards uniqueness through this column: SQLite's own LOWER knows ASCII only.
    """

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = names.key(model_instance.username)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, value)
        return value


class User(AbstractUser):
    class Theme(models.TextChoices):
        SYSTEM = "", _("As my device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    username = models.CharField(
        _("name"),
        max_length=names.LONGEST,
        unique=True,
        validators=names.validators,
        help_text=_("Letters, digits, dots, hyphens and underscores; 3 to 20 characters."),
        error_messages={"unique": _("This name is taken. Please choose another.")},
    )
    name_key = NameKey(max_length=4 * names.LONGEST, unique=True, editable=False)
    is_guest = models.BooleanField(
        _("guest"), default=False, help_text=_("Plays without a password, until kept.")
    )
    language = models.CharField(
        _("language"), max_length=8, blank=True, help_text=_("Empty: as the browser wishes.")
    )
    theme = models.CharField(_("theme"), max_length=5, blank=True, choices=Theme)

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        permissions = [("ban_user", "Can ban a person")]

    @classmethod
    def named(cls, name: str) -> User | None:
        """Whoever has this name, in whatever letters it is written; None when nobody has."""
        return cls.objects.filter(name_key=names.key(name)).first()

    @property
    def is_deleted(self) -> bool:
        """True once people.forget took the name away; nobody can choose such a name."""
        return self.username.startswith("deleted-")

    @property
    def shown_name(self) -> str:
        """The name to show to others, in the reader's language when there is none left."""
        return gettext("deleted player") if self.is_deleted else self.username
