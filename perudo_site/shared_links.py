"""Extraction of a link to this site from shared text, which often has a sentence around it."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final

# A path, a query and a fragment (RFC 3986). Other letters are percent-encoded in a link. If they
# follow it, they are the next word, in languages without spaces between words.
_REST: Final = r"(?:/[{0}/]*)?(?:\?[{0}/?]*)?(?:#[{0}/?]*)?".format(
    r"a-z0-9_\-.~:\[\]@!$&'()*+,;=%"
)
# Characters behind a link that end a sentence; no URL of ours ends with them.
_BEHIND: Final = ".,;:!?'*~@&(["
_PAIRS: Final = {")": "(", "]": "["}
# The same character before and behind a link, as in _italics_.
_AROUND: Final = "_-$+="


def path_in(text: str, host: str) -> str | None:
    """Return the path, query and fragment of the first link to this host; None if there is none.

    Punctuation around the link does not count as part of it.
    """
    names = {host}
    with suppress(UnicodeError):
        names.add(host.encode("ascii").decode("idna"))  # as browsers display it
    found = "|".join(map(re.escape, names))
    # Not within another URL, nor the beginning of another host or of the user name in a URL.
    link = rf"(?<![/?&%])(?<!\w=)https?://(?:{found})(?![\w@:-]|\.\w)({_REST})"
    for match in re.finditer(link, text, re.IGNORECASE | re.ASCII):
        path = _trimmed(match[1], before=text[: match.start()][-1:])
        # A browser would read two slashes as the start of another host.
        if not path.startswith("//"):
            return path if path.startswith("/") else f"/{path}"
    return None


def _trimmed(rest: str, *, before: str) -> str:
    """Remove the text behind the link; `before` is the character in front of the link."""
    rest = re.split("https?:", rest, maxsplit=1)[0]
    while rest:
        last = rest[-1]
        opens = _PAIRS.get(last)
        is_closed_here = opens is not None and rest.count(opens) < rest.count(last)
        if not (last in _BEHIND or is_closed_here or (last == before and last in _AROUND)):
            break
        rest = rest[:-1]
    return rest
