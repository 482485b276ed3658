"""Compressed pages and frames: which answers are compressed, and what their length tells."""

from __future__ import annotations

import gzip
import re
import statistics
import zlib
from collections.abc import Iterator, Sequence

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from accounts.models import User
from games.models import ChatMessage, Game
from games.social.chat import talk
from games.table import frames
from games.table.frames import Frame
from perudo_site.compression import PageCompression
from tests.support.autopilot import seeded
from tests.support.fixtures import signed_in
from tests.support.game_driver import bid, deal_game
from tests.support.packed_frames import lengths, needed_to_tell

pytestmark = pytest.mark.django_db
HAND = (1, 3, 4, 4, 6)
NAMES = {1: "paco", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
GZIP = {"Accept-Encoding": "gzip, deflate, br"}


def table(alice: User, bob: User) -> tuple[str, Client]:
    game = deal_game(alice, bob, hands=(HAND, (2, 2, 3, 5, 5))).game
    return game.code, signed_in(alice)


def test_a_page_is_compressed_for_who_reads_that(alice: User, bob: User) -> None:
    code, client = table(alice, bob)
    page = reverse("games:table", args=[code])
    plain, packed = client.get(page), client.get(page, headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert b'id="own"' in gzip.decompress(packed.content)
    assert len(packed.content) < 0.4 * len(plain.content)


def test_pictures_looks_and_short_answers_are_not(alice: User, bob: User) -> None:
    code, client = table(alice, bob)
    addresses = [
        reverse("look-at-table", args=[code]),
        reverse("look-at-board", args=[code]),
        reverse("look-at-lobby"),
        f"/games/{code}/preview.png",
        "/healthz",
    ]
    for address in addresses:
        answer = client.get(address, headers=GZIP)
        assert answer.status_code in (200, 304, 404), address
        assert "Content-Encoding" not in answer.headers or "image" not in answer["Content-Type"]
        if "now" in address:
            assert "Content-Encoding" not in answer.headers, address


def test_the_length_of_a_page_tells_no_hand_within_a_round(alice: User, bob: User) -> None:
    """An opponent writes a hand into the chat, as the page has it, and somebody on the line sees
    how long the page of the victim is then.

    So many pages would have to be seen, of the same hand and chat, to tell a right guess from a
    wrong one with 95 % certainty. A person opens a handful in a round.
    """
    code, client = table(alice, bob)
    game = Game.objects.get(code=code)

    def length(hand: Sequence[int]) -> int:
        """Of the page while the chat has this guess, without the random bytes."""
        ChatMessage.objects.all().delete()
        talk.say(game, bob, phrase="", text=label(hand), now=timezone.now())
        page = client.get(reverse("games:table", args=[code])).content
        assert page.count(label(hand).encode()) == 1 + (hand == HAND), "it is said, and held"
        return len(zlib.compress(re.sub(rb'value="[\w]{64}"', b"", page), level=6))

    wrong = [(1, 2, 3, 5, 6), (2, 2, 4, 5, 6), (1, 1, 3, 4, 5), (3, 3, 4, 6, 6), (1, 2, 4, 4, 5)]
    gap = statistics.median(map(length, wrong)) - length(HAND)
    assert gap > 0, "the guess is longer than the hand that is there already"
    spread = PageCompression.max_random_bytes / 12**0.5  # of what is evenly spread
    needed = 2 * (1.96 * spread / gap) ** 2
    assert needed > 300, (gap, needed)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_length_of_a_frame_tells_no_hand(alice: User, bob: User, language: str) -> None:
    """A new hand, one's turn and that of others; whoever sees the line knows all but the hand.

    The table takes the same for all hands. One's own takes some bytes more or less, and is filled
    up by a random number: so many frames of the same hand would have to be seen. It comes once:
    the frames after that refer to it.
    """
    chance = seeded(7)
    hands = {tuple(sorted(chance.choices(range(1, 7), k=5))) for _ in range(40)}
    hands |= {(face,) * 5 for face in range(1, 7)}
    with translation.override(language):
        seen = [list(lengths(list(frames_with(alice, bob, hand)))) for hand in hands]
    for moment in zip(*seen, strict=True):
        tables, own = zip(*moment, strict=True)
        assert len(set(tables)) == 1
        assert needed_to_tell(own) > 50


def frames_with(alice: User, bob: User, hand: Sequence[int]) -> Iterator[Frame]:
    """Of somebody with this hand, who opens and is outbid; all of one game."""
    driver = deal_game(alice, bob, hands=(hand, (2, 2, 3, 5, 5)))
    for mover, said in ((None, ""), (0, "1x6"), (1, "2x6"), (0, "1xP")):
        if mover is not None:
            driver.move(mover, bid(said))
        frame = frames.frame(driver.game, 0, user=alice)
        yield Frame(*(p.replace(driver.code, "x" * 10) for p in (frame.shared, frame.own)))
    driver.game.delete()


def label(hand: Sequence[int]) -> str:
    """The words for one's own dice, as a screen reader reads them."""
    return f"Your dice: {', '.join(NAMES[face] for face in hand)}."
