"""The page of all dice: one's own and everybody's, beside what is expected, in four languages."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from games.core.chance import SeededChance
from games.core.contract import Draw
from games.models import SiteTally, Tally
from tests.support import fast_games
from tests.support.fast_games import finished_game, played_game
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db

PAGE = "/rules/perudo/fair"
EVEN = {1: 205, 2: 207, 3: 200, 4: 214, 5: 195, 6: 219}
LOADED = {1: 160, 2: 170, 3: 165, 4: 165, 5: 160, 6: 420}
UNLUCKY = {1: 240, 2: 180, 3: 210, 4: 200, 5: 225, 6: 185}  # one in twenty, not in a hundred
GENTLY_LOADED = {1: 180, 2: 170, 3: 210, 4: 210, 5: 210, 6: 260}  # one in a thousand


def thrown(counts: dict[int, int]) -> dict[str, int]:
    return {f"thrown_{face}": times for face, times in counts.items()}


def throw(person: User | None, counts: dict[int, int], *, site: dict[int, int] = EVEN) -> None:
    """So many faces of this person, and twice so many of the site."""
    if person is not None:
        Tally.objects.add("perudo", {person.pk: thrown(counts)})
    for part in (1, 2):
        SiteTally.objects.add("perudo", thrown(site), part=part)


def text(client: Client, path: str = PAGE, language: str = "en") -> str:
    answer = client.get(path, headers={"Accept-Language": language})
    assert answer.status_code == 200
    page = re.sub(r"<svg.*?</svg>|<[^>]+>", " ", answer.content.decode(), flags=re.S)
    return " ".join(page.replace("&#x27;", "'").split())


def sections(client: Client, language: str = "en") -> tuple[str, str]:
    """What the page says of one's own dice and of everybody's."""
    html = client.get(PAGE, headers={"Accept-Language": language}).content.decode()
    own, site = re.findall(r"<section>\s*<h2 id.*?</section>", html, flags=re.S)
    return own, site


def test_the_page_has_every_face_with_its_number_share_and_difference(alice: User) -> None:
    throw(alice, EVEN)
    own, site = sections(signed_in(alice))
    for html, times in ((own, 1), (site, 2)):
        rows = re.findall(r"<tr>.*?</tr>", html, flags=re.S)
        assert len(rows) == 8
        for (face, count), row in zip(EVEN.items(), rows[1:7], strict=True):
            assert f"dice.svg#die-{face}" in re.sub(r"\.[0-9a-f]{12}\.svg", ".svg", row)
            assert 'scope="row"' in row and 'role="img"' in row
            assert f"<td>{count * times:,}</td>" in row
        assert "16.7%" in rows[7]
    assert "With 1,240 dice, each face is expected 207 times." in text(signed_in(alice))
    assert "luck keeps a face within 26 of that" in text(signed_in(alice))
    assert "With 2,480 dice" in text(Client())


VERDICTS = {
    "even": "Your dice are as even as luck makes them.",
    "unlucky": "in 19 of 20 cases. Luck does that to one player in 20, so among many",
    "gently": "less even than fair dice are in 999 of 1,000 cases.",
    "loaded": "less even than fair dice are in 999,999 of 1,000,000 cases. That is hardly luck.",
    "too_even": "more even than fair dice are in 999 of 1,000 cases.",
    "early": "It's too early to tell: that takes at least 120 dice.",
}
DICE = {
    "even": EVEN,
    "unlucky": UNLUCKY,
    "gently": GENTLY_LOADED,
    "loaded": LOADED,
    "too_even": dict.fromkeys(EVEN, 200),
    "early": dict.fromkeys(EVEN, 2),
}


@pytest.mark.parametrize("what", VERDICTS)
def test_what_is_said_of_ones_own_dice(alice: User, what: str) -> None:
    throw(alice, DICE[what])
    page = text(signed_in(alice))
    assert VERDICTS[what] in page
    assert "All dice together are as even as luck makes them." in page


@pytest.mark.parametrize("what", VERDICTS)
def test_every_verdict_has_its_words_in_every_language(alice: User, what: str) -> None:
    throw(alice, DICE[what], site=DICE[what])
    pages = {language: sections(signed_in(alice), language) for language, _ in settings.LANGUAGES}
    for number in (0, 1):
        said = {re.sub(r"\s+", " ", each[number]) for each in pages.values()}
        bold = {re.findall(r'class="fair-verdict">(.*?)</p>', each)[0] for each in said}
        assert len(bold) == len(settings.LANGUAGES)


def test_a_site_whose_dice_are_loaded_is_named(alice: User) -> None:
    throw(alice, EVEN, site=LOADED)
    page = text(Client())
    assert "All dice together are less even than fair dice are in 999,999 of 1,000,000" in page
    assert "something seems to be wrong with them" in page


def test_numbers_have_the_form_of_the_readers_region(alice: User) -> None:
    throw(alice, EVEN)
    page = text(signed_in(alice), language="fr")
    assert "Avec 1\u202f240 dés" in page.replace("\xa0", "\u202f") or "Avec 1 240 dés" in page
    assert "Con 1.240 dadi" in text(signed_in(alice), language="it")
    assert "16,7" in text(signed_in(alice), language="it")


class Loaded(SeededChance):
    """Sixes as often as two other faces."""

    def dice(self, count: int, at: Draw | None = None) -> tuple[int, ...]:
        thrown = self._generator.choices(range(1, 8), k=count)
        return tuple(min(face, 6) for face in thrown)


@pytest.mark.slow
@pytest.mark.parametrize("loaded", [True, False])
def test_a_loaded_die_of_the_server_is_named_and_a_fair_one_is_not(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, loaded: bool
) -> None:
    if loaded:
        monkeypatch.setattr(fast_games, "SeededChance", Loaded)
    for seed in (1, 2):
        played_game(alice, bob, "steady", "steady", seed=seed)
    page = text(Client())
    assert ("All dice together are less even than fair dice are in" in page) == loaded
    assert ("All dice together are as even as luck makes them." in page) != loaded


def test_a_visitor_reads_of_everybodys_dice_and_a_newcomer_too(alice: User) -> None:
    assert "Nobody has finished a game yet." in text(Client())
    throw(None, {})
    for client in (Client(), signed_in(alice)):
        page = text(client)
        assert "Finish a game, and your own dice will be here." in page
        assert "All dice together are as even as luck makes them." in page


def test_a_guest_has_their_own_dice() -> None:
    guest = User.objects.create_user("Wanderer", is_guest=True)
    throw(guest, EVEN)
    assert VERDICTS["even"] in text(signed_in(guest))


def test_a_game_without_such_a_count_has_no_page(client: Client) -> None:
    for key in ("peco_peco", "unheard-of"):
        assert client.get(f"/rules/{key}/fair").status_code == 404


def test_the_page_is_found_where_doubt_arises(alice: User, bob: User) -> None:
    """From one's own profile, the rules and the replay; nobody else's profile leads to it."""
    game = finished_game(alice, bob)
    link = f'href="{PAGE}"'

    def has_link(client: Client, path: str) -> bool:
        return link in client.get(path).content.decode()

    assert has_link(Client(), "/rules/perudo") and has_link(Client(), f"/games/{game.code}/replay")
    assert has_link(signed_in(alice), "/players/alice")
    assert not has_link(signed_in(bob), "/players/alice")
    assert not has_link(Client(), "/players/alice")
