"""A person of the site, guest or not: one row for as long as the games that name it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import avatars, names


class NameKey(models.CharField):
    """The name as names.key sees it, written with every save.

    The database guards uniqueness through this column: SQLite's own LOWER knows ASCII only.
    """

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = names.key(model_instance.username)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, value)
        return value


class NameSkeleton(models.CharField):
    """What a name looks like, written with every save of it, so that no two new names look alike.

    Older accounts may: all of them but one have no skeleton (None) while another holds it.
    """

    def skeleton(self, name: str) -> str:
        raise NotImplementedError

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value: str | None = self.skeleton(model_instance.username)  # type: ignore[attr-defined]
        if not add and getattr(model_instance, self.attname) is None:
            same = type(model_instance)._default_manager.filter(**{self.attname: value})
            value = None if same.exclude(pk=model_instance.pk).exists() else value
        setattr(model_instance, self.attname, value)
        return value


class SkeletonAsWritten(NameSkeleton):
    def skeleton(self, name: str) -> str:
        return names.skeleton_as_written(name)


class SkeletonFolded(NameSkeleton):
    def skeleton(self, name: str) -> str:
        return names.skeleton_folded(name)


class User(AbstractUser):
    class Theme(models.TextChoices):
        SYSTEM = "", _("Same as device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    username = models.CharField(
        _("name"),
        max_length=names.LONGEST,
        unique=True,
        validators=names.validators,
        help_text=_("3–20 characters: letters, numbers, dots, hyphens and underscores."),
        error_messages={"unique": _("This name is taken. Please choose another.")},
    )
    name_key = NameKey(max_length=4 * names.LONGEST, unique=True, editable=False)
    skeleton_as_written = SkeletonAsWritten(
        max_length=names.LONGEST_SKELETON, unique=True, null=True, editable=False
    )
    skeleton_folded = SkeletonFolded(
        max_length=names.LONGEST_SKELETON, unique=True, null=True, editable=False
    )
    is_guest = models.BooleanField(_("guest"), default=False, help_text=_("Guest account"))
    language = models.CharField(
        _("language"),
        max_length=8,
        blank=True,
        help_text=_("If empty, the browser's language is used."),
    )
    theme = models.CharField(_("theme"), max_length=5, blank=True, choices=Theme)
    # An avatar follows from the name where nothing is chosen.
    animal = models.CharField(_("avatar"), max_length=12, blank=True, choices=avatars.animals)
    cloth = models.CharField(_("poncho"), max_length=12, blank=True, choices=avatars.cloths)

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        permissions = [("ban_user", "Can ban a person")]

    # What to save of a person whose name has changed.
    NAME_COLUMNS = ("username", "name_key", "skeleton_as_written", "skeleton_folded")

    @classmethod
    def named(cls, name: str) -> User | None:
        """The user with this name, ignoring case; None if there is none."""
        return cls.objects.filter(name_key=names.key(name)).first()

    @classmethod
    def confusable_with(cls, name: str) -> models.QuerySet[User]:
        """Everybody whose name looks like this one, or is it."""
        looks = names.skeletons(name)
        return cls.objects.filter(
            models.Q(name_key=names.key(name))
            | models.Q(skeleton_as_written__in=looks)
            | models.Q(skeleton_folded__in=looks)
        )

    @property
    def is_deleted(self) -> bool:
        """True once lifecycle.forget took the name away; nobody can choose such a name."""
        return self.username.startswith("deleted-")

    @property
    def avatar(self) -> dict[str, str]:
        """The keys of this person's avatar; see `avatars.avatar`."""
        return avatars.avatar(self.username, animal=self.animal, cloth=self.cloth)

    @property
    def shown_name(self) -> str:
        """The name to show to others, in the reader's language when there is none left."""
        return gettext("deleted player") if self.is_deleted else self.username
