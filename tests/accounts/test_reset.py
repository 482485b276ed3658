"""The way back for those who forgot the password, and who learns what on the way."""

from __future__ import annotations

import re

from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import addresses, lifecycle
from accounts.letters import Letter
from accounts.models import User
from tests.accounts.test_two_factor import code_now
from tests.support.emails import send_due_emails
from tests.support.fixtures import PASSWORD

NEW = "eleven condors in a cup"
RESET = "/account/password/reset/"


def ask(email: str) -> list[EmailMessage]:
    """The letters that leave after somebody asks for a reset with this address."""
    assert Client().post(RESET, {"email": email}).status_code == 302
    return [*send_due_emails()]


def link_in(letter: EmailMessage) -> str:
    found = re.search(r"http://testserver(/\S+)", str(letter.body))
    assert found
    return found[1]


def choose_new_password(client: Client, link: str, password: str = NEW) -> str:
    """The page after the form behind the link of a letter."""
    where = client.get(link, follow=True).redirect_chain[-1][0]
    form = {"password1": password, "password2": password}
    return client.post(where, form, follow=True).content.decode()


def test_a_forgotten_password_is_replaced_by_letter(client: Client, alice: User) -> None:
    [letter] = ask("Alice@Example.org")
    page = choose_new_password(client, link_in(letter))
    alice.refresh_from_db()
    assert alice.check_password(NEW)
    assert client.get("/account/").context["user"] == alice
    # It is said once, on the page that follows.
    assert page.count("Password successfully changed.") == 1
    assert "Password successfully changed." not in client.get("/").content.decode()


def test_a_closed_account_gets_no_letter(alice: User) -> None:
    alice.is_active = False
    alice.save(update_fields=["is_active"])
    assert ask(alice.email) == []


def test_a_link_works_once(client: Client, alice: User) -> None:
    [letter] = ask(alice.email)
    choose_new_password(client, link_in(letter))
    again = Client().get(link_in(letter), follow=True)
    assert "has expired or has already been used" in again.content.decode()


def test_the_letter_names_the_account_and_the_site(alice: User) -> None:
    [letter] = ask(alice.email)
    assert letter.to == [alice.email]
    assert letter.subject == "[Perudo] Choose a new password"
    assert "“alice”" in letter.body
    assert letter.body.endswith("\nPerudo\ntestserver\n")


def test_the_page_never_tells_whether_an_address_is_known(client: Client, alice: User) -> None:
    answers = [
        client.post(RESET, {"email": address}, follow=True)
        for address in (alice.email, "stranger@example.org")
    ]
    assert answers[0].redirect_chain == answers[1].redirect_chain
    without_tokens = [
        re.sub(r'(csrfmiddlewaretoken" value=|x-csrftoken": )"\w+"|data-now="\d+"', "", text)
        for text in (answer.content.decode() for answer in answers)
    ]
    assert without_tokens[0] == without_tokens[1]


def test_the_work_of_an_answer_never_tells_whether_an_address_is_known(alice: User) -> None:
    """The database does the same for each, so that the time tells nothing either."""
    work = []
    for address in (alice.email, "other@example.org", "nobody@example.org"):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            Client().post(RESET, {"email": address})
        texts = [re.sub(r"'[^']*'|\d+", "…", each["sql"]) for each in queries]
        work.append(texts)
        if address == "other@example.org":  # claimed by two
            User.objects.create_user("bob", address, PASSWORD)
            User.objects.create_user("charlie", address, PASSWORD)
    assert work[0] == work[1] == work[2]
    assert not any("accounts_user" in text for text in work[0])


def test_a_letter_is_never_sent_to_an_unknown_address(alice: User) -> None:
    assert ask("stranger@example.org") == []
    assert not Letter.objects.exists()


def test_one_request_sends_one_letter_or_none(db: None) -> None:
    """Anybody may claim an address at signing up; nobody's mailbox is flooded by that."""
    for number in range(28):
        User.objects.create_user(f"thief{number}", "owner@example.org", PASSWORD)
    assert ask("owner@example.org") == []
    owner = User.objects.create_user("owner", "owner@example.org", PASSWORD)
    EmailAddress.objects.create(user=owner, email=owner.email, primary=True, verified=True)
    [letter] = ask("owner@example.org")
    assert "“owner”" in letter.body


def test_who_has_used_a_letter_has_confirmed_the_address(client: Client, alice: User) -> None:
    [letter] = ask(alice.email)
    choose_new_password(client, link_in(letter))
    assert EmailAddress.objects.get(user=alice).verified
    User.objects.create_user("thief", alice.email, PASSWORD)
    [letter] = ask(alice.email)
    assert "“alice”" in letter.body


def test_a_reset_leads_to_where_one_was_going_and_still_asks_for_the_second_factor(
    client: Client, alice: User
) -> None:
    client.post(RESET, {"email": alice.email, "next": "/rules/perudo"})
    [letter] = send_due_emails()
    where = client.get(link_in(letter), follow=True).redirect_chain[-1][0]
    secret = generate_totp_secret()
    TOTP.activate(alice, secret)
    wanted = client.get(where).context["redirect_field_value"]
    form = {"password1": NEW, "password2": NEW, "next": wanted}
    assert client.post(where, form).headers["Location"] == "/account/two-factor/enter/"
    assert client.get("/account/").status_code == 302
    answer = client.post("/account/two-factor/enter/", {"code": code_now(secret)})
    assert answer.headers["Location"] == "/rules/perudo"
    assert client.get("/account/").context["user"] == alice


def test_the_link_of_a_reset_leads_there_only_in_the_browser_that_asked(alice: User) -> None:
    asking = Client()
    answer = asking.post(RESET, {"email": alice.email, "next": "/rules/perudo"})
    assert answer.headers["Location"] == "/account/password/reset/done/"
    [letter] = send_due_emails()
    assert "rules" not in letter.body
    page = Client().get(link_in(letter), follow=True)
    assert not page.context["redirect_field_value"]


def test_a_new_address_is_not_confirmed(client: Client, alice: User) -> None:
    [letter] = ask(alice.email)
    choose_new_password(client, link_in(letter))
    alice.refresh_from_db()
    alice_client = Client()
    alice_client.force_login(alice)
    alice_client.post("/account/email", {"email": "new@example.org", "password": NEW})
    assert not EmailAddress.objects.get(user=alice).verified


def test_a_link_to_an_earlier_address_works_no_more(client: Client, alice: User) -> None:
    [letter] = ask(alice.email)
    alice_client = Client()
    alice_client.force_login(alice)
    alice_client.post("/account/email", {"email": "new@example.org", "password": PASSWORD})
    answer = client.get(link_in(letter), follow=True)
    assert "has expired" in answer.content.decode()


def test_a_letter_goes_to_the_stored_address_not_to_one_that_is_like_it(db: None) -> None:
    User.objects.create_user("lily", "lily@example.org", PASSWORD)
    for typed in ("lıly@example.org", "LİLY@example.org", "liſly@example.org"):
        assert {to for letter in ask(typed) for to in letter.to} <= {"lily@example.org"}, typed
    [letter] = ask("LILY@example.org")
    assert letter.to == ["lily@example.org"]


def test_a_reset_ends_every_session(client: Client, alice: User, alice_client: Client) -> None:
    [letter] = ask(alice.email)
    choose_new_password(client, link_in(letter))
    assert alice_client.get("/account/").status_code == 302


def test_a_suspended_account_gets_no_link(alice: User) -> None:
    lifecycle.ban(alice)
    assert ask(alice.email) == []


def test_a_letter_is_in_the_language_of_its_reader(alice: User) -> None:
    Client().post(RESET, {"email": alice.email}, headers={"Accept-Language": "it"})
    [letter] = send_due_emails()
    assert letter.body.startswith("Ciao")
    User.objects.filter(pk=alice.pk).update(language="fr")
    Client().post(RESET, {"email": alice.email}, headers={"Accept-Language": "it"})
    [letter] = send_due_emails()
    assert letter.body.startswith("Bonjour")


def test_an_address_longer_than_any_is_refused_by_the_form(alice_client: Client) -> None:
    too_long = f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 60}.example.org"
    form = {"username": "Dora", "password1": PASSWORD}
    for path, rest in ((RESET, {}), ("/account/signup/", form)):
        answer = Client().post(path, rest | {"email": too_long})
        assert answer.status_code == 200
        assert "254" in answer.content.decode()
    answer = alice_client.post("/account/email", {"email": too_long, "password": PASSWORD})
    assert "254" in answer.content.decode()


def test_strangers_keep_nobodys_resets_away(alice: User) -> None:
    """As with passwords and codes: by name and address, and known browsers apart."""
    addresses.confirm(alice)
    known = Client(REMOTE_ADDR="203.0.113.1")
    known.post("/account/login/", {"login": "alice", "password": PASSWORD})
    known.post("/account/logout/")
    email = {"email": alice.email}
    for number in range(12):
        answer = Client(REMOTE_ADDR=f"198.51.100.{number}").post(RESET, email)
        assert answer.status_code == 302
        send_due_emails()
    assert Client(REMOTE_ADDR="203.0.113.2").post(RESET, email).status_code == 302
    assert len(send_due_emails()) == 1
    for number in range(60):
        Client(REMOTE_ADDR=f"198.51.101.{number}").post(RESET, email)
        send_due_emails()
    assert Client(REMOTE_ADDR="203.0.113.3").post(RESET, email).status_code == 429
    assert known.post(RESET, email).status_code == 302
    assert len(send_due_emails()) == 1
    greedy = [
        Client(REMOTE_ADDR="203.0.113.4").post(RESET, {"email": "x@example.org"}) for _ in "123456"
    ]
    assert [answer.status_code for answer in greedy] == [302] * 5 + [429]
