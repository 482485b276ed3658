"""The user model, for accounts and guests; a row is kept as long as games refer to it."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, AnonymousUser, UserManager
from django.db import models
from django.db.models.expressions import Col
from django.db.models.lookups import Contains, IExact, In
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import avatars, names
from accounts.held_names import HeldName
from accounts.letters import Letter, LetterCount
from accounts.sign_in_codes import SignInCode

__all__ = ["HeldName", "Letter", "LetterCount", "SignInCode", "User"]  # the tables of this app


class SameName(IExact):
    """`username__iexact` through the stored keys, which are indexed and used everywhere else.

    allauth signs in by this lookup. Django's own version compares all names in the database.
    """

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        column = self.lhs.target.model._meta.get_field("name_key")
        keys = In(Col(self.lhs.alias, column), names.keys(str(self.rhs)))
        return keys.as_sql(compiler, connection)


def _held_by_another(field: models.Field[Any, Any], person: models.Model, value: Any) -> bool:
    """Whether another person has this value in this column."""
    same = type(person)._default_manager.filter(**{field.attname: value})
    return same.exclude(pk=person.pk).exists()


class NameKey(models.CharField):
    """Column with the `names.key` of the name, written with every save.

    Its unique index keeps names unique: SQLite's LOWER handles ASCII only, and PostgreSQL's ignores
    width and composed letters. Older accounts may have their `names.strict_key` instead.
    """

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        strict, value = names.keys(model_instance.username)  # type: ignore[attr-defined]
        if not add and strict != value and getattr(model_instance, self.attname) == strict:
            value = strict if _held_by_another(self, model_instance, value) else value
        setattr(model_instance, self.attname, value)
        return value


@NameKey.register_lookup
class NameContains(Contains):
    """`name_key__contains`: matches part of a name in any spelling; for the admin search."""

    def get_prep_lookup(self) -> object:
        typed = str(self.rhs)
        return names.key(typed) if len(typed) <= names.LONGEST_TYPED else typed


class NameSkeleton(models.CharField):
    """Unique column with a skeleton of the name, so that new names never look alike.

    It is written with every save. Older accounts may look alike: then one has the skeleton, and the
    others have none (None) or that of an older version.
    """

    def skeleton(self, name: str) -> str:
        raise NotImplementedError

    def older(self, name: str) -> tuple[str | None, ...]:
        """Return the values that an older account of this name may have instead."""
        return (None,)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        name: str = model_instance.username  # type: ignore[attr-defined]
        value: str | None = self.skeleton(name)
        stored = getattr(model_instance, self.attname)
        if not add and stored != value and stored in self.older(name):
            value = stored if _held_by_another(self, model_instance, value) else value
        setattr(model_instance, self.attname, value)
        return value


class SkeletonAsWritten(NameSkeleton):
    def skeleton(self, name: str) -> str:
        return names.skeleton_as_written(name)


class SkeletonFolded(NameSkeleton):
    def skeleton(self, name: str) -> str:
        return names.skeleton_folded(name)

    def older(self, name: str) -> tuple[str | None, ...]:
        return None, names.strict_skeleton_folded(name)


class People(UserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> User:
        """The user with this name, as `User.named` finds them; for Django's own commands."""
        person = self.model.named(username or "")
        if person is None:
            raise self.model.DoesNotExist
        return person


class User(AbstractUser):
    class Theme(models.TextChoices):
        SYSTEM = "", _("Same as device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    class GamesShownTo(models.TextChoices):
        EVERYBODY = "everybody", _("Everybody")
        NOBODY = "nobody", _("Only me")

    username = models.CharField(
        _("name"),
        max_length=names.LONGEST_STORED,
        unique=True,
        validators=names.validators,
        help_text=_("3–20 characters: letters, numbers, dots, hyphens, underscores, apostrophes."),
        error_messages={"unique": _("This name is taken. Please choose another.")},
    )
    name_key = NameKey(max_length=names.LONGEST_KEY, unique=True, editable=False)
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
    # If nothing is chosen, the avatar is derived from the name.
    animal = models.CharField(_("avatar"), max_length=12, blank=True, choices=avatars.animals)
    cloth = models.CharField(_("poncho"), max_length=12, blank=True, choices=avatars.cloths)
    # Who sees the list of finished games and the statistics on this person's page.
    games_shown_to = models.CharField(
        _("who sees my games"),
        max_length=10,
        choices=GamesShownTo,
        default=GamesShownTo.EVERYBODY,
        db_default=GamesShownTo.EVERYBODY,
    )
    # Whether others see the results of game reviews on this person's page.
    shows_reviews = models.BooleanField(_("shows what reviews say"), default=True, db_default=True)
    # Whether this person wants to see ratings; who does not, is shown none, of nobody.
    sees_ratings = models.BooleanField(_("sees ratings"), default=True, db_default=True)
    # Whether friends see that this person is online.
    shows_online = models.BooleanField(_("shows when online"), default=True, db_default=True)
    # When the current or latest visit began, and the one before it; see `visits`.
    visit_began_at = models.DateTimeField(null=True, blank=True, editable=False)
    visit_before_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Whether decisions in this person's public games may become a question of the day.
    lends_decisions = models.BooleanField(
        _("lends decisions to the question of the day"), default=False, db_default=False
    )

    objects: ClassVar[People] = People()

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        permissions = [("ban_user", "Can ban a person")]

    # The columns to save after a change of name.
    NAME_COLUMNS = ("username", "name_key", "skeleton_as_written", "skeleton_folded")

    @classmethod
    def normalize_username(cls, username: str) -> str:
        return names.tidy(username) if isinstance(username, str) else username

    @classmethod
    def named(cls, name: str) -> User | None:
        """Find a user by name, in any case, width or Unicode form; None if there is none."""
        if len(name) > names.LONGEST_TYPED:
            return None
        keys = names.keys(name)
        found = {person.name_key: person for person in cls.objects.filter(name_key__in=keys)}
        return next((found[key] for key in keys if key in found), None)

    @classmethod
    def confusable_with(cls, name: str) -> models.QuerySet[User]:
        """Return the users whose name equals this one or looks like it."""
        looks = names.skeletons(name)
        return cls.objects.filter(
            models.Q(name_key__in=names.keys(name))
            | models.Q(skeleton_as_written__in=looks)
            | models.Q(skeleton_folded__in=looks)
        )

    @property
    def is_deleted(self) -> bool:
        """Whether lifecycle.forget has erased the name; nobody can choose such a name."""
        return self.username.startswith("deleted-")

    @property
    def avatar(self) -> dict[str, str]:
        """The keys of this person's avatar; see `avatars.avatar`."""
        return avatars.avatar(self._called, animal=self.animal, cloth=self.cloth)

    def shows_games_to(self, viewer: models.Model | AnonymousUser) -> bool:
        """Whether the viewer sees games and statistics on this person's page."""
        return viewer == self or self.games_shown_to == self.GamesShownTo.EVERYBODY

    def shows_reviews_to(self, viewer: models.Model | AnonymousUser) -> bool:
        """Whether the viewer sees the results of game reviews on this person's page."""
        return viewer == self or (self.shows_reviews and self.shows_games_to(viewer))

    @property
    def shown_name(self) -> str:
        """The name to show to others; a phrase in the reader's language after deletion."""
        return gettext("deleted player") if self.is_deleted else self._called

    @property
    def _called(self) -> str:
        return self.username.partition(names.MARK)[0]


User._meta.get_field("username").register_lookup(SameName)
