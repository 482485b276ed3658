"""Standing tables: their links, their games, who may do what, and their limits."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from accounts import lifecycle
from accounts.models import User
from games import link_words
from games.errors import Refused
from games.lobby.standing import ownership, retention
from games.models import FormerWord, Game, Mute, StandingTable, TableSettings
from games.play import before_start, rematches, standing_games
from tests.support.fast_games import START, finish_game, finished_game, open_table
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db

LATER = START + timedelta(hours=1)


def settings_like(**changed: Any) -> TableSettings:
    usual = before_start.quick_settings("perudo", bots=3)
    ours = {"turn_seconds": 90, "tempo": "relaxed", "visibility": Game.Visibility.LINK}
    return replace(usual, **ours | changed)


@pytest.fixture
def table(alice: User) -> StandingTable:
    return ownership.make(alice, settings_like(), now=START)


def join(table: StandingTable, person: User) -> Game:
    return standing_games.join(table, person, now=START)


# --- links ----------------------------------------------------------------------------------------


def test_a_word_can_be_read_aloud_and_not_guessed() -> None:
    words = {link_words.new_word() for _each in range(2000)}
    assert len(words) == 2000
    assert all(re.fullmatch(r"([a-z][aeiou]){4}-([a-z][aeiou]){4}", word) for word in words)
    assert all(link_words.is_word(word) for word in words)
    letters = [{word[place] for word in words} for place in range(17)]
    # Every syllable is one of seventy: 49 bits.
    assert [len(each) for each in letters] == [14, 5] * 4 + [1] + [14, 5] * 4


def test_no_word_has_one_in_it_that_nobody_would_send(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter("putatabi" + "soboremi" + "labadoka" + "kanorime" + "labadoki" + "norimevu")
    monkeypatch.setattr(link_words, "_syllable", lambda _place: next(drawn) + next(drawn))
    assert link_words.new_word() == "labadoki-norimevu"


def test_what_is_no_word_is_looked_up_nowhere(
    django_assert_num_queries: Any, subtests: pytest.Subtests
) -> None:
    for word in ["", "new", "x" * 30, "bodikamu", "bodikamu-renalof", "админ"]:
        with subtests.test(word=word), django_assert_num_queries(0):
            assert ownership.find(word) is None
            assert ownership.renewed(word) is None


def test_a_link_is_found_however_it_is_typed(table: StandingTable) -> None:
    assert ownership.find(table.word.upper()) == table


def test_a_word_that_is_taken_is_not_given_again(
    table: StandingTable, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    former = table.word
    ownership.renew(table)
    drawn = iter([former, table.word, "bodikamu-renalofi"])
    monkeypatch.setattr(link_words, "new_word", lambda: next(drawn))
    assert ownership.make(bob, settings_like(), now=START).word == "bodikamu-renalofi"


# --- games ----------------------------------------------------------------------------------------


def test_who_comes_first_opens_a_game_and_the_others_sit_there(
    table: StandingTable, bob: User, charlie: User
) -> None:
    game = join(table, bob)
    assert [join(table, person) for person in (charlie, bob)] == [game, game]
    assert [seat.user for seat in game.seat_set.all()] == [bob, charlie]
    assert TableSettings.of(game) == standing_games.settings_of(table)
    assert game.turn_seconds == 90 and game.tempo == "relaxed" and not game.listed


def test_anybody_who_sits_there_starts_it(
    table: StandingTable, bob: User, charlie: User, alice: User
) -> None:
    game = join(table, bob)
    join(table, charlie)
    with pytest.raises(Refused, match="not_host"):  # its owner does not sit there
        before_start.start(game.code, alice, now=START)
    before_start.start(game.code, charlie, now=START)
    assert Game.objects.get(pk=game.pk).status == Game.Status.PLAYING


def test_at_another_table_only_the_host_does(alice: User, bob: User) -> None:
    game = open_table(alice, bob)
    with pytest.raises(Refused, match="not_host"):
        before_start.start(game.code, bob, now=START)


def test_nobody_comes_into_a_running_game_and_its_players_find_it_again(
    table: StandingTable, alice: User, bob: User, charlie: User
) -> None:
    game = join(table, bob)
    join(table, charlie)
    before_start.start(game.code, bob, now=START)
    assert join(table, charlie) == game
    with pytest.raises(Refused, match="table_plays"):
        join(table, alice)


def test_the_next_game_is_the_rematch_of_the_last_one(
    table: StandingTable, bob: User, charlie: User
) -> None:
    first = played(table, bob, charlie)
    second = join(table, charlie)
    assert second != first
    assert rematches.rematch(first.code, bob, now=LATER) == second
    assert standing_games.current(table) == second
    assert standing_games.last_finished(table) == first


def test_a_rematch_is_the_next_game_of_the_table(
    table: StandingTable, alice: User, bob: User, charlie: User
) -> None:
    first = played(table, bob, charlie)
    second = rematches.rematch(first.code, bob, now=LATER)
    Game.objects.filter(pk=second.pk).update(seats_kept_until=None)
    assert join(table, alice) == second


def test_a_closed_game_is_followed_by_a_new_one(
    table: StandingTable, bob: User, charlie: User
) -> None:
    first = played(table, bob, charlie)
    second = join(table, bob)
    before_start.close(second.code, bob, now=LATER)
    third = join(table, charlie)
    assert third not in (first, second)
    assert standing_games.last_finished(table) == first


def played(table: StandingTable, *people: User) -> Game:
    """A finished game of the table."""
    for person in people:
        game = join(table, person)
    before_start.start(game.code, people[0], now=START)
    return finish_game(Game.objects.get(pk=game.pk))


def test_who_is_blocked_by_the_owner_does_not_come_in(
    table: StandingTable, alice: User, bob: User, charlie: User
) -> None:
    Mute.objects.create(by=alice, whom=bob, blocked=True)
    with pytest.raises(Refused, match="blocked"):
        join(table, bob)
    join(table, charlie)


def test_who_is_blocked_by_the_owner_does_not_sit_down_at_a_game_that_another_hosts(
    table: StandingTable, alice: User, bob: User, charlie: User
) -> None:
    """Not by the link of the game either."""
    game = join(table, charlie)
    Mute.objects.create(by=alice, whom=bob, blocked=True)
    with pytest.raises(Refused, match="blocked"):
        before_start.sit(game.code, bob, now=LATER)
    page = signed_in(bob).get(f"/games/{game.code}").text
    assert "You can&#x27;t join this table." in page and "Join charlie" not in page


def test_a_kept_game_and_its_rematch_belong_to_the_table(alice: User, bob: User) -> None:
    first = finished_game(alice, bob)
    second = rematches.rematch(first.code, bob, now=LATER)
    table = ownership.make(alice, TableSettings.of(first), now=LATER)
    standing_games.adopt(first, table, alice, now=LATER)
    assert standing_games.last_finished(table) == first
    # At the rematch only bob sits so far; who comes by the link finds it all the same.
    assert standing_games.join(table, alice, now=LATER) == second
    assert standing_games.current(table) == second


def test_nobody_adopts_a_game_of_others_or_of_another_table(
    table: StandingTable, alice: User, bob: User, charlie: User
) -> None:
    game = finished_game(alice, bob)
    mine = ownership.make(charlie, TableSettings.of(game), now=START)
    standing_games.adopt(game, mine, charlie, now=START)
    assert standing_games.current(mine) is None
    standing_games.adopt(game, table, alice, now=START)
    other = ownership.make(bob, TableSettings.of(game), now=START)
    standing_games.adopt(game, other, bob, now=START)
    assert (standing_games.current(table), standing_games.current(other)) == (game, None)


def test_pages_of_a_room_that_is_kept_are_told(alice: User, bob: User) -> None:
    game = open_table(alice, bob)
    table = ownership.make(alice, TableSettings.of(game), now=START)
    standing_games.adopt(game, table, alice, now=START)
    assert Game.objects.get(pk=game.pk).seq == game.seq + 1
    before_start.start(game.code, bob, now=START)


def test_other_rules_apply_from_the_next_game(table: StandingTable, bob: User) -> None:
    game = join(table, bob)
    ownership.change(table, settings_like(size=2, chat=False))
    assert Game.objects.get(pk=game.pk).size == 4
    before_start.close(game.code, bob, now=START)
    again = join(StandingTable.objects.get(pk=table.pk), bob)
    assert (again.size, again.chat) == (2, False)


def test_settings_of_another_version_are_read(table: StandingTable) -> None:
    table.settings = {**table.settings, "of_tomorrow": 3}
    del table.settings["tempo"]
    assert standing_games.settings_of(table).tempo == ""


# --- owners ---------------------------------------------------------------------------------------


def test_an_account_keeps_three_tables_and_a_guest_none(table: StandingTable, alice: User) -> None:
    for _each in range(ownership.TABLES_EACH - 1):
        ownership.make(alice, settings_like(), now=START)
    with pytest.raises(Refused, match="too_many_standing"):
        ownership.make(alice, settings_like(), now=START)
    ownership.remove(table)
    ownership.make(alice, settings_like(), now=START)
    with pytest.raises(Refused, match="guests_keep_none"):
        ownership.make(lifecycle.guest(), settings_like(), now=START)


def test_an_address_makes_so_many_in_a_month(bob: User, alice: User, settings: Any) -> None:
    settings.STANDING_TABLES_PER_ADDRESS = 2
    for owner in (alice, bob):
        ownership.make(owner, settings_like(), holder="here", now=START)
    with pytest.raises(Refused, match="too_many_here"):
        ownership.make(bob, settings_like(), holder="here", now=START)
    ownership.make(bob, settings_like(), holder="elsewhere", now=START)
    ownership.make(bob, settings_like(), holder="here", now=START + timedelta(days=31))


def test_a_renewed_link_says_so_and_the_new_one_works(table: StandingTable, bob: User) -> None:
    former = table.word
    game = join(table, bob)
    ownership.renew(table)
    assert ownership.find(former) is None
    assert ownership.renewed(former) == table
    found = ownership.find(table.word)
    assert found is not None and standing_games.current(found) == game


def test_of_many_former_links_the_last_are_remembered(table: StandingTable) -> None:
    words = []
    for _each in range(ownership.FORMER_WORDS + 3):
        words.append(table.word)
        ownership.renew(table)
    assert FormerWord.objects.count() == ownership.FORMER_WORDS
    assert [ownership.renewed(word) for word in words[:3]] == [None] * 3
    assert ownership.renewed(words[3]) == table


def test_the_games_of_a_deleted_table_stay(table: StandingTable, bob: User) -> None:
    game = join(table, bob)
    ownership.remove(table)
    assert ownership.find(table.word) is None
    assert Game.objects.get(pk=game.pk).standing_id is None


def test_a_suspended_account_has_no_table(table: StandingTable, alice: User) -> None:
    former = table.word
    ownership.renew(table)
    lifecycle.ban(alice)
    assert ownership.find(table.word) is None
    assert ownership.renewed(former) is None


def test_it_is_in_the_data_of_its_owner_and_goes_with_the_account(
    table: StandingTable, alice: User, bob: User
) -> None:
    former = table.word
    ownership.renew(table)
    [exported] = ownership.export(alice)["standing_tables"]
    assert exported["link"] == f"/t/{table.word}"
    assert exported["former_links"] == [f"/t/{former}"]
    assert exported["settings"]["turn_seconds"] == 90
    assert ownership.export(bob) == {"standing_tables": []}
    ownership.forget(alice)
    assert not StandingTable.objects.exists() and not FormerWord.objects.exists()


def test_whose_address_a_table_counted_for_is_forgotten_when_it_counts_no_more(
    alice: User, bob: User
) -> None:
    old = ownership.make(alice, settings_like(), holder="here", now=START)
    new = ownership.make(bob, settings_like(), holder="here", now=START + timedelta(days=1))
    assert retention.run(START + ownership.COUNTED_FOR, 0.5) is False
    assert [StandingTable.objects.get(pk=each.pk).holder for each in (old, new)] == ["", "here"]
