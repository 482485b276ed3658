"""The form that chooses among a person's finished games."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import User
from accounts.requests import AnyUser
from games import catalogue
from games.game_values import ResultFilter
from games.players.game_list import GameList

_DAYS: Final = {"week": timedelta(days=7), "month": timedelta(days=30)}


class GameFilter(forms.Form):
    """Which of a person's games to list; whatever is left empty matches all."""

    player = forms.CharField(
        label=_("Played with"),
        required=False,
        max_length=names.LONGEST_TYPED,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "none",
                "spellcheck": "false",
                "list": "players-here",
            }
        ),
    )
    game = forms.ChoiceField(
        label=_("Game"),
        required=False,
        choices=lambda: [
            ("", _("All games")),
            *((each.key, each.words.name()) for each in catalogue.every()),
        ],
    )
    outcome = forms.ChoiceField(
        label=_("Result"),
        required=False,
        choices=[("", _("All")), ("won", _("Won")), ("lost", _("Lost")), ("left", _("Abandoned"))],
    )
    period = forms.ChoiceField(label=_("Period"), required=False)
    preset = forms.ChoiceField(
        label=_("Rules"),
        required=False,
        choices=lambda: [("", _("All")), *_presets()],
    )

    def __init__(
        self, *given: Any, person: User, viewer: AnyUser, now: datetime, **options: Any
    ) -> None:
        super().__init__(*given, **options)
        self.person, self.viewer, self.now = person, viewer, now
        if not catalogue.has_several():
            del self.fields["game"]
        years = [str(year) for year in range(now.year, person.date_joined.year - 1, -1)]
        period: Any = self.fields["period"]
        period.choices = [
            ("", _("Any time")),
            ("week", _("Last 7 days")),
            ("month", _("Last 30 days")),
            *((year, year) for year in years),
        ]
        for _kind, own in _own_filters():
            named = [(key, label) for key, (label, _variant) in own.choices.items()]
            self.fields[own.name] = forms.ChoiceField(
                label=own.label, required=False, choices=[("", _("All")), *named]
            )

    def clean_player(self) -> User | None:
        """The player of this name, whose games everybody may list, or the viewer."""
        name = self.cleaned_data["player"].strip()
        if not name:
            return None
        player = User.named(name)
        if player is None or player.is_deleted:
            raise forms.ValidationError(_("There's no player with this name."))
        # The own list names everybody one has played with; in another's list, a search by player
        # would be the list of that player as well.
        if self.viewer != self.person and not player.shows_games_to(self.viewer):
            raise forms.ValidationError(
                gettext("%(name)s doesn't show their games.") % {"name": player.shown_name}
            )
        return player

    def apply(self, games: GameList) -> GameList:
        """The games that match; all of them when the form makes no sense."""
        if not self.is_valid():
            return games
        chosen = self.cleaned_data
        results = games.results
        if chosen.get("game"):
            results = results.filter(kind_key=chosen["game"])
        match chosen["outcome"]:
            case "won":
                results = results.filter(place=1, left=False)
            case "lost":
                results = results.filter(place__gt=1, left=False)
            case "left":
                results = results.filter(left=True)
        match chosen["period"]:
            case "week" | "month" as days:
                results = results.filter(finished_at__gt=self.now - _DAYS[days])
            case str(year) if year:
                first, last = (datetime(int(year) + more, 1, 1, tzinfo=UTC) for more in (0, 1))
                results = results.filter(finished_at__gte=first, finished_at__lt=last)
        if chosen["preset"]:
            results = results.filter(preset=chosen["preset"])
        for kind, own in _own_filters():
            if chosen[own.name]:
                variant = own.choices[chosen[own.name]][1]
                results = results.filter(kind_key=kind.key, variant=variant)
        return GameList(results, games.checks).among(chosen["player"])


def _presets() -> Iterator[tuple[str, Any]]:
    """The presets of all games; in groups by game where there are several."""
    for kind in catalogue.every():
        named = [(key, kind.words.preset(key)) for key in kind.stats.presets]
        if catalogue.has_several():
            yield kind.words.name(), named
        else:
            yield from named


def _own_filters() -> Iterator[tuple[catalogue.GameKind, ResultFilter]]:
    for kind in catalogue.every():
        yield from ((kind, each) for each in kind.stats.filters)
