"""The presets of a game compared, for the page of its rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol


class SettingWords(Protocol):
    """What a game says of its settings, in the active language."""

    def preset(self, key: str) -> str: ...

    def setting_label(self, name: str) -> str: ...

    def setting(self, name: str, value: Any) -> str: ...


def compared(
    presets: Mapping[str, Any], settings: Iterable[str], words: SettingWords
) -> list[dict[str, Any]]:
    """Each preset with the settings, of these, on which the presets differ, for `_presets.html`.

    `presets`: by key, options with a `to_json`.
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
