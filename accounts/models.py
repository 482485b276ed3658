"""A person of the site, guest or not: one row for as long as the games that name it."""

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
    """`username__iexact` by the stored keys: as everywhere else, and by an index.

    allauth signs in by this lookup. The database would compare all names there are.
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
    """The name as names.key sees it, written with every save.

    The database guards uniqueness through this column: SQLite's own LOWER knows ASCII only, and
    PostgreSQL's nothing of width and composed letters. Older accounts may hold names.strict_key.
    """

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        strict, value = names.keys(model_instance.username)  # type: ignore[attr-defined]
        if not add and strict != value and getattr(model_instance, self.attname) == strict:
            value = strict if _held_by_another(self, model_instance, value) else value
        setattr(model_instance, self.attname, value)
        return value


@NameKey.register_lookup
class NameContains(Contains):
    """`name_key__contains`: part of a name, however it is typed; for the search of the admin."""

    def get_prep_lookup(self) -> Any:
        typed = str(self.rhs)
        return names.key(typed) if len(typed) <= names.LONGEST_TYPED else typed


class NameSkeleton(models.CharField):
    """What a name looks like, written with every save of it, so that no two new names look alike.

    Older accounts may: all of them but one have no skeleton (None), or that of an older version,
    while another holds it.
    """

    def skeleton(self, name: str) -> str:
        raise NotImplementedError

    def older(self, name: str) -> tuple[str | None, ...]:
        """What an older account of this name may have instead."""
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
    # Who finds the list of finished games and the statistics on this person's page.
    games_shown_to = models.CharField(
        _("who sees my games"),
        max_length=10,
        choices=GamesShownTo,
        default=GamesShownTo.EVERYBODY,
        db_default=GamesShownTo.EVERYBODY,
    )
    # Whether others see on this person's page what reviews of the games say.
    shows_reviews = models.BooleanField(_("shows what reviews say"), default=True, db_default=True)
    # Whether friends see that this person is here.
    shows_online = models.BooleanField(_("shows when online"), default=True, db_default=True)
    # When the visit that is on or was last began, and the one before it; see `visits`.
    visit_began_at = models.DateTimeField(null=True, blank=True, editable=False)
    visit_before_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Whether decisions in this person's public games may be asked as a question of the day.
    lends_decisions = models.BooleanField(
        _("lends decisions to the question of the day"), default=False, db_default=False
    )

    objects: ClassVar[People] = People()

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        permissions = [("ban_user", "Can ban a person")]

    # What to save of a person whose name has changed.
    NAME_COLUMNS = ("username", "name_key", "skeleton_as_written", "skeleton_folded")

    @classmethod
    def named(cls, name: str) -> User | None:
        """The user with this name, in whatever case, width or form it is typed; None if none."""
        if len(name) > names.LONGEST_TYPED:
            return None
        keys = names.keys(name)
        found = {person.name_key: person for person in cls.objects.filter(name_key__in=keys)}
        return next((found[key] for key in keys if key in found), None)

    @classmethod
    def confusable_with(cls, name: str) -> models.QuerySet[User]:
        """Everybody whose name looks like this one, or is it."""
        looks = names.skeletons(name)
        return cls.objects.filter(
            models.Q(name_key__in=names.keys(name))
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

    def shows_games_to(self, viewer: models.Model | AnonymousUser) -> bool:
        """Whether the viewer finds this person's games and statistics on their page."""
        return viewer == self or self.games_shown_to == self.GamesShownTo.EVERYBODY

    def shows_reviews_to(self, viewer: models.Model | AnonymousUser) -> bool:
        """Whether the viewer finds there what reviews of these games say of this person."""
        return viewer == self or (self.shows_reviews and self.shows_games_to(viewer))

    @property
    def shown_name(self) -> str:
        """The name to show to others, in the reader's language when there is none left."""
        return gettext("deleted player") if self.is_deleted else self.username


User._meta.get_field("username").register_lookup(SameName)
