"""A site that calls: turned on where it is offered, sent while no page is open, then shown.

The browser's own push service is far away. Its part is played by one on this machine, which reads
what the site sends with the keys that the page gave; what it has read is handed to the browser's
service worker as a push.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.barriers import assert_accessible
from tests.e2e.conftest import served
from tests.e2e.player import Player, wait_for
from tests.support.live_site import LiveSite
from tests.support.push_service import Browser as Subscriber
from tests.support.push_service import PushService, push_service

pytestmark = pytest.mark.e2e

OpenBrowser = Callable[..., Player]
PHONE = {"width": 360, "height": 740}

# A page's view of a push service: a subscription for the key it names, until it is ended.
PUSHES = """
window.pushed = null;
const given = %s;
const made = (options) => ({
  endpoint: given.endpoint,
  options: { applicationServerKey: options.applicationServerKey.buffer, userVisibleOnly: true },
  toJSON: () => ({ endpoint: given.endpoint, keys: { p256dh: given.p256dh, auth: given.auth } }),
  async unsubscribe() { sessionStorage.removeItem("pushed"); pushed = null; return true; },
});
PushManager.prototype.subscribe = async function (options) {
  if (!options.userVisibleOnly) throw new DOMException("silent", "NotAllowedError");
  sessionStorage.setItem("pushed", JSON.stringify([...options.applicationServerKey]));
  return (pushed = made(options));
};
PushManager.prototype.getSubscription = async function () {
  const kept = sessionStorage.getItem("pushed");
  return kept && made({ applicationServerKey: new Uint8Array(JSON.parse(kept)) });
};
"""
SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  const all = await worker.getNotifications();
  return all.map(({ title, body, data, tag }) => [title, body, data, tag]);
}"""
TAGS = """async () => {
  const worker = await navigator.serviceWorker.ready;
  const all = await worker.getNotifications();
  return all.map(({ tag, renotify, body }) => [tag, renotify, body]).sort();
}"""
# What a headless worker may not do is noted instead.
NOTES = """() => {
  self.badges = [];
  self.navigator.setAppBadge = async (count) => badges.push(count);
  self.navigator.clearAppBadge = async () => badges.push(0);
  WindowClient.prototype.focus = async function () { return (self.went = `focus ${this.url}`); };
  Clients.prototype.openWindow = async (url) => (self.went = `open ${url}`);
}"""
CLICK = """async (tag) => {
  self.went = "";
  const [notification] = await registration.getNotifications({ tag });
  dispatchEvent(new NotificationEvent("notificationclick", { notification }));
  while (!went) await new Promise((done) => setTimeout(done, 20));
  return went;
}"""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[PushService]:
    with push_service(tmp_path) as found:
        yield found


@pytest.fixture
def calling_site(prepared_folder: Path, tmp_path: Path, service: PushService) -> Iterator[LiveSite]:
    with served(
        prepared_folder,
        tmp_path / "site",
        PUSH_SERVICES=service.host,
        SSL_CERT_FILE=str(service.certificate),
    ) as site:
        yield site


@pytest.fixture
def phone(
    calling_site: LiveSite,
    service: PushService,
    open_browser: OpenBrowser,
    full_browser: Browser,
) -> Callable[..., tuple[Player, Subscriber]]:
    """A registered person with a phone that may be notified, and its subscription."""

    def come(name: str, **options: Any) -> tuple[Player, Subscriber]:
        player = open_browser(
            calling_site,
            name,
            within=full_browser,
            permissions=["notifications"],
            viewport=PHONE,
            **{"locale": "en"} | options,
        )
        subscriber = service.browser()
        player.page.add_init_script(PUSHES % json.dumps(subscriber.given))
        player.register()
        return player, subscriber

    return come


def deliver(page: Page, text: str) -> None:
    """Hand a push to the service worker of this site, as the browser would."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(50)
    push = {"origin": page.evaluate("location.origin"), "registrationId": found[0], "data": text}
    session.send("ServiceWorker.deliverPushMessage", push)


def test_friends_are_called_to_the_next_game_while_no_page_is_open(
    phone: Callable[..., tuple[Player, Subscriber]], service: PushService
) -> None:
    (ana, _hers), (ben, his) = phone("Ana"), phone("Ben")
    ana.go("/friends")
    ana.page.get_by_role("button", name="Make my link").click()
    link = ana.page.locator("#share").input_value()
    ben.page.goto(link)
    ben.page.get_by_role("button", name="Add Ana").click()
    expect(ben.page.get_by_text("You and Ana are friends.")).to_be_visible()
    offer = ben.page.get_by_role("button", name="Tell me when friends invite me")
    offer.click()
    expect(ben.page.get_by_text("you'll be told in this browser")).to_be_visible()
    expect(offer).to_be_hidden()
    ben.page.reload()
    expect(offer).to_be_hidden()
    ben.page.goto("about:blank")

    ana.go("/friends")
    ana.page.get_by_role("button", name="Invite to a game – Ben").click()
    expect(ana.page.get_by_text("Ben has been invited.")).to_be_visible()
    wait_for(lambda: service.told(his), ana)
    [told] = service.told(his)
    assert told["body"] == "Ana invites you to a table."

    ben.go("/privacy")
    deliver(ben.page, json.dumps(told))
    wait_for(lambda: ben.page.evaluate(SHOWN), ben)
    [[title, body, address, tag]] = ben.page.evaluate(SHOWN)
    assert (title, body, tag) == ("Perudo", told["body"], told["tag"])
    assert address == f"{ben.site}{told['url']}"
    ben.page.goto(address)
    ben.page.get_by_role("button", name="Join Ana's table").click()
    expect(ana.page.locator("#table").get_by_text("Ben").first).to_be_visible()


def test_a_push_that_cannot_be_read_shows_something(
    phone: Callable[..., tuple[Player, Subscriber]],
) -> None:
    ana, _hers = phone("Ana")
    ana.go("/privacy")
    deliver(ana.page, "not JSON")
    wait_for(lambda: ana.page.evaluate(SHOWN), ana)
    assert ana.page.evaluate(SHOWN)[0][2] == f"{ana.site}/"


def push(page: Page, body: str, **told: Any) -> None:
    deliver(page, json.dumps({"title": "Perudo", "body": body} | told))


def test_each_push_is_heard_counts_and_puts_away_what_was_read_elsewhere(
    phone: Callable[..., tuple[Player, Subscriber]],
) -> None:
    ana, _hers = phone("Ana")
    ana.go("/privacy")
    ana.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    [worker] = ana.page.context.service_workers
    worker.evaluate(NOTES)
    table, other, friend = "/games/abc", "/games/xyz", "friend:9"

    def shown() -> list[list[Any]]:
        found: list[list[Any]] = ana.page.evaluate(TAGS)
        return found

    push(ana.page, "one", url=table, tag=table, waiting=1, open=[table])
    wait_for(lambda: shown() == [[table, True, "one"]], ana)
    push(ana.page, "two", url=table, tag=table, waiting=2, open=[table, other])
    wait_for(lambda: shown() == [[table, True, "two"]], ana)
    push(ana.page, "three", url="/daily", tag="question:2026-11-28", waiting=2, open=[table])
    push(ana.page, "four", url="/friends", tag=friend, waiting=1, open=[table, friend])
    wait_for(lambda: [each[0] for each in shown()] == [table, friend], ana)
    push(ana.page, "five", url="/friends", tag=friend, waiting=0, open=[friend])
    wait_for(lambda: shown() == [[friend, True, "five"]], ana)
    assert worker.evaluate("badges") == [1, 2, 2, 1, 0]

    push(ana.page, "six", url="/daily", tag="question:2026-11-29", waiting=0)
    wait_for(lambda: len(shown()) == 2, ana)
    ana.go("/rules")  # nothing of hers is unread; the question is no entry of her inbox
    wait_for(lambda: [each[0] for each in shown()] == ["question:2026-11-29"], ana)


def test_a_press_leads_to_the_page_that_is_open(
    phone: Callable[..., tuple[Player, Subscriber]],
) -> None:
    ana, _hers = phone("Ana")
    ana.go("/rules?from=home#dudo")
    ana.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    [worker] = ana.page.context.service_workers
    worker.evaluate(NOTES)
    for tag, url, where in (
        ("a:1", "/rules", f"focus {ana.site}/rules?from=home#dudo"),
        ("a:2", "/privacy", f"open {ana.site}/privacy"),
    ):
        push(ana.page, "look", url=url, tag=tag)
        wait_for(lambda tag=tag: tag in str(ana.page.evaluate(TAGS)), ana)  # type: ignore[misc]
        assert worker.evaluate(CLICK, tag) == where


def test_a_renewed_address_reaches_the_site_while_no_page_is_open(
    phone: Callable[..., tuple[Player, Subscriber]], service: PushService
) -> None:
    (ana, _hers), (ben, _his) = phone("Ana"), phone("Ben")
    ben.go("/notifications")
    ben.page.get_by_role("button", name="Turn on in this").click()
    expect(ben.page.get_by_text("you'll be told in this browser")).to_be_visible()
    [worker] = ben.page.context.service_workers
    renewed = service.browser()
    worker.evaluate(
        """(given) => {
          const { endpoint, ...keys } = given;
          PushManager.prototype.subscribe = async () => ({ toJSON: () => ({ endpoint, keys }) });
          dispatchEvent(new ExtendableEvent("pushsubscriptionchange"));
        }""",
        renewed.given,
    )
    ben.page.wait_for_timeout(1000)
    ana.post("/friends/act", do="ask", whom="Ben")
    wait_for(lambda: service.told(renewed), ana)
    assert [each.path for each in service.taken] == [service.path_of(renewed)]


def test_a_browser_that_blocks_the_script_of_pushes_notifies_all_the_same(
    phone: Callable[..., tuple[Player, Subscriber]],
) -> None:
    ana, _hers = phone("Ana")
    ana.page.context.route("**/push*.js", lambda route: route.abort())
    with ana.expecting_errors():
        ana.open_table()
        bell = ana.page.get_by_role("button", name="Notify me when it's my turn")
        bell.click()
        expect(bell).to_have_attribute("aria-pressed", "true")
        ana.post("/play", game="perudo")
        ana.go("/rules")
        strip = ana.page.locator("#search")
        expect(strip.get_by_role("button", name="Stop looking")).to_be_visible()
        expect(strip.locator("[data-invite]")).not_to_have_attribute("hidden", "")


def test_what_was_turned_off_elsewhere_is_off_here_and_stays_so(
    phone: Callable[..., tuple[Player, Subscriber]], service: PushService
) -> None:
    ana, _hers = phone("Ana")
    ana.go("/notifications")
    on = ana.page.get_by_role("button", name="Turn on in this")
    on.click()
    expect(on).to_be_hidden()
    for page in ("/notifications", "/rules"):
        ana.page.evaluate("localStorage.removeItem('table-push-sent')")  # a day has passed
        ana.post("/notifications/browser", do="all-off")  # as another device does
        with ana.expecting_errors():  # the answer 410 is one to the browser's console
            ana.go(page)
            wait_for(lambda: not ana.page.evaluate("localStorage.getItem('table-push')"), ana)
        ana.go("/notifications")
        expect(ana.page.get_by_text("Not on in any browser of yours yet.")).to_be_visible()
        on.click()
        expect(on).to_be_hidden()


def test_a_zone_is_proposed_chosen_and_asked_about(
    phone: Callable[..., tuple[Player, Subscriber]],
) -> None:
    ana, hers = phone("Ana", timezone_id="Asia/Calcutta")
    ana.go("/notifications")
    zone = ana.page.get_by_label("My time zone")
    expect(zone).to_have_value("Asia/Kolkata")
    ana.page.get_by_label("Nothing from").select_option("22")
    ana.page.get_by_label("until", exact=True).select_option("8")
    zone.select_option("America/Lima")
    expect(ana.page.get_by_text("Your browser's time zone:")).to_be_visible()
    ana.page.get_by_role("button", name="Save").click()
    expect(ana.page.get_by_text("Saved.")).to_be_visible()
    expect(zone).to_have_value("America/Lima")
    expect(ana.page.locator("[data-zone-of-browser]")).to_contain_text("Kolkata (UTC+5:30)")

    ana.page.get_by_role("button", name="Turn on in this").click()
    expect(ana.page.get_by_text("you'll be told in this browser")).to_be_visible()
    ana.page.evaluate("localStorage.removeItem('table-push-sent')")  # the next day
    ana.go("/rules")
    asked = ana.page.get_by_role("link", name="You're in another time zone.")
    expect(asked).to_contain_text("by the clock in Lima: change that to Kolkata?")
    asked.click()
    ana.page.get_by_role("button", name="Use this one").click()
    ana.page.get_by_role("button", name="Save").click()
    expect(zone).to_have_value("Asia/Kolkata")
    expect(ana.page.get_by_text("Your browser's time zone:")).to_be_hidden()
    assert hers.endpoint


def test_turned_on_and_off_on_its_page(
    phone: Callable[..., tuple[Player, Subscriber]], service: PushService
) -> None:
    ana, hers = phone("Ana", timezone_id="America/Lima")
    ana.go("/account")
    ana.page.get_by_role("link", name="Notifications").click()
    on, off = (
        ana.page.get_by_role("button", name=f"Turn {each} in this") for each in ("on", "off")
    )
    expect(off).to_be_hidden()
    on.click()
    expect(ana.page.get_by_text("you'll be told in this browser")).to_be_visible()
    expect(on).to_be_hidden()
    ana.page.reload()
    expect(ana.page.get_by_text("On in 1 browser of yours.")).to_be_visible()
    expect(ana.page.get_by_label("My time zone")).to_have_value("America/Lima")
    expect(ana.page.get_by_label("It's my turn")).to_be_checked()
    expect(ana.page.get_by_label("The question of the day")).not_to_be_checked()
    ana.page.get_by_label("Nothing from").select_option("22")
    with ana.expecting_errors():
        ana.page.get_by_role("button", name="Save").click()
        expect(ana.page.get_by_text("Choose both hours, or neither.")).to_be_visible()
    ana.page.get_by_label("until", exact=True).select_option("8")
    ana.page.get_by_role("button", name="Save").click()
    expect(ana.page.get_by_text("Saved.")).to_be_visible()
    off.click()
    expect(ana.page.get_by_text("nothing more is sent to this browser")).to_be_visible()
    expect(on).to_be_visible()
    ana.page.reload()
    expect(ana.page.get_by_text("Not on in any browser of yours yet.")).to_be_visible()
    assert hers.endpoint


def test_a_push_service_that_the_site_does_not_know_is_refused_in_words(
    calling_site: LiveSite, open_browser: OpenBrowser, full_browser: Browser
) -> None:
    ana = open_browser(
        calling_site, "Ana", within=full_browser, permissions=["notifications"], locale="en"
    )
    stranger = Subscriber("https://elsewhere.example/push/1")
    ana.page.add_init_script(PUSHES % json.dumps(stranger.given))
    ana.register()
    ana.go("/notifications")
    with ana.expecting_errors():
        ana.page.get_by_role("button", name="Turn on in this").click()
        expect(ana.page.get_by_text("we don't know its push service")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_stands_in_anybodys_way(
    phone: Callable[..., tuple[Player, Subscriber]], language: str
) -> None:
    ana, _hers = phone(f"Ana{language}", locale=language)
    ana.go("/notifications")
    assert_accessible(ana, widths=(320, 740, 1280))
