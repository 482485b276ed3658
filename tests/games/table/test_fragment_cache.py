"""The fragment cache: one rendering for the same template, language and values."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from django.template import Context, Template
from django.utils import translation

from accounts.models import User
from games.perudo.shown import Controls, MadeBid
from games.table import fragment_cache, frames
from tests.support.game_driver import bid, deal_game

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))


def test_the_same_values_are_rendered_once() -> None:
    first = fragment_cache.rendered("perudo/_die.html", {"face": 2})
    assert fragment_cache.rendered("perudo/_die.html", {"face": 2}) is first
    assert fragment_cache.rendered("perudo/_die.html", {"face": 3}) != first


def test_each_language_has_its_own() -> None:
    with translation.override("fr"):
        french = fragment_cache.rendered("perudo/_die.html", {"face": 2})
    with translation.override("en"):
        assert fragment_cache.rendered("perudo/_die.html", {"face": 2}) != french


def test_a_name_that_is_markup_stays_words() -> None:
    said = {"seat": 0, "name": "<b>bold</b>", "quantity": 1, "face": 2}
    assert "&lt;b&gt;bold" in fragment_cache.rendered("perudo/_said_bid.html", {"b": said})


@dataclass(frozen=True)
class Shown:
    face: int
    hidden: int = field(default=0, repr=False)


@dataclass
class Changing:
    face: int


@pytest.mark.parametrize("value", [object(), Shown(2), Changing(2), [object()], {"die": Shown(2)}])
def test_a_part_is_given_only_what_its_key_tells_apart(value: object) -> None:
    template = Template('{% load games %}{% part "perudo/_die.html" face=face %}')
    assert "<svg" in template.render(Context({"face": 2}))
    with pytest.raises(TypeError, match=r"perudo/_die\.html: face is .*not plain"):
        template.render(Context({"face": value}))


def test_a_part_is_given_the_fields_of_what_it_shows() -> None:
    template = Template('{% load games %}{% part "perudo/_said_bid.html" b=b %}')
    made = MadeBid(quantity=1, face=2, seat=0, name="Ana")
    assert "Ana" in template.render(Context({"b": made}))
    controls = Template('{% load games %}{% part "perudo/_controls.html" controls %}')
    assert "dudo" in controls.render(Context({"controls": Controls(can_dudo=True)}))
    assert "dudo" not in controls.render(Context({"controls": Controls()}))


def test_the_cache_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fragment_cache._fragments, "most", 3)
    for face in range(1, 7):
        fragment_cache.rendered("perudo/_die.html", {"face": face})
    assert len(fragment_cache._fragments) == 3


def test_who_waits_is_shown_the_newest_number_though_nothing_else_changed(
    alice: User, bob: User, charlie: User
) -> None:
    driver = deal_game(alice, bob, charlie, "steady", hands=(*HANDS, HANDS[0]))
    driver.move(0, bid("2x2"))
    shown = []
    for speaker, said in ((1, "2x3"), (2, "2x4")):
        driver.move(speaker, bid(said))
        own = frames.own(driver.game, 0, user=alice)
        shown.append((driver.game.seq, own.partition("<fieldset")[0]))  # not what may be bid next
    (early, before), (late, after) = shown
    assert f'name="seen" value="{late}"' in after
    assert before.replace(str(early), str(late)) == after


def test_two_seats_with_the_same_hand_share_nothing_but_what_is_the_same(
    alice: User, bob: User
) -> None:
    game = deal_game(alice, bob, hands=(HANDS[0], HANDS[0])).game
    assert 'data-seat="0"' in frames.own(game, 0, user=alice)
    assert 'data-seat="1"' in frames.own(game, 1, user=bob)
