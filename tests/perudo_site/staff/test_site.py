"""The staff pages are open to staff with a two-factor code in this session, and nobody else."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts import lifecycle, two_factor
from accounts.models import User
from games.models import Game, Tie
from games.social.friends import ties as friends
from perudo_site import VERSION
from perudo_site.staff.site import StaffSite
from tests.support.fast_games import START, running_game
from tests.support.fixtures import PASSWORD, signed_in, signed_in_as_staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def keeper(db: None) -> User:
    return User.objects.create_superuser("keeper", password=PASSWORD)


def places() -> list[str]:
    """Every address of the pages of the staff; where one needs a number, of something that is."""
    numbers = {"object_id": 1, "content_type_id": 1, "app_label": "games", "id": 1}
    found: list[str] = []

    def walk(patterns: list[URLPattern | URLResolver], namespace: str) -> None:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                walk(pattern.url_patterns, namespace)
            elif pattern.name:
                named = {name: numbers[name] for name in pattern.pattern.regex.groupindex}
                unnamed = [1] if pattern.pattern.regex.groups > len(named) else []
                found.append(reverse(f"{namespace}:{pattern.name}", args=unnamed, kwargs=named))

    [site] = [
        part
        for part in get_resolver().url_patterns
        if isinstance(part, URLResolver) and part.namespace == "admin"
    ]
    walk(site.url_patterns, "admin")
    return found


def strangers() -> Client:
    return Client()


def a_guest() -> Client:
    return signed_in(lifecycle.guest())


def a_player() -> Client:
    return signed_in(User.objects.create_user("player", password=PASSWORD))


def a_player_with_a_second_step() -> Client:
    return signed_in_as_staff(User.objects.create_user("careful", password=PASSWORD))


def staff_without_a_second_step() -> Client:
    return signed_in(User.objects.create_superuser("careless", password=PASSWORD))


def staff_whose_session_gave_no_code() -> Client:
    person = User.objects.create_superuser("thief", password=PASSWORD)
    signed_in_as_staff(person)
    return signed_in(person)


OUTSIDE = [
    strangers,
    a_guest,
    a_player,
    a_player_with_a_second_step,
    staff_without_a_second_step,
    staff_whose_session_gave_no_code,
]


@pytest.mark.parametrize("who", OUTSIDE)
def test_no_page_is_open_to_others(
    who: Callable[[], Client], alice: User, bob: User, charlie: User
) -> None:
    running_game(alice, bob, charlie)
    client = who()
    tried = [place for place in places() if not place.endswith(("/login/", "/logout/"))]
    assert len(tried) > 50
    for place in tried:
        for answer in (client.get(place), client.post(place, {"post": "yes"})):
            assert answer.status_code == 302, place
            assert answer.headers["Location"].startswith("/admin/login/?next=/admin/"), place
    assert Game.objects.get().status == Game.Status.PLAYING


def test_visitors_are_sent_to_the_sites_own_sign_in(client: Client) -> None:
    answer = client.get("/admin/", follow=True)
    assert answer.request["PATH_INFO"] == reverse("account_login")
    page = answer.content.decode()
    assert 'name="next" value="/admin/"' in page and 'name="login"' in page


def test_players_get_a_404() -> None:
    for who in (a_guest, a_player, a_player_with_a_second_step):
        assert who().get("/admin/", follow=True).status_code == 404, who


def test_staff_without_two_factor_are_sent_to_set_it_up(keeper: User) -> None:
    client = signed_in(keeper)
    answer = client.get("/admin/", follow=True)
    assert answer.request["PATH_INFO"] == "/account/reauthenticate/"
    assert "Staff pages require two-factor authentication." in answer.content.decode()


def test_staff_enter_a_code_and_continue_to_the_page_they_wanted(keeper: User) -> None:
    signed_in_as_staff(keeper)
    client = signed_in(keeper)
    answer = client.get("/admin/games/game/", follow=True)
    assert answer.request["PATH_INFO"] == "/account/two-factor/again/"
    place = f"{answer.request['PATH_INFO']}?{answer.request['QUERY_STRING']}"
    page = client.post(place, {"code": "00000000", "next": "/admin/games/game/"})
    assert "Wrong code." in page.content.decode()
    assert client.get("/admin/").status_code == 302
    wrapped = Authenticator.objects.get(user=keeper, type="recovery_codes").wrap()
    assert isinstance(wrapped, RecoveryCodes)
    form = {"code": wrapped.get_unused_codes()[0], "next": "/admin/games/game/"}
    answer = client.post(place, form)
    assert answer.headers["Location"] == "/admin/games/game/"
    assert client.get("/admin/games/game/").status_code == 200


def test_a_code_expires_after_hours(keeper: User) -> None:
    client = signed_in_as_staff(keeper)
    assert client.get("/admin/").status_code == 200
    for age, status in ((two_factor.LASTS - timedelta(minutes=1), 200), (two_factor.LASTS, 302)):
        session = client.session
        for record in session[AUTHENTICATION_METHODS_SESSION_KEY]:
            record["at"] = time.time() - age.total_seconds()
        session.save()
        assert client.get("/admin/").status_code == status


def test_staff_see_the_version_that_runs_and_nobody_else_does(keeper: User) -> None:
    assert VERSION in signed_in_as_staff(keeper).get("/admin/").content.decode()
    for page in ("/", "/account/login/", "/healthz"):
        assert VERSION not in Client().get(page).content.decode()


def test_access_ends_when_two_factor_is_reset(keeper: User) -> None:
    client = signed_in_as_staff(keeper)
    two_factor.take_away(keeper)
    assert client.get("/admin/").status_code == 302


@pytest.mark.parametrize("lost", ["is_active", "is_staff"])
def test_access_ends_when_staff_are_no_longer_staff(keeper: User, lost: str) -> None:
    client = signed_in_as_staff(keeper)
    User.objects.filter(pk=keeper.pk).update(**{lost: False})
    assert client.get("/admin/").status_code == 302


def test_sign_in_redirects_to_staff_pages_only(keeper: User) -> None:
    client = signed_in_as_staff(keeper)
    for elsewhere in ("https://example.org/", "//example.org", "javascript:1", "a-word", "lobby"):
        answer = client.get("/admin/login/", {"next": elsewhere})
        assert answer.headers["Location"] == "/admin/", elsewhere


def test_signing_out_there_ends_the_session_of_the_whole_site(keeper: User) -> None:
    client = signed_in_as_staff(keeper)
    client.post("/admin/logout/")
    assert "_auth_user_id" not in client.session


def test_passwords_are_changed_on_the_rate_limited_page(keeper: User) -> None:
    answer = signed_in_as_staff(keeper).get("/admin/password_change/")
    assert answer.headers["Location"] == "/account/password/change/"


def test_there_is_one_admin_site_with_these_models() -> None:
    assert isinstance(admin.site, StaffSite)
    names = {model._meta.label for model in admin.site._registry}
    assert names == {
        "accounts.User",
        "admin.LogEntry",
        "auth.Group",
        *(
            f"games.{room}"
            for room in (
                "Game Seat FactRow GameReview Habits ReviewedPlay DailyRound ChatMessage Report "
                "Tie Rating Club"
            ).split()
        ),
        "perudo.Round",
        "peco_peco.Round",
    }


def test_staff_look_into_who_asked_whom_and_change_nothing(alice: User, bob: User) -> None:
    """With the permission to; the word of a link is in no page, and cannot be guessed there."""
    friends.ask(bob, alice, now=START)
    friends.decline(alice, bob, now=START + timedelta(days=1))
    word = friends.renew_link(alice)
    tie, before = Tie.objects.get(), Tie.objects.values().get()
    person = User.objects.create_user("moderator", password=PASSWORD, is_staff=True)
    client, listing = signed_in_as_staff(person), "/admin/games/tie/"
    pages = (listing, f"{listing}{tie.pk}/change/")
    assert [client.get(page).status_code for page in pages] == [403, 403]
    person.user_permissions.add(Permission.objects.get(codename="view_tie"))
    for page in pages:
        text = client.get(page).text
        assert "bob" in text and "alice" in text and word not in text
        assert "March 1, 2026" in text and "March 2, 2026" in text
    assert "bob" in client.get(f"{listing}?q=ALI").text
    assert "bob" not in client.get(f"{listing}?q=nobody").text
    for question in (f"first__friend_link__word={word}", "second__email__contains=a"):
        assert client.get(f"{listing}?{question}").status_code == 400
    for page in ("add/", f"{tie.pk}/change/", f"{tie.pk}/delete/"):
        assert client.post(f"{listing}{page}", {"post": "yes"}).status_code == 403
    doomed = {"action": "delete_selected", "_selected_action": tie.pk, "post": "yes"}
    client.post(listing, doomed)
    assert Tie.objects.values().get() == before and friends.link_of(alice) == word


# --- inside, nobody rises ------------------------------------------------------------------------


@pytest.fixture
def helper(db: None) -> User:
    """Staff that may change people and groups, and is no superuser."""
    person = User.objects.create_user("helper", password=PASSWORD, is_staff=True)
    person.user_permissions.set(
        Permission.objects.filter(codename__in=["change_user", "view_user", "change_group"])
    )
    return person


def test_staff_cannot_grant_permissions(helper: User, alice: User) -> None:
    client = signed_in_as_staff(helper)
    form = {"username": "alicia", "language": "", "theme": "", "is_staff": "on"}
    form |= {"is_superuser": "on", "user_permissions": "1", "email": "mine@example.org"}
    assert client.post(f"/admin/accounts/user/{alice.pk}/change/", form).status_code == 302
    alice.refresh_from_db()
    assert alice.username == "alicia"
    assert not alice.is_staff and not alice.is_superuser and not alice.user_permissions.exists()
    assert alice.email == "alice@example.org"
    assert client.get("/admin/auth/group/").status_code == 403
    assert client.post("/admin/auth/group/add/", {"name": "kings"}).status_code == 403
    assert not Group.objects.exists()


def test_staff_cannot_take_over_accounts(helper: User, alice: User, keeper: User) -> None:
    client = signed_in_as_staff(helper)
    form = {"password1": "another password", "password2": "another password"}
    for person in (alice, keeper, helper):
        assert client.post(f"/admin/accounts/user/{person.pk}/password/", form).status_code == 403
        person.refresh_from_db()
        assert person.check_password(PASSWORD)
    answer = client.post(f"/admin/accounts/user/{keeper.pk}/change/", {"username": "kept"})
    assert answer.status_code == 403
    page = client.get(f"/admin/accounts/user/{alice.pk}/change/").content.decode()
    assert "alice@example.org" not in page and alice.password not in page


def test_accounts_cannot_be_deleted_there(keeper: User, alice: User) -> None:
    client = signed_in_as_staff(keeper)
    place = f"/admin/accounts/user/{alice.pk}/delete/"
    assert client.get(place).status_code == client.post(place, {"post": "yes"}).status_code == 403
    doomed = {"action": "delete_selected", "_selected_action": alice.pk, "post": "yes"}
    client.post("/admin/accounts/user/", doomed)
    assert User.objects.filter(pk=alice.pk).exists()


def test_no_page_contains_a_two_factor_secret(keeper: User) -> None:
    client = signed_in_as_staff(keeper)
    secrets = [
        str(value)
        for row in Authenticator.objects.all()
        for name, value in row.data.items()
        if name in ("secret", "seed")
    ]
    assert len(secrets) == 2
    for place in places():
        if "/logout/" not in place:
            page = client.get(place).content.decode()
            assert not any(secret in page for secret in secrets), place
    question = "authenticator__data__icontains=A"
    assert client.get(f"/admin/accounts/user/?{question}").status_code == 400
