"""What a host chooses at a new table of Perudo, and how a quick game is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from games import forms as general
from games.perudo import words
from games.perudo.rules.options import CHOICES, PRESETS, SITE_OPTIONS, SITE_PRESET

QUICK_PLAY: Final[Mapping[str, Any]] = {"preset": SITE_PRESET, "options": SITE_OPTIONS.to_json()}

SWITCHES: Final = ("calza", "lost_dice_visible")
# The settings behind "advanced"; empty means: as the preset has it.
ADVANCED: Final = tuple(name for name in CHOICES if name not in SWITCHES)


class NewTableForm(general.NewTableForm):
    """The usual rules, or a preset, its two switches, and every other setting."""

    choices = {
        "standard": general.RuleChoice(
            _("Standard"),
            _("The French rules; everyone sees how many dice each player has."),
            SITE_PRESET,
            SITE_OPTIONS.to_json(),
        ),
        "calza": general.RuleChoice(
            _("With calza"),
            _("Like Standard, and you can call a bid exact to win back a die."),
            SITE_PRESET,
            replace(SITE_OPTIONS, calza="on").to_json(),
        ),
    }
    switches = SWITCHES
    advanced = (*ADVANCED, "show_odds")

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
    calza = forms.BooleanField(
        label=_("Calza"),
        required=False,
        help_text=_("Players can call the last bid exact to win back a die."),
    )
    lost_dice_visible = forms.BooleanField(
        label=_("Show lost dice"),
        required=False,
        initial=SITE_OPTIONS.lost_dice_visible,
        help_text=_("Everyone can see how many dice each player has left."),
    )
    show_odds = forms.BooleanField(
        label=_("Show odds"),
        required=False,
        help_text=_("Shows each player how likely a bid is, based on their own dice."),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        for name in ADVANCED:
            in_words = {value: words.setting(name, value) for value in CHOICES[name]}
            self.fields[name] = general.SettingField(words.setting_label(name), in_words)

    def clean(self) -> dict[str, Any]:
        """Odds would tell how many dice are left, which a table with hidden lost dice hides."""
        chosen = super().clean() or {}
        if chosen.get("show_odds") and not chosen.get("lost_dice_visible"):
            self.add_error(
                "show_odds",
                _(
                    "To show odds, also turn on “Show lost dice”: "
                    "odds reveal how many dice are left."
                ),
            )
        return chosen

    def custom_rules(self) -> dict[str, Any]:
        """The preset with the settings that differ from it, as chosen."""
        chosen = self.cleaned_data
        settings = {
            "calza": "on" if chosen["calza"] else "off",
            "lost_dice_visible": chosen["lost_dice_visible"],
            **self.chosen_settings(ADVANCED),
        }
        return {
            "preset": chosen["preset"],
            "options": replace(PRESETS[chosen["preset"]], **settings).to_json(),
        }


NEW_TABLE: Final[type[general.NewTableForm]] = NewTableForm
