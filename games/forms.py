"""The forms of the games: a new table, playing at once, a report to the staff."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from games import words
from games.models import Report
from games.rules.perudo import BOTS, SEATS
from games.rules.perudo.options import CHOICES, PRESETS, SITE_OPTIONS, SITE_PRESET

# The settings behind "advanced"; empty means: as the preset has it.
ADVANCED = tuple(name for name in CHOICES if name not in ("calza", "lost_dice_visible"))
PACES = (15, 30, 45, 60, 90, 180)


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class NewTableForm(forms.Form):
    """What a host chooses: a preset, its two switches, and the rest if he likes."""

    preset = forms.ChoiceField(
        label=_("Rules"),
        widget=forms.RadioSelect,
        choices=lambda: [(key, words.preset(key)) for key in PRESETS],
        initial=SITE_PRESET,
        help_text=_("Which rule set to use."),
    )
    calza = forms.BooleanField(
        label=_("Calza"),
        required=False,
        help_text=_("Players may call the last bid exactly true to win back a die."),
    )
    lost_dice_visible = forms.BooleanField(
        label=_("Lost dice visible"),
        required=False,
        initial=SITE_OPTIONS.lost_dice_visible,
        help_text=_("Everybody sees how many dice each player has left."),
    )
    seats = forms.TypedChoiceField(
        label=_("Seats"),
        coerce=int,
        choices=[(number, str(number)) for number in SEATS],
        initial=4,
        help_text=_("You can start with fewer, from two on."),
    )
    pace = forms.TypedChoiceField(
        label=_("Time for a turn"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=lambda: (
            [(str(seconds), words.pace(seconds)) for seconds in _paces()] + [("", words.pace(None))]
        ),
        initial=str(settings.TURN_SECONDS),
        help_text=_("If you run out of time, a bot plays for you."),
    )
    public = forms.TypedChoiceField(
        label=_("Who may join"),
        widget=forms.RadioSelect,
        coerce=lambda value: value == "yes",
        choices=[("yes", _("Everybody: listed in the lobby")), ("no", _("Only by link"))],
        initial="yes",
    )
    chat = forms.BooleanField(
        label=_("Chat"),
        required=False,
        initial=True,
        help_text=_("Players may write to each other. Quick phrases work without it too."),
    )
    show_odds = forms.BooleanField(
        label=_("Show odds"),
        required=False,
        help_text=_("Each player reads how likely a bid is, reckoned from his own dice."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ADVANCED:
            as_printed = ("", _("As in the chosen rules"))
            values = [(_as_text(value), words.setting(name, value)) for value in CHOICES[name]]
            self.fields[name] = forms.ChoiceField(
                label=words.setting_label(name), required=False, choices=[as_printed, *values]
            )

    def advanced(self) -> list[forms.BoundField]:
        """The fields behind "advanced"."""
        return [self[name] for name in (*ADVANCED, "show_odds")]

    def is_wrong_behind(self) -> bool:
        """Whether something behind "advanced" is wrong, so that it must stand open."""
        return any(field.errors for field in self.advanced())

    def clean(self) -> dict[str, Any]:
        """Odds would tell how many dice are left, which a table with hidden lost dice hides."""
        chosen = super().clean() or {}
        if chosen.get("show_odds") and not chosen.get("lost_dice_visible"):
            self.add_error(
                "show_odds",
                _(
                    "Odds can only be shown where lost dice are visible: "
                    "they would tell how many dice are left."
                ),
            )
        return chosen

    def table(self) -> dict[str, Any]:
        """The valid form as `lobby.open_game` takes it."""
        chosen = self.cleaned_data
        settings_ = {
            "calza": "on" if chosen["calza"] else "off",
            "lost_dice_visible": chosen["lost_dice_visible"],
        }
        for name in ADVANCED:
            for value in CHOICES[name]:
                if chosen[name] == _as_text(value):
                    settings_[name] = value
        return {
            "preset": chosen["preset"],
            "options": replace(PRESETS[chosen["preset"]], **settings_).to_json(),
            "size": chosen["seats"],
            "turn_seconds": chosen["pace"],
            "public": chosen["public"],
            "show_odds": chosen["show_odds"],
            "chat": chosen["chat"],
        }


class PlayNowForm(forms.Form):
    """How many bots, and how strong."""

    bots = forms.TypedChoiceField(
        label=_("Opponents"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[(number, str(number)) for number in range(1, 6)],
        initial=3,
    )
    strength = forms.ChoiceField(
        label=_("Strength"),
        required=False,
        choices=lambda: [("mixed", _("Mixed")), *((kind, words.bot(kind)) for kind in BOTS)],
        initial="mixed",
    )

    def kinds(self) -> list[str]:
        """The bots of the valid form, one kind each; mixed goes round all kinds."""
        strength = self.cleaned_data["strength"]
        kinds = [strength] if strength in BOTS else list(BOTS)
        return [kinds[place % len(kinds)] for place in range(self.cleaned_data["bots"] or 3)]


class ReportForm(forms.Form):
    """What is wrong with a player, or with something he said."""

    reason = forms.ChoiceField(label=_("What is wrong?"), choices=Report.Reason.choices)
    words = forms.CharField(
        label=_("In your words, if you like"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


def _paces() -> list[int]:
    return sorted({*PACES, settings.TURN_SECONDS})
