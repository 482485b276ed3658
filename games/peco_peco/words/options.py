"""A table's rules in plain words: presets, every setting and its values, bots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.contract.game_values import TableRules
from games.models import Game
from games.peco_peco.rules.options import CHOICES, PRESETS, Options

_PRESETS: Final = {
    "peco_base": pgettext_lazy("rule set", "Classic"),
    "peco_teams": pgettext_lazy("rule set", "Teams of two"),
    "peco_der_des_der": pgettext_lazy("rule set", "Say “Peco Peco!”"),
}

# How each preset differs from the standard rules, in one line.
_PRESET_LINES: Final = {
    "peco_base": _("As in Standard."),
    "peco_teams": _("Teams of two, facing each other, share their dishes."),
    "peco_der_des_der": _("Say “Peco Peco!” when one card is left, or lose it."),
}

_BOTS: Final = {
    "easy": _("Easy"),
    "medium": _("Medium"),
    "hard": _("Hard"),
}

_LABELS: Final = {
    "first_feast_on_top": _("First round"),
    "short_pile": _("Length"),
    "teams": _("Teams"),
    "team_accuse_partner": _("Accusing your partner"),
    "peco_call": _("The “Peco Peco!” call"),
    "slap_window_ms": _("Time to accuse"),
}

_VALUES: Final = {
    ("first_feast_on_top", True): _("The first round has no special rule."),
    ("first_feast_on_top", False): _("The first round can have a special rule."),
    ("short_pile", "auto"): _("With seven or eight players, 12 stakes instead of 18."),
    ("short_pile", "on"): _("A shorter game: 12 stakes, none for five cards."),
    ("short_pile", "off"): _("A full game: 18 stakes, however many play."),
    ("teams", "off"): _("Everyone plays for themselves."),
    ("teams", "on"): _("Teams of two, facing each other, share their dishes."),
    ("team_accuse_partner", True): _("You can accuse your own partner."),
    ("team_accuse_partner", False): _("You can't accuse your own partner."),
    ("peco_call", "off"): _("Nobody has to say “Peco Peco!” at one card left."),
    ("peco_call", "on"): _("Say “Peco Peco!” when one card is left, or lose it."),
}


def preset(key: str) -> str:
    """The name of a preset; KeyError for an unknown one."""
    return str(_PRESETS[key])


def preset_line(key: str) -> str:
    """How a preset differs from the standard rules; KeyError for an unknown one."""
    return str(_PRESET_LINES[key])


def bot(kind: str) -> str:
    """The name of a kind of bot; KeyError for an unknown one."""
    return str(_BOTS[kind])


def setting_label(name: str) -> str:
    """What a setting is called; KeyError for an unknown one."""
    return str(_LABELS[name])


def setting(name: str, value: Any) -> str:
    """What a setting with this value means, in one sentence; KeyError for an unknown pair."""
    if name == "slap_window_ms":
        form = ngettext(
            "%(seconds)s second to accuse when anyone can.",
            "%(seconds)s seconds to accuse when anyone can.",
            -(-value // 1000),  # one and a half are seconds, not a second
        )
        return form % {"seconds": f"{value / 1000:g}"}
    return str(_VALUES[name, value])


def options(game: Game) -> TableRules:
    """The rules of a table in words."""
    played, printed = Options.from_json(game.options), PRESETS[game.preset]
    every = {name: getattr(played, name) for name in _named(played)}
    return TableRules(
        preset=game.preset,
        name=preset(game.preset),
        differences=tuple(
            setting(name, value) for name, value in every.items() if value != getattr(printed, name)
        ),
        all=tuple((setting_label(name), setting(name, value)) for name, value in every.items()),
        badges=tuple(_badges(played)),
    )


def _named(played: Options) -> list[str]:
    """The settings that matter at a table: those about partners only in teams."""
    return [name for name in CHOICES if name != "team_accuse_partner" or played.teams == "on"]


def _badges(played: Options) -> Iterator[str]:
    if played.teams == "on":
        yield gettext("teams")
    if played.peco_call == "on":
        yield gettext("say “Peco Peco!”")
    if played.short_pile == "on":
        yield gettext("short game")
