"""Two friends on two phones: they find each other, see each other, and meet at a table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.keyboard import press
from tests.e2e.player import Player
from tests.e2e.test_rematch import gather
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
PHONE = {"width": 360, "height": 740}
SMALL = {"viewport": {"width": 320, "height": 568}, "has_touch": True, "is_mobile": True}


def friend_link(player: Player) -> str:
    player.go("/friends")
    player.page.get_by_role("button", name="Make my link").click()
    return player.page.locator("#share").input_value()


def test_a_link_an_invitation_and_a_table(own_site: LiveSite, open_browser: OpenBrowser) -> None:
    ana = open_browser(own_site, "Ana", viewport=PHONE, locale="en")
    ben = open_browser(own_site, "Ben", viewport=PHONE, locale="en")
    ana.register()
    link = friend_link(ana)
    ben.register()
    ben.page.goto(link)
    ben.page.get_by_role("button", name="Add Ana").click()
    expect(ben.page.get_by_text("You and Ana are friends.")).to_be_visible()
    # Ana's page, wherever she is, says so by itself.
    expect(ana.page.locator(".news a")).to_have_text("You and Ben are friends.")
    ben.go("/")
    ana.go("/friends")
    while not ana.page.get_by_text("here now").count():  # it is written every few seconds
        ana.page.wait_for_timeout(500)
        ana.page.reload()
    ana.page.get_by_role("button", name="Invite to a game – Ben").click()
    expect(ana.page.get_by_text("Ben has been invited.")).to_be_visible()
    news = ben.page.locator(".news a")
    expect(news).to_have_text("Ana invites you to a table.")
    news.click()
    ben.page.get_by_role("button", name="Join Ana's table").click()
    expect(ana.page.locator("#table").get_by_text("Ben").first).to_be_visible()


def test_asked_by_name_and_answered_by_keyboard(
    own_site: LiveSite, open_browser: OpenBrowser
) -> None:
    ana, ben = (open_browser(own_site, name, locale="en") for name in ("Carla", "Dino"))
    ana.register()
    ben.register()
    ana.go("/friends")
    ana.page.get_by_label("Name", exact=True).fill("dino")
    ana.page.keyboard.press("Enter")
    press(ana.page, ana.page.get_by_role("button", name="Add as a friend – Dino"))
    expect(ana.page.get_by_text("Dino has been asked.")).to_be_visible()
    ben.go("/friends")
    press(ben.page, ben.page.get_by_role("button", name="Accept – Carla"))
    expect(ben.page.get_by_text("You and Carla are friends.")).to_be_visible()
    press(ben.page, ben.page.get_by_role("button", name="Remove – Carla"))
    expect(ben.page.get_by_text("They aren't told.")).to_be_visible()
    ana.page.reload()
    expect(ana.page.get_by_role("button", name="Invite to a game")).to_have_count(0)


def test_after_a_game_one_adds_the_other_who_accepts(
    own_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """On two phones: from the end screen, to the badge of the page that the other is on."""
    ana, ben = (open_browser(own_site, name, locale="en", **SMALL) for name in ("Ana", "Ben"))
    table = gather(ana, ben, seats=2)
    at_a_seat = ben.page.locator("#table .seat-name a", has_text="Ana")
    at_a_seat.click()  # while the game runs: the way to her page, and back
    expect(ben.page.get_by_role("button", name="Add as a friend – Ana")).to_be_visible()
    ben.go(table)
    expect(ben.page.get_by_role("button", name="Add friends")).to_have_count(0)
    ana.post(f"{table}/move", do="leave", seen=str(ana.seq))
    ben.wait_for_phase("over")
    press(ben.page, ben.page.get_by_role("button", name="Add friends"))
    assert_accessible(ben)
    press(ben.page, ben.page.get_by_role("button", name="Add Ana"))
    said = ben.page.locator("#ask-says")
    expect(said).to_have_text("Ana has been asked.")
    expect(said).to_be_in_viewport(ratio=1)
    expect(ben.page.get_by_role("button", name="Add Ana")).to_have_count(0)
    assert ben.page.evaluate("document.activeElement.closest('#strangers') !== null")
    news = ana.page.locator(".news a")
    expect(news).to_have_text("Ben wants to be friends.")
    news.click()
    ana.page.get_by_role("button", name="Accept – Ben").click()
    expect(ana.page.get_by_text("You and Ben are friends.")).to_be_visible()
    expect(ben.page.locator(".news a")).to_have_text("You and Ana are friends.")
    ben.page.reload()
    expect(ben.page.get_by_role("button", name="Add friends")).to_have_count(0)


def test_a_friend_is_invited_from_the_table_that_waits(
    own_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """With one press in a list that is read when it is opened."""
    ana, ben = (open_browser(own_site, name, locale="en", **SMALL) for name in ("Ana", "Ben"))
    ana.register()
    ben.register()
    table = ana.open_table(seats=3)
    opener = ana.page.get_by_role("button", name="Invite a friend")
    opener.click()
    expect(ana.page.locator("#to-invite-list").get_by_role("link")).to_have_text("Friends")
    ana.page.keyboard.press("Escape")
    ana.post("/friends/act", do="ask", whom="Ben")
    ben.post("/friends/act", do="ask", whom="Ana")
    ben.go("/")
    opener.click()
    expect(ana.page.locator("#to-invite-list li")).to_contain_text("Ben")
    while not ana.page.locator("#to-invite-list").get_by_text("here now").count():
        ana.page.wait_for_timeout(500)  # it is written every few seconds
        ana.page.keyboard.press("Escape")
        opener.click()
    assert_accessible(ana)
    ana.page.get_by_role("button", name="Invite – Ben").click()
    expect(ana.page.locator("#invite-says")).to_contain_text("Ben has been invited.")
    expect(ana.page.locator("#to-invite-list").get_by_text("Invited")).to_be_visible()
    ben.page.locator(".news a", has_text="Ana invites you to a table.").click()
    ben.page.get_by_role("button", name="Join Ana's table").click()
    expect(ana.page.locator('#table a[href$="/players/Ben"]')).to_be_attached()
    assert table in ben.page.url


def test_of_two_who_are_invited_to_one_seat_the_second_reads_that_it_has_begun(
    own_site: LiveSite, open_browser: OpenBrowser
) -> None:
    """On three phones; and who is blocked is not told of a later invitation."""
    ana, ben, cleo = (
        open_browser(own_site, name, locale="en", **SMALL) for name in ("Ana", "Ben", "Cleo")
    )
    for each in (ana, ben, cleo):
        each.register()
    for each in (ben, cleo):
        ana.post("/friends/act", do="ask", whom=each.name)
        each.post("/friends/act", do="accept", whom="Ana")
        each.go("/rules")
    ana.open_table(seats=2)
    for each in (ben, cleo):
        ana.post("/friends/act", do="invite", whom=each.name)
        expect(each.page.locator(".news a")).to_have_text("Ana invites you to a table.")
    cleo.page.locator(".news a").click()
    cleo.page.get_by_role("button", name="Join Ana's table").click()
    expect(ana.page.locator('#table a[href$="/players/Cleo"]')).to_be_attached()
    ana.button("Start the game").click()
    ana.wait_for_phase("turn")
    ben.go("/inbox")
    begun = ben.page.locator("main").get_by_text("The game that Ana invited you to has begun.")
    expect(begun).to_be_visible()

    ben.post("/players/Ana/mute", do="block")
    ana.go("/friends")
    expect(ana.page.get_by_role("link", name="Cleo", exact=True)).to_be_visible()
    expect(ana.page.get_by_role("button", name="Invite to a game – Ben")).to_have_count(0)
    ana.post("/friends/act", do="ask", whom="Ben")
    ben.go("/")
    assert ben.page.locator(".news").count() == 0
    ben.go("/friends")
    expect(ben.page.get_by_text("Ana", exact=True)).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_stands_in_anybodys_way(
    shared_site: LiveSite, open_browser: OpenBrowser, language: str
) -> None:
    ana = open_browser(shared_site, f"Amica{language}", locale=language)
    ana.register()
    ana.go("/friends")
    ana.page.locator("main button[value=renew]").click()
    assert_accessible(ana, widths=(320, 740, 1280))
    link = ana.page.locator("#share").input_value()
    visitor = open_browser(shared_site, locale=language)
    visitor.page.goto(link)
    assert_accessible(visitor, widths=(320, 1280))
