"""Avatars: an animal in a woven poncho, chosen in the settings or derived from the name.

The drawings are in `site/avatars.svg`, the colours of the ponchos in `site/seats.css`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final
from zlib import crc32

from django.utils.translation import pgettext_lazy

from accounts import names

ANIMALS: Final[dict[str, Any]] = {
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
CLOTHS: Final[dict[str, Any]] = {
    "red": pgettext_lazy("colour of a poncho", "Red"),
    "indigo": pgettext_lazy("colour of a poncho", "Indigo"),
    "maize": pgettext_lazy("colour of a poncho", "Maize yellow"),
    "green": pgettext_lazy("colour of a poncho", "Green"),
    "violet": pgettext_lazy("colour of a poncho", "Violet"),
    "lake": pgettext_lazy("colour of a poncho", "Lake blue"),
    "wine": pgettext_lazy("colour of a poncho", "Wine red"),
    "night": pgettext_lazy("colour of a poncho", "Night blue"),
}
# Beside its colours each poncho has a pattern, so that colour alone tells nobody apart.
WEAVES: Final = ("dashes", "zigzag", "diamonds", "steps")


def animals() -> list[tuple[str, Any]]:
    """The animals as choices of a form field."""
    return list(ANIMALS.items())


def cloths() -> list[tuple[str, Any]]:
    """The ponchos as choices of a form field."""
    return list(CLOTHS.items())


def avatar(name: str, *, animal: str = "", cloth: str = "") -> dict[str, str]:
    """The keys of an avatar: its `animal`, the `cloth` of the poncho and the cloth's `weave`.

    What is not chosen, or no longer exists, follows from the name: the same name, however it is
    written, has the same avatar on every server. Toucan-4821 is a toucan.
    """
    key, number = _key_and_number(name)
    if animal not in ANIMALS:
        first = key.split("-")[0]
        animal = first if first in ANIMALS else list(ANIMALS)[number % len(ANIMALS)]
    if cloth not in CLOTHS:
        cloth = list(CLOTHS)[number // len(ANIMALS) % len(CLOTHS)]
    weave = WEAVES[list(CLOTHS).index(cloth) % len(WEAVES)]
    return {"animal": animal, "cloth": cloth, "weave": weave}


@lru_cache(maxsize=5_000)  # of the players of a table, for every frame
def _key_and_number(name: str) -> tuple[str, int]:
    key = names.key(name)
    return key, crc32(key.encode())
