"""Friends: asking, answering, ending it, blocking, the link, and what is told to whom."""

from __future__ import annotations

import re
from datetime import timedelta
from http import HTTPStatus

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import lifecycle
from accounts.models import User
from games.errors import Refused
from games.models import FriendLink, Game, InboxEntry, Presence, Tie
from games.play import before_start
from games.social.chat import talk as chat
from games.social.friends import invitations, presence, recent_players, ties
from games.social.inbox import kinds
from perudo_site import data_export, deletion
from tests.support.cases import untouched
from tests.support.fast_games import START, finished_game
from tests.support.fixtures import signed_in

DAY = timedelta(days=1)


def ask(one: User, other: User, *, days: int = 0) -> ties.Standing:
    return ties.ask(one, other, now=START + days * DAY)


def plain(html: str) -> str:
    """A page without what is of one visit: its tokens and tags."""
    return re.sub(
        r"""(csrfmiddlewaretoken" value=|x-csrftoken": |data-(session|person|now|tags)=)"[^"]*\"""",
        "",
        html,
    )


def told(person: User) -> list[str]:
    """What this person is told, the newest first."""
    return [each.sentence for each in kinds.shown(list(InboxEntry.objects.filter(user=person)))]


def befriend(one: User, other: User) -> None:
    ask(one, other)
    assert ties.accept(other, one, now=START) == "friends"


def refusal(action: object, *given: object) -> str:
    with pytest.raises(Refused) as refused:
        action(*given, now=START)  # type: ignore[operator]
    return refused.value.code


# --- asking and answering ------------------------------------------------------------------------


def test_asking_and_accepting(alice: User, bob: User) -> None:
    assert ask(alice, bob) == "asked"
    assert told(bob) == ["alice wants to be friends."]
    assert (ties.relation(alice, bob), ties.relation(bob, alice)) == ("asked", "asks_me")
    assert (ties.whom_asked(alice), ties.who_asks(bob)) == ([bob], [alice])
    assert ties.accept(bob, alice, now=START) == "friends"
    assert told(bob) == [] and told(alice) == ["You and bob are friends."]
    for one, other in ((alice, bob), (bob, alice)):
        assert ties.relation(one, other) == "friends"
        assert list(ties.friends_of(one)) == [other]
        assert ties.who_asks(one) == ties.whom_asked(one) == []


def test_who_asks_somebody_that_asks_them_is_a_friend_at_once(alice: User, bob: User) -> None:
    ask(alice, bob)
    assert ask(bob, alice) == "friends"
    assert Tie.objects.count() == 1


def test_asking_and_accepting_twice_is_doing_it_once(alice: User, bob: User) -> None:
    for _ in range(3):
        assert ask(alice, bob) == "asked"
    for _ in range(3):
        assert ties.accept(bob, alice, now=START) == "friends"
    assert ask(alice, bob) == ask(bob, alice) == "friends"
    assert Tie.objects.count() == 1
    assert told(alice) == ["You and bob are friends."]


def test_who_was_declined_is_not_told_and_asks_again_after_a_month(alice: User, bob: User) -> None:
    ask(alice, bob)
    ties.decline(bob, alice, now=START)
    assert told(bob) == [] == told(alice)
    assert (ties.relation(alice, bob), ties.relation(bob, alice)) == ("asked", "none")
    assert ties.whom_asked(alice) == [bob] and ties.who_asks(bob) == []
    assert ask(alice, bob, days=29) == "asked" and told(bob) == []
    ties.remove(alice, bob)  # taking it back is no way round
    assert ask(alice, bob, days=29) == "asked" and told(bob) == []
    assert ask(alice, bob, days=31) == "asked"
    assert told(bob) == ["alice wants to be friends."]


def test_who_declined_may_change_their_mind(alice: User, bob: User) -> None:
    ask(alice, bob)
    ties.decline(bob, alice, now=START)
    assert ask(bob, alice) == "friends"


def test_ending_it_and_taking_a_question_back(alice: User, bob: User, charlie: User) -> None:
    befriend(alice, bob)
    ties.remove(bob, alice)
    assert ties.relation(alice, bob) == ties.relation(bob, alice) == "none"
    assert told(alice) == told(bob) == []
    ask(alice, charlie)
    ties.remove(alice, charlie)
    assert told(charlie) == [] and ties.who_asks(charlie) == []


def test_nobody_is_their_own_friend(alice: User) -> None:
    assert refusal(ties.ask, alice, alice) == "yourself"


def test_a_guest_keeps_the_account_first(alice: User) -> None:
    """Asked they can be, and accept once they have a password."""
    guest = lifecycle.guest("Paula")
    assert refusal(ties.ask, guest, alice) == "guests_have_none"
    assert ask(alice, guest) == "asked"
    assert refusal(ties.accept, guest, alice) == "guests_have_none"
    lifecycle.keep(guest, name="Paula", password="correct horse 9", email="", site="", now=START)
    assert ties.accept(guest, alice, now=START) == "friends"


def test_what_nobody_asked_cannot_be_accepted(alice: User, bob: User) -> None:
    assert refusal(ties.accept, alice, bob) == "not_asked"
    ask(alice, bob)
    assert refusal(ties.accept, alice, bob) == "not_asked"  # one's own


def test_there_is_an_end_to_friends_and_to_questions(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ties, "MOST_FRIENDS", 1)
    monkeypatch.setattr(ties, "MOST_OPEN", 1)
    ask(alice, bob)
    assert refusal(ties.ask, alice, charlie) == "too_many_questions"
    assert refusal(ties.ask, charlie, bob) == "too_many_questions"
    ties.accept(bob, alice, now=START)
    assert refusal(ties.ask, charlie, bob) == "too_many_friends"
    assert refusal(ties.follow, charlie, bob) == "too_many_friends"


def test_a_limit_counts_what_its_owner_sees(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ties, "MOST_OPEN", 2)
    askers = [User.objects.create_user(f"asker{number}") for number in range(6)]
    for each in askers[:2]:
        ask(each, alice)
        block(alice, each)
    for each in askers[2:4]:
        ask(each, alice)
        lifecycle.ban(each)
    for each in askers[4:]:
        assert ask(each, alice) == "asked", "those she has blocked, or who are gone, do not count"
    assert refusal(ties.ask, bob, alice) == "too_many_questions"
    ties.decline(alice, askers[4], now=START)
    assert ask(bob, alice) == "asked"


def test_questions_that_nobody_answers_do_not_fill_an_asker_for_ever(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether they were declined makes no difference at any time: it would tell that they were."""
    monkeypatch.setattr(ties, "MOST_OPEN", 1)
    for declined in (False, True):
        Tie.objects.all().delete()
        ask(alice, bob)
        if declined:
            ties.decline(bob, alice, now=START)
        assert refusal(ties.ask, alice, charlie) == "too_many_questions"
        assert ask(alice, bob, days=29) == "asked"
        assert ask(alice, charlie, days=31) == "asked"
        assert ties.whom_asked(alice) == [charlie, bob]
        ties.remove(alice, charlie)
        assert ask(alice, bob, days=31) == "asked"
        assert told(bob)[:1] == ["alice wants to be friends."]


def test_taking_a_question_back_does_not_tell_whether_it_was_declined(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ties, "MOST_OPEN", 2)
    seen = {}
    for whom, declines in ((bob, True), (charlie, False)):
        other = User.objects.create_user(f"another-{whom.username}")
        User.objects.update(animal="fox", cloth="red")
        ask(alice, whom)
        if declines:
            ties.decline(whom, alice, now=START)
        client = signed_in(alice)
        pages = [client.post("/friends/act", {"do": "remove", "whom": whom.username}, follow=True)]
        pages.append(client.get("/friends", {"name": whom.username}))
        ways = [ties.relation(alice, whom), ties.whom_asked(alice)]
        ways.append(whom.pk in recent_players.to_add(alice, [whom]))
        ask(alice, other, days=1)
        ways.append(ask(alice, whom, days=2))
        pages.append(client.get("/friends"))
        ways.append([len(ties.whom_asked(alice)), ties.relation(alice, whom)])
        texts = [plain(each.text).replace(whom.username, "X") for each in pages]
        seen[declines] = ways, texts
        assert (told(whom) == []) is declines
        Tie.objects.all().delete()
    assert seen[True][0] == seen[False][0]
    for one, other in zip(seen[True][1], seen[False][1], strict=True):
        assert one.splitlines() == other.splitlines()


# --- blocking ------------------------------------------------------------------------------------


def block(by: User, whom: User) -> None:
    answer = signed_in(by).post(f"/players/{whom.username}/mute", {"do": "block"})
    assert answer.status_code == HTTPStatus.FOUND


def test_blocking_ends_a_friendship_and_ones_own_question(
    alice: User, bob: User, charlie: User
) -> None:
    befriend(alice, bob)
    ask(alice, charlie)
    block(alice, bob)
    block(alice, charlie)
    assert list(ties.friends_of(bob)) == [] == ties.whom_asked(alice)
    assert told(charlie) == [] and told(alice) == []


def test_who_is_blocked_reaches_nobody_and_does_not_learn_of_it(alice: User, bob: User) -> None:
    """To them it looks as if nobody had answered."""
    block(alice, bob)
    assert ask(bob, alice) == "asked"
    assert told(alice) == [] and ties.who_asks(alice) == []
    assert ties.relation(alice, bob) == "none" and ties.relation(bob, alice) == "asked"
    chat.unmute(alice, bob)
    assert ties.who_asks(alice) == [bob]


def test_a_question_that_waits_is_hidden_by_a_block(alice: User, bob: User) -> None:
    ask(bob, alice)
    block(alice, bob)
    assert ties.who_asks(alice) == [] and told(alice) == []
    assert ties.relation(bob, alice) == "asked"


def test_nobody_ties_themselves_to_one_whom_they_have_blocked(alice: User, bob: User) -> None:
    """Whose question waits does not become a friend while the block stands, whatever is pressed."""
    ask(bob, alice)
    word, client = ties.renew_link(bob), signed_in(alice)
    block(alice, bob)
    for path, fields in (
        ("/friends/act", {"do": "ask", "whom": "bob"}),
        ("/friends/act", {"do": "accept", "whom": "bob"}),
        (f"/f/{word}", {}),
    ):
        html = client.post(path, fields, follow=True).text
        assert "You&#x27;ve blocked this player. Unblock them first." in html
        assert not ties.are_friends(alice, bob)
    assert told(bob) == [] and ties.relation(bob, alice) == "asked"
    assert invited(alice, "bob") == "/friends"
    assert not Game.objects.exists() and told(bob) == []
    chat.unmute(alice, bob)
    assert ask(alice, bob) == "friends"


def test_a_block_takes_back_what_either_was_invited_to(alice: User, bob: User) -> None:
    befriend(alice, bob)
    invited(alice, "bob")
    invited(bob, "alice")
    assert told(alice)[0] == "bob invites you to a table."
    block(alice, bob)
    assert not InboxEntry.objects.exists()


# --- the link ------------------------------------------------------------------------------------


def test_a_link_makes_friends_at_once(alice: User, bob: User) -> None:
    word = ties.renew_link(alice)
    assert ties.link_of(alice) == word and ties.owner_of(word.upper()) == alice
    client = signed_in(bob)
    assert "Add alice" in client.get(f"/f/{word}").text
    client.post(f"/f/{word}")
    assert ties.are_friends(alice, bob)
    assert told(alice) == ["You and bob are friends."]
    assert "You and alice are friends." in client.get(f"/f/{word}").text


def test_a_link_does_not_tell_whom_its_owner_has_blocked(alice: User, bob: User) -> None:
    word, seen = ties.renew_link(alice), {}
    presence.begin([alice.pk])
    ask(bob, alice)  # as if she had been here for a while: she has an inbox
    ties.decline(alice, bob, now=START)
    for blocked in (False, True):
        person = User.objects.create_user(f"robin-{'ab'[blocked]}")
        User.objects.update(animal="fox", cloth="red")
        if blocked:
            block(alice, person)
        client, ways = signed_in(person), []
        # She is away: whether she is here is shown to nobody whom she has blocked.
        for method, path, fields in (
            ("get", f"/f/{word}", {}),
            ("post", f"/f/{word}", {}),
            ("get", "/friends", {}),
            ("get", f"/f/{word}", {}),
            ("get", "/players/alice", {}),
            ("post", "/friends/act", {"do": "invite", "whom": "alice"}),
            ("post", "/friends/act", {"do": "invite", "whom": "alice"}),
            ("get", "/inbox", {}),
        ):
            with CaptureQueriesContext(connection) as queries:
                answer = getattr(client, method)(path, fields)
            text = re.sub(r"/games/\w+", "/games/X", answer.headers.get("Location", ""))
            text += plain(answer.text).replace(person.username, "X")
            asked = [re.split(r" WHERE | VALUES |\"s\d", each["sql"])[0] for each in queries]
            ways.append((answer.status_code, text, asked))
        seen[blocked] = ways
        assert ties.relation(person, alice) == "friends"
        assert ties.are_friends(alice, person) is not blocked
        assert (person in ties.friends_of(alice)) is not blocked
        assert (told(alice) == []) is blocked
        Game.objects.update(status="closed")
        InboxEntry.objects.filter(user=alice).exclude(values__by=person.pk).delete()
        if not blocked:
            ties.remove(alice, person)
    for one, other in zip(seen[True], seen[False], strict=True):
        assert one[1].splitlines() == other[1].splitlines()
        assert one[0] == other[0]
    for one, other in zip(seen[True][:5], seen[False][:5], strict=True):
        assert one[2] == other[2], "the same questions to the database"


def test_what_a_blocked_person_takes_for_a_friendship_ends_with_the_block(
    alice: User, bob: User
) -> None:
    block(alice, bob)
    assert ties.follow(bob, alice, now=START) == "friends"
    for number in range(3):
        settings = before_start.quick_settings("perudo", bots=3 + number % 2)
        game = before_start.open_game(bob, settings, holder="", now=START)
        invitations.invite(bob, alice, game, now=START)
    assert InboxEntry.objects.filter(user=alice, kind="invited").count() == 1
    assert told(alice) == []
    presence.note([alice.pk], now=timezone.now())
    assert presence.here([alice.pk], to=bob, now=timezone.now()) == set()
    signed_in(alice).post("/players/bob/mute", {"do": "unmute"})
    for one, other in ((alice, bob), (bob, alice)):
        assert ties.relation(one, other) == "none"
    assert told(alice) == told(bob) == []


def test_a_renewed_link_leads_nowhere(alice: User, client: Client) -> None:
    former = ties.renew_link(alice)
    assert ties.renew_link(alice) != former
    for word in (former, "bodikamu-renalofi", "nonsense", "x" * 300):
        assert client.get(f"/f/{word}").status_code == HTTPStatus.NOT_FOUND
    assert FriendLink.objects.count() == 1


def test_a_visitor_signs_up_and_is_a_friend(alice: User, client: Client) -> None:
    """What they pressed is done once they have an account."""
    word = ties.renew_link(alice)
    answer = client.post(f"/f/{word}")
    assert answer.status_code == HTTPStatus.FOUND and "/account/login/" in answer["Location"]
    person = User.objects.create_user("grace")
    session = dict(client.session)
    client.force_login(person)
    kept = client.session
    kept["errand"] = session["errand"]
    kept.save()
    client.get("/account/go-on")
    assert ties.are_friends(alice, person)


def test_a_guest_at_a_link_chooses_a_password_first(alice: User, client: Client) -> None:
    word = ties.renew_link(alice)
    guest = lifecycle.guest("Paula")
    client.force_login(guest)
    answer = client.post(f"/f/{word}")
    assert answer["Location"] == f"/account/keep?next=%2Ff%2F{word}"
    assert not ties.are_friends(alice, guest)


# --- the page ------------------------------------------------------------------------------------


def test_the_page_lists_those_one_has_played_with(alice: User, bob: User, charlie: User) -> None:
    finished_game(alice, bob, seed=1)
    finished_game(alice, charlie, seed=2)
    assert {*ties.recent_opponents(alice, most=8)} == {bob, charlie}
    befriend(alice, bob)
    assert ties.recent_opponents(alice, most=8) == [charlie]
    block(alice, charlie)
    assert ties.recent_opponents(alice, most=8) == []


def test_people_are_found_by_their_whole_name_only(alice: User, bob: User) -> None:
    client = signed_in(alice)
    assert "Add as a friend" in client.get("/friends", {"name": " BOB "}).text
    for name in ("bo", "b%", "", "nobody", "x" * 500):
        assert "Add as a friend" not in client.get("/friends", {"name": name}).text


def test_everything_is_done_on_the_page(alice: User, bob: User) -> None:
    mine, theirs = signed_in(alice), signed_in(bob)
    mine.post("/friends/act", {"do": "ask", "whom": "bob", "next": "/players/bob"})
    assert "They want to be friends" in theirs.get("/friends").text
    answer = theirs.post("/friends/act", {"do": "accept", "whom": "alice"}, follow=True)
    assert "You and alice are friends." in answer.text
    assert "Your friend" in mine.get("/players/bob").text
    answer = mine.post("/friends/act", {"do": "remove", "whom": "bob"}, follow=True)
    assert not ties.are_friends(alice, bob)
    assert "They aren" in answer.text


def test_what_no_page_sends_changes_nothing(
    alice: User, bob: User, subtests: pytest.Subtests
) -> None:
    for fields, status in [
        ({"do": "ask", "whom": "nobody"}, HTTPStatus.NOT_FOUND),
        ({"do": "ask"}, HTTPStatus.NOT_FOUND),
        ({"do": "nonsense", "whom": "bob"}, HTTPStatus.BAD_REQUEST),
        ({"whom": "bob"}, HTTPStatus.BAD_REQUEST),
    ]:
        with subtests.test(fields=fields), untouched():
            assert signed_in(alice).post("/friends/act", fields).status_code == status
            assert not Tie.objects.exists()


def test_a_way_back_stays_on_the_site(alice: User, bob: User) -> None:
    fields = {"do": "ask", "whom": "bob", "next": "https://evil.example/"}
    assert signed_in(alice).post("/friends/act", fields)["Location"] == "/friends"


def test_a_flood_of_questions_is_refused_to_the_flooder_alone(
    alice: User, bob: User, charlie: User, settings: object
) -> None:
    limits = settings.ACCOUNT_RATE_LIMITS | {"friend": "2/h/user"}  # type: ignore[attr-defined]
    settings.ACCOUNT_RATE_LIMITS = limits  # type: ignore[attr-defined]
    flooder = signed_in(alice)
    form = {"do": "ask", "whom": "bob"}
    statuses = [flooder.post("/friends/act", form).status_code for _ in range(3)]
    assert statuses == [HTTPStatus.FOUND, HTTPStatus.FOUND, HTTPStatus.TOO_MANY_REQUESTS]
    assert signed_in(charlie).post("/friends/act", form).status_code == HTTPStatus.FOUND


# --- what goes with whom -------------------------------------------------------------------------


def test_a_deleted_account_leaves_no_friend_behind(alice: User, bob: User, charlie: User) -> None:
    befriend(alice, bob)
    ask(alice, charlie)
    word = ties.renew_link(alice)
    deletion.delete_account(alice, now=START)
    assert not Tie.objects.exists() and ties.owner_of(word) is None
    assert told(bob) == told(charlie) == []


def test_my_data_has_my_friends_and_nothing_that_others_decided(
    alice: User, bob: User, charlie: User
) -> None:
    befriend(alice, bob)
    ask(alice, charlie)
    ties.decline(charlie, alice, now=START)
    word = ties.renew_link(alice)
    data = data_export.everything_about(alice)
    assert (data["friends"], data["friends_asked"], data["friends_asking"]) == (
        ["bob"],
        ["charlie"],
        [],
    )
    assert data["friend_link"] == f"/f/{word}"
    assert data_export.everything_about(charlie)["friends_asking"] == []


def test_who_is_suspended_is_nobodys_friend_meanwhile(alice: User, bob: User) -> None:
    befriend(alice, bob)
    lifecycle.ban(bob)
    assert list(ties.friends_of(alice)) == []
    assert refusal(ties.ask, alice, User.objects.get(pk=bob.pk)) == "account_closed"
    lifecycle.lift_ban(User.objects.get(pk=bob.pk))
    assert list(ties.friends_of(alice)) == [bob]


# --- who is here, and inviting -------------------------------------------------------------------


def test_friends_see_who_is_here_and_nobody_else_does(
    alice: User, bob: User, charlie: User
) -> None:
    presence.note([alice.pk], now=START)
    assert not Presence.objects.exists()  # without friends there is nobody to know
    befriend(alice, bob)
    presence.note([alice.pk], now=START)
    later = START + presence.BELIEVED_FOR
    assert presence.here([alice.pk, bob.pk, charlie.pk], now=START) == {alice.pk}
    assert presence.here([alice.pk], now=later) == set()
    User.objects.filter(pk=alice.pk).update(shows_online=False)
    assert presence.here([alice.pk], now=START) == set()


def test_sockets_wait_for_nothing_and_a_job_writes_for_all_of_them(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most every forty seconds for each, and no longer than their sockets say so."""
    befriend(alice, bob)
    clock = [1_000.0]
    monkeypatch.setattr(presence, "monotonic", lambda: clock[0])
    people = (alice, bob, charlie)

    def written(*, after: float) -> list[int]:
        """Whose time was written by the job, once so many seconds are over."""
        clock[0] += after
        Presence.objects.update(seen_at=None)
        with CaptureQueriesContext(connection) as made:
            assert presence.write(START, 0.5) is False
        assert len(made) <= 1
        return sorted(Presence.objects.exclude(seen_at=None).values_list("pk", flat=True))

    with CaptureQueriesContext(connection) as made:
        for person in people:
            presence.saw(person.pk)
    assert len(made) == 0
    assert written(after=1) == [alice.pk, bob.pk]
    clock[0] += 1
    presence.saw(bob.pk)
    assert written(after=30) == []
    assert written(after=11) == [bob.pk]
    assert written(after=60) == []
    befriend(bob, charlie)
    presence.saw(charlie.pk)
    assert written(after=1) == [charlie.pk]


def test_the_page_says_who_is_here(alice: User, bob: User, charlie: User) -> None:
    befriend(alice, bob)
    befriend(alice, charlie)
    presence.note([charlie.pk], now=timezone.now())
    html = signed_in(alice).get("/friends").text
    assert html.count("here now") == 1
    assert html.index("/players/charlie") < html.index("/players/bob")


def invited(by: User, whom: str) -> str:
    """The path one is led to."""
    return signed_in(by).post("/friends/act", {"do": "invite", "whom": whom})["Location"]


def test_a_friend_is_invited_to_the_table_that_waits(alice: User, bob: User) -> None:
    befriend(alice, bob)
    waits = before_start.quick_settings("perudo", bots=2)
    game = before_start.open_game(alice, waits, now=START)
    assert invited(alice, "bob") == f"/games/{game.code}" == invited(alice, "bob")
    assert told(bob) == ["alice invites you to a table."]
    before_start.add_bot(game.code, alice, kind="steady", now=START)
    before_start.start(game.code, alice, now=START)
    assert told(bob) == ["The game that alice invited you to has begun."]
    Game.objects.update(status=Game.Status.CLOSED)
    assert told(bob) == []


def test_who_waits_nowhere_opens_a_table_for_friends_alone(alice: User, bob: User) -> None:
    befriend(alice, bob)
    path = invited(alice, "bob")
    game = Game.objects.get()
    assert path == f"/games/{game.code}" and not game.listed
    assert (game.host, game.status) == (alice, Game.Status.OPEN)
    answer = signed_in(bob).post(f"{path}/sit", follow=True)
    assert answer.status_code == HTTPStatus.OK
    assert {seat.user for seat in game.seat_set.all()} == {alice, bob}


def test_only_friends_are_invited(alice: User, bob: User) -> None:
    ask(alice, bob)
    assert invited(alice, "bob") == "/friends"
    befriend(alice, bob)
    signed_in(alice).post("/friends/act", {"do": "remove", "whom": "bob"})
    assert invited(alice, "bob") == "/friends"
    assert not Game.objects.exists() and told(bob) == []


def test_a_block_takes_invitations_back(alice: User, bob: User) -> None:
    befriend(alice, bob)
    invited(alice, "bob")
    block(bob, alice)
    assert told(bob) == []
    assert invited(alice, "bob") == "/friends" and told(bob) == []
