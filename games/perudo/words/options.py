"""A table's rules in plain words: presets, every setting and value of A12, bots, odds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.contract.game_values import TableRules
from games.models import Game
from games.perudo.bots.characters import CHARACTERS
from games.perudo.rules.options import CHOICES, Options, differences

_PRESETS: Final = {
    "asmodee_fr": _("French rulebook"),
    "asmodee_it": _("Italian rulebook"),
    "web_fr": _("French web rules"),
    "wikipedia_fr": _("French Wikipedia"),
}

# How each preset differs from the standard rules, apart from calza and hidden dice, in one line.
_PRESET_LINES: Final = {
    "asmodee_fr": _("As in Standard."),
    "asmodee_it": _(
        "Like Standard; with calza on, the player on turn can't call it, nor anyone in palifico "
        "rounds or duels."
    ),
    "web_fr": _("Everyone rolls two dice to go first; no opening on pacos."),
    "wikipedia_fr": _("Everyone rolls a die to go first."),
}

_BOTS: Final = {
    "beginner": _("Easy"),
    "steady": _("Medium"),
    "sharp": _("Hard"),
    "expert": _("Expert"),
}

_LABELS: Final = {
    "starter": _("First player"),
    "raise_rule": _("Raising"),
    "paco_opening": _("Opening on pacos"),
    "palifico_repeat": _("Repeat palifico"),
    "palifico_min_players": _("Palifico with two players"),
    "calza": _("Calza"),
    "calza_who": _("Who can call calza"),
    "calza_in_palifico": _("Calza in palifico rounds"),
    "calza_min_players": _("Calza with two players"),
    "calza_needs_lost_die": _("Calza with five dice"),
    "lost_dice_visible": _("Lost dice"),
    "show_odds": _("Odds"),
}

_VALUES: Final = {
    ("starter", "random"): _("The first player is chosen at random."),
    ("starter", "two_dice"): _("Everyone rolls two dice; the highest total goes first."),
    ("starter", "one_die"): _("Everyone rolls one die; the highest goes first."),
    ("raise_rule", "one_only"): _("Raise the number or the value, never both."),
    ("raise_rule", "any_face_if_more"): _("If you bid more dice you can switch to any value."),
    ("paco_opening", "palifico_only"): _("You can only open on pacos in a palifico round."),
    ("paco_opening", "never"): _("You can never open on pacos, not even in a palifico round."),
    ("palifico_repeat", "every_time"): _("A player is palifico each time they drop to one die."),
    ("palifico_repeat", "once"): _("A player is palifico only once per game."),
    ("palifico_min_players", 2): _("Palifico is still played with only two players left."),
    ("palifico_min_players", 3): _("No palifico with only two players left."),
    ("calza", "off"): _("Nobody can call calza."),
    ("calza", "on"): _("Players can call the last bid exact: calza."),
    ("calza_who", "any_but_bidder"): _("Anyone but the bidder can call calza."),
    ("calza_who", "any_but_bidder_and_next"): _(
        "Anyone can call calza except the bidder and the player whose turn it is."
    ),
    ("calza_who", "current_only"): _("Only the player whose turn it is can call calza."),
    ("calza_in_palifico", True): _("Calza is allowed in palifico rounds."),
    ("calza_in_palifico", False): _("No calza in palifico rounds."),
    ("calza_min_players", 2): _("Calza is allowed with only two players left."),
    ("calza_min_players", 3): _("No calza with only two players left."),
    ("calza_needs_lost_die", False): _("A player with all five dice can call calza too."),
    ("calza_needs_lost_die", True): _("Only a player with fewer than five dice can call calza."),
    ("lost_dice_visible", True): _(
        "Lost dice are shown: everyone can see how many dice each player has."
    ),
    ("lost_dice_visible", False): _(
        "Lost dice are hidden: you can't see how many dice the others have."
    ),
    ("show_odds", True): _(
        "Odds are shown: you can see how likely a bid is, based on your own dice."
    ),
    ("show_odds", False): _("Odds are hidden."),
}


def preset(key: str) -> str:
    """The name of a preset; KeyError for an unknown one."""
    return str(_PRESETS[key])


def preset_line(key: str) -> str:
    """How a preset differs from the standard rules; KeyError for an unknown one."""
    return str(_PRESET_LINES[key])


def bot(kind: str) -> str:
    """The name of a kind of bot, of a character's its base; KeyError for an unknown one."""
    character = CHARACTERS.get(kind)
    return str(_BOTS[character.base if character else kind])


def setting_label(name: str) -> str:
    """What a setting is called; KeyError for an unknown one."""
    return str(_LABELS[name])


def setting(name: str, value: object) -> str:
    """What a setting with this value means, in one sentence; KeyError for an unknown pair."""
    return str(_VALUES[name, value])


def options(game: Game) -> TableRules:
    """The rules of a table in words."""
    played = Options.from_json(game.options)
    chosen = differences(played, game.preset)
    every = {name: getattr(played, name) for name in CHOICES}
    every["show_odds"] = game.show_odds  # no rule of the game, but a rule of this table
    if game.show_odds:
        chosen["show_odds"] = True
    return TableRules(
        preset=game.preset,
        name=preset(game.preset),
        differences=tuple(setting(name, value) for name, value in chosen.items()),
        all=tuple((setting_label(name), setting(name, value)) for name, value in every.items()),
        badges=tuple(_badges(played, show_odds=game.show_odds)),
    )


def _badges(played: Options, *, show_odds: bool) -> Iterator[str]:
    if played.calza == "on":
        yield gettext("calza")
    yield gettext("lost dice visible") if played.lost_dice_visible else gettext("lost dice hidden")
    if show_odds:
        yield gettext("odds shown")
