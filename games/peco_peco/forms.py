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
            as_printed = ("", _("As in the rule set"))
            named = [(_as_text(value), words.setting(name, value)) for value in values]
            self.fields[name] = forms.ChoiceField(
                label=words.setting_label(name), required=False, choices=[as_printed, *named]
            )

    def table(self) -> dict[str, Any]:
        """The valid form as `before_start.open_game` takes it."""
        chosen = self.cleaned_data
        settings = {
            name: value
            for name, values in CHOICES.items()
            for value in values
            if chosen[name] == _as_text(value)
        }
        return super().table() | {
            "preset": chosen["preset"],
            "options": replace(PRESETS[chosen["preset"]], **settings).to_json(),
        }


NEW_TABLE: Final[type[general.NewTableForm]] = NewTableForm


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
