"""Check of new names: well formed, not taken or held, and not similar to another player's."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts import held_names, names
from accounts.models import User


def free_name(name: str, *, person: User | None = None) -> str:
    """Return the tidied name if `person` may take it; raise ValidationError with the reason if not.

    The name may not look like another account's. Guests may share names and are not compared.
    """
    name = names.tidy(name)
    for check in names.validators:
        check(name)
    alike = User.confusable_with(name).filter(is_guest=False)
    if person is not None and person.pk is not None:
        alike = alike.exclude(pk=person.pk)
    if alike.filter(name_key__in=names.keys(name)).exists():
        raise ValidationError(_("This name is taken. Please choose another."), code="name_taken")
    if alike.exists():
        raise ValidationError(
            _("This name looks too much like another player's. Please choose another."),
            code="name_confusable",
        )
    if held_names.is_held(name) and not _is_like_own(name, person):
        raise ValidationError(_("This name is taken. Please choose another."), code="name_taken")
    return name


def _is_like_own(name: str, person: User | None) -> bool:
    """Whether the name looks like the person's current one, which they may spell differently."""
    if person is None or person.pk is None:
        return False
    return bool(names.skeletons(name) & names.skeletons(person.username))
