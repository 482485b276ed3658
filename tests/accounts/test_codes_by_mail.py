"""A code by mail instead of a forgotten password."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import addresses, lifecycle, retention, sign_in_codes
from accounts.letters import Letter
from accounts.models import User
from accounts.sign_in_codes import SignInCode
from tests.accounts.test_two_factor import code_now
from tests.support.emails import send_due_emails
from tests.support.fixtures import PASSWORD, signed_in

ASK, ENTER = "/account/code/", "/account/code/enter/"


@pytest.fixture
def owner(alice: User) -> User:
    """Somebody whose address is confirmed."""
    assert addresses.confirm(alice)
    return alice


def ask(client: Client, login: str = "alice", **more: str) -> str:
    """The page that follows."""
    answer = client.post(ASK, {"login": login} | more)
    assert answer.status_code == 302
    return answer.headers["Location"]


def mailed() -> str:
    """The code in the only letter that leaves now."""
    [letter] = send_due_emails()
    [code] = re.findall(r"^(\d{6})$", str(letter.body), re.MULTILINE)
    return str(code)


def enter(client: Client, code: str, **more: str) -> str:
    """Who is signed in after this; "" for nobody."""
    client.post(ENTER, {"code": code} | more)
    return client.get("/").context["user"].username


def other(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06}"


def test_a_code_signs_in_by_name_or_address(owner: User) -> None:
    for login in ("alice", "ALICE", "Alice@example.org"):
        client = Client()
        assert ask(client, login) == ENTER
        [letter] = send_due_emails()
        assert letter.to == ["alice@example.org"], login
        assert letter.subject == "[Perudo] Your code to sign in"
        assert "“alice”" in letter.body
        [code] = re.findall(r"^\d{6}$", str(letter.body), re.MULTILINE)
        assert enter(client, code) == "alice", login


def test_it_is_offered_where_a_password_was_refused(client: Client, alice: User) -> None:
    wrong = {"login": "alice", "password": "wrong wrong", "next": "/rules"}
    assert "Email me a code" not in client.get("/account/login/").content.decode()
    page = client.post("/account/login/", wrong).content.decode()
    [offer] = re.findall(
        rf'<form class="stack" method="post" action="{ASK}">.*?</form>', page, re.S
    )
    assert 'name="login" value="alice"' in offer and 'name="next" value="/rules"' in offer


def test_the_page_says_the_same_whoever_is_meant(owner: User, bob: User) -> None:
    """A confirmed address, none, one that is only claimed, a guest, a suspended account, nobody."""
    closed = User.objects.create_user("closed", "closed@example.org", PASSWORD)
    addresses.confirm(closed)
    lifecycle.ban(closed)
    guest = lifecycle.guest("Toucan-1")
    pages = []
    for login in ("alice", owner.email, "bob", bob.email, closed.email, guest.username, "nobody"):
        client = Client()
        where = ask(client, login)
        text = (
            client.get(where).content.decode() + client.post(ENTER, {"code": "x"}).content.decode()
        )
        text = text.replace(login, "…")
        pages.append(re.sub(r'"\w{64}"|x-csrftoken": "\w+"|data-\w+="\w+"', "", text))
    assert len(set(pages)) == 1
    assert [letter.to for letter in send_due_emails()] == [[owner.email]] * 2
    assert not Letter.objects.exists()


def test_the_page_survives_a_look_at_the_mail(client: Client, owner: User) -> None:
    where = ask(client, next="/rules/perudo")
    code = mailed()
    for _visit in range(2):
        page = client.get(where)
        assert page.context["login"] == "alice"
        assert page.context["next"] == "/rules/perudo"
    answer = client.post(ENTER, {"code": f" {code[:3]} {code[3:]} ", "next": "/rules/perudo"})
    assert answer.headers["Location"] == "/rules/perudo"


def test_a_code_works_once_and_only_where_it_was_asked_for(client: Client, owner: User) -> None:
    ask(client)
    code = mailed()
    thief = Client()
    assert enter(thief, code) == ""
    ask(thief)
    assert enter(thief, code) == ""
    assert enter(client, code) == "alice"
    client.post("/account/logout/")
    assert enter(client, code) == ""


def test_five_wrong_codes_end_it(client: Client, owner: User) -> None:
    ask(client)
    code = mailed()
    for _try in range(4):
        answer = client.post(ENTER, {"code": other(code)})
        assert "Wrong code." in answer.content.decode()
    page = client.post(ENTER, {"code": other(code)}, follow=True).content.decode()
    assert "This code no longer works." in page and "Email me a code" in page
    assert enter(client, code) == ""


def test_a_code_is_too_old_after_twenty_minutes(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(client)
    code = mailed()
    late = timezone.now() + sign_in_codes.VALID
    SignInCode.objects.update(asked_at=late - 2 * sign_in_codes.VALID)
    assert "no longer works" in client.get(ENTER, follow=True).content.decode()
    assert enter(client, code) == ""
    retention.run(timezone.now(), 1)
    assert not SignInCode.objects.exists()


def test_a_letter_that_comes_too_late_is_not_sent(client: Client, owner: User) -> None:
    ask(client)
    SignInCode.objects.update(asked_at=timezone.now() - sign_in_codes.VALID)
    assert send_due_emails() == []


def test_a_code_is_not_stored(client: Client, owner: User) -> None:
    ask(client)
    code = mailed()
    assert code not in str([*SignInCode.objects.values(), *client.session.items()])


@pytest.mark.parametrize("change", ["password", "email", "ban", "forget"])
def test_a_code_ends_with_what_it_was_sent_for(client: Client, owner: User, change: str) -> None:
    ask(client)
    code = mailed()
    match change:
        case "password":
            owner.set_password("eleven condors in a cup")
            owner.save()
        case "email":
            lifecycle.change_email(owner, "new@example.org", now=timezone.now())
        case "ban":
            lifecycle.ban(owner)
        case "forget":
            lifecycle.forget(owner)
    assert enter(client, code) == ""


def test_the_second_factor_is_still_asked_for(client: Client, owner: User) -> None:
    secret = generate_totp_secret()
    TOTP.activate(owner, secret)
    ask(client)
    answer = client.post(ENTER, {"code": mailed(), "next": "/rules"})
    assert answer.headers["Location"] == "/account/two-factor/enter/"
    assert client.get("/").context["user"].username == ""
    start_over = client.get("/account/two-factor/enter/").content.decode()
    assert "/account/login/?next=/rules" in start_over
    answer = client.post("/account/two-factor/enter/", {"code": code_now(secret)})
    assert answer.headers["Location"] == "/rules"
    assert client.get("/").context["user"] == owner


def test_a_guest_signs_in_to_an_account_by_code(owner: User) -> None:
    client = signed_in(lifecycle.guest())
    ask(client)
    assert enter(client, mailed()) == "alice"


def test_the_browser_is_known_from_then_on(client: Client, owner: User) -> None:
    for _try in range(6):
        client.post("/account/login/", {"login": "alice", "password": "wrong wrong"})
    ask(client)
    assert enter(client, mailed()) == "alice"
    client.post("/account/logout/")
    answer = client.post("/account/login/", {"login": "alice", "password": PASSWORD})
    assert answer.status_code == 302


def test_a_mailbox_gets_only_so_many_codes_and_there_are_no_others_to_guess(owner: User) -> None:
    """However many a stranger asks for, from however many places and in however many spellings."""
    for number in range(30):
        client = Client(REMOTE_ADDR=f"198.51.100.{number}")
        ask(client, ("alice", owner.email)[number % 2])
    assert len(send_due_emails()) == 20
    assert SignInCode.objects.filter(user=owner).count() == 20
    for code in SignInCode.objects.filter(user=None):
        assert sign_in_codes.use(code.key, sign_in_codes.digits(code, owner), now=now()) is None


def signed_out(person: User) -> Client:
    """A browser in which they have been signed in, at an address of its own."""
    client = Client(REMOTE_ADDR=f"203.0.113.{person.pk % 200}")
    client.post("/account/login/", {"login": person.username, "password": PASSWORD})
    client.post("/account/logout/")
    return client


def test_twelve_strangers_keep_nobodys_codes_away(owner: User) -> None:
    """Neither in a new browser, nor, whatever many do, in one that the account knows."""
    known = signed_out(owner)
    for number in range(12):
        ask(Client(REMOTE_ADDR=f"198.51.100.{number}"))
    send_due_emails()
    new = Client(REMOTE_ADDR="203.0.113.202")
    ask(new)
    assert enter(new, mailed()) == "alice"
    for number in range(60):
        Client(REMOTE_ADDR=f"198.51.101.{number}").post(ASK, {"login": "alice"})
    send_due_emails()
    assert Client(REMOTE_ADDR="203.0.113.203").post(ASK, {"login": "alice"}).status_code == 429
    for login in ("ALICE", owner.email):
        ask(known, login)
        assert enter(known, mailed()) == "alice"
        known.post("/account/logout/")


def test_who_claims_an_address_uses_up_nothing_of_its_owners(owner: User, bob: User) -> None:
    lifecycle.change_email(bob, owner.email, site="", now=timezone.now())
    send_due_emails()
    claims, known = signed_out(bob), signed_out(owner)
    for _number in range(5):
        ask(claims, owner.email)
    assert claims.post(ASK, {"login": owner.email}).status_code == 429
    send_due_emails()
    for _number in range(5):
        ask(known, owner.email)
        mailed()


def test_asking_looks_up_nothing_of_what_is_typed(owner: User) -> None:
    """The database is asked as often for every name, in every browser."""
    for client in (Client(), signed_out(owner)):
        statements = []
        for login in ("bob", "nobody", "nobody@example.org"):
            with CaptureQueriesContext(connection) as asked:
                ask(client, login)
            statements.append(len(asked))
        assert len(set(statements[1:])) == 1, statements


def now() -> datetime:
    return timezone.now() + timedelta(seconds=1)


def test_one_address_asks_only_so_often(owner: User) -> None:
    statuses = [Client().post(ASK, {"login": f"nobody{n}"}).status_code for n in range(21)]
    assert statuses == [302] * 20 + [429]
    elsewhere = {"REMOTE_ADDR": "198.51.100.7"}
    statuses = [Client().post(ASK, {"login": "Alice"}, **elsewhere).status_code for _n in range(6)]
    assert statuses == [302] * 5 + [429]
