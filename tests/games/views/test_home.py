"""A person's home page: its sections, the next step, and who appears nowhere."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import lifecycle, visits
from accounts.models import User
from games.lobby import lobby_frame
from games.lobby.standing import ownership as standing
from games.models import Game, InboxEntry, StandingTable
from games.play import before_start, standing_games
from games.social.chat import talk as chat
from games.social.friends import presence
from games.social.friends import ties as friends
from games.social.inbox import entries as inbox
from games.social.inbox import kinds
from games.study.questions import daily
from tests.support import at_home
from tests.support.cases import untouched
from tests.support.fast_games import finished_game, open_table, running_game
from tests.support.fixtures import signed_in

HOUR = timedelta(hours=1)


@pytest.fixture
def now(db: None) -> datetime:
    return timezone.now()


@pytest.fixture
def me(alice: User, charlie: User) -> User:
    """Somebody who has played before."""
    finished_game(alice, charlie)
    return alice


def home(person: User) -> str:
    """What concerns this person on their home page: the part before the stage."""
    html = signed_in(person).get("/").text
    return html.split("<main")[1].split('<section id="stage"')[0]


def of_others(person: User) -> str:
    """The same without the word of this person's own table, a random one, which may hold a name."""
    own = StandingTable.objects.filter(owner=person).values_list("word", flat=True)
    return re.sub("|".join(own) or "$^", "", home(person))


def section(person: User, name: str) -> str:
    """One section; "" where there is none."""
    found = re.search(rf'<section[^>]*"{name}-title".*?</section>', home(person), re.DOTALL)
    return found[0] if found else ""


def primary(person: User) -> list[str]:
    """What the filled buttons of the page say."""
    html = signed_in(person).get("/").text.split("<main")[1]
    filled = re.findall(
        r'<(button|a)[^>]*class="[^"]*\bprimary\b[^"]*"[^>]*>(.*?)</\1>', html, re.DOTALL
    )
    said = [re.sub(r"<svg.*?</svg>|<b>|<small.*", "", each, flags=re.DOTALL) for _, each in filled]
    return [re.sub(r"<.*", "", each, flags=re.DOTALL).strip() for each in said]


def people(*names: str) -> list[User]:
    return [User.objects.create_user(name) for name in names]


# --- who sees it ---------------------------------------------------------------------------------


def test_new_people_for_whom_nothing_waits_see_the_stage_first(
    alice: User, bob: User, now: datetime
) -> None:
    """Also with a friend who is away and an open table of their own."""
    at_home.befriend(alice, bob, now=now)
    open_table(alice, "steady", now=now)
    for client in (Client(), signed_in(alice), signed_in(lifecycle.guest("Paula"))):
        html = client.get("/").text
        assert "<h1>Bluff, doubt, win" in html and 'class="mine"' not in html
        assert "mine.css" not in html and "Keep this game" not in html
    visits.write(now, 1.0)
    assert not User.objects.exclude(visit_began_at=None).exists()


def a_friend_is_here(me: User, friend: User, now: datetime) -> None:
    at_home.befriend(me, friend, now=now)
    presence.note([friend.pk], now=now)


def a_friend_invites(me: User, friend: User, now: datetime) -> None:
    at_home.befriend(me, friend, now=now)
    at_home.invited(me, friend, now=now)


def somebody_asks(me: User, other: User, now: datetime) -> None:
    friends.ask(other, me, now=now)


def people_meet_at_the_standing_table(me: User, other: User, now: datetime) -> None:
    at_home.group(me, other, now=now)


def a_game_runs(me: User, other: User, now: datetime) -> None:
    at_home.waiting_game(me, other, now=now)


def test_what_waits_for_a_person_does_not_depend_on_whether_they_have_played(
    me: User, bob: User, charlie: User, now: datetime, subtests: pytest.Subtests
) -> None:
    newcomer = User.objects.create_user("nina")
    for arrange in [
        a_friend_is_here,
        a_friend_invites,
        somebody_asks,
        people_meet_at_the_standing_table,
        a_game_runs,
    ]:
        with subtests.test(arrange=arrange.__name__), untouched():
            shown = []
            for person, other in ((me, charlie), (newcomer, bob)):
                nothing = titles(person)
                arrange(person, other, now)
                shown.append(titles(person) - nothing)
            assert shown[0] == shown[1] != set()


def titles(person: User) -> set[str]:
    """What is said to this person before the ways to play, without the names of others."""
    html = re.sub("<svg.*?</svg>", "", home(person), flags=re.DOTALL)
    said = re.findall(r"<(?:h2|span|b|button|p)[^>]*>\s*([^<]+)", html)
    return {re.sub("bob|charlie", "…", each).strip() for each in said} - {""}


def test_who_has_played_sees_their_own_first_guests_too(alice: User, now: datetime) -> None:
    guest = lifecycle.guest("Paula")
    finished_game(alice, guest)
    for person in (alice, guest):
        html = signed_in(person).get("/").text
        assert 'class="mine"' in html and 'id="stage"' in html and 'id="tables"' in html
        assert ("Keep this game: make an account" in html) == person.is_guest


def test_the_panels_of_the_games_work_and_have_the_token_of_their_reader(me: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(me)
    form = client.get("/bots").text.split('action="/play-now"')[1]
    token = form.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
    answer = client.post("/play-now", {"bots": "2", "csrfmiddlewaretoken": token})
    assert answer["Location"].startswith("/games/")


def test_the_stage_has_the_token_of_its_reader(me: User, now: datetime) -> None:
    at_home.ask_of_the_day(now=now)
    for _ in range(2):  # rendered, then kept
        client = Client(enforce_csrf_checks=True)
        client.force_login(me)
        html = client.get("/").text
        [path, form] = re.findall(
            r'<form class="answers"\s+method="post"\s+action="([^"]+)"(.*?)</form>', html, re.DOTALL
        )[0]
        token = form.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
        assert "--token--" not in html
        answer = client.post(path, {"do": "nonsense", "csrfmiddlewaretoken": token})
        assert answer.status_code == 422  # not 403


# --- the next step -------------------------------------------------------------------------------


def test_the_next_step_is_what_matters_most(me: User, bob: User, now: datetime) -> None:
    """From the least to the most; there is always one filled button."""
    at_home.befriend(me, bob, now=now)
    assert primary(me) == ["Play with people"]
    at_home.ask_of_the_day(now=now)
    assert primary(me) == ["Bid more"]
    at_home.group(me, bob, now=now)
    assert primary(me) == ["Take a seat"]
    at_home.invited(me, bob, now=now)
    assert primary(me) == ["Join"]
    running_game(me, bob, now=now, turn_seconds=3_600)
    running_game(bob, me, now=now, turn_seconds=3_600)
    assert primary(me) == ["Go to the table"]


def test_a_game_that_waits_for_others_is_no_step_but_binds(
    me: User, bob: User, now: datetime
) -> None:
    at_home.waiting_game(me, bob, now=now)
    at_home.ask_of_the_day(now=now)
    assert primary(me) == ["Bid more"]
    asked = daily.newest(now)
    assert asked is not None
    daily.answer(asked, me, daily.decision_of(asked).moves[0], counted=True, now=now)
    assert primary(me) == ["Go to the table"]
    html = signed_in(me).get("/").text
    assert "Play with people" not in html.split('<nav class="ways"')[1].split("</nav>")[0]


def test_running_games_come_first_and_more_than_two_are_folded(
    me: User, bob: User, now: datetime
) -> None:
    codes = [at_home.waiting_game(me, bob, now=now).code for _ in range(5)]
    found = section(me, "running")
    assert all(f"/games/{code}" in found for code in codes)
    shown, folded = found.split("<details")
    assert shown.count("Go to the table") == 2 and folded.count("Go to the table") == 3


# --- invitations ---------------------------------------------------------------------------------


def test_an_invitation_is_taken_with_one_tap(me: User, bob: User, now: datetime) -> None:
    at_home.befriend(me, bob, now=now)
    game = at_home.invited(me, bob, now=now)
    path = re.findall(r'action="([^"]+)"', home(me).split('class="next-step"')[1])[0]
    assert "bob invites you to a table." in home(me)
    answer = signed_in(me).post(path)
    assert answer["Location"] == f"/games/{game.code}"
    assert game.seat_set.filter(user=me).exists()
    assert "invites you" not in home(me)


def test_only_good_invitations_are_shown(me: User, bob: User, now: datetime) -> None:
    at_home.befriend(me, bob, now=now)
    game = at_home.invited(me, bob, now=now, seats=3)
    assert "invites you" in home(me)
    first, second, third = people("dora", "emil", "fay")
    for each in (first, second):
        before_start.sit(game.code, each, now=now)
    assert "invites you" not in home(me)  # it is full
    before_start.stand(game.code, second, now=now)
    assert "invites you" in home(me)
    before_start.stand(game.code, bob, now=now)
    before_start.sit(game.code, third, now=now)
    assert "invites you" not in home(me)  # who invited has left
    Game.objects.update(status=Game.Status.CLOSED)
    assert "invites you" not in home(me)


def test_who_was_removed_from_a_table_is_not_led_there(me: User, bob: User, now: datetime) -> None:
    at_home.befriend(me, bob, now=now)
    game = at_home.invited(me, bob, now=now)
    game.removed.add(me)
    assert "invites you" not in home(me)


def test_a_question_to_be_friends_is_answered_with_one_tap(me: User, bob: User) -> None:
    friends.ask(bob, me, now=timezone.now())
    assert "bob wants to be friends." in section(me, "invitations")
    signed_in(me).post("/friends/act", {"do": "accept", "whom": "bob", "next": "/"})
    assert friends.are_friends(me, bob)
    assert "wants to be friends" not in home(me)


def test_three_are_shown_and_a_link_to_all(me: User, now: datetime) -> None:
    crowd = people(*(f"friend{number}" for number in range(5)))
    at_home.befriend(me, *crowd, now=now)
    for each in crowd:
        at_home.invited(me, each, now=now)
    presence.note([each.pk for each in crowd], now=now)
    found = section(me, "invitations")  # besides the one that is the next step
    assert found.count("invites you") == 3 and 'href="/inbox"' in found
    found = section(me, "here")
    assert found.count('value="invite"') == 3 and 'href="/friends"' in found


# --- friends who are here ------------------------------------------------------------------------


def test_a_friend_who_is_here_is_invited_with_one_tap(me: User, bob: User, now: datetime) -> None:
    at_home.befriend(me, bob, now=now)
    assert section(me, "here") == ""
    presence.note([bob.pk], now=now)
    assert "Invite" in section(me, "here") and 'href="/players/bob"' in section(me, "here")
    path = signed_in(me).post("/friends/act", {"do": "invite", "whom": "bob"})["Location"]
    finished_game(bob, me)
    assert "alice invites you to a table." in home(bob)
    assert f'action="{path}/sit"' in home(bob)


def test_a_link_leads_to_their_table_only_where_it_is_public(
    me: User, bob: User, charlie: User, now: datetime
) -> None:
    at_home.befriend(me, bob, now=now)
    presence.note([bob.pk], now=now)
    for arrange, other, public in (
        (open_table, charlie, False),
        (running_game, charlie, False),
        (running_game, "steady", True),  # against bots alone
    ):
        game = arrange(bob, other, public=public, now=now)
        assert game.code not in section(me, "here")
        Game.objects.filter(pk=game.pk).update(status=Game.Status.CLOSED)
        game.seat_set.update(live=False)
    for arrange, other in ((open_table, "steady"), (running_game, charlie)):
        game = arrange(bob, other, now=now)
        assert f'href="/games/{game.code}"' in section(me, "here")
        game.seat_set.update(live=False)


# --- standing tables -----------------------------------------------------------------------------


def standing_game(owner: User, *players: User, now: datetime) -> StandingTable:
    """A standing table at which these people have played a game."""
    game = finished_game(*players)
    settings = before_start.quick_settings("perudo", bots=5)
    table = standing.make(owner, settings, now=now)
    Game.objects.filter(pk=game.pk).update(standing=table)
    return table


def test_who_has_played_there_finds_a_standing_table(me: User, bob: User, now: datetime) -> None:
    table = standing_game(bob, bob, me, now=now)
    assert f"/t/{table.word}" in section(me, "standing")
    assert "bob&#x27;s table" in section(me, "standing")
    standing_games.join(table, bob, now=now)
    assert "1 person waiting" in home(me) and f'action="/t/{table.word}/play"' in home(me)
    assert section(me, "standing") == ""  # it is the next step
    answer = signed_in(me).post(f"/t/{table.word}/play")
    assert answer["Location"].startswith("/games/")
    assert "Take a seat" not in home(me)


def test_a_renewed_link_is_not_given_to_who_had_the_former(
    me: User, bob: User, now: datetime
) -> None:
    table = standing_game(bob, bob, me, now=now)
    standing.renew(table)
    assert table.word not in home(me)
    assert table.word in home(bob)
    standing_games.join(table, me, now=now)  # somebody has sent it to them
    assert table.word in home(me)


def test_friends_who_wait_there_are_named_and_others_counted(
    me: User, bob: User, now: datetime
) -> None:
    stranger, shy = people("stranger", "shy")
    at_home.befriend(me, bob, shy, now=now)
    User.objects.filter(pk=shy.pk).update(shows_online=False)
    at_home.group(me, bob, stranger, shy, now=now)
    assert "3 people waiting · bob</small>" in home(me)
    assert "stranger" not in home(me) and "shy" not in home(me)


# --- what is new ---------------------------------------------------------------------------------


def test_what_has_changed_since_the_last_visit(
    me: User, bob: User, charlie: User, now: datetime
) -> None:
    at_home.befriend(me, charlie, now=now - 30 * HOUR)
    friends.ask(me, bob, now=now - 30 * HOUR)
    assert section(me, "news") == ""  # the first visit
    at_home.come_back(me, now=now)  # the last one began a day ago
    game = finished_game(me, charlie, now=now - HOUR, seed=4)
    left = finished_game(me, charlie, now=now - 2 * HOUR, seed=5)
    left.refresh_from_db()
    friends.accept(bob, me, now=now - HOUR)
    found = section(me, "news")
    assert (
        f'href="/games/{game.code}/replay?at=decision"' in found and "Finished: Perudo, " in found
    )
    assert "You and bob are friends." in found
    assert "charlie" not in found
    inbox.mark_read(me.pk, until=100, now=now)
    assert "You and bob" not in section(me, "news")  # it was read elsewhere


def test_the_news_stay_for_a_visit_and_go_with_the_next(me: User, charlie: User) -> None:
    now = timezone.now()
    at_home.come_back(me, now=now)
    finished_game(me, charlie, now=now - HOUR, seed=4)
    for _ in range(2):
        assert "Finished:" in section(me, "news")
        visits.write(timezone.now(), 1.0)
    User.objects.filter(pk=me.pk).update(visit_began_at=now - visits.LASTS)
    assert section(me, "news") == ""


def test_what_a_section_says_is_no_news(me: User, bob: User, now: datetime) -> None:
    at_home.come_back(me, now=now)
    at_home.befriend(me, bob, now=now)
    friends.ask(people("dora")[0], me, now=now)
    at_home.invited(me, bob, now=now)
    inbox.put(me.pk, kinds.TURN, running_game(me, bob, now=now).code, now=now)
    assert section(me, "news") == ""
    Game.objects.filter(status=Game.Status.OPEN).update(status=Game.Status.PLAYING)
    assert "The game that bob invited you to has begun." in section(me, "news")


def test_a_look_at_the_page_writes_nothing(me: User) -> None:
    client = signed_in(me)
    client.get("/")
    with CaptureQueriesContext(connection) as asked:
        client.get("/")
    assert not [each["sql"] for each in asked if not each["sql"].startswith("SELECT")]


# --- secrecy -------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["me", "them"])
def test_a_blocked_person_appears_nowhere(me: User, bob: User, now: datetime, by: str) -> None:
    at_home.befriend(me, bob, now=now)
    at_home.come_back(me, now=now)
    presence.note([bob.pk], now=now)
    at_home.invited(me, bob, now=now)
    table = standing_game(bob, bob, me, now=now)
    at_home.group(me, bob, now=now)
    assert home(me).count("bob") > 4
    blocker, blocked = (me, bob) if by == "me" else (bob, me)
    path = f"/players/{blocked.username}/mute"
    assert signed_in(blocker).post(path, {"do": "block"}).status_code == 302
    if by == "me":
        friends.ask(bob, me, now=now)
    assert "bob" not in of_others(me) and table.word not in home(me)
    assert "waiting" not in home(me)


def test_friends_who_do_not_show_it_and_strangers_appear_nowhere(
    me: User, bob: User, now: datetime
) -> None:
    (stranger,) = people("stranger")
    at_home.befriend(me, bob, now=now)
    User.objects.filter(pk=bob.pk).update(shows_online=False)
    presence.note([bob.pk], now=now)
    game = open_table(stranger, "steady", now=now, public=False)
    Game.objects.filter(pk=game.pk).update(size=4)
    inbox.put(me.pk, kinds.INVITED, game.code, now=now, values={"by": stranger.pk})
    at_home.come_back(me, now=now)
    finished_game(me, stranger, now=now - HOUR, seed=4)
    at_home.group(me, stranger, bob, now=now)
    text = of_others(me)
    assert "stranger" not in text and "bob" not in text
    at_home.invited(me, bob, now=now)
    assert "bob invites you" in home(me)  # they have told so themselves
    friends.remove(me, bob)
    assert InboxEntry.objects.filter(user=me, kind=kinds.INVITED).count() == 2
    assert "invites you" not in home(me)


def test_who_is_suspended_appears_nowhere(me: User, bob: User, now: datetime) -> None:
    at_home.befriend(me, bob, now=now)
    presence.note([bob.pk], now=now)
    at_home.invited(me, bob, now=now)
    table = standing_game(bob, bob, me, now=now)
    lifecycle.ban(bob)
    assert "bob" not in of_others(me) and table.word not in home(me)


def test_what_is_kept_of_sections_is_one_persons(me: User, bob: User, now: datetime) -> None:
    """The same values, another person, another token, another language."""
    finished_game(bob, me)
    at_home.ask_of_the_day(now=now)
    pages = [signed_in(each).get("/").text for each in (me, bob, me)]
    tokens = [set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', each)) for each in pages]
    assert all(tokens) and not tokens[0] & tokens[1] and not tokens[0] & tokens[2]
    french = signed_in(me).get("/", headers={"Accept-Language": "fr"}).text
    assert "Question du jour" in french


# --- what it costs -------------------------------------------------------------------------------


def queries(person: User) -> int:
    client = signed_in(person)
    client.get("/")
    with CaptureQueriesContext(connection) as asked:
        assert client.get("/").status_code == 200
    return len(asked)


@pytest.mark.slow
def test_the_page_asks_as_often_for_much_as_for_little(
    me: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One query a section, or two, whatever there is to show."""
    monkeypatch.setattr(lobby_frame, "LOBBY_SECONDS", 600)  # the list of public tables is kept
    crowd = people(*(f"friend{number}" for number in range(24)))
    at_home.everything(me, crowd[:11], now=now)
    few = queries(me)
    at_home.befriend(me, *crowd[12:], now=now)
    presence.note([each.pk for each in crowd], now=now)
    for each in crowd[12:18]:
        at_home.invited(me, each, now=now)
        open_table(each, "steady", now=now)
    for each in crowd[18:20]:
        standing_games.join(standing_game(each, each, me, now=now), each, now=now)
    for each in crowd[20:24]:
        friends.ask(each, User.objects.get(pk=me.pk), now=now)
        inbox.put(me.pk, kinds.FRIENDS_NOW, str(each.pk), now=now)
    assert queries(me) - few <= 1  # one that asks whose tables of others were renewed
    assert few <= 24


def test_a_muted_friend_stays_where_they_were(me: User, bob: User, now: datetime) -> None:
    """Muting is about talk alone."""
    at_home.befriend(me, bob, now=now)
    presence.note([bob.pk], now=now)
    chat.mute(me, bob, block=False, at=None)
    assert "bob" in section(me, "here")
