"""Searches everything a viewer was sent for cards they must not know.

Two ways, since neither is enough. The *search* knows nothing of our pages: it looks for hidden
hands of three cards or more, and for the order of the piles, however they might be written down.
The *inventory* knows our pages: every card on them must be one that belongs there.
"""

from __future__ import annotations

import base64
import binascii
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from html import unescape
from urllib.parse import unquote

from games.core.contract import fold
from games.peco_peco import rules
from games.peco_peco.rules.events import HonestyShown
from games.peco_peco.rules.state import State
from games.peco_peco.tests.page_player import Controls
from tests.support.http_client import View
from tests.support.players import Received
from tests.support.site_database import LogEntry
from tests.wire.games import Search

SEARCHED = 3  # cards; shorter hands are named on every page by accident
PILE = 6  # cards of the draw pile in their order

Run = tuple[str, ...]  # animals or stakes, in the order in which they are written


@dataclass
class Story:
    """A game as the server knows it, at every number of its log."""

    log: Sequence[LogEntry]

    @cached_property
    def states(self) -> list[State]:
        states: list[State] = []
        for entry in self.log:
            states.append(fold(rules, [entry.fact], states[-1] if states else None))
        return states

    def at(self, one: Received) -> State | None:
        """When this was sent; None: before the game."""
        place = self._place(one)
        return self.states[place - 1] if place else None

    def _place(self, one: Received) -> int:
        """How much had happened: by the number a screen carries, else by the time."""
        view = one.view
        if view is not None:
            return bisect_right(self.log, view.seq, key=lambda entry: entry.seq)
        return bisect_right(self.log, one.at, key=lambda entry: entry.at)

    def shown(self, one: Received) -> list[Run]:
        """The hands that had been shown to everybody when this was sent."""
        facts = (entry.fact for entry in self.log[: self._place(one)])
        return [animals(fact.hand) for fact in facts if isinstance(fact, HonestyShown)]


def animals(cards: Iterable[str]) -> Run:
    return tuple(sorted(card[0] for card in cards))


def secrets_of(log: Sequence[LogEntry]) -> Story:
    return Story(log)


def hands_of(story: Story, seat: int | None) -> set[Run]:
    """Every hand this seat ever held."""
    return (
        {animals(state.hands[seat] or ()) for state in story.states} if seat is not None else set()
    )


def hand_shown(view: View) -> Run:
    """The seat's own cards on its screen."""
    return animals(Controls.of(view).hand)


def search(heard: Iterable[Received], story: Story, seat: int | None) -> Search:
    """Looks for all that the person at `seat` (None: a spectator) must not know."""
    result = Search([])
    ornaments: set[tuple[str, Run]] = set()  # stood there before any card was dealt
    for one in heard:
        state = story.at(one)
        if state is None:
            ornaments |= {(one.what, run) for _, run in runs(one.text)}
            continue
        own = animals(state.hands[seat] or ()) if seat is not None else ()
        wanted = {
            number: animals(hand or ())
            for number, hand in enumerate(state.hands)
            if number != seat and hand and len(hand) >= SEARCHED
        }
        wanted = {number: hand for number, hand in wanted.items() if Counter(hand) - Counter(own)}
        result.looked_for += len(wanted)
        shown = set(story.shown(one))
        result.found += [
            f"{what} in {one.what}: {where}"
            for where, run in _runs(_without_open_cards(one.text))
            if tuple(sorted(run)) not in shown and (one.what, run) not in ornaments
            for what in _said(run, wanted, state)
        ]
    return result


def in_text(text: str, story: Story) -> list[str]:
    """Where a hand or a pile of the game stands in a text that no player reads, such as a log."""
    hands = {
        animals(hand)
        for state in story.states
        for hand in state.hands
        if hand and len(hand) >= SEARCHED
    }
    last = story.states[-1]
    everybody = dict(enumerate(hands))
    return [where for where, run in runs(text) if list(_said(run, everybody, last))]


def _said(run: Run, hands: dict[int, Run], state: State) -> Iterator[str]:
    for number, hand in hands.items():
        size = len(hand)
        if any(tuple(sorted(run[at : at + size])) == hand for at in range(len(run) - size + 1)):
            yield f"the hand {hand} of seat {number}"
    piles = {
        "draw pile": tuple(card[0] for card in (state.pile or ())[:PILE]),
        "Food pile": (state.food or ())[:2],
    }
    for what, pile in piles.items():
        size = len(pile)
        if size >= 2 and any(run[at : at + size] == pile for at in range(len(run) - size + 1)):
            yield f"the {what} {pile}"


# --- every way to write cards down ---------------------------------------------------------------

_NAMES = {
    "E": "elephant éléphant elefante",
    "C": "cat chat gatto gato",
    "M": "mouse souris topo ratón",
}
_ANIMAL = {name: animal for animal, names in _NAMES.items() for name in names.split()}
_SIGNS = {"🐘": "E", "🐈": "C", "🐱": "C", "🐁": "M", "🐭": "M"}
_NAME = "|".join(_ANIMAL)
_INITIAL = f"(?=[{''.join(sorted({name[0] for name in _ANIMAL}))}])"
_CARD = "[ECM][rdsb]?"
_CARDS = frozenset(animal + kind for animal in "ECM" for kind in ("", *"rdsb"))
_BETWEEN = r"[^\w<>]{1,6}"
# A card at the beginning of a word. That no letter stands before it is looked for behind its first
# letter, since an expression that begins with a letter is found sooner.
_FIRST = r"[ECM](?<!\w.)[rdsb]?"
_PATTERNS = {
    "codes": re.compile(rf"{_FIRST}(?:{_BETWEEN}{_CARD}\b){{2,}}"),
    "together": re.compile(rf"{_FIRST}(?:{_CARD}){{2,}}(?!\w)"),
    "words": re.compile(
        rf"\b{_INITIAL}(?:{_NAME})s?\b"
        rf"(?:(?:\s?\([^)<>]{{1,15}}\))?{_BETWEEN}(?:{_NAME})s?\b){{2,}}",
        re.IGNORECASE,
    ),
    "signs": re.compile(rf"[{''.join(_SIGNS)}]{{3,}}"),
    "stakes": re.compile(rf"F(?<!\w.)[01]\d(?:{_BETWEEN}F[01]\d)+"),
}
_TALLY = re.compile(rf"{_FIRST}\W{{1,4}}\d(?:\W{{1,4}}{_CARD}\W{{1,4}}\d)*")
_TALLIED = re.compile(rf"({_CARD})\W{{1,4}}(\d)")
_TOKENS = {
    "codes": re.compile(r"[ECM]"),
    "together": re.compile(r"[ECM]"),
    "words": re.compile(_NAME, re.I),
    "signs": re.compile(r"."),
    "stakes": re.compile(r"F[01]\d"),
}
_PIECE = re.compile(r"<[^>]*>|[^<]+")
_DRAWN = re.compile(r"#card-(elephant|cat|mouse)")
_ATTRIBUTE = re.compile(rf'([\w-]+)="({_CARD})"')
_ENCODED = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{8,}={0,2}")


@cache
def _runs(text: str) -> tuple[tuple[str, Run], ...]:
    """The same frame goes to many sockets."""
    return tuple(runs(text))


def runs(text: str) -> Iterator[tuple[str, Run]]:
    """Every row of cards in a text, whatever it is written in, with where it stands."""
    for plain in {text, unescape(text), unquote(unescape(text)), *_decoded(text)}:
        for kind, pattern in _PATTERNS.items():
            for match in pattern.finditer(plain):
                yield _where(kind, plain, match), _tokens(kind, match[0])
        for match in _TALLY.finditer(plain):
            counted = [
                card[0] for card, count in _TALLIED.findall(match[0]) for _ in range(int(count))
            ]
            yield _where("tally", plain, match), tuple(counted)
        yield from _in_tags(plain)


def _tokens(kind: str, text: str) -> Run:
    found = (token.lower() if kind == "words" else token for token in _TOKENS[kind].findall(text))
    return tuple(_ANIMAL.get(token) or _SIGNS.get(token, token) for token in found)


def _in_tags(text: str) -> Iterator[tuple[str, Run]]:
    """Cards drawn side by side, and codes in tags side by side, with no word between them."""
    rows: dict[str, list[str]] = {}
    for piece in [*_PIECE.findall(text), "the end"]:
        ends = False
        if piece.startswith("<"):
            for animal in _DRAWN.findall(piece):
                rows.setdefault("drawn", []).append(_ANIMAL[animal])
            for name, card in _ATTRIBUTE.findall(piece):
                rows.setdefault(name, []).append(card[0])
        elif piece.strip() in _CARDS:
            rows.setdefault("codes in tags", []).append(piece.strip()[0])
        else:
            ends = bool(piece.strip())
        if ends:
            yield from ((kind, tuple(row)) for kind, row in rows.items())
            rows = {}


def _decoded(text: str) -> Iterator[str]:
    for word in _ENCODED.findall(text):
        bare = word.rstrip("=")
        padded = bare + "=" * (-len(bare) % 4)
        try:
            yield base64.b64decode(padded.replace("-", "+").replace("_", "/")).decode("ascii")
        except (binascii.Error, UnicodeDecodeError):
            continue


def _where(kind: str, text: str, match: re.Match[str]) -> str:
    return f"{kind}: …{text[max(0, match.start() - 40) : match.end() + 10]}…"


# --- every card in its place ---------------------------------------------------------------------

_HELD = re.compile(r'<(fieldset|ul) class="hand".*?</\1>', re.DOTALL)
_OPEN = re.compile(r'<p class="shown-hand">.*?</p>', re.DOTALL)
_DISCARD = re.compile(r'<figure class="discard">.*?</figure>', re.DOTALL)
_ATTRIBUTES = frozenset(
    "alone asks cards chat close count denied digits due earlier focus-first fresh game-keys "
    "game-module keeps-focus keys kind known lasts me min module moment now offline opens order "
    "out phase rule said seat seats seq stays step steals table theme title narration warn when "
    "sounds whole done failed name share verdict choice failure look looking reload session "
    "hides lift for not turn push push-page push-url person waiting tags chances".split()
)
# What a face shows: who looks at whom, and what happened before everybody's eyes.
_FACES = re.compile(r'\bdata-(?:eyes="[0-7]"|mood="(?:calm|sure|caught)")')
_DATA = re.compile(r"\bdata-([\w-]+)")


def _without_open_cards(text: str) -> str:
    """Without the places that the inventory looks at."""
    return _DISCARD.sub("", _OPEN.sub("", _HELD.sub("", text)))


def misplaced(heard: Iterable[Received], story: Story, seat: int | None) -> list[str]:
    """What a screen shows of cards beyond one's own, the top of the discard and shown hands."""
    found: list[str] = []
    for one in heard:
        view, state = one.view, story.at(one)
        if view is None or not view.phase or state is None:
            continue

        def note(what: str, one: Received = one) -> None:
            found.append(f"{what} in {one.what}")

        mine = (state.hands[seat] if seat is not None else None) or ()
        held = Controls.of(view).hand
        if held and tuple(sorted(held)) != tuple(sorted(mine)):
            note(f"held {held}, but dealt were {mine}")
        drawn = [
            _ANIMAL[name] for hand in _HELD.finditer(view.html) for name in _DRAWN.findall(hand[0])
        ]
        if sorted(drawn) != sorted(card[0] for card in held):
            note(f"drawn {drawn}, held {held}")
        for shown in _OPEN.finditer(view.html):
            hand = tuple(sorted(_ANIMAL[name] for name in _DRAWN.findall(shown[0])))
            if hand not in story.shown(one)[-1:]:
                note(f"an open hand {hand} that nobody showed")
        top = [_ANIMAL[n] for pile in _DISCARD.finditer(view.html) for n in _DRAWN.findall(pile[0])]
        if top not in ([], [(state.top or "")[:1]]):
            note(f"{top} on the discard, which is {state.top} at {view.seq}")
        rest = _without_open_cards(view.html)
        for pattern in (_DRAWN, _ATTRIBUTE, re.compile(r"\bF[01]\d\b")):
            for match in pattern.finditer(rest):
                note(f"a card where none belongs: {match[0]}")
        for name in set(_DATA.findall(_FACES.sub("", rest))) - _ATTRIBUTES:
            note(f"data-{name}")
    return found
