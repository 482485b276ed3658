"""Avatars: an animal in a woven poncho, chosen in the settings or derived from the name.

The drawings are in `site/avatars.svg`, the colours of the ponchos in `site/seats.css`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Final
from zlib import crc32

from django.conf import settings
from django.utils.translation import override, pgettext_lazy

from accounts import names

ANIMALS: Final[dict[str, object]] = {
    "llama": pgettext_lazy("avatar", "Llama"),
    "condor": pgettext_lazy("avatar", "Condor"),
    "puma": pgettext_lazy("avatar", "Puma"),
    "jaguar": pgettext_lazy("avatar", "Jaguar"),
    "toucan": pgettext_lazy("avatar", "Toucan"),
    "macaw": pgettext_lazy("avatar", "Macaw"),
    "flamingo": pgettext_lazy("avatar", "Flamingo"),
    "fox": pgettext_lazy("avatar", "Fox"),
    "otter": pgettext_lazy("avatar", "Otter"),
    "armadillo": pgettext_lazy("avatar", "Armadillo"),
    "capybara": pgettext_lazy("avatar", "Capybara"),
    "chinchilla": pgettext_lazy("avatar", "Chinchilla"),
    "iguana": pgettext_lazy("avatar", "Iguana"),
    "owl": pgettext_lazy("avatar", "Owl"),
    "frog": pgettext_lazy("avatar", "Frog"),
    "bear": pgettext_lazy("avatar", "Bear"),
}
CLOTHS: Final[dict[str, object]] = {
    "red": pgettext_lazy("colour of a poncho", "Red"),
    "indigo": pgettext_lazy("colour of a poncho", "Indigo"),
    "maize": pgettext_lazy("colour of a poncho", "Maize yellow"),
    "green": pgettext_lazy("colour of a poncho", "Green"),
    "violet": pgettext_lazy("colour of a poncho", "Violet"),
    "lake": pgettext_lazy("colour of a poncho", "Lake blue"),
    "wine": pgettext_lazy("colour of a poncho", "Wine red"),
    "night": pgettext_lazy("colour of a poncho", "Night blue"),
}
# Each poncho also has a pattern, so that players never differ by colour alone.
WEAVES: Final = ("dashes", "zigzag", "diamonds", "steps")


def animals() -> list[tuple[str, object]]:
    """The animals as choices of a form field."""
    return list(ANIMALS.items())


def cloths() -> list[tuple[str, object]]:
    """The ponchos as choices of a form field."""
    return list(CLOTHS.items())


def avatar(name: str, *, animal: str = "", cloth: str = "") -> dict[str, str]:
    """Return the keys of an avatar: its `animal`, the poncho's `cloth` and the cloth's `weave`.

    A part that is not chosen, or no longer exists, is derived from the name: the same name, in any
    spelling, has the same avatar on every server. The name of an animal in a language of the site,
    with or without a number, gives that animal: Toucan2 is a toucan, and so is Tucano.
    """
    key, number = _key_and_number(name)
    if animal not in ANIMALS:
        first = key.split("-")[0].rstrip("0123456789")
        animal = _called().get(first) or list(ANIMALS)[number % len(ANIMALS)]
    if cloth not in CLOTHS:
        cloth = list(CLOTHS)[number // len(ANIMALS) % len(CLOTHS)]
    return {"animal": animal, "cloth": cloth, "weave": _weave(cloth)}


def apart(worn: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
    """These avatars, no two the same: who comes later with the same face wears another poncho.

    There are as many ponchos as the largest table has seats.
    """
    found: list[dict[str, str]] = []
    taken = set[tuple[str, str]]()
    for each in worn:
        at = list(CLOTHS).index(each["cloth"])
        cloths = [*list(CLOTHS)[at:], *list(CLOTHS)[:at]]
        cloth = next(one for one in cloths if (each["animal"], one) not in taken)
        taken.add((each["animal"], cloth))
        is_same = cloth == each["cloth"]
        found.append(dict(each) if is_same else {**each, "cloth": cloth, "weave": _weave(cloth)})
    return found


def _weave(cloth: str) -> str:
    return WEAVES[list(CLOTHS).index(cloth) % len(WEAVES)]


@cache
def _called() -> dict[str, str]:
    """The animals by the keys of their names; of a name of two words, by that of the first."""
    found = {animal: animal for animal in ANIMALS}
    for language, _ in settings.LANGUAGES:
        with override(language):
            for animal, name in ANIMALS.items():
                found.setdefault(names.key(str(name).split()[0]), animal)
    return found


@lru_cache(maxsize=5_000)  # called for each player of a table in every frame
def _key_and_number(name: str) -> tuple[str, int]:
    key = names.key(name)
    return key, crc32(key.encode())
