"""Forms common to all games: a new table, a quick game against bots, a report to the staff."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.digits import ascii_digits
from games import words
from games.contract import catalogue
from games.models import Game, Report, TableSettings
from games.play import before_start, deadlines
from games.play.ratings import verdict
from games.play.tempo import NORMAL, TEMPOS

PACES = (15, 30, 45, 60, 90, 180)
PROPOSED_PACE = "auto"  # by the tempo, as the game proposes for the number of seats


def named_kind(data: Mapping[str, Any]) -> catalogue.GameKind:
    """Return the game whose key is in the field `game` of a form or query string.

    Returns the default game if the field is empty or missing. Raises KeyError for an unknown key.
    """
    key = data.get("game")
    return catalogue.of(key) if key else catalogue.default()


class GameForm(forms.Form):
    """A form about one game of the catalogue, selected by the hidden field `game`.

    `game_kind` is that game. An unknown key is an error of the field, and `game_kind` is then the
    default game.
    """

    game = forms.ChoiceField(
        required=False,
        widget=forms.HiddenInput,
        choices=lambda: [(each.key, each.key) for each in catalogue.every()],
    )

    def __init__(self, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        if data is not None:  # all fields are choices, many of them numbers
            data = {name: ascii_digits(str(data[name])) for name in data}
        super().__init__(data, **kwargs)
        try:
            self.game_kind = named_kind(self.data or self.initial)
        except KeyError:
            self.game_kind = catalogue.default()
        self.initial.setdefault("game", self.game_kind.key)


class SettingField(forms.TypedChoiceField):
    """A setting of a game's rules: one of its values, or None for that of the preset."""

    def __init__(self, label: str, values: Mapping[object, str]) -> None:
        """`values`: the text shown for each value."""
        by_text = {_as_text(value): value for value in values}
        named = [(text, values[value]) for text, value in by_text.items()]
        super().__init__(
            label=label,
            required=False,
            choices=[("", _("As in the rule set")), *named],
            coerce=by_text.__getitem__,
            empty_value=None,
        )


CUSTOM = "custom"  # the choice of a host who selects every setting


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """A set of rules that a host can select with one press."""

    label: Any  # lazily translated, like `line`
    line: Any  # what they are, or how they differ from the first choice
    preset: str
    options: Mapping[str, Any]  # JSON, as `TableSettings` has them


class NewTableForm(GameForm):
    """Base class of the forms for a new table.

    Each game has a subclass with its `choices`, the standard one first. For custom rules it has the
    field `preset` and fields of options, listed in `switches` (shown beside the preset) or in
    `advanced` (collapsed).
    """

    choices: ClassVar[Mapping[str, RuleChoice]] = {}
    switches: ClassVar[tuple[str, ...]] = ()
    advanced: ClassVar[tuple[str, ...]] = ()

    # A missing value, as on pages older than this field, means custom rules.
    kind = forms.TypedChoiceField(
        label=_("Rules"),
        widget=forms.RadioSelect,
        required=False,
        empty_value=CUSTOM,
        help_text=_("Standard is a good start."),
    )

    seats = forms.TypedChoiceField(
        label=_("Seats"),
        coerce=int,
        initial=4,
    )
    # A missing value, as on pages older than this field, means the normal tempo.
    tempo = forms.TypedChoiceField(
        label=_("Tempo"),
        widget=forms.RadioSelect,
        required=False,
        empty_value=NORMAL,
        initial=NORMAL,
        help_text=_("Speed of turns, bots and reveals."),
    )
    pace = forms.TypedChoiceField(
        label=_("Time per turn"),
        required=False,
        coerce=lambda value: value if value == PROPOSED_PACE else int(value),
        empty_value=None,
        initial=PROPOSED_PACE,
    )
    visibility = forms.ChoiceField(
        label=_("Who can join"),
        widget=forms.RadioSelect,
        choices=Game.Visibility.choices,
        initial=Game.Visibility.PUBLIC,
    )
    chat = forms.BooleanField(
        label=_("Chat"),
        required=False,
        initial=True,
        help_text=_("Players can chat. Quick phrases are always available."),
    )

    rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        help_text=_("Counts for the ratings of players who have an account."),
    )

    def __init__(self, data: Mapping[str, object] | None = None, **kwargs: object) -> None:
        super().__init__(self._without_custom(data), **kwargs)
        if self.game_kind.ratings is None:
            del self.fields["rated"]
        kinds = [(key, in_two_lines(each.label, each.line)) for key, each in self.choices.items()]
        custom = in_two_lines(_("Custom"), _("Choose another rule set and every detail."))
        self.fields["kind"].choices = [*kinds, (CUSTOM, custom)]  # type: ignore[attr-defined]
        self.fields["kind"].initial = next(iter(self.choices), CUSTOM)
        sizes, seats, pace = self.game_kind.rules.SEATS, self.fields["seats"], self.fields["pace"]
        seats.choices = [(number, str(number)) for number in sizes]  # type: ignore[attr-defined]
        seats.initial = min(max(seats.initial, sizes.start), sizes[-1])
        seats.help_text = ngettext(
            "You can start with %(count)d player.",
            "You can start with as few as %(count)d players.",
            sizes.start,
        ) % {"count": sizes.start}
        paces = [(str(seconds), words.pace(seconds)) for seconds in _paces()]
        pace.help_text = ngettext(
            "If you run out of time, a bot plays for you. No time limit: after %(count)d hour.",
            "If you run out of time, a bot plays for you. No time limit: after %(count)d hours.",
            settings.SILENCE_HOURS,
        ) % {"count": settings.SILENCE_HOURS}
        by_tempo = (PROPOSED_PACE, gettext("Set by the tempo"))
        pace.choices = [by_tempo, *paces, ("", words.pace(None))]  # type: ignore[attr-defined]
        self.fields["tempo"].choices = [  # type: ignore[attr-defined]
            (key, in_two_lines(words.tempo(key), self._times(key))) for key in TEMPOS
        ]

    def _times(self, tempo_key: str) -> str:
        """Return the text for the length of a turn in a tempo, for the least and most seats."""
        key, sizes = self.game_kind.key, self.game_kind.rules.SEATS
        ends = (sizes.start, sizes[-1])
        few, many = (deadlines.turn_seconds(key, size, tempo_key=tempo_key) for size in ends)
        if few == many:
            return words.pace(few)
        form = gettext("%(many)d to %(few)d seconds per turn, shorter with more players")
        return form % {"many": many, "few": few}

    @classmethod
    def _without_custom(cls, data: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """Remove the settings that the chosen rules hide, so that they cannot cause errors."""
        choice = cls.choices.get((data or {}).get("kind", ""))
        if data is None or choice is None:
            return data
        hidden = {*cls.switches, *cls.advanced}
        return {name: data[name] for name in data if name not in hidden} | {"preset": choice.preset}

    def clean(self) -> dict[str, Any]:
        """Say beside the field what a table must have to be rated."""
        chosen = super().clean() or {}
        if chosen.get("rated") and not self.errors:
            self.cleaned_data = chosen
            if not verdict.may_be_rated(self.table_settings()):
                why = _("Only public tables can be rated, with a rule set you pick at once.")
                self.add_error("rated", why)
        return chosen

    def chosen_rules(self) -> dict[str, object]:
        """Return `preset` and `options` of the valid form, as in `TableSettings`."""
        choice = self.choices.get(self.cleaned_data["kind"])
        if choice is None:
            return self.custom_rules()
        return {"preset": choice.preset, "options": dict(choice.options)}

    def custom_rules(self) -> dict[str, object]:
        """Return `preset` and `options` for custom rules; each game implements this."""
        raise NotImplementedError

    def chosen_settings(self, names: Iterable[str]) -> dict[str, Any]:
        """Return the values of these fields of the valid form, except those left to the preset."""
        chosen = ((name, self.cleaned_data[name]) for name in names)
        return {name: value for name, value in chosen if value is not None}

    def switch_fields(self) -> list[forms.BoundField]:
        """Return the fields of options shown beside the preset."""
        return [self[name] for name in self.switches]

    def advanced_fields(self) -> list[forms.BoundField]:
        """Return the fields of options collapsed under "advanced"."""
        return [self[name] for name in self.advanced]

    def is_wrong_behind(self) -> bool:
        """Whether an "advanced" field has an error, so that the section must be open."""
        return any(field.errors for field in self.advanced_fields())

    def show(self, table: TableSettings) -> None:
        """Show these settings in an unbound form, as initial values of its fields."""
        chosen: dict[str, Any] = {name: _as_text(value) for name, value in table.options.items()}
        for name in (*self.switches, "show_odds"):
            if isinstance(self.fields.get(name), forms.BooleanField):
                chosen[name] = {**table.options, "show_odds": table.show_odds}[name] in (True, "on")
        same = (
            key
            for key, each in self.choices.items()
            if (each.preset, dict(each.options)) == (table.preset, dict(table.options))
        )
        kind = CUSTOM if table.show_odds else next(same, CUSTOM)
        tempo_key = table.tempo or NORMAL
        by_tempo = deadlines.turn_seconds(table.kind_key, table.size, tempo_key=tempo_key)
        seconds = "" if table.turn_seconds is None else str(table.turn_seconds)
        self.initial = {**self.initial, **chosen} | {
            "game": table.kind_key,
            "kind": kind,
            "preset": table.preset,
            "seats": table.size,
            "tempo": tempo_key,
            "pace": PROPOSED_PACE if table.turn_seconds == by_tempo else seconds,
            "visibility": table.visibility,
            "chat": table.chat,
            "rated": table.rated,
        }

    def table_settings(self) -> TableSettings:
        """Return the valid form as the settings of a table, with equal field names copied."""
        chosen = self.cleaned_data
        key, seats, pace = self.game_kind.key, chosen["seats"], chosen["pace"]
        by_tempo = deadlines.turn_seconds(key, seats, tempo_key=chosen["tempo"])
        by_name = {
            each.name: chosen[each.name] for each in fields(TableSettings) if each.name in chosen
        }
        named_otherwise = {
            "kind_key": key,
            "size": seats,
            "turn_seconds": by_tempo if pace == PROPOSED_PACE else pace,
        }
        return TableSettings(**by_name | self.chosen_rules() | named_otherwise)


class PlayNowForm(GameForm):
    """Form for a game against bots: the game, the number of bots and their strength."""

    bots = forms.TypedChoiceField(
        label=_("Opponents"), required=False, coerce=int, empty_value=None
    )
    strength = forms.ChoiceField(label=_("Level"), required=False, initial="mixed")

    def __init__(self, data: Mapping[str, object] | None = None, **kwargs: object) -> None:
        super().__init__(data, **kwargs)
        opponents = [number - 1 for number in self.game_kind.rules.SEATS]
        self.fields["bots"].initial = min(max(3, opponents[0]), opponents[-1])
        strengths = [(bot, self.game_kind.words.bot(bot)) for bot in self.game_kind.bots]
        choices: dict[str, list[tuple[Any, Any]]] = {
            "bots": [(number, str(number)) for number in opponents],
            "strength": [("mixed", _("Mixed")), *strengths, *self._characters()],
        }
        for name, offered in choices.items():
            self.fields[name].choices = offered  # type: ignore[attr-defined]

    def _characters(self) -> list[tuple[object, object]]:
        """Return the characters of the game as a group of choices, each with a description."""
        words = self.game_kind.character_words
        if words is None:
            return []
        named = [
            (key, f"{each.name}: {words.line(key)}")
            for key, each in self.game_kind.characters.items()
        ]
        return [(_("Characters"), named)]

    def kinds(self) -> list[str]:
        """Return the keys of the bots of the valid form: all of one strength, a character with
        others of the same strength, or, if mixed, all kinds in turn.
        """
        strength, every = self.cleaned_data["strength"], list(self.game_kind.bots)
        number = self.cleaned_data["bots"] or self.fields["bots"].initial
        if character := self.game_kind.characters.get(strength):
            return [strength, *[character.base] * (number - 1)]
        kinds = [strength] if strength in every else every
        return [kinds[place % len(kinds)] for place in range(number)]

    def table_settings(self) -> TableSettings:
        """Return the settings of the table for a game against `kinds`, from the valid form."""
        return before_start.quick_settings(self.game_kind.key, bots=len(self.kinds()))


class ReportForm(forms.Form):
    """Form for a report about a player or one of their messages."""

    reason = forms.ChoiceField(label=_("What's the problem?"), choices=Report.Reason.choices)
    words = forms.CharField(
        label=_("Details (optional)"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


def in_two_lines(label: object, line: object) -> str:
    """Return the HTML of a choice: its label and one line of description."""
    return format_html("<span><b>{}</b> <small>{}</small></span>", label, line)


def _paces() -> list[int]:
    return sorted({*PACES, settings.TURN_SECONDS})


def _as_text(value: object) -> str:
    """Format a value for a form: "true", "on", "3000"."""
    return str(value).lower() if isinstance(value, bool) else str(value)
