"""Web push: who may be sent what, what is sent, and what becomes of it at the push service."""

from __future__ import annotations

import gc
import json
import re
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import lifecycle
from accounts.models import User
from games.errors import Refused
from games.models import DailyRound, PushChoice, PushMessage, PushSubscription, Search
from games.notify import posting, sending, to_many
from games.play import before_start
from games.social.chat import talk as chat
from games.social.friends import invitations
from games.social.friends import ties as friends
from games.social.inbox import entries as inbox
from games.social.inbox import kinds, turns
from games.social.push import addresses, outbox, quiet, site_key, subscriptions
from games.social.push.switches import SWITCHES
from games.study.questions import choosing
from perudo_site import data_export, deletion
from tests.support.fast_games import open_table
from tests.support.fixtures import PASSWORD, signed_in
from tests.support.game_driver import bid, deal_game
from tests.support.players import wait_for
from tests.support.push_service import Browser, PushService, push_service

pytestmark = pytest.mark.django_db(transaction=True)
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
MINUTE = timedelta(minutes=1)


@pytest.fixture
def service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: object
) -> Iterator[PushService]:
    with push_service(tmp_path) as found:
        monkeypatch.setenv("SSL_CERT_FILE", str(found.certificate))
        monkeypatch.setattr("django.conf.settings.PUSH_SERVICES", [found.host])
        sending.forget_outages()
        yield found


@pytest.fixture
def now() -> datetime:
    return timezone.now()


def with_browser(
    person: User, service: PushService, *, wants: tuple[str, ...] = SWITCHES, holder: str = ""
) -> Browser:
    browser = service.browser()
    subscriptions.subscribe(
        person,
        browser.given,
        language="en",
        device="d",
        holder=holder,
        now=timezone.now(),
    )
    subscriptions.want(person, wants, zone="")
    return browser


def befriended(one: User, other: User) -> None:
    friends.ask(one, other, now=timezone.now())
    friends.accept(other, one, now=timezone.now())


def send(now: datetime | None = None) -> None:
    assert sending.run(now or timezone.now(), 5.0) is False


def bodies(service: PushService, browser: Browser) -> list[str]:
    return [each["body"] for each in service.told(browser)]


# --- what is sent --------------------------------------------------------------------------------


def test_who_is_asked_to_be_friends_is_told_in_their_browser(
    service: PushService, alice: User, bob: User
) -> None:
    browser = with_browser(bob, service)
    friends.ask(alice, bob, now=timezone.now())
    assert service.taken == [], "nothing is sent inside the request"
    send()
    [told] = service.told(browser)
    assert told == {
        "title": "Perudo",
        "body": "alice wants to be friends.",
        "url": "/friends",
        "tag": f"friend:{alice.pk}",
        "waiting": 0,
        "open": [f"friend:{alice.pk}"],
    }
    assert int(service.taken[0].headers["ttl"]) in range(86_300, 86_401)
    assert not PushMessage.objects.exists()
    send()
    assert len(service.taken) == 1


def test_an_invitation_is_told_while_the_table_waits(
    service: PushService, alice: User, bob: User
) -> None:
    befriended(alice, bob)
    browser = with_browser(bob, service)
    settings = before_start.quick_settings("perudo", bots=3)
    game = before_start.open_game(alice, settings, holder="", now=timezone.now())
    invitations.invite(alice, bob, game, now=timezone.now())
    send()
    [told] = service.told(browser)
    assert told["body"] == "alice invites you to a table."
    assert told["url"] == reverse("games:table", args=[game.code])
    assert int(service.taken[0].headers["ttl"]) <= 3600
    assert service.taken[0].headers["urgency"] == "high"


def test_a_turn_is_told_until_its_time_is_up_and_to_nobody_who_sees_it(
    service: PushService, alice: User, bob: User
) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    browser = with_browser(alice, service)
    turns.settle([driver.code], now=driver.now)
    message = PushMessage.objects.get()
    assert message.expires_at == driver.game.turn_ends_at
    # She looks at the table before it is sent.
    turns.seen(driver.code, alice.pk)
    send(driver.now)
    assert service.taken == []
    assert not PushMessage.objects.exists()
    driver.move(0, bid("2x3"))
    driver.move(1, bid("3x3"))
    turns.settle([driver.code], now=driver.now)
    send(driver.now)
    [told] = service.told(browser)
    assert told["body"] in ("It's your turn at your table.", "It's your turn at bob's table.")
    assert told["tag"] == told["url"] == reverse("games:table", args=[driver.code])
    assert told["waiting"] == 1
    assert int(service.taken[0].headers["ttl"]) <= 60


def test_a_push_tells_nothing_of_hands_also_by_its_length(
    service: PushService, alice: User, bob: User
) -> None:
    browser = with_browser(alice, service)
    told, lengths = [], set()
    for hands in (HANDS, ((1, 1, 1, 1, 1), (6, 6, 6, 6, 6))):
        driver = deal_game(alice, bob, hands=hands)
        turns.settle([driver.code], now=driver.now)
        send(driver.now)
        *_before, last = service.told(browser)
        told.append({**last, "url": "", "tag": "", "open": []})
        lengths.add(len(service.taken[-1].body))
        inbox.withdraw(kinds.TURN, driver.code, users=[alice.pk])
    assert told[0] == told[1]
    assert len(lengths) == 1, "codes of games have one length"


def test_yesterdays_turn_is_never_sent(service: PushService, alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    with_browser(alice, service)
    turns.settle([driver.code], now=driver.now)
    send(driver.now + timedelta(days=1))
    assert service.taken == []
    assert not PushMessage.objects.exists()


def test_what_is_told_again_of_the_same_thing_takes_the_place_of_the_first(
    service: PushService, alice: User, bob: User, now: datetime
) -> None:
    browser = with_browser(bob, service)
    for _again in range(3):
        inbox.put(bob.pk, kinds.FRIEND, str(alice.pk), now=now)
    assert PushMessage.objects.count() == 1
    send()
    inbox.put(bob.pk, kinds.FRIEND, str(alice.pk), now=timezone.now())
    send()
    assert len(service.told(browser)) == 2
    first, second = service.taken
    assert first.headers["topic"] == second.headers["topic"]
    assert bob.username not in first.headers["topic"]


ALL_KINDS = {**kinds.PUSHED, **to_many.PUSHED}


def test_every_kind_has_a_switch() -> None:
    assert set(kinds.PUSHED) == set(kinds.KINDS)
    assert {how.switch for how in ALL_KINDS.values()} == set(SWITCHES)
    assert set(SWITCHES) <= {each.name for each in PushChoice._meta.get_fields()}


@pytest.mark.parametrize("switch", SWITCHES)
def test_each_switch_is_its_own(
    service: PushService, bob: User, now: datetime, switch: str
) -> None:
    with_browser(bob, service, wants=(switch,))
    for kind, how in ALL_KINDS.items():
        outbox.put([bob.pk], kind, "x", how, now=now)
    told = set(PushMessage.objects.values_list("kind", flat=True))
    assert told == {kind for kind, how in ALL_KINDS.items() if how.switch == switch}


def test_a_switch_that_was_turned_off_since_holds(
    service: PushService, alice: User, bob: User
) -> None:
    with_browser(bob, service)
    friends.ask(alice, bob, now=timezone.now())
    subscriptions.do_not_want(bob, ["invitation"])
    send()
    assert service.taken == []


def test_it_speaks_the_language_of_the_person_else_of_the_browser(
    service: PushService, alice: User, bob: User
) -> None:
    browser = with_browser(bob, service)
    User.objects.filter(pk=bob.pk).update(language="es")
    friends.ask(alice, bob, now=timezone.now())
    send()
    assert bodies(service, browser) != ["alice wants to be friends."]
    assert "alice" in bodies(service, browser)[0]


# --- quiet hours ---------------------------------------------------------------------------------


def test_quiet_hours_end(subtests: pytest.Subtests) -> None:
    for begin, end, hour, ends in [
        (22, 8, 23, (2, 8)),
        (22, 8, 3, (1, 8)),
        (22, 8, 8, None),
        (22, 8, 21, None),
        (13, 15, 14, (1, 15)),
        (13, 15, 15, None),
        (8, 8, 8, None),
        (None, None, 3, None),
    ]:
        with subtests.test(begin=begin, end=end, hour=hour):
            choice = PushChoice(quiet_from=begin, quiet_until=end)
            found = quiet.until(choice, datetime(2026, 6, 1, hour, 30, tzinfo=UTC))
            assert found == (None if ends is None else datetime(2026, 6, *ends, tzinfo=UTC))


def test_quiet_hours_are_those_of_the_persons_zone_also_when_clocks_change() -> None:
    choice = PushChoice(quiet_from=22, quiet_until=8, zone="Europe/Paris")
    # In the night to 29 March 2026 the clocks of Paris go from 2 to 3.
    before = datetime(2026, 3, 28, 21, 30, tzinfo=UTC)  # 22:30 there
    assert quiet.until(choice, before) == datetime(2026, 3, 29, 6, 0, tzinfo=UTC)
    assert quiet.until(choice, before - timedelta(hours=1)) is None
    assert quiet.until(PushChoice(quiet_from=22, quiet_until=8, zone="Mars/Phobos"), before) is None


def test_in_quiet_hours_nothing_is_sent_and_afterwards_what_still_means_something(
    service: PushService, alice: User, bob: User
) -> None:
    browser = with_browser(bob, service)
    PushChoice.objects.update(quiet_from=22, quiet_until=8)
    night = datetime.combine(timezone.now().date(), datetime.min.time(), UTC) + timedelta(hours=23)
    inbox.put(bob.pk, kinds.FRIEND, str(alice.pk), now=night)
    outbox.put([bob.pk], kinds.STARTED, "game", ALL_KINDS[kinds.STARTED], now=night)
    assert [each.kind for each in PushMessage.objects.all()] == ["friend"]
    send(night + timedelta(hours=1))
    assert service.taken == []
    send(night + timedelta(hours=9))
    assert bodies(service, browser) == ["alice wants to be friends."]


# --- whose browser it is -------------------------------------------------------------------------


def test_a_browser_that_another_person_uses_now_is_theirs(
    service: PushService, alice: User, bob: User
) -> None:
    browser = with_browser(alice, service)
    subscriptions.subscribe(bob, browser.given, language="en", device="e", now=timezone.now())
    assert PushSubscription.objects.get().user == bob


def test_nothing_is_sent_to_who_has_signed_out_there(
    service: PushService, alice: User, bob: User
) -> None:
    client = signed_in(bob)
    other = signed_in(bob)
    for each in (client, other):
        answer = each.post(reverse("games:push-browser"), {"do": "on", **service.browser().given})
        assert answer.status_code == HTTPStatus.OK, answer.content
    assert PushSubscription.objects.count() == 2
    client.post(reverse("account_logout"))
    friends.ask(alice, bob, now=timezone.now())
    send()
    assert len(service.taken) == 1


def test_a_new_password_ends_what_other_browsers_are_sent(
    service: PushService, alice: User, bob: User
) -> None:
    with_browser(bob, service)
    bob.set_password("another toucan in a cup")
    bob.save()
    friends.ask(alice, bob, now=timezone.now())
    send()
    assert service.taken == []
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize("ends", ["suspended", "deleted"])
def test_nothing_is_sent_to_who_is_suspended_or_gone(
    service: PushService, alice: User, bob: User, ends: str
) -> None:
    with_browser(bob, service)
    friends.ask(alice, bob, now=timezone.now())
    if ends == "suspended":
        lifecycle.ban(bob)
    else:
        deletion.delete_account(bob, now=timezone.now())
        assert not PushChoice.objects.exists()
    send()
    assert service.taken == []


def test_a_subscription_made_for_another_key_is_told_nothing_and_left_alone(
    service: PushService, alice: User, bob: User, charlie: User
) -> None:
    browser = with_browser(bob, service)
    PushSubscription.objects.update(server_key="another")
    friends.ask(alice, bob, now=timezone.now())
    send()
    assert service.taken == []
    assert not PushMessage.objects.exists()
    PushSubscription.objects.update(server_key=site_key.current().public_key)
    friends.ask(charlie, bob, now=timezone.now())
    send()
    assert bodies(service, browser) == ["charlie wants to be friends."]


def test_a_browser_that_subscribes_anew_leaves_nothing_of_another_key_behind(
    service: PushService, bob: User
) -> None:
    with_browser(bob, service)
    PushSubscription.objects.update(server_key="another")
    with_browser(bob, service)
    assert PushSubscription.objects.get().server_key == site_key.current().public_key


# --- turned off ----------------------------------------------------------------------------------


def told_in(client: Client, do: str, given: dict[str, str], **fields: str) -> int:
    sent = {"do": do, **given, **fields}
    return client.post(reverse("games:push-browser"), sent).status_code


@pytest.mark.parametrize("how", ["here", "everywhere", "signed out", "never on"])
def test_what_was_turned_off_stays_off_whatever_a_browser_remembers(
    service: PushService, bob: User, how: str
) -> None:
    laptop, phone = signed_in(bob), signed_in(bob)
    hers, theirs = service.browser().given, service.browser().given
    assert told_in(laptop, "on", hers) == HTTPStatus.OK
    if how != "never on":
        assert told_in(phone, "on", theirs) == HTTPStatus.OK
    match how:
        case "here":
            assert told_in(phone, "off", theirs) == HTTPStatus.OK
        case "everywhere":
            assert told_in(laptop, "all-off", {}) == HTTPStatus.OK
        case "signed out":
            phone.post(reverse("account_logout"))
            phone.force_login(bob)
    before = set(PushSubscription.objects.values_list("endpoint", flat=True))
    assert theirs["endpoint"] not in before
    for given in (theirs, service.browser().given):
        assert told_in(phone, "refresh", given) == HTTPStatus.GONE
    assert set(PushSubscription.objects.values_list("endpoint", flat=True)) == before
    assert told_in(phone, "on", theirs) == HTTPStatus.OK
    assert told_in(phone, "refresh", theirs) == HTTPStatus.OK


def test_a_renewed_address_takes_the_place_of_that_of_its_session(
    service: PushService, alice: User, bob: User
) -> None:
    laptop, phone = signed_in(bob), signed_in(bob)
    for each in (laptop, phone):
        assert told_in(each, "on", service.browser().given) == HTTPStatus.OK
    friends.ask(alice, bob, now=timezone.now())
    renewed = service.browser()
    assert told_in(phone, "refresh", renewed.given) == HTTPStatus.OK
    assert PushSubscription.objects.count() == 2
    send()
    assert bodies(service, renewed) == ["alice wants to be friends."], "also what waited"
    assert len(service.taken) == 2


def test_a_new_password_keeps_what_the_browser_is_sent_in_which_it_was_chosen(
    service: PushService, alice: User, bob: User
) -> None:
    here, elsewhere = signed_in(bob), signed_in(bob)
    browser = service.browser()
    assert told_in(here, "on", browser.given) == HTTPStatus.OK
    assert told_in(elsewhere, "on", service.browser().given) == HTTPStatus.OK
    other = "another toucan in a cup"
    form = {"oldpassword": PASSWORD, "password1": other, "password2": other}
    assert here.post(reverse("account_change_password"), form).status_code == HTTPStatus.FOUND
    friends.ask(alice, bob, now=timezone.now())
    send()
    assert len(service.told(browser)) == len(service.taken) == 1
    assert told_in(here, "refresh", browser.given) == HTTPStatus.OK


def test_where_it_is_offered_the_site_says_what_is_on(
    service: PushService, alice: User, bob: User
) -> None:
    befriended(alice, bob)
    client = signed_in(bob)
    assert told_in(client, "on", service.browser().given, **{"for": "invitation"}) == HTTPStatus.OK
    page = reverse("games:friends")
    assert "data-push-wanted" in client.get(page).content.decode()
    client.post(reverse("games:notifications"), {"turn": "on"})
    assert "data-push-wanted" not in client.get(page).content.decode()


def test_the_worker_is_given_what_it_needs_to_renew(service: PushService, bob: User) -> None:
    address = reverse("games:push-browser")
    assert Client().get(address).status_code == HTTPStatus.FORBIDDEN
    client = Client(enforce_csrf_checks=True)
    client.force_login(bob)
    given = client.get(address).json()
    assert given["key"] == site_key.current().public_key
    head = {"X-CSRFToken": given["token"], "Origin": "http://testserver"}
    sent = {"do": "refresh", **service.browser().given}
    assert client.post(address, sent, headers=head).status_code == HTTPStatus.GONE
    assert client.post(address, sent).status_code == HTTPStatus.FORBIDDEN


def test_who_blocks_is_told_nothing_of_the_blocked(
    service: PushService, alice: User, bob: User
) -> None:
    with_browser(bob, service)
    friends.ask(alice, bob, now=timezone.now())
    chat.mute(bob, alice, block=True)
    friends.part(bob, alice)
    friends.ask(alice, bob, now=timezone.now())
    send()
    assert service.taken == []


# --- what the push service answers ---------------------------------------------------------------


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(
    service: PushService, alice: User, bob: User, status: int
) -> None:
    gone, there = with_browser(bob, service), with_browser(bob, service)
    service.statuses[gone.endpoint.removeprefix(f"https://{service.host}")] = status
    friends.ask(alice, bob, now=timezone.now())
    send()
    assert PushSubscription.objects.get().endpoint == there.endpoint
    assert not PushMessage.objects.exists()


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_the_service_cannot_take_now_is_sent_later(
    service: PushService, alice: User, bob: User, now: datetime, status: int
) -> None:
    browser = with_browser(bob, service)
    friends.ask(alice, bob, now=now)
    service.status = status
    send(now)
    send(now)
    assert len(service.taken) == 1, "not before its time"
    service.status = 201
    send(now + sending.FIRST_WAIT)
    assert len(service.told(browser)) == 2
    assert not PushMessage.objects.exists()


def test_it_waits_as_long_as_the_service_says(
    service: PushService, alice: User, bob: User, now: datetime
) -> None:
    with_browser(bob, service)
    friends.ask(alice, bob, now=now)
    service.status, service.answer_headers = 429, {"Retry-After": "600"}
    send(now)
    assert PushMessage.objects.get().due_at == now + 10 * MINUTE
    service.answer_headers = {"Retry-After": "9" * 40}
    send(now + 10 * MINUTE)
    assert PushMessage.objects.get().due_at == now + 10 * MINUTE + sending.LONGEST_WAIT


@pytest.mark.parametrize("status", [301, 307, 400, 403, 413])
def test_what_is_refused_or_led_elsewhere_is_not_sent_again(
    service: PushService, alice: User, bob: User, status: int
) -> None:
    with_browser(bob, service)
    friends.ask(alice, bob, now=timezone.now())
    service.status = status
    service.answer_headers = {"Location": f"https://{service.host}/elsewhere"}
    send()
    assert [each.path == "/elsewhere" for each in service.taken] == [False]
    assert not PushMessage.objects.exists()
    assert PushSubscription.objects.exists()


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # of the connection that was given up
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_service_that_does_not_answer_is_left_alone_for_a_while(
    service: PushService, alice: User, bob: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "SECONDS", 0.3)
    browser = with_browser(bob, service)
    friends.ask(alice, bob, now=now)
    service.waits = 1.0
    send(now)
    assert PushMessage.objects.get().due_at == now + sending.FIRST_WAIT
    inbox.put(bob.pk, kinds.FRIENDS_NOW, str(alice.pk), now=now)
    send(now)
    assert len(service.taken) == 1, "the second was not tried"
    sending.forget_outages()
    service.waits = 0.0
    send(now + timedelta(hours=2))
    assert len(service.told(browser)) == 3
    gc.collect()


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_address_that_is_silent_holds_up_and_sets_aside_no_other_and_no_job(
    service: PushService, alice: User, bob: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "SECONDS", 4.0)
    silent, prompt = with_browser(bob, service), with_browser(bob, service)
    service.waits_at[service.path_of(silent)] = 6.0
    inbox.put(bob.pk, kinds.FRIEND, str(alice.pk), now=now)
    began = monotonic()
    sending.run(now, 0.5)
    assert monotonic() - began < 2.5, "the job was not held up"
    wait_for(lambda: PushMessage.objects.count() == 1, "the answer")
    assert monotonic() - began < 3.5, "it was settled before the other one was given up"
    inbox.put(bob.pk, kinds.FRIENDS_NOW, str(alice.pk), now=now)
    sending.run(now, 0.5)
    wait_for(lambda: len(service.told(prompt)) == 2, "the second push")
    send(now)
    assert len(service.told(silent)) == 1, "of one address there is one post at a time"
    send(now + sending.FIRST_WAIT)
    assert len(service.told(silent)) == 1, "it is left alone"
    assert set(PushMessage.objects.values_list("subscription__endpoint", flat=True)) == {
        silent.endpoint
    }
    sending.forget_outages()
    gc.collect()


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_posts_under_way_have_an_end(
    service: PushService, alice: User, bob: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "SECONDS", 2.0)
    monkeypatch.setattr(subscriptions, "BROWSERS_EACH", 100)
    for _each in range(sending.TO_ONE_SERVICE + 10):
        with_browser(bob, service)
    inbox.put(bob.pk, kinds.FRIEND, str(alice.pk), now=now)
    service.waits = 3.0
    sending.run(now, 1.5)
    wait_for(lambda: service.most_waiting > 0, "the first posts")
    assert service.most_waiting <= sending.TO_ONE_SERVICE
    service.waits = 0.0
    sending.run(now, 10.0)
    sending.forget_outages()
    send(now + sending.LONGEST_WAIT)
    assert len({each.path for each in service.taken}) == sending.TO_ONE_SERVICE + 10
    assert not PushMessage.objects.exists()
    gc.collect()


def test_a_service_whose_certificate_is_not_trusted_is_told_nothing(
    service: PushService, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    assert ssl.create_default_context()
    with_browser(bob, service)
    friends.ask(alice, bob, now=timezone.now())
    send()
    assert service.taken == []
    assert PushMessage.objects.exists()


def test_something_newer_that_comes_while_the_first_is_sent_is_not_lost(
    service: PushService, alice: User, bob: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = with_browser(bob, service)
    friends.ask(alice, bob, now=now)
    send_first = posting.post

    async def meanwhile(session: Any, request: dict[str, Any]) -> posting.Answer:
        monkeypatch.setattr(posting, "post", send_first)
        put = sync_to_async(inbox.put, thread_sensitive=False)
        await put(bob.pk, kinds.FRIEND, str(alice.pk), now=now)
        return await send_first(session, request)

    monkeypatch.setattr(posting, "post", meanwhile)
    send(now)
    assert len(service.told(browser)) == 2


def test_a_browser_whose_keys_cannot_be_used_stops_no_other(
    service: PushService, alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    with_browser(alice, service)
    bad = PushSubscription.objects.get()
    PushSubscription.objects.update(p256dh="A" * 87)
    browser = with_browser(bob, service)
    now = timezone.now()
    for person, asker in ((alice, bob), (bob, alice)):
        inbox.put(person.pk, kinds.FRIEND, str(asker.pk), now=now)
    send()
    assert bodies(service, browser) == ["alice wants to be friends."]
    assert not PushMessage.objects.exists()
    assert "push refused kind=friend error=ValueError" in caplog.text
    assert bad.endpoint not in caplog.text


# --- addresses -----------------------------------------------------------------------------------


def test_only_addresses_at_known_push_services_are_taken(
    settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = ["push.example", "*.wild.example", "own.example:8443"]
    monkeypatch.setattr("django.conf.settings.PUSH_SERVICES", services)
    cases = [
        ("https://push.example/abc", True),
        ("https://push.example:443/abc", True),
        ("https://a.b.wild.example/abc?token=1", True),
        ("https://own.example:8443/x", True),
        ("http://push.example/abc", False),
        ("https://push.example:8443/abc", False),
        ("https://push.example:0/abc", False),
        ("https://own.example/x", False),
        ("https://other.example/abc", False),
        ("https://push.example.evil.example/abc", False),
        ("https://wild.example/abc", False),
        ("https://evilwild.example/abc", False),
        ("https://push.example@evil.example/abc", False),
        ("https://ann:secret@push.example/abc", False),
        ("https://push.example\\@evil.example/abc", False),
        ("https://evil.example#push.example", False),
        ("https://push.example/abc#x", False),
        ("https://127.0.0.1/abc", False),
        ("https://[::1]/abc", False),
        ("https://[v1.wild.example]/abc", False),
        ("https://[v1.wild.example]:443/abc", False),
        ("https://a.wild.example./abc", False),
        ("https://.wild.example/abc", False),
        ("https://a..wild.example/abc", False),
        ("https://-a.wild.example/abc", False),
        ("https://a_b.wild.example/abc", False),
        ("https://%61.wild.example/abc", False),
        ("https://A.wild.example/abc", False),
        ("https://push.example:/abc", False),
        ("https://push.example:+443/abc", False),
        ("HTTPS://push.example/abc", False),
        ("https://push.example:99999/abc", False),
        ("https://pu\u0455h.example/abc", False),
        ("https://push.example/a b", False),
        ("https://push.example/a\nb", False),
        ("file:///etc/passwd", False),
        ("", False),
        ("https://push.example/" + "a" * 1000, False),
    ]
    wrong = [
        (endpoint, is_known)
        for endpoint, is_known in cases
        if addresses.is_known(endpoint) is not is_known
    ]
    assert wrong == []


def test_an_address_is_checked_again_when_it_is_sent_to(
    service: PushService, alice: User, bob: User
) -> None:
    with_browser(bob, service)
    PushSubscription.objects.update(endpoint="https://127.0.0.1:5432/")
    friends.ask(alice, bob, now=timezone.now())
    send()
    assert service.taken == []
    assert not PushSubscription.objects.exists()


def test_bad_keys_and_addresses_are_refused_and_change_nothing(
    service: PushService, bob: User, subtests: pytest.Subtests
) -> None:
    for changed in [
        {"p256dh": ""},
        {"p256dh": "A" * 87},
        {"auth": ""},
        {"auth": "A" * 21},
        {"auth": "é" * 22},
        {"p256dh": "B" * 5000},
        {"endpoint": "https://evil.example/x"},
    ]:
        with subtests.test(changed=changed):
            given = service.browser().given | changed
            answer = signed_in(bob).post(reverse("games:push-browser"), {"do": "on", **given})
            assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
            assert "push service" in answer.content.decode()
            assert not PushSubscription.objects.exists()
            assert not PushChoice.objects.exists()


# --- limits --------------------------------------------------------------------------------------


def test_a_person_has_ten_browsers_and_the_latest_stay(service: PushService, bob: User) -> None:
    browsers = [with_browser(bob, service) for _each in range(subscriptions.BROWSERS_EACH + 3)]
    kept = set(PushSubscription.objects.values_list("endpoint", flat=True))
    assert kept == {each.endpoint for each in browsers[3:]}


def test_an_address_has_so_many_browsers_and_others_go_on(
    service: PushService, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.conf.settings.PUSH_BROWSERS_PER_ADDRESS", 3)
    for _each in range(3):
        with_browser(bob, service, holder="flat")
    with pytest.raises(Refused, match="too_many_browsers"):
        with_browser(alice, service, holder="flat")
    with_browser(alice, service, holder="elsewhere")


def test_a_browser_has_so_many_messages_waiting(service: PushService, bob: User) -> None:
    with_browser(bob, service)
    for number in range(outbox.MOST_WAITING + 10):
        inbox.put(bob.pk, kinds.FRIEND, str(number), now=timezone.now())
    assert PushMessage.objects.count() == outbox.MOST_WAITING


def test_who_changes_it_all_the_time_is_refused_for_a_while(
    service: PushService, alice: User, bob: User
) -> None:
    client = signed_in(bob)
    answers = [
        client.post(reverse("games:push-browser"), {"do": "unwant", "for": "turn"})
        for _each in range(35)
    ]
    assert [each.status_code for each in answers[-3:]] == [HTTPStatus.TOO_MANY_REQUESTS] * 3
    assert "wait" in answers[-1].content.decode()
    others = signed_in(alice).post(reverse("games:push-browser"), {"do": "unwant", "for": "turn"})
    assert others.status_code == HTTPStatus.OK


# --- the page ------------------------------------------------------------------------------------


def test_what_is_chosen_is_kept(service: PushService, bob: User) -> None:
    client, page = signed_in(bob), reverse("games:notifications")
    assert client.get(page).status_code == HTTPStatus.OK
    sent = {"turn": "on", "quiet_from": "22", "quiet_until": "8", "zone": "America/Lima"}
    assert client.post(page, sent).status_code == HTTPStatus.FOUND
    choice = PushChoice.objects.get()
    assert choice.turn
    assert not choice.invitation
    assert (choice.quiet_from, choice.quiet_until, choice.zone) == (22, 8, "America/Lima")


def options(page: str) -> dict[str, bool]:
    """The zones that can be chosen, and whether each is."""
    field = page.split('<select name="zone"')[1].split("</select>")[0]
    found = re.findall(r'<option value="([^"]*)"( selected)?>', field)
    return {value: bool(selected) for value, selected in found}


def test_zones_are_chosen_from_a_list_under_one_name_each(service: PushService, bob: User) -> None:
    client, page = signed_in(bob), reverse("games:notifications")
    listed = options(client.get(page).content.decode())
    assert {"", "America/Lima", "Asia/Kolkata", "Europe/Kyiv", "Pacific/Chatham"} <= set(listed)
    assert not {"Asia/Calcutta", "Europe/Kiev", "US/Pacific", "Etc/GMT+5", "EST"} & set(listed)
    in_french = client.get(page, headers={"accept-language": "fr"}).content.decode()
    assert '<optgroup label="Océan Indien">' in in_french
    assert re.search(r'value="Europe/London">Londres \(UTC\+[01]\)<', in_french)
    assert 'value="Asia/Kathmandu">Kathmandu (UTC+5:45)<' in in_french
    for given, kept in (("Asia/Calcutta", "Asia/Kolkata"), ("UTC", ""), ("Asia/Tokyo",) * 2):
        assert client.post(page, {"zone": given}).status_code == HTTPStatus.FOUND
        assert PushChoice.objects.get().zone == kept
    for given in ("Mars/Phobos", "../../etc/passwd", "a" * 99, "Etc/GMT+5"):
        assert client.post(page, {"zone": given}).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert PushChoice.objects.get().zone == "Asia/Tokyo"


def test_a_zone_that_no_list_has_stays_until_another_is_chosen(
    service: PushService, bob: User
) -> None:
    client, page = signed_in(bob), reverse("games:notifications")
    told_in(client, "on", service.browser().given, zone="Etc/GMT+5")
    assert options(client.get(page).content.decode())["Etc/GMT+5"]
    client.post(page, {"turn": "on", "zone": "Etc/GMT+5"})
    assert PushChoice.objects.get().zone == "Etc/GMT+5"


@pytest.mark.parametrize(
    ("zone", "is_asked"),
    [
        ("Asia/Tokyo", True),
        ("Europe/Paris", False),
        ("Europe/Madrid", False),  # the same clock
        ("Atlantic/Reykjavik", False),  # of browsers that hide it
        ("UTC", False),
        ("", False),
        ("Mars/Phobos", False),
    ],
)
def test_a_traveller_with_quiet_hours_is_asked_and_nothing_changes_by_itself(
    service: PushService, bob: User, zone: str, is_asked: bool
) -> None:
    client, browser = signed_in(bob), service.browser()
    told_in(client, "on", browser.given, zone="Europe/Paris")
    sent = {"do": "refresh", "zone": zone, **browser.given}
    assert "X-Asks" not in client.post(reverse("games:push-browser"), sent).headers
    PushChoice.objects.update(quiet_from=22, quiet_until=8)
    answer = client.post(reverse("games:push-browser"), sent)
    assert answer.status_code == HTTPStatus.OK
    assert answer.headers.get("X-Asks") == ("zone" if is_asked else None)
    if is_asked:
        assert "Paris" in answer.content.decode()
        assert "Tokyo" in answer.content.decode()
    assert PushChoice.objects.get().zone == "Europe/Paris"


def test_half_of_the_quiet_hours_is_refused(service: PushService, bob: User) -> None:
    page = reverse("games:notifications")
    answer = signed_in(bob).post(page, {"quiet_from": "22", "quiet_until": ""})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Choose both hours, or neither." in answer.content.decode()
    assert not PushChoice.objects.exists()


def test_visitors_sign_in_first_and_a_site_that_sends_nothing_has_no_such_page(
    client: Client, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = reverse("games:notifications")
    assert client.get(page).status_code == HTTPStatus.FOUND
    answer = client.post(reverse("games:push-browser"), {"do": "on"})
    assert answer.status_code == HTTPStatus.FORBIDDEN
    monkeypatch.setattr("django.conf.settings.PUSH_SERVICES", [])
    assert signed_in(bob).get(page).status_code == HTTPStatus.NOT_FOUND
    assert page not in signed_in(bob).get(reverse("account")).content.decode()


def test_my_data_has_it_and_no_address_of_a_browser(service: PushService, bob: User) -> None:
    browser = with_browser(bob, service, wants=("turn",))
    found = data_export.everything_about(bob)["notifications"]
    assert found["wanted"] == ["turn"]
    assert [each["service"] for each in found["browsers"]] == ["localhost"]
    assert browser.endpoint not in json.dumps(found)


# --- calls to many -------------------------------------------------------------------------------


def searching(person: User, *, since: datetime) -> Search:
    """Somebody whose page stays open for days."""
    seen, table = since + timedelta(days=2), open_table(person, "steady")
    return Search.objects.create(
        user=person,
        state=Search.State.WAITING,
        table=table,
        changed_at=since,
        seen_at=seen,
        holder="",
    )


def test_who_wants_to_be_is_told_that_somebody_waits_twice_a_day(
    service: PushService, alice: User, bob: User, now: datetime
) -> None:
    browser = with_browser(bob, service)
    searching(alice, since=now - MINUTE)
    for hours in range(24):
        at = now + timedelta(hours=hours)
        to_many.run(at, 1.0)
        send(at)
    assert bodies(service, browser) == ["Somebody's waiting for a game. Join in?"] * 2
    to_many.run(now + timedelta(hours=27), 1.0)
    send(now + timedelta(hours=27))
    assert len(service.taken) == 3


def test_nobody_is_called_for_who_has_just_come_or_is_blocked_or_oneself(
    service: PushService, alice: User, bob: User, now: datetime
) -> None:
    with_browser(bob, service)
    with_browser(alice, service)
    search = searching(alice, since=now)
    to_many.run(now, 1.0)
    assert not PushMessage.objects.exists()
    chat.mute(bob, alice, block=True)
    to_many.run(now + MINUTE, 1.0)
    assert not PushMessage.objects.exists(), "alice waits herself, and bob has blocked her"
    chat.unmute(bob, alice)
    chat.mute(alice, bob, block=True)
    to_many.run(now + MINUTE, 1.0)
    assert not PushMessage.objects.exists()
    chat.unmute(alice, bob)
    to_many.run(now + MINUTE, 1.0)
    assert PushMessage.objects.get().subscription.user == bob
    search.delete()
    send(now + MINUTE)
    assert service.taken == [], "nobody waits any more"


def test_a_call_is_for_twenty_and_next_time_for_others(
    service: PushService, alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(to_many, "CALLED_AT_ONCE", 2)
    people = [User.objects.create_user(f"caller{number}") for number in range(5)]
    for each in people:
        with_browser(each, service, wants=("waiting",))
    searching(alice, since=now - MINUTE)
    called = []
    for minutes in (0, 1, 4, 5, 6, 10, 15):
        to_many.run(now + minutes * MINUTE, 1.0)
        called.append(PushMessage.objects.count())
    assert called == [2, 2, 2, 4, 4, 5, 5]


def test_the_question_of_the_day_is_told_once_to_who_has_not_answered(
    service: PushService, alice: User, bob: User, now: datetime
) -> None:
    browser = with_browser(bob, service)
    with_browser(alice, service, wants=("turn",))
    choosing.run(now, 1.0)
    asked = DailyRound.objects.get()
    begins = to_many.days.begins(asked.day)
    for minutes in (1, 2, 3):
        to_many.run(begins + minutes * MINUTE, 1.0)
        send(begins + minutes * MINUTE)
    assert bodies(service, browser) == ["The question of the day is here. What would you do?"]
    assert not PushMessage.objects.exists()
    PushChoice.objects.update(question_day=None)
    to_many.run(begins + timedelta(hours=13), 1.0)
    assert not PushMessage.objects.exists(), "late in the day nobody is called"


def test_who_sleeps_when_the_question_changes_is_told_when_they_wake(
    service: PushService, bob: User, now: datetime
) -> None:
    browser = with_browser(bob, service)
    PushChoice.objects.update(quiet_from=20, quiet_until=10, zone="America/Los_Angeles")
    choosing.run(now, 1.0)
    begins = to_many.days.begins(DailyRound.objects.get().day)  # 20 or 21 o'clock there
    to_many.run(begins + MINUTE, 1.0)
    assert bodies(service, browser) == []
    for hours in (12, 14, 15):
        send(begins + timedelta(hours=hours))
    assert len(bodies(service, browser)) == 1
    assert not PushMessage.objects.exists()


def test_the_meeting_hour_is_told_ten_minutes_before(
    service: PushService, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.notify.hours import parse

    monkeypatch.setattr("django.conf.settings.MEETING_HOURS", parse("20:00 UTC"))
    browser = with_browser(bob, service)
    day = datetime(2026, 6, 1, 19, 0, tzinfo=UTC)
    for minutes in (0, 30, 49, 50, 52, 59, 60, 65):
        to_many.run(day + minutes * MINUTE, 1.0)
        send(day + minutes * MINUTE)
    assert bodies(service, browser) == ["People meet to play in 10 min."]


def test_it_is_not_told_with_the_password_of_anybody(service: PushService, bob: User) -> None:
    with_browser(bob, service)
    row = PushSubscription.objects.get()
    assert PASSWORD not in row.sign_in
    assert bob.password not in row.sign_in
