"""The key that signs pushes: one, in the database; another one is named, and replaces none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from pytest_django import Settings

from games.models import PushKey
from games.social.push import site_key, vapid
from tests.support.fixtures import rolled_back

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _of_this_test(settings: Settings) -> Iterator[None]:
    """No key is set, none lies in a file, and this process knows of none."""
    settings.PUSH_KEY = settings.PUSH_KEY_OF_FILE = ""
    site_key.forget()
    yield
    site_key.forget()


def another_process() -> str:
    """What another process of the site signs with."""
    site_key.forget()
    return site_key.current().public_key


def test_the_first_process_makes_one_and_all_use_it() -> None:
    site_key.prepare()
    assert {another_process() for _ in range(3)} == {site_key.current().public_key}
    assert PushKey.objects.count() == 1


def test_one_of_a_file_is_taken_over(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.PUSH_KEY_OF_FILE = vapid.new_key()
    site_key.prepare()
    used = vapid.key_of(settings.PUSH_KEY_OF_FILE).public_key
    assert site_key.current().public_key == used
    settings.PUSH_KEY_OF_FILE = ""  # a process with a folder of its own
    assert another_process() == used
    assert caplog.records == []


@pytest.mark.parametrize("place", ["database", "file"])
def test_a_different_one_is_named_at_the_start_and_replaces_none(
    settings: Settings, caplog: pytest.LogCaptureFixture, place: str
) -> None:
    site_key.prepare()
    first = another_process()
    other = vapid.new_key()
    if place == "file":
        settings.PUSH_KEY_OF_FILE = other
    else:
        settings.PUSH_KEY = other
    site_key.forget()
    site_key.prepare()
    assert vapid.key_of(PushKey.objects.get().private_key).public_key == first
    used = first if place == "file" else vapid.key_of(other).public_key
    assert site_key.current().public_key == used
    [record] = caplog.records
    assert record.getMessage().startswith(f"push keys differ used={used[:12]} ")
    assert record.getMessage().endswith(f"from={place}")
    assert "PRIVATE" not in record.getMessage()


def test_one_that_was_taken_back_is_not_used_on() -> None:
    with rolled_back():
        assert connection.in_atomic_block
        before = site_key.current().public_key
    assert site_key.current().public_key != before
    assert another_process() == site_key.current().public_key
