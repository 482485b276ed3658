"""The comparison of a game's presets, for its page of rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol


class SettingWords(Protocol):
    """A game's names for its presets and settings, in the active language."""

    def preset(self, key: str) -> str: ...

    def setting_label(self, name: str) -> str: ...

    def setting(self, name: str, value: object) -> str: ...


def compared(
    presets: Mapping[str, Any], settings: Iterable[str], words: SettingWords
) -> list[dict[str, object]]:
    """Each preset with those of the `settings` in which presets differ, for `_presets.html`.

    `presets` maps keys to options with a `to_json`.
    """
    values = {key: options.to_json() for key, options in presets.items()}
    differing = [name for name in settings if len({one[name] for one in values.values()}) > 1]
    return [
        {
            "name": words.preset(key),
            "points": [
                (words.setting_label(name), words.setting(name, one[name])) for name in differing
            ],
        }
        for key, one in values.items()
    ]
