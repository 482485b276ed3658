"""Whatever asks for a number or a code takes the digits of every script."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from accounts import addresses, two_factor
from accounts.digits import ascii_digits
from accounts.models import User
from games.core.contract import IllegalMove, form_number
from games.forms import PlayNowForm
from games.perudo.forms import NewTableForm
from games.study.players.game_filter import GameFilter
from games.table.act import Actor, act
from games.table.at_a_table import BY_NAME
from games.table.results import Done
from tests.accounts.test_codes_by_mail import ask, enter, mailed
from tests.accounts.test_two_factor import STEP, code_now, codes, scanned, step_in
from tests.support.fast_games import START
from tests.support.fixtures import PASSWORD
from tests.support.game_driver import bid, deal_game

ZEROS = {"Arabic": "٠", "Persian": "۰", "Hindi": "०", "Thai": "๐", "full width": "０"}  # noqa: RUF001
ROOT = Path(__file__).parents[2]


def of(zero: str, text: str) -> str:
    """The text with its digits in the script that has this zero."""
    return "".join(chr(ord(zero) + int(each)) if each.isdecimal() else each for each in text)


def test_digits_become_those_of_a_code_and_nothing_else_changes() -> None:
    text = "a1b2-0987654321é²½"
    assert [name for name, zero in ZEROS.items() if ascii_digits(of(zero, text)) != text] == []


def test_a_code_by_mail(alice: User) -> None:
    assert addresses.confirm(alice)
    for zero in ZEROS.values():
        client = Client()
        ask(client)
        assert enter(client, of(zero, mailed())) == "alice", zero


@pytest.mark.parametrize("zero", ZEROS.values(), ids=ZEROS)
def test_codes_of_the_app_and_recovery_codes(alice: User, alice_client: Client, zero: str) -> None:
    alice_client.post("/account/reauthenticate/", {"password": PASSWORD})
    secret = scanned(alice_client.get(f"{STEP}set-up/").content.decode())
    alice_client.post(f"{STEP}set-up/", {"code": of(zero, code_now(secret))})
    assert two_factor.is_set_up(alice)
    assert "Wrong code." in step_in(Client(), of(zero, code_now(secret))), "it was used"
    assert "Welcome, " in step_in(Client(), of(zero, code_now(secret, later=1)))
    assert "Welcome, " in step_in(Client(), of(zero, codes(alice_client)[0]))


def test_a_number_in_a_move(alice: User, bob: User) -> None:
    for zero in ZEROS.values():
        table = deal_game(alice, bob, hands=((2, 3, 4, 5, 6), (1, 2, 2, 5, 5)))
        fields = {"do": "bid", "quantity": of(zero, "2"), "face": of(zero, "3")}
        fields["seen"] = of(zero, str(table.game.seq))
        asking = Actor(alice, holder=str, home=str, allows=lambda _action: True)
        outcome = act(asking, table.game.code, BY_NAME["move"], fields, now=START)
        assert isinstance(outcome, Done), zero
        assert table.state.bids == ((0, bid("2x3")),), zero


def test_what_is_no_digit_is_no_number(subtests: pytest.Subtests) -> None:
    for text in ("²", "½", "-1", "+1", "1.0", " 1", "", "Ⅷ", "一", None):
        with subtests.test(text=text), pytest.raises(IllegalMove, match="malformed"):
            form_number(text, digits=4)


def test_settings_of_a_table() -> None:
    chosen = {"game": "perudo", "kind": "standard", "seats": "4", "pace": "90", "tempo": "normal"}
    for zero in ZEROS.values():
        form = NewTableForm(
            {name: of(zero, text) for name, text in chosen.items()} | {"visibility": "link"}
        )
        assert form.is_valid(), (zero, form.errors)
        table = form.table_settings()
        assert (table.size, table.turn_seconds) == (4, 90), zero
        quick = PlayNowForm({"game": "perudo", "bots": of(zero, "2")})
        assert quick.is_valid() and len(quick.kinds()) == 2, zero


def test_the_year_of_a_filter(alice: User) -> None:
    now = timezone.now()
    for zero in ZEROS.values():
        form = GameFilter({"period": of(zero, str(now.year))}, person=alice, viewer=alice, now=now)
        assert form.is_valid() and form.cleaned_data["period"] == str(now.year), zero


def test_nothing_that_reads_a_form_asks_for_ascii_digits_alone() -> None:
    read = [*(ROOT / "accounts").glob("*.py"), *(ROOT / "games" / "core").glob("*.py")]
    for folder in ("views", "table", "live", "lobby", "social", "study"):
        read += (ROOT / "games" / folder).rglob("*.py")
    assert len(read) > 100
    asks = ("isdigit()", "isascii() and")
    assert [each for each in read if any(word in each.read_text() for word in asks)] == []
