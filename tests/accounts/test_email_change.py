"""A new e-mail address: the one before is told."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts import lifecycle
from accounts.letters import Letter
from accounts.models import User
from tests.support.emails import send_due_emails
from tests.support.fixtures import PASSWORD, signed_in_as_staff


def told_before() -> list[EmailMessage]:
    """The letters that leave now, but for those to the new address, which ask to confirm it."""
    confirming = "[Perudo] Confirm your email address"
    return [letter for letter in send_due_emails() if letter.subject != confirming]


def change(client: Client, email: str) -> None:
    form = {"email": email, "password": PASSWORD}
    assert client.post("/account/email", form).status_code == 302


@pytest.mark.parametrize("new", ["new@example.org", ""])
def test_the_address_before_is_told_of_a_new_one(
    alice: User, alice_client: Client, new: str
) -> None:
    change(alice_client, new)
    [letter] = told_before()
    assert letter.to == ["alice@example.org"]
    assert letter.subject == "[Perudo] Your email address was changed"
    assert "The account “alice” no longer uses this email address" in letter.body
    assert "\nhttp://testserver/account/\n" in letter.body
    assert "new@example.org" not in letter.body


def test_the_same_address_again_tells_nobody_and_stays_confirmed(
    alice: User, alice_client: Client
) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True, verified=True)
    change(alice_client, "Alice@Example.org")
    assert told_before() == []
    assert EmailAddress.objects.get(user=alice).verified


def test_a_first_address_tells_nobody(alice: User, alice_client: Client) -> None:
    lifecycle.change_email(alice, "", now=timezone.now())
    send_due_emails()
    change(alice_client, "new@example.org")
    assert told_before() == []


def test_an_address_that_others_claim_too_is_not_told(
    alice: User, bob: User, alice_client: Client
) -> None:
    """Anybody could have entered it; letters to strangers are none of the site's business."""
    lifecycle.change_email(bob, "alice@example.org", now=timezone.now())
    Letter.objects.all().delete()
    change(alice_client, "new@example.org")
    assert told_before() == []


def test_a_superuser_who_corrects_an_address_tells_the_one_before(alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_staff=True, is_superuser=True)
    bob.refresh_from_db()
    staff = signed_in_as_staff(bob)
    page = f"/admin/accounts/user/{alice.pk}/change/"
    form = {"username": "alice", "email": "New@example.org", "is_active": "on"}
    answer = staff.post(page, form)
    assert answer.status_code == 302, answer.content.decode()
    alice.refresh_from_db()
    assert alice.email == "new@example.org"
    assert EmailAddress.objects.get(user=alice).email == "new@example.org"
    [letter] = told_before()
    assert letter.to == ["alice@example.org"]
