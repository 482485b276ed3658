"""The quick phrases and reactions of the chat, and a message as its reader sees it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext, pgettext, pgettext_lazy

# Messages store the key, so a key is never removed and keeps its meaning; its text may change.
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

# Drawn faces, stored as phrases are: a key is also the id of its symbol in games/reactions.svg.
REACTIONS: Final = {
    "laughter": pgettext_lazy("reaction", "Laughter"),
    "suspicion": pgettext_lazy("reaction", "Suspicion"),
    "surprise": pgettext_lazy("reaction", "Surprise"),
    "tears": pgettext_lazy("reaction", "Tears"),
    "poker_face": pgettext_lazy("reaction", "Poker face"),
}
_CHOICES: Final = PHRASES | REACTIONS

# Replaces a link in a stored text; no player can type it (see `games.social.chat.talk.tidy`).
LINK: Final = "\ufffc"


def phrases() -> list[tuple[str, str]]:
    """Each quick phrase as its key and its text in the active language."""
    return [(key, str(text)) for key, text in PHRASES.items()]


def reactions() -> list[tuple[str, str]]:
    """Each reaction as its key and its name in the active language."""
    return [(key, str(name)) for key, name in REACTIONS.items()]


def is_choice(key: str) -> bool:
    """Whether this is the key of a phrase or a reaction."""
    return key in _CHOICES


def in_words(*, phrase: str, text: str) -> str:
    """The text of a message: its phrase or reaction in the active language, or the typed text."""
    if phrase:
        return str(_CHOICES[phrase])
    if text:
        return text.replace(LINK, gettext("[link]"))
    return pgettext("a message whose author is gone", "(deleted)")
