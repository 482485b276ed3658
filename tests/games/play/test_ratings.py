"""Which games count for ratings, what they change, and that counting them again changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Club, Game, NextSeat, RatedSeat, Rating, RatingCorrection, TableSettings
from games.perudo.ratings import SCALE
from games.play import before_start, close_by_staff, commands, next_tables, rematches
from games.play.ratings import correcting, counting, maths, verdict
from games.play.transaction import attempts
from tests.support.fast_games import START, finish_game, open_table, played_game, running_game
from tests.support.game_driver import LEAVE, GameDriver

pytestmark = pytest.mark.django_db

LATER = START + timedelta(days=1)


def rated(*company: User | str, seed: int = 1, **table: object) -> Game:
    """A rated game from its opening to its end."""
    return played_game(*company, seed=seed, rated=True, **table)  # type: ignore[arg-type]


def parts(game: Game) -> list[RatedSeat]:
    return list(RatedSeat.objects.filter(game=game).select_related("rating", "seat").order_by("pk"))


def begun(game: Game) -> Game:
    before_start.start(game.code, game.host, now=START)
    game.refresh_from_db()
    return game


@pytest.fixture
def dora(db: None) -> User:
    return User.objects.create_user("dora")


@pytest.fixture
def guest(alice: User) -> User:
    return User.objects.create_user("Guesty", is_guest=True)


# --- which games count ----------------------------------------------------------------------------


def test_a_public_table_that_asked_for_it_counts(alice: User, bob: User) -> None:
    game = begun(open_table(alice, bob, "steady", rated=True))
    assert [(part.rating.user, part.left_out, part.number) for part in parts(game)] == [
        (alice, "", None),
        (bob, "", None),
    ]
    assert {(each.mu, each.sigma, each.games) for each in Rating.objects.all()} == {
        (SCALE.start, SCALE.doubt, 0)
    }


@pytest.mark.parametrize(
    "table",
    [
        {"rated": False},
        {"public": False},
        {"show_odds": True},
        {"lost_dice_visible": False},
        {"starter": "one_die"},
        {"preset": "web_fr"},
    ],
    ids=str,
)
def test_other_tables_do_not(alice: User, bob: User, table: dict[str, object]) -> None:
    game = played_game(alice, bob, **({"rated": True} | table))  # type: ignore[arg-type]
    assert parts(game) == []
    assert not Rating.objects.exists()


def test_with_calza_is_a_rule_set_that_one_can_pick_at_once(alice: User, bob: User) -> None:
    assert len(parts(rated(alice, bob, calza="on"))) == 2


def test_one_account_among_bots_and_guests_does_not(alice: User, guest: User) -> None:
    assert parts(rated(alice, guest, "steady")) == []


def test_guests_are_left_out_and_the_accounts_rated_by_their_order(
    alice: User, bob: User, guest: User
) -> None:
    game = rated(guest, alice, bob)
    places = {seat.user_id: seat.place for seat in game.seat_set.all()}
    by_user = {part.rating.user: part for part in parts(game)}
    assert set(by_user) == {alice, bob}
    first, second = sorted((alice, bob), key=lambda user: places[user.pk] or 0)
    assert (by_user[first].place, by_user[second].place) == (1, 2)
    assert {part.places for part in by_user.values()} == {2}


def test_what_a_table_asks_for_is_asked_for_at_its_rematch(alice: User, bob: User) -> None:
    game = rated(alice, bob)
    now = game.finished_at
    assert now is not None
    again = rematches.rematch(game.code, alice, now=now)
    rematches.rematch(game.code, bob, now=now)
    again.refresh_from_db()
    assert again.status == Game.Status.PLAYING
    assert len(parts(again)) == 2


# --- one home -------------------------------------------------------------------------------------


def left_out(game: Game) -> dict[str, str]:
    return {part.rating.user.username: part.left_out for part in parts(game)}


def test_people_of_one_home_are_left_out_and_the_others_count(
    alice: User, bob: User, charlie: User, dora: User
) -> None:
    table = open_table(alice, bob, charlie, dora, rated=True, homes=["h", "elsewhere", "h", ""])
    assert left_out(begun(table)) == {"alice": "home", "bob": "", "charlie": "home", "dora": ""}


def test_two_of_one_home_alone_play_unrated(alice: User, bob: User) -> None:
    assert parts(begun(open_table(alice, bob, rated=True, homes=["h", "h"]))) == []


def test_an_unknown_address_is_nobodys_home(alice: User, bob: User) -> None:
    assert left_out(begun(open_table(alice, bob, rated=True))) == {"alice": "", "bob": ""}


def test_people_in_a_club_have_nothing_to_do_with_each_other(alice: User, bob: User) -> None:
    Club.objects.create(name="The Toucan", home="h")
    table = open_table(alice, bob, rated=True, homes=["h", "h"])
    assert left_out(begun(table)) == {"alice": "", "bob": ""}


def test_no_address_is_known_from_the_start_of_the_game_on(alice: User, bob: User) -> None:
    table = open_table(alice, bob, rated=True, homes=["a", "b"])
    assert {seat.home for seat in table.seat_set.all()} == {"a", "b"}
    assert {seat.home for seat in begun(table).seat_set.all()} == {""}
    closed = open_table(alice, bob, rated=True, homes=["a", "b"])
    before_start.close(closed.code, alice, now=START)
    assert {seat.home for seat in closed.seat_set.all()} == {""}


def test_one_home_stays_one_home_at_the_rematch(
    alice: User, bob: User, charlie: User, dora: User
) -> None:
    """Whoever waits for the next table is seated without a request, so without an address."""
    company = (alice, bob, charlie, dora)
    game = rated(*company, homes=["h", "h", "a", "b"])
    now = game.finished_at
    assert now is not None
    NextSeat.objects.bulk_create(NextSeat(game=game, user=user, seen_at=now) for user in company)
    next_tables.run(now=now)
    game.refresh_from_db()
    assert game.rematch is not None and game.rematch.status == Game.Status.PLAYING
    assert left_out(game.rematch) == {"alice": "home", "bob": "home", "charlie": "", "dora": ""}


# --- what a game changes --------------------------------------------------------------------------


def test_the_order_decides_and_what_was_expected_is_kept(
    alice: User, bob: User, charlie: User
) -> None:
    game = rated(alice, bob, charlie, "steady")
    places = {seat.pk: seat.place for seat in game.seat_set.all()}
    found = sorted(parts(game), key=lambda part: part.place or 0)
    assert [part.place for part in found] == [places[part.seat_id] for part in found]
    gains = [(part.mu or 0) - (part.mu_before or 0) for part in found]
    assert gains == sorted(gains, reverse=True)
    for part in found:
        assert (part.number, part.places, part.at) == (1, 4, game.finished_at)
        assert (part.rating.mu, part.rating.sigma) == (part.mu, part.sigma)
        assert (part.rating.games, part.rating.number) == (1, 1)
        assert part.rating.lower == pytest.approx(part.rating.mu - 2 * part.rating.sigma)
        assert part.chance is not None and 0 < part.chance < 1
        assert part.expected is not None and 1 < part.expected < 4


def test_a_game_has_a_larger_number_than_any_before_of_its_people(
    alice: User, bob: User, charlie: User, dora: User
) -> None:
    numbers = [
        parts(rated(*company))[0].number
        for company in ((alice, bob), (charlie, dora), (alice, bob), (bob, charlie), (alice, dora))
    ]
    assert numbers == [1, 1, 2, 3, 3]


def test_who_leaves_is_last_in_the_order_of_leaving(
    alice: User, bob: User, charlie: User, dora: User
) -> None:
    driver = GameDriver(running_game(alice, bob, charlie, dora, rounds=1, rated=True))
    for number in (2, 0):
        commands.move(driver.code, number, LEAVE, seen=None, now=driver.now)
    game = finish_game(driver.game)
    by_number = {part.seat.number: part.place for part in parts(game)}
    assert sorted((by_number[1], by_number[3])) == [1, 2]
    assert (by_number[0], by_number[2]) == (3, 4)


def test_who_takes_over_again_keeps_what_was_played_for(alice: User, bob: User) -> None:
    driver = GameDriver(running_game(alice, bob, rated=True))
    number = driver.game.seat_set.get(user=alice).number
    fall_asleep(driver, number)
    assert driver.game.seat_set.get(number=number).away_seq is not None
    commands.come_back(driver.code, number, now=driver.now)
    back = driver.game.seat_set.get(number=number)
    assert not back.asleep and back.away_seq is None
    game = finish_game(driver.game)
    places = {seat.user_id: seat.place for seat in game.seat_set.all()}
    assert {part.rating.user_id: part.place for part in parts(game)} == places


def test_who_has_not_come_back_at_the_end_is_last(alice: User, bob: User, charlie: User) -> None:
    driver = GameDriver(running_game(alice, bob, charlie, rated=True))
    number = driver.game.seat_set.get(user=alice).number
    fall_asleep(driver, number)
    game = finish_game(driver.game)
    by_user = {part.rating.user: part.place for part in parts(game)}
    assert game.seat_set.get(user=alice).asleep
    assert by_user[alice] == 3


def fall_asleep(driver: GameDriver, number: int) -> None:
    """Let a bot play for this seat, as after two turns that ran out."""
    for attempt in attempts(driver.code):
        with attempt as tx:
            tx.change_seat(number, asleep=True, missed=2)
            tx.save(seq=tx.game.seq + 1)


def test_a_pair_counts_the_less_the_more_they_have_played(
    alice: User, bob: User, charlie: User
) -> None:
    Rating.objects.bulk_create(newcomers(alice, bob, charlie, games=40))
    for _ in range(maths.HALF_AFTER):
        rated(alice, bob)
    pair = begun(open_table(alice, bob, rated=True))
    assert [part.weight for part in parts(pair)] == pytest.approx([0.5, 0.5])
    three = begun(open_table(alice, bob, charlie, rated=True))
    assert [part.weight for part in parts(three)] == pytest.approx([0.75, 0.75, 1])
    month_later = open_table(alice, bob, rated=True)
    before_start.start(month_later.code, alice, now=START + timedelta(days=31))
    assert [part.weight for part in parts(month_later)] == [1, 1]


def newcomers(*people: User, games: int) -> list[Rating]:
    ratings = [verdict.newcomer("perudo", person.pk) for person in people]
    for rating in ratings:
        rating.games = games
    return ratings


def test_against_somebody_who_plays_with_nobody_else_little_counts(
    alice: User, bob: User, charlie: User
) -> None:
    Rating.objects.bulk_create(newcomers(alice, charlie, games=40))
    first = begun(open_table(alice, bob, rated=True))
    weights = {part.rating.user: part.weight for part in parts(first)}
    assert weights == pytest.approx({alice: 0.1, bob: 1})
    for _ in range(3):
        rated(alice, bob)
    again = begun(open_table(alice, bob, rated=True))
    weights = {part.rating.user: part.weight for part in parts(again)}
    assert weights[alice] == pytest.approx(0.1 * 0.5**0.3)
    of_three = begun(open_table(alice, bob, charlie, rated=True))
    weights = {part.rating.user: part.weight for part in parts(of_three)}
    assert weights[charlie] == 1


def test_the_end_of_a_rated_game_takes_three_statements_more(alice: User, bob: User) -> None:
    def statements(*, rated: bool) -> list[str]:
        driver = GameDriver(running_game(alice, bob, rounds=1, rated=rated))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            commands.move(driver.code, 0, LEAVE, seen=None, now=driver.now)
        assert driver.game.status == Game.Status.FINISHED
        return [each["sql"] for each in queries.captured_queries]

    statements(rated=True)  # fills the caches
    usual, more = statements(rated=False), statements(rated=True)
    assert len(more) - len(usual) == 3 + 2, "\n".join(more)  # and a savepoint


def test_a_failure_does_not_fail_the_move_and_is_made_up(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise DatabaseError("no room")

    with monkeypatch.context() as broken_for_now:
        broken_for_now.setattr(counting, "note", broken)
        game = rated(alice, bob)
    assert game.status == Game.Status.FINISHED
    assert [part.number for part in parts(game)] == [None, None]
    assert "rating postponed" in caplog.text
    assert game.finished_at is not None
    counting.make_up(now=game.finished_at + counting.MADE_UP_AFTER / 2)
    assert [part.number for part in parts(game)] == [None, None]
    counting.make_up(now=game.finished_at + 2 * counting.MADE_UP_AFTER)
    after = [(part.number, part.mu, part.at) for part in parts(game)]
    assert after[0][0] == 1 and after[0][2] == game.finished_at
    counting.make_up(now=game.finished_at + 2 * counting.MADE_UP_AFTER)
    assert [(part.number, part.mu, part.at) for part in parts(game)] == after


def test_a_game_that_staff_close_counts_for_nothing(alice: User, bob: User) -> None:
    game = running_game(alice, bob, rated=True)
    close_by_staff.close(game.code)
    counting.make_up(now=LATER)
    assert parts(game) == []
    assert {each.games for each in Rating.objects.all()} == {0}


# --- counting again -------------------------------------------------------------------------------


def stored() -> dict[str, tuple[float, ...]]:
    return {
        each.user.username: (each.mu, each.sigma, each.lower, each.games, each.number)
        for each in Rating.objects.select_related("user")
    }


def season(alice: User, bob: User, charlie: User, dora: User) -> Iterator[Game]:
    """Games of several sizes, one of which is left."""
    for seed, company in enumerate(
        [
            (alice, bob),
            (bob, charlie, dora),
            (alice, bob, charlie, dora, "steady"),
            (charlie, dora),
            (alice, dora, "sharp"),
        ],
        start=1,
    ):
        yield rated(*company, seed=seed)
    driver = GameDriver(running_game(alice, bob, charlie, rounds=1, rated=True))
    commands.move(driver.code, 1, LEAVE, seen=None, now=driver.now)
    yield finish_game(driver.game)


Company = tuple[User, User, User, User]


@pytest.fixture
def company(alice: User, bob: User, charlie: User, dora: User) -> Company:
    return alice, bob, charlie, dora


def differing() -> list[Rating]:
    return [each for each in correcting.differences("perudo") if each is not None]


def test_counting_everything_again_changes_nothing(company: Company) -> None:
    list(season(*company))
    before = stored()
    assert differing() == []
    correcting.ask("perudo", 0, now=LATER)
    correcting.run(LATER, 1.0)
    assert stored() == before
    assert not RatingCorrection.objects.exists()


def test_a_wrong_rating_is_found_and_mended(company: Company) -> None:
    list(season(*company))
    before = stored()
    Rating.objects.filter(user=company[1]).update(mu=3000)
    assert [each.user for each in differing()] == [company[1]]
    correcting.ask("perudo", 0, now=LATER)
    correcting.run(LATER, 1.0)
    assert stored() == before


@pytest.mark.parametrize("which", [0, 2, 5])
def test_an_annulled_game_is_as_if_it_had_never_counted(company: Company, which: int) -> None:
    games = list(season(*company))
    annulled = games[which]
    correcting.annul(RatedSeat.objects.filter(game=annulled), now=LATER)
    correcting.run(LATER, 1.0)
    after = stored()
    assert {part.left_out for part in parts(annulled)} == {"annulled"}
    Rating.objects.update(mu=0, sigma=0)
    replayed = without(games, annulled, company)
    assert {name: values[:4] for name, values in after.items()} == {
        name: pytest.approx(values) for name, values in replayed.items()
    }


def without(
    games: Sequence[Game], annulled: Game, company: Company
) -> dict[str, tuple[float, ...]]:
    """What the ratings would be if all but one of these games had been counted, in order."""
    ratings = {user.pk: verdict.newcomer("perudo", user.pk) for user in company}
    for number, game in enumerate(games, start=1):
        if game == annulled:
            continue
        counts = parts(game)
        for part in counts:
            part.rating = ratings[part.rating.user_id]
        seats = list(game.seat_set.order_by("number"))
        counting.note(game, seats, counts, number=number, at=LATER)
    return {
        user.username: (
            ratings[user.pk].mu,
            ratings[user.pk].sigma,
            ratings[user.pk].lower,
            ratings[user.pk].games,
        )
        for user in company
    }


def test_an_annulled_account_is_left_out_of_all_its_games(company: Company) -> None:
    games = list(season(*company))
    bob = company[1]
    correcting.annul(RatedSeat.objects.filter(rating__user=bob), now=LATER)
    correcting.run(LATER, 1.0)
    assert stored()["bob"][:4] == (
        SCALE.start, SCALE.doubt, SCALE.start - 2 * SCALE.doubt, 0
    )  # fmt: skip
    assert left_out(games[0]) == {"alice": "annulled", "bob": "annulled"}, "nobody else counted"
    assert left_out(games[1]) == {"bob": "annulled", "charlie": "", "dora": ""}
    assert {part.places for part in parts(games[1]) if not part.left_out} == {2}
    assert differing() == []


def test_games_that_end_meanwhile_wait_and_are_counted_after_it(company: Company) -> None:
    alice, bob, *_ = company
    list(season(*company))
    correcting.ask("perudo", 3, now=LATER)
    late = rated(alice, bob, seed=9)
    assert [part.number for part in parts(late)] == [None, None]
    correcting.run(LATER, 1.0)
    counting.make_up(now=LATER)
    assert all(part.number for part in parts(late))
    assert differing() == []


def test_a_correction_that_was_interrupted_is_done_again(company: Company) -> None:
    list(season(*company))
    before = stored()
    correcting.ask("perudo", 2, now=LATER)
    some = correcting.correct("perudo")
    next(some)
    some.close()
    assert RatingCorrection.objects.exists()
    correcting.run(LATER, 1.0)
    assert stored() == before
    assert not RatingCorrection.objects.exists()


def test_settings_of_the_past_do_not_decide(alice: User, bob: User) -> None:
    """The verdict is frozen at the start: nothing that changes later makes a game rated."""
    game = running_game(alice, bob, rated=False)
    assert TableSettings.of(game).rated is False
    Game.objects.filter(pk=game.pk).update(rated=True)
    assert parts(finish_game(game)) == []
