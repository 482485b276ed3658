"""Names that speak for the site, however they are written: “moderation”, “5taff”, “a.d.m.i.n”."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string

from accounts.skeletons import skeleton

# Without accents, which are left out of what is compared; in the languages of the site.
WORDS = frozenset(
    # en
    "abuse account accounts admin admins administration administrator administrators anonymous "
    "bot bots contact deleted developer developers everyone gamemaster guest guests help helpdesk "
    "host hostmaster house info mod mods moderation moderator moderators nobody noreply null "
    "official operator owner postmaster privacy referee root rules security server service "
    "site spectator staff superuser support sysadmin sysop system team undefined user users "
    "webmaster website "
    # fr
    "administrateur administratrice aide arbitre assistance compte equipe moderateur moderatrice "
    "officiel officielle securite "
    # it
    "aiuto amministratore amministratrice amministrazione arbitro assistenza moderatore "
    "moderazione sicurezza ufficiale "
    # es
    "administracion administrador administradora ayuda cuenta equipo moderacion moderador "
    "moderadora oficial seguridad soporte".split()
)
# They say nothing by themselves: “TheAdmin”.
FILLERS = frozenset(("the", "real"))
# A site's name may be shorter; then it is nobody's but by chance.
SHORTEST = 3

_DIGITS = "0123456789"
# Digits that are read as letters; skeletons know 0 and 1, which is an i as well.
_LEET = str.maketrans("23456789", "zeasgtbg")
_LEET_TOO = _LEET | str.maketrans("01", "oi")


def speaks_for_site(name: str) -> bool:
    """Whether this tidied name is made of such words alone, and of the site's and games' names.

    Separators, accents and digits at the ends are left out, and digits read as letters.
    """
    own = {_bare(each.lower()) for each in import_string(settings.OWN_NAMES)()}
    speaking = _pattern(WORDS | own | {each.strip(_DIGITS) for each in own})
    return any(speaking.fullmatch(look) for look in _looks(_bare(name)))


def _bare(name: str) -> str:
    """The letters and digits of a name, without accents."""
    return "".join(each for each in unicodedata.normalize("NFKD", name) if each.isalnum())


def _looks(bare: str) -> Iterator[str]:
    """What a name may be read as."""
    left = bare.lstrip(_DIGITS)
    for text in (bare, left, bare.rstrip(_DIGITS), left.rstrip(_DIGITS)):
        for way in (text, text.translate(_LEET), text.translate(_LEET_TOO)):
            yield skeleton(way).casefold()
            yield skeleton(way.casefold()).casefold()


@cache
def _pattern(words: frozenset[str]) -> re.Pattern[str]:
    """Matches the looks of one or more of these words, and fillers between them."""

    def looks(each: Iterable[str]) -> str:
        ways = {way for word in each for way in (word, word.upper(), word.title())}
        found = {skeleton(way).casefold() for way in ways}
        return "|".join(sorted(map(re.escape, found), key=len, reverse=True))

    spoken = looks(word for word in words if len(word) >= SHORTEST)
    return re.compile(f"(?:{looks(FILLERS)})*(?:{spoken})(?:{spoken}|{looks(FILLERS)})*")
