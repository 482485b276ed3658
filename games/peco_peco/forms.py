"""What a host chooses at a new table of Peco Peco, and how a quick game is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from games import forms as general
from games.peco_peco import words
from games.peco_peco.rules.options import CHOICES, PRESETS, SITE_PRESET

QUICK_PLAY: Final[Mapping[str, Any]] = {
    "preset": SITE_PRESET,
    "options": PRESETS[SITE_PRESET].to_json(),
}


class NewTableForm(general.NewTableForm):
    """A preset, and every setting for hosts who want another; empty means as the preset has it."""

    advanced = tuple(CHOICES)

    preset = forms.ChoiceField(
        label=_("Rules"),
        widget=forms.RadioSelect,
        choices=lambda: [(key, words.preset(key)) for key in PRESETS],
        initial=SITE_PRESET,
        help_text=_("Which rule set to use."),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        for name, values in CHOICES.items():
            in_words = {value: words.setting(name, value) for value in values}
            self.fields[name] = general.SettingField(words.setting_label(name), in_words)

    def table(self) -> dict[str, Any]:
        """The valid form as `before_start.open_game` takes it."""
        preset = self.cleaned_data["preset"]
        return super().table() | {
            "preset": preset,
            "options": replace(PRESETS[preset], **self.chosen_settings(CHOICES)).to_json(),
        }


NEW_TABLE: Final[type[general.NewTableForm]] = NewTableForm
