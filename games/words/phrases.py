"""What people say at the table with one press, and how a saying reads to whoever hears it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext, pgettext, pgettext_lazy

# Sayings are kept by their key: words may change, a key never goes and never means another thing.
PHRASES: Final = {
    "hello": pgettext_lazy("quick phrase", "Hello!"),
    "good_luck": pgettext_lazy("quick phrase", "Good luck!"),
    "are_you_sure": pgettext_lazy("quick phrase", "Are you sure?"),
    "believe_you": pgettext_lazy("quick phrase", "I believe you."),
    "no_way": pgettext_lazy("quick phrase", "No way."),
    "let_me_think": pgettext_lazy("quick phrase", "Let me think."),
    "well_played": pgettext_lazy("quick phrase", "Well played!"),
    "lucky": pgettext_lazy("quick phrase", "Lucky!"),
    "ouch": pgettext_lazy("quick phrase", "Ouch."),
    "ha_ha": pgettext_lazy("quick phrase", "Ha ha!"),
    "thanks": pgettext_lazy("quick phrase", "Thanks!"),
    "one_more": pgettext_lazy("quick phrase", "One more?"),
}

# Stands in a kept text where a link was; no player can type it (see `games.company.tidy`).
LINK: Final = "\ufffc"


def phrases() -> list[tuple[str, str]]:
    """Every quick phrase: its key and its words."""
    return [(key, str(said)) for key, said in PHRASES.items()]


def saying(*, phrase: str, text: str) -> str:
    """A saying as it is read: a phrase in the reader's language, own words as they were typed."""
    if phrase:
        return str(PHRASES[phrase])
    if text:
        return text.replace(LINK, gettext("[link]"))
    return pgettext("a saying whose author is gone", "(deleted)")
