"""Searches everything a viewer was sent for dice they must not know yet.

Two ways, since neither is enough. The *search* knows nothing of our pages: it looks for a hidden
hand of three dice or more in whatever way a program or a person might write it down. The
*inventory* knows our pages: every die they draw and every data attribute they carry must be one
that belongs there, so that a hand of one or two dice cannot hide among them.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from urllib.parse import unquote

from games.perudo.rules.events import Revealed, Rolled
from games.perudo.tests.page_player import Controls
from tests.support.http_client import View
from tests.support.players import Received
from tests.support.site_database import LogEntry
from tests.wire.games import Search

Hand = tuple[int, ...]
SEARCHED = 3  # dice; shorter hands stand on every page by accident


@dataclass(frozen=True)
class Secret:
    """A rolled hand, and from when to when nobody but its seat may know it."""

    seat: int
    dice: Hand
    dealt: LogEntry
    shown: LogEntry | None

    def hidden_from(self, one: Received) -> bool:
        """Whether it lay under the cup when this was sent: by the number a screen carries, else
        by the time."""
        view = one.view
        if view is not None:
            return self.dealt.seq <= view.seq and (self.shown is None or view.seq < self.shown.seq)
        return self.dealt.at <= one.at and (self.shown is None or one.at < self.shown.at)

    def shown_before(self, one: Received) -> bool:
        """Whether everybody had seen it when this was sent."""
        if self.shown is None:
            return False
        view = one.view
        return self.shown.seq <= view.seq if view is not None else self.shown.at <= one.at


def of_earlier_rounds(one: Received, secrets: Sequence[Secret]) -> set[Hand]:
    """The hands of rounds that were counted before this was sent: pages tell of them."""
    return {tuple(secret.dice) for secret in secrets if secret.shown_before(one)}


def secrets_of(log: Sequence[LogEntry]) -> list[Secret]:
    """Every hand of a game."""
    ends = [entry for entry in log if isinstance(entry.fact, Revealed)]
    return [
        Secret(
            entry.fact.only,
            entry.fact.dice,
            entry,
            next((end for end in ends if end.seq > entry.seq), None),
        )
        for entry in log
        if isinstance(entry.fact, Rolled)
    ]


def in_text(text: str, secrets: Sequence[Secret]) -> list[str]:
    """Where a hand stands in a text that nobody at a table reads, such as a log: none belongs
    there, no matter whose it was and how long ago."""
    hands = {secret.dice for secret in secrets if len(secret.dice) >= SEARCHED}
    said = [(where, run) for where, run in runs(text) if len(run) >= SEARCHED]
    return [
        f"{dice} in {where}" for dice in sorted(hands) for where, run in said if _says(run, dice)
    ]


def hands_of(secrets: Sequence[Secret], seat: int | None) -> set[Hand]:
    """Every hand this seat ever rolled."""
    return {secret.dice for secret in secrets if secret.seat == seat}


def hand_shown(view: View) -> Hand:
    """The seat's own dice on its screen."""
    return Controls.of(view).hand


def search(heard: Iterable[Received], secrets: Sequence[Secret], seat: int | None) -> Search:
    """Looks for every hand that the person at `seat` (None: nobody's) must not know."""
    result = Search([])
    begins = min(secret.dealt.at for secret in secrets)
    ornaments: set[tuple[str, Hand]] = set()  # stood there before any die was rolled
    mine = {secret.dice for secret in secrets if secret.seat == seat}  # "my data" has them all
    for one in heard:
        if one.at < begins:
            ornaments |= {(one.what, run) for _, run in runs(one.text)}
        hidden = [secret for secret in secrets if secret.hidden_from(one)]
        own = next((Counter(secret.dice) for secret in hidden if secret.seat == seat), Counter())
        wanted = [
            secret
            for secret in hidden
            # A hand contained in the viewer's own may be written there: they know it.
            if secret.seat != seat and len(secret.dice) >= SEARCHED and Counter(secret.dice) - own
        ]
        if wanted:
            result.looked_for += len(wanted)
            told = {("dice drawn", hand) for hand in of_earlier_rounds(one, secrets)}
            said = [
                (at, run)
                for at, run in runs(one.text)
                if (one.what, run) not in ornaments and (at, run) not in told and run not in mine
            ]
            result.found += [
                f"{secret.dice} of seat {secret.seat} in {one.what}: {where}"
                for secret in wanted
                for where, run in said
                if _says(run, secret.dice)
            ]
    return result


def _says(run: Hand, dice: Hand) -> bool:
    """Whether the hand stands somewhere in these numbers: its dice in any order, or its tally."""
    tally = tuple(dice.count(face) for face in range(1, 7))
    return any(Counter(run[at : at + len(dice)]) == Counter(dice) for at in range(len(run))) or any(
        run[at : at + 6] == tally for at in range(len(run))
    )


# --- every way to write numbers down -------------------------------------------------------------

_WORDS = {
    word: face
    for face, words in enumerate(
        ("paco pacos ace aces one p", "two twos deux due dos", "three threes trois tre tres")
        + ("four fours quatre quattro cuatro", "five fives cinq cinque cinco")
        + ("six sixes sei seis",),
        start=1,
    )
    for word in words.split()
}
_SIGN = re.compile("[⚀-⚅]")
# Numbers in a row, with nothing between them that is a word or a tag. What must not stand before
# the first is looked for behind it, since an expression that begins with a digit is found sooner.
_NUMBERS = re.compile(r"[0-6](?<![\w.].)(?:[^\w<>]{1,4}[0-6])+(?!\w)")
_NAMED = re.compile(
    rf"\b(?:{'|'.join(_WORDS)})\b(?:[^\w<>]{{1,4}}\b(?:{'|'.join(_WORDS)})\b)+", re.IGNORECASE
)
_TOGETHER = re.compile(r"[1-6](?<![\w.:-].)[1-6]{3,5}(?![\w.:-])")
_PIECE = re.compile(r"<[^>]*>|[^<]+")
_DIE = re.compile(r"#die-([1-6])")
_ATTRIBUTE = re.compile(r'([\w-]+)="?([1-6])"?(?=[\s/>])')
_DIGITS = frozenset("0123456")
_SELECT = re.compile(r"<select.*?</select>", re.DOTALL)  # 1, 2, 3 … to choose from
_ENCODED = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{8,}={0,2}")


def runs(text: str) -> Iterator[tuple[str, Hand]]:
    """Every row of small numbers in a text, whatever it is written in, with where it stands."""
    text = _without_lengths_and_dates(text)
    for plain in {text, unescape(text), unquote(unescape(text)), *_decoded(text)}:
        plain = _SIGN.sub(lambda sign: str(ord(sign[0]) - ord("⚀") + 1), plain)
        for kind, pattern in (("numbers", _NUMBERS), ("numbers", _TOGETHER)):
            for match in pattern.finditer(plain):
                yield _where(kind, plain, match), tuple(map(int, re.findall(r"[0-6]", match[0])))
        for match in _NAMED.finditer(plain):
            named = (word.lower() for word in re.findall(r"\w+", match[0]))
            yield _where("words", plain, match), tuple(_WORDS[word] for word in named)
        yield from _drawn(plain)


def _drawn(text: str) -> Iterator[tuple[str, Hand]]:
    """Dice drawn side by side, and numbers in tags side by side, with no word between them."""
    rows: dict[str, list[int]] = {}
    for piece in [*_PIECE.findall(_SELECT.sub("", text)), "the end"]:
        if piece.startswith("<"):
            for face in _DIE.findall(piece):
                rows.setdefault("dice drawn", []).append(int(face))
            for name, number in _ATTRIBUTE.findall(piece):
                rows.setdefault(name, []).append(int(number))
            ends = "section" in piece[:9]  # a fragment of the screen
        elif piece.strip() in _DIGITS:
            rows.setdefault("numbers in tags", []).append(int(piece))
            ends = False
        else:
            ends = bool(piece.strip())
        if ends:
            yield from ((kind, tuple(row)) for kind, row in rows.items())
            rows = {}


def _decoded(text: str) -> Iterator[str]:
    for word in _ENCODED.findall(text):
        with_padding = word.rstrip("=") + "=" * (-len(word.rstrip("=")) % 4)
        try:
            plain = base64.b64decode(with_padding.replace("-", "+").replace("_", "/"))
            yield plain.decode("ascii")
        except (binascii.Error, UnicodeDecodeError):
            continue


def _without_lengths_and_dates(text: str) -> str:
    return re.sub(r"(?im)^(content-length|date|expires|age):.*$", "", text)


def _where(kind: str, text: str, match: re.Match[str]) -> str:
    return f"{kind}: …{text[max(0, match.start() - 40) : match.end() + 10]}…"


# --- every die in its place ----------------------------------------------------------------------

# A class and how many dice may be drawn in one element of it while the cups are down.
_PLACES = {
    "brand": 1,  # the sign of the site
    "bid": 1,
    "bid-small": 1,
    "own-count": 1,
    "seat-bid": 1,
    "face": 1,  # the controls
    "said-preview": 1,
    "of": 1,  # the bid that a count is held against
}
_OWN, _OPEN, _TOLD = "my-dice", "hand", "hand-of"  # the last in the story of earlier rounds
_ATTRIBUTES = frozenset(
    "asks bid call chat close count denied die digits due earlier face focus-first fresh "
    "keeps-focus keys known lasts max me min module moment now offline opens order out phase "
    "reveal said seat seats seq stays step table theme title narration warn when whole "
    "alone idle of done failed for game-keys game-module name not raised share skip sounds turn "
    "choice failure hides lift look looking reload session "
    "ends go notify palifico state who "  # of a search for people
    "chances "  # of a review
    # of this browser and its person, games on their turn, what they were told of
    "push push-page push-url person waiting tags".split()
)
# What a face shows: who looks at whom, and what happened before everybody's eyes.
_FACES = {"data-eyes": re.compile(r"[0-5]"), "data-mood": re.compile(r"calm|sure|caught")}
_VOID = frozenset("br hr img input link meta".split())


class Inventory(HTMLParser):
    """Everything on a page or in a frame that is or might be a die."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.own: list[int] = []
        self.open: list[list[int]] = []
        self.told: list[list[int]] = []
        self.strange: list[str] = []
        self._inside: list[tuple[str, frozenset[str], Counter[str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        for name in given:
            if name in _FACES and _FACES[name].fullmatch(given[name]):
                continue
            if name.startswith("data-") and name[5:] not in _ATTRIBUTES:
                self.strange.append(f"{name}={given[name]} on <{tag}>")
        if found := re.search(r"#die-(\w+)", given.get("href", "")):
            self._die(found[1])
        if tag not in _VOID:
            classes = frozenset(given.get("class", "").split())
            self._inside.append((tag, classes, Counter()))
            if _OPEN in classes:
                self.open.append([])
            if _TOLD in classes:
                self.told.append([])

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop()[0] != tag:
            pass

    def _die(self, face: str) -> None:
        for _, classes, drawn in reversed(self._inside):
            if _OWN in classes:
                return self.own.append(int(face))
            if _OPEN in classes:
                return self.open[-1].append(int(face))
            if _TOLD in classes:
                return self.told[-1].append(int(face))
            if place := next((name for name in _PLACES if name in classes), None):
                drawn[place] += 1
                if drawn[place] > _PLACES[place]:
                    self.strange.append(f"too many dice in .{place}: {face}")
                return None
        return self.strange.append(f"a die where none belongs: {face}")


def body(one: Received) -> str:
    """The HTML of something heard."""
    return one.text[one.text.find("<") :]


def misplaced(heard: Iterable[Received], secrets: Sequence[Secret], seat: int | None) -> list[str]:
    """What a screen shows of dice beyond the bids, the viewer's own and the lifted cups."""
    found: list[str] = []
    for one in heard:
        view = one.view
        if view is None or not view.phase:
            continue
        inventory = Inventory(body(one))
        found += [f"{what} in {one.what}" for what in inventory.strange]
        earlier = of_earlier_rounds(one, secrets)
        found += [
            f"hand {hand} of no earlier round in {one.what}"
            for hand in inventory.told
            if tuple(hand) not in earlier
        ]
        hidden = [secret for secret in secrets if secret.hidden_from(one)]
        mine = next((list(secret.dice) for secret in hidden if secret.seat == seat), [])
        if hidden and inventory.own not in ([], mine):
            found.append(f"own dice {inventory.own}, but rolled were {mine}, in {one.what}")
        if hidden and inventory.open:
            found.append(f"open hands {inventory.open} under the cups in {one.what}")
    return found
