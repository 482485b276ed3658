"""How the checks of names judge a name."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ValidationError

from accounts import free_names, names


def refusal(name: str) -> str | None:
    """The code of the first check that refuses this name; None when it may be used."""
    for check in names.validators:
        try:
            check(name)
        except ValidationError as refused:
            return refused.code
    return None


def refusal_of_another(name: str) -> str | None:
    """The code of the refusal of a name that is like somebody's; None when it is free."""
    try:
        free_names.free_name(name)
    except ValidationError as refused:
        return refused.code
    return None


def judged_otherwise(tried: Iterable[str], *codes: str | None) -> dict[str, str | None]:
    """Those of the names whose refusal has none of these codes, each with the code it has."""
    return {name: code for name in tried if (code := refusal(name)) not in codes}
