"""What a host chooses at a new table of Peco Peco, and how a quick game is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from django import forms
from django.utils.translation import gettext_lazy as _

from games import forms as general
from games.peco_peco import words
from games.peco_peco.rules.options import CHOICES, PRESETS, SITE_PRESET

QUICK_PLAY: Final[Mapping[str, object]] = {
    "preset": SITE_PRESET,
    "options": PRESETS[SITE_PRESET].to_json(),
}


class NewTableForm(general.NewTableForm):
    """The usual rules, or a preset and every setting; empty means as the preset has it."""

    choices = {
        "standard": general.RuleChoice(
            _("Standard"),
            _("Everyone plays for themselves."),
            SITE_PRESET,
            PRESETS[SITE_PRESET].to_json(),
        ),
        "teams": general.RuleChoice(
            _("In teams"),
            _("Like Standard, but teams of two share their dishes."),
            "peco_teams",
            PRESETS["peco_teams"].to_json(),
        ),
    }
    advanced = tuple(CHOICES)

    preset = forms.ChoiceField(
        label=_("Rule set"),
        widget=forms.RadioSelect,
        choices=lambda: [
            (key, general.in_two_lines(words.preset(key), words.preset_line(key)))
            for key in PRESETS
        ],
        initial=SITE_PRESET,
        help_text=_("Which rule set to use."),
    )

    def __init__(self, data: Mapping[str, object] | None = None, **kwargs: object) -> None:
        super().__init__(data, **kwargs)
        for name, values in CHOICES.items():
            in_words = {value: words.setting(name, value) for value in values}
            self.fields[name] = general.SettingField(words.setting_label(name), in_words)

    def custom_rules(self) -> dict[str, object]:
        """The preset with the settings that differ from it, as chosen."""
        preset = self.cleaned_data["preset"]
        return {
            "preset": preset,
            "options": replace(PRESETS[preset], **self.chosen_settings(CHOICES)).to_json(),
        }


NEW_TABLE: Final[type[general.NewTableForm]] = NewTableForm
