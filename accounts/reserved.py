"""Names that speak for the site, in any spelling: “moderation”, “5taff”, “a.d.m.i.n”."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string

from accounts.digits import ascii_digits
from accounts.skeletons import skeleton

# In the languages of the site; without accents, which the comparison ignores.
WORDS = frozenset(
    # en
    "abuse account accounts admin admins administration administrator administrators anonymous "
    "bot bots contact deleted developer developers everyone gamemaster guest guests help helpdesk "
    "host hostmaster house imprint impressum info legal mod mods moderation moderator moderators "
    "nobody noreply null official operator owner postmaster privacy referee root rules security "
    "server service site spectator staff superuser support sysadmin sysop system team terms "
    "undefined user users webmaster website "
    # fr
    "administrateur administratrice aide arbitre assistance compte equipe legales mentions "
    "moderateur moderatrice officiel officielle securite "
    # it
    "aiuto amministratore amministratrice amministrazione arbitro assistenza legale legali "
    "moderatore moderazione sicurezza ufficiale "
    # es
    "administracion administrador administradora aviso ayuda cuenta equipo moderacion moderador "
    "moderadora oficial seguridad soporte".split()
)
# Words that are allowed by themselves, but not beside reserved words: “TheAdmin”.
FILLERS = frozenset(("the", "real"))
# A site's name may be shorter; then it is not reserved, since others have it by chance.
SHORTEST = 3

_DIGITS = "0123456789"
# Digits that can be read as letters. Skeletons handle 0 and 1, but 1 can also be read as i.
_LEET = str.maketrans("23456789", "zeasgtbg")
_LEET_TOO = _LEET | str.maketrans("01", "oi")


def speaks_for_site(name: str) -> bool:
    """Whether this tidied name has only reserved words and names of the site and its games.

    Separators, accents and digits at the ends are ignored, and digits are also read as letters.
    """
    own = {_bare(each.lower()) for each in import_string(settings.OWN_NAMES)()}
    speaking = _pattern(WORDS | own | {each.strip(_DIGITS) for each in own})
    return any(speaking.fullmatch(look) for look in _looks(ascii_digits(_bare(name))))


def _bare(name: str) -> str:
    """The letters and digits of a name, without accents."""
    return "".join(each for each in unicodedata.normalize("NFKD", name) if each.isalnum())


def _looks(bare: str) -> Iterator[str]:
    """Yield the readings of a name; a letter that looks like "!" is dropped, an i or an l."""
    left = bare.lstrip(_DIGITS)
    for text in (bare, left, bare.rstrip(_DIGITS), left.rstrip(_DIGITS)):
        for way in (text, text.translate(_LEET), text.translate(_LEET_TOO)):
            for look in (_look(way), _look(way.casefold())):
                for sign in ("", "i", "l"):
                    yield _bare(look.replace("!", sign))


def _look(text: str) -> str:
    return skeleton(text).casefold()


@cache
def _pattern(words: frozenset[str]) -> re.Pattern[str]:
    """Compile a pattern for one or more of these words in any look, with any fillers."""

    def looks(each: Iterable[str]) -> str:
        ways = {way for word in each for way in (word, word.upper(), word.title())}
        found = {_bare(_look(way)) for way in ways}
        return "|".join(sorted(map(re.escape, found), key=len, reverse=True))

    spoken = looks(word for word in words if len(word) >= SHORTEST)
    return re.compile(f"(?:{looks(FILLERS)})*(?:{spoken})(?:{spoken}|{looks(FILLERS)})*")
