"""The admin of people: for staff, and careful with names."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from tests.support.fixtures import PASSWORD, signed_in_as_staff


@pytest.fixture
def staff_client(db: None) -> Client:
    return signed_in_as_staff(User.objects.create_superuser("boss", "", PASSWORD))


def test_people_without_the_right_see_no_admin(alice_client: Client) -> None:
    assert alice_client.get("/admin/accounts/user/").status_code == 302


def test_staff_find_a_person(alice: User, staff_client: Client) -> None:
    assert "alice" in staff_client.get("/admin/accounts/user/?q=alice").content.decode()
    assert staff_client.get(f"/admin/accounts/user/{alice.pk}/change/").status_code == 200


def test_staff_cannot_rename_anybody_to_look_like_another(
    alice: User, bob: User, staff_client: Client
) -> None:
    address = f"/admin/accounts/user/{bob.pk}/change/"
    renamed = staff_client.post(address, {"username": "aIice", "email": "", "is_active": "on"})
    assert "looks too much like another player" in renamed.content.decode()
    renamed = staff_client.post(address, {"username": "Bobby", "email": "", "is_active": "on"})
    assert renamed.status_code == 302
    bob.refresh_from_db()
    assert bob.username == "Bobby"


def test_staff_cannot_make_a_twin(alice: User, staff_client: Client) -> None:
    form = {
        "username": "ALICE",
        "usable_password": "true",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    answer = staff_client.post("/admin/accounts/user/add/", form)
    assert "This name is taken" in answer.content.decode()
    made = staff_client.post("/admin/accounts/user/add/", form | {"username": "Zoe"})
    assert made.status_code == 302
    assert User.objects.get(username="Zoe").check_password(PASSWORD)
