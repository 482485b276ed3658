"""A table's rules in plain words: presets, every setting and value of A12, bots and pace."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

_PRESETS: Final = {
    "asmodee_fr": _("French rulebook"),
    "asmodee_it": _("Italian rulebook"),
    "web_fr": _("French web rules"),
    "wikipedia_fr": _("French Wikipedia"),
}

_BOTS: Final = {
    "beginner": _("Beginner"),
    "steady": _("Steady"),
    "sharp": _("Sharp"),
}

_LABELS: Final = {
    "starter": _("First opener"),
    "raise_rule": _("Raising"),
    "paco_opening": _("Opening on pacos"),
    "palifico_repeat": _("Palifico again"),
    "palifico_min_players": _("Palifico with two players"),
    "calza": _("Calza"),
    "calza_who": _("Who may call calza"),
    "calza_in_palifico": _("Calza in palifico rounds"),
    "calza_min_players": _("Calza with two players"),
    "calza_needs_lost_die": _("Calza with five dice"),
    "lost_dice_visible": _("Lost dice"),
    "show_odds": _("Odds"),
}

_VALUES: Final = {
    ("starter", "random"): _("Chance names the first opener."),
    ("starter", "two_dice"): _("Everybody rolls two dice; the highest sum opens."),
    ("starter", "one_die"): _("Everybody rolls one die; the highest opens."),
    ("raise_rule", "one_only"): _("Raise the number or the value, never both."),
    ("raise_rule", "any_face_if_more"): _("With more dice you may go to any value."),
    ("paco_opening", "palifico_only"): _("Only a palifico round may be opened on pacos."),
    ("paco_opening", "never"): _("No round may be opened on pacos, not even a palifico round."),
    ("palifico_repeat", "every_time"): _("A player is palifico each time he falls to one die."),
    ("palifico_repeat", "once"): _("A player is palifico only once in a game."),
    ("palifico_min_players", 2): _("Palifico is played even when two players are left."),
    ("palifico_min_players", 3): _("No palifico when only two players are left."),
    ("calza", "off"): _("Nobody can call calza."),
    ("calza", "on"): _("A bid can be called exact: calza."),
    ("calza_who", "any_but_bidder"): _("Everybody but the bidder may call calza."),
    ("calza_who", "any_but_bidder_and_next"): _(
        "Everybody but the bidder and the player to speak may call calza."
    ),
    ("calza_who", "current_only"): _("Only the player to speak may call calza."),
    ("calza_in_palifico", True): _("Calza can be called in palifico rounds."),
    ("calza_in_palifico", False): _("No calza in palifico rounds."),
    ("calza_min_players", 2): _("Calza can be called when two players are left."),
    ("calza_min_players", 3): _("No calza when only two players are left."),
    ("calza_needs_lost_die", False): _("A player with all five dice may call calza too."),
    ("calza_needs_lost_die", True): _("Only a player who has lost a die may call calza."),
    ("lost_dice_visible", True): _("Lost dice lie open: all see how many dice each player has."),
    ("lost_dice_visible", False): _("Lost dice are hidden: nobody sees how many the others have."),
    ("show_odds", True): _("Odds are shown: everybody reads how likely a bid is by his own dice."),
    ("show_odds", False): _("No odds are shown: everybody reckons for himself."),
}


def preset(key: str) -> str:
    """The name of a preset; KeyError for an unknown one."""
    return str(_PRESETS[key])


def bot(kind: str) -> str:
    """The name of a kind of bot; KeyError for an unknown one."""
    return str(_BOTS[kind])


def setting_label(name: str) -> str:
    """What a setting is called; KeyError for an unknown one."""
    return str(_LABELS[name])


def setting(name: str, value: Any) -> str:
    """What a setting with this value means, in one sentence; KeyError for an unknown pair."""
    return str(_VALUES[name, value])


def chance(probability: float) -> str:
    """A probability as people read it: whole percents, and only what is certain is 0 or 100."""
    percent = round(probability * 100)
    if percent == 0 and probability > 0:
        return gettext("<1%")
    if percent == 100 and probability < 1:
        return gettext(">99%")
    return gettext("%(percent)d%%") % {"percent": percent}


def pace(seconds: int | None) -> str:
    """How long a turn may last; None is a table without a clock."""
    if seconds is None:
        return gettext("no clock")
    if seconds < 120 or seconds % 60:
        form = ngettext("%(count)d second a turn", "%(count)d seconds a turn", seconds)
        return form % {"count": seconds}
    if seconds < 7200 or seconds % 3600:
        minutes = seconds // 60
        form = ngettext("%(count)d minute a turn", "%(count)d minutes a turn", minutes)
        return form % {"count": minutes}
    hours = seconds // 3600
    form = ngettext("%(count)d hour a turn", "%(count)d hours a turn", hours)
    return form % {"count": hours}
