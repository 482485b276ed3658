"""The form that filters a person's finished games."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django import forms
from django.db.models import F, Q
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.digits import ascii_digits
from accounts.models import User
from accounts.requests import AnyUser
from games.contract import catalogue
from games.contract.game_values import ResultFilter
from games.study.players.game_list import GameList

_DAYS: Final = {"week": timedelta(days=7), "month": timedelta(days=30)}
_STARTED: Final = F("seat__game__started_at")
_SHORT, _LONG = timedelta(minutes=5), timedelta(minutes=15)
# Columns of the game, which each game that would be shown is asked for.
_LENGTHS: Final = {
    "short": Q(seat__game__finished_at__lt=_STARTED + _SHORT),
    "middle": Q(
        seat__game__finished_at__gte=_STARTED + _SHORT,
        seat__game__finished_at__lte=_STARTED + _LONG,
    ),
    "long": Q(seat__game__finished_at__gt=_STARTED + _LONG),
}


class PeriodField(forms.ChoiceField):
    """A choice field that accepts years in the digits of any script."""

    def to_python(self, value: Any) -> str:
        return ascii_digits(super().to_python(value))


class GameFilter(forms.Form):
    """The filters of a person's games; an empty field matches all games."""

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
    period = PeriodField(label=_("Period"), required=False)
    seats = forms.ChoiceField(
        label=_("Seats"),
        required=False,
        choices=lambda: [("", _("All")), *((each, each) for each in _numbers_of_seats())],
    )
    length = forms.ChoiceField(
        label=pgettext_lazy("of a game", "Length"),
        required=False,
        choices=[
            ("", _("All")),
            ("short", _("up to 5 min")),
            ("middle", _("5 to 15 min")),
            ("long", _("over 15 min")),
        ],
    )
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
        """The player of this name; in another person's list, one whose games the viewer may see."""
        name = self.cleaned_data["player"].strip()
        if not name:
            return None
        player = User.named(name)
        if player is None or player.is_deleted:
            raise forms.ValidationError(_("There's no player with this name."))
        # One's own list names everybody one has played with. In another person's list, a search by
        # player would reveal that player's list too.
        if self.viewer != self.person and not player.shows_games_to(self.viewer):
            raise forms.ValidationError(
                gettext("%(name)s doesn't show their games.") % {"name": player.shown_name}
            )
        return player

    def apply(self, games: GameList) -> GameList:
        """The games that match; all games if the form is invalid."""
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
        checks = list(games.checks)
        if chosen["seats"]:
            checks.append(Q(seat__game__size=int(chosen["seats"])))
        if chosen["length"]:
            checks.append(_LENGTHS[chosen["length"]])
        return GameList(results, tuple(checks)).among(chosen["player"])


def _numbers_of_seats() -> list[str]:
    """The numbers of seats that some game here can have."""
    return [str(number) for number in sorted({n for k in catalogue.every() for n in k.rules.SEATS})]


def _presets() -> Iterator[tuple[str, Any]]:
    """The presets of all games, grouped by game if there are several games."""
    for kind in catalogue.every():
        named = [(key, kind.words.preset(key)) for key in kind.stats.presets]
        if catalogue.has_several():
            yield kind.words.name(), named
        else:
            yield from named


def _own_filters() -> Iterator[tuple[catalogue.GameKind, ResultFilter]]:
    for kind in catalogue.every():
        yield from ((kind, each) for each in kind.stats.filters)
