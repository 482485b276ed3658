"""What the page of the rules lists: cards, icons, stakes, the rules on them, and the presets."""

from __future__ import annotations

from games.peco_peco import words
from games.peco_peco.rules import SEATS
from games.peco_peco.rules.cards import ANIMALS, DECK, ICONS_PER_ANIMAL
from games.peco_peco.rules.options import CHOICES, PRESETS, SITE_PRESET
from games.peco_peco.rules.stakes import FOODS, STAKES, Stake
from games.peco_peco.templatetags.peco_peco import DIRECTIONS, ICONS
from games.table.preset_comparison import compared


def context() -> dict[str, object]:
    """The drawn parts of the game, every setting, and the presets compared, in words."""
    return {
        "fewest": SEATS.start,
        "most": SEATS.stop - 1,
        "deck": len(DECK),
        "per_animal": len(DECK) // len(ANIMALS),
        "plain": ICONS_PER_ANIMAL[""] * len(ANIMALS),
        "icons": _icons(),
        "foods": [
            {
                "kind": food,
                "name": words.food(food),
                "stakes": [_stake(stake) for stake in STAKES.values() if stake.food == food],
            }
            for food in FOODS
        ],
        "stakes": len(STAKES),
        "rules": _rules(),
        "presets": compared(PRESETS, CHOICES, words),
        "site": words.preset(SITE_PRESET),
        "settings": [
            (words.setting_label(name), [words.setting(name, value) for value in values])
            for name, values in CHOICES.items()
        ],
    }


def _icons() -> list[dict[str, object]]:
    """The icons of animal cards: their drawing, how many cards have them, what they do."""
    return [
        {
            "sign": ICONS[icon],
            "name": words.icon(icon),
            "help": words.icon_help(icon),
            "count": count * len(ANIMALS),
        }
        for icon, count in ICONS_PER_ANIMAL.items()
        if icon
    ]


def _stake(stake: Stake) -> dict[str, object]:
    """A stake in words: what it is worth, and everything its signs say."""
    return {
        "id": stake.id,
        "name": words.stake(stake.id),
        "deal": stake.deal,
        "sign": DIRECTIONS[stake.direction],
        "direction": words.direction(stake.direction),
        "rule": words.rule(stake.rule),
        "extra": words.more_cards(stake.extra),
        "tilt": stake.tilt,
    }


def _rules() -> list[dict[str, str]]:
    """The rules that a stake may add to its round, in the order of the stakes."""
    kinds = dict.fromkeys(stake.rule for stake in STAKES.values())
    return [
        {"sign": kind, "name": words.rule(kind), "help": words.rule_help(kind)}
        for kind in kinds
        if kind != "none"
    ]
