"""Questions about decisions: who may ask, what a page shows before a choice, and after it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.core.contract import IllegalMove, fold, may_know
from games.core.moves import Leave
from games.models import Game, Question
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Dudo
from games.study.questions import decisions, question_links
from games.table import shown_seats
from perudo_site import data_export, deletion
from tests.games.contract import kinds
from tests.support.cases import untouched
from tests.support.fast_games import START, running_game
from tests.support.fixtures import PASSWORD, signed_in
from tests.support.game_driver import CONFIRM, DUDO, LEAVE, bid, deal_game, refusal_of


def over(
    alice: User,
    bob: User,
    charlie: User,
    hands: Sequence[Sequence[int]],
    raised: str = "4x4",
    **table: Any,
) -> Game:
    """Alice opens with 3 × 4, Bob raises to 4 × 4, Charlie doubts; then the others leave."""
    driver = deal_game(alice, bob, charlie, hands=hands, **table)
    driver.move(0, bid("3x4"))
    driver.move(1, bid(raised))
    driver.move(2, DUDO)
    driver.move(1, LEAVE)
    driver.move(2, LEAVE)
    assert driver.game.status == Game.Status.FINISHED
    return driver.game


HANDS = ([4, 4, 2, 6, 5], [3, 3, 2, 2, 6], [1, 5, 5, 6, 6])


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    return over(alice, bob, charlie, HANDS)


def asked(game: Game, number: int, person: User, *, named: bool = True) -> Question:
    return question_links.ask(game, number, person, named=named, now=START)


def page(path: str, client: Client | None = None, **fields: object) -> str:
    answer = (client or Client()).get(path, fields)
    assert answer.status_code == HTTPStatus.OK
    return answer.content.decode()


def address(question: Question) -> str:
    return reverse("games:question", args=[question.word])


# --- which decisions there are -------------------------------------------------------------------


def test_every_move_on_a_turn_can_be_asked_and_nothing_else(game: Game) -> None:
    """The deal is moment 1; the reveal and the end are none."""
    found = {number: decisions.of_game(game, number) for number in range(-1, 12)}
    made = {number: (each.seat, each.made.code) for number, each in found.items() if each}
    assert made == {2: (0, "bid"), 3: (1, "bid"), 4: (2, "dudo")}


def test_a_decision_is_known_as_its_player_knew_it(game: Game) -> None:
    decision = decisions.of_game(game, 4)
    assert decision is not None
    assert decision.known.hands == (None, None, (1, 5, 5, 6, 6))
    assert Dudo() in decision.moves and Bid(5, 4) in decision.moves
    assert Bid(4, 4) not in decision.moves


@kinds.every_kind
def test_whole_games_can_be_asked_and_answered_everywhere(kind: Any, alice: User) -> None:
    """Each move the player could make is judged, and the one they made as the replay has it."""
    game = kinds.finished_game(kind, alice, stays=True)
    moments = kind.replay.moments(game)
    found = [decisions.of_game(game, number) for number in range(1, len(moments) + 1)]
    there = [each for each in found if each is not None]
    assert len(there) > 10
    for decision in there:
        judged = [decision.judged(move) for move in decision.moves]
        values = [(each.code, each.values, each.chance) for each in judged]
        made = decision.made
        assert (made.code, made.values, made.chance) in values
        title, held = decision.part.summary(decision.known, decision.seat)
        assert title.strip() and held.strip()


@kinds.every_kind
def test_of_other_hands_a_decision_knows_what_everybody_knew(kind: Any, alice: User) -> None:
    game = kinds.finished_game(kind, alice, stays=True)
    moments = kind.replay.moments(game)
    public: Any = None
    hidden = 0
    for number, moment in enumerate(moments[:-1], start=1):
        public = fold(kind.rules, (f for f in moment.facts if may_know(f, None)), public)
        decision = decisions.of_game(game, number + 1)
        if decision is not None:
            known = list(decision.known.hands)
            assert known.pop(decision.seat) == moment.state.hands[decision.seat]
            others = list(public.hands)
            others.pop(decision.seat)
            assert known == others
            hidden += known.count(None)
    assert hidden > 10


def test_a_choice_that_was_not_possible_is_refused_with_its_reason(game: Game) -> None:
    decision = decisions.of_game(game, 4)
    assert decision is not None
    for fields, code in (
        ({"do": "bid", "quantity": "4", "face": "4"}, "count_too_low"),
        ({"do": "nonsense"}, "malformed"),
        ({"do": "leave"}, "malformed"),
    ):
        with pytest.raises(IllegalMove) as refused:
            decision.parse(fields)
        assert refused.value.code == code
    assert decision.parse({"do": "dudo"}) == DUDO


# --- asking --------------------------------------------------------------------------------------


def test_asking_again_gives_the_same_link_and_another_without_names(
    game: Game, alice: User
) -> None:
    first, again = asked(game, 4, alice), asked(game, 4, alice)
    nameless = asked(game, 4, alice, named=False)
    assert first == again != nameless
    assert Question.objects.count() == 2


def test_what_cannot_be_asked_is_refused_and_stores_nothing(
    game: Game, alice: User, bob: User, charlie: User
) -> None:
    running = running_game(alice, bob)
    private = over(alice, bob, charlie, HANDS, public=False)
    stranger = User.objects.create_user("stranger")
    for where, number, person, code in (
        (running, 2, alice, "not_over"),
        (private, 4, stranger, "private_game"),
        (game, 1, alice, "nothing_to_decide"),
        (game, 99, alice, "nothing_to_decide"),
    ):
        assert refusal_of(lambda: asked(where, number, person)) == code  # noqa: B023
    assert not Question.objects.exists()
    assert asked(private, 4, bob) and asked(game, 4, stranger)


def test_a_replay_offers_to_ask_to_those_who_may(game: Game, alice: User) -> None:
    replay = reverse("games:moment", args=[game.code, 4])
    assert 'id="ask"' not in page(replay)
    html = page(replay, signed_in(alice))
    assert re.search(r'<form id="ask"[^>]*action="/games/\w+/ask" *>', html)
    assert re.search(
        r'<form id="ask"[^>]*hidden',
        page(reverse("games:moment", args=[game.code, 1]), signed_in(alice)),
    )
    Game.objects.filter(pk=game.pk).update(listed=False, visibility=Game.Visibility.LINK)
    assert 'id="ask"' not in page(replay, signed_in(User.objects.create_user("stranger")))


def test_the_form_of_a_replay_leads_to_the_question(game: Game, alice: User) -> None:
    client = signed_in(alice)
    ask = reverse("games:ask", args=[game.code])
    answer = client.post(ask, {"moment": "4"}, follow=True)
    question = Question.objects.get()
    assert answer.redirect_chain == [(f"{address(question)}?asked", 302)]
    assert question.named and question.asked_by == alice
    html = answer.content.decode()
    assert "Here&#x27;s your question." in html and f'value="{address(question)}"' in html
    client.post(ask, {"moment": "4", "nameless": "on"})
    assert Question.objects.filter(named=False).count() == 1
    for wrong in ("1", "0", "", "x", "9" * 50, "4.0"):
        answer = client.post(ask, {"moment": wrong}, follow=True)
        assert "nothing to decide" in answer.content.decode(), wrong
    assert Question.objects.count() == 2


def test_who_was_signed_out_asks_once_they_have_signed_in(game: Game, alice: User) -> None:
    client, ask = Client(), reverse("games:ask", args=[game.code])
    answer = client.post(ask, {"moment": "4"})
    assert answer["Location"].startswith(reverse("account_login"))
    assert not Question.objects.exists()
    fields = {"login": "alice", "password": PASSWORD}
    answer = client.post(answer["Location"], fields, follow=True)
    assert Question.objects.get().asked_by == alice
    assert "Here&#x27;s your question." in answer.content.decode()


def test_who_asks_very_often_is_told_to_wait(game: Game, alice: User, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"question": "2/h/user"}
    client, ask = signed_in(alice), reverse("games:ask", args=[game.code])
    answers = [client.post(ask, {"moment": number}).status_code for number in ("2", "3", "4")]
    assert answers == [302, 302, HTTPStatus.TOO_MANY_REQUESTS]
    assert Question.objects.count() == 2


# --- the page ------------------------------------------------------------------------------------


def test_a_friend_chooses_without_an_account(game: Game, alice: User) -> None:
    here = address(asked(game, 4, alice))
    client = Client()
    html = page(here, client)
    assert "4 fours: dudo or raise?" in html and "You are charlie" in html
    answer = client.post(here, {"do": "bid", "quantity": "5", "face": "4", "evil": "x" * 99})
    assert answer["Location"] == f"{here}?do=bid&quantity=5&face=4"
    html = page(answer["Location"], client)
    assert "Your choice: 5 fours" in html and "charlie chose: dudo" in html
    assert "The bid was too high." in html
    assert f'href="{reverse("games:moment", args=[game.code, 4])}"' in html
    assert "charlie did the same." in page(here, client, do="dudo")


def test_an_impossible_choice_is_told_why_and_shows_no_answer(game: Game, alice: User) -> None:
    here = address(asked(game, 4, alice))
    html = page(here, do="bid", quantity=4, face=4)
    assert "is-refused" in html and "Your choice" not in html
    assert "dudo</b>" not in html and "Watch what happened" not in html
    assert "charlie chose" not in html


# What differs from page to page: the token, the clock, and the word of the question.
_OF_A_PAGE = re.compile(r'csrfmiddlewaretoken" value="\w+"|x-csrftoken": "\w+|data-now="\d+|/q/\w+')


def test_before_a_choice_no_byte_depends_on_what_the_player_did_not_know(
    alice: User, bob: User, charlie: User, subtests: pytest.Subtests
) -> None:
    """Games that differ in the hands of the others and in what came next, at each decision."""
    for seen in [2, 3, 4]:
        for named in [True, False]:
            with subtests.test(named=named, seen=seen), untouched():
                seat = seen - 2
                pages, pictures = set(), set()
                for other in ([2, 2, 2, 3, 3], [4, 4, 4, 1, 1], [6, 5, 6, 5, 6]):
                    hands = [HANDS[seat] if each == seat else other for each in range(3)]
                    question = asked(over(alice, bob, charlie, hands), seen, alice, named=named)
                    pages.add(_OF_A_PAGE.sub("", page(address(question))))
                    found = decisions.of_game(question.game, seen)
                    assert found is not None
                    pictures.add(found.part.summary(found.known, found.seat))
                assert len(pages) == len(pictures) == 1


def test_before_a_choice_nothing_leads_to_the_game(game: Game, alice: User) -> None:
    """Not in the page, nor in what it would load; the answer leads there, but not without names."""
    for named in (True, False):
        here = address(asked(game, 4, alice, named=named))
        before, after = page(here), page(here, do="dudo")
        assert game.code not in before
        assert (game.code in after) == named
        names = [name for name in ("alice", "bob", "charlie") if name in before + after]
        assert names == (["alice", "bob", "charlie"] if named else [])


def test_its_preview_shows_the_question_and_what_the_player_held(game: Game, alice: User) -> None:
    question = asked(game, 4, alice)
    html = page(address(question))
    told = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)"', html))
    assert told["title"] == "What would you do?"
    assert told["description"] == ("4 fours: dudo or raise? Your dice: paco, five, five, six, six.")
    picture = Client().get(f"{address(question)}/preview.png")
    assert picture.status_code == HTTPStatus.OK
    assert picture.content.startswith(b"\x89PNG")


def test_a_call_lifts_the_cups_for_the_bid_it_is_about(game: Game, alice: User) -> None:
    """Bob would have doubted Alice's three fours, of which there are three with Charlie's paco."""
    html = page(address(asked(game, 3, alice)), do="dudo")
    assert 'data-count="3">3</b>' in html and "data-plays" in html
    assert html.count('class="my-dice is-open"') == 1


def test_a_bid_lifts_the_cups_for_the_one_that_was_really_called(game: Game, alice: User) -> None:
    """Whatever Bob says, Charlie doubted four fours; what followed is told in sentences."""
    html = page(address(asked(game, 3, alice)), do="bid", quantity="3", face="6")
    assert 'data-count="3">3</b>' in html
    followed = re.findall(r"<li>([^<]*)</li>", html[html.index('class="followed"') :])[:3]
    assert followed == [
        "bob bids 4 fours.",
        "charlie calls dudo! The count is 3.",
        "bob loses a die.",
    ]


@kinds.every_kind
def test_every_answer_shows_what_its_player_held(kind: Any, alice: User) -> None:
    """And every call shows how it would have been judged, without going on from there."""
    game = kinds.finished_game(kind, alice, stays=True)
    found = [decisions.of_game(game, n) for n in range(1, len(kind.replay.moments(game)) + 1)]
    players = shown_seats.at_table(list(game.seat_set.select_related("user")))
    judged = 0
    for decision in filter(None, found[::3]):
        for move in decision.moves:
            before = decision.before.state
            table = kind.questions.revealed(before, decision.seat, move, decision.since, players)
            assert len(table.held) == len(before.hand(decision.seat))
            assert table.round == decision.before.round and not table.ranking
            if move.kind in ("dudo", "calza"):
                judged += table.result.call == move.kind
            if move.kind == "accuse":
                judged += table.last.verdict is not None
    assert judged > 3


def test_no_question_no_page(db: None, subtests: pytest.Subtests) -> None:
    for word in ["nonsense1", "x" * 300, "0"]:
        with subtests.test(word=word):
            assert Client().get(f"/q/{word}").status_code == HTTPStatus.NOT_FOUND
            assert Client().post(f"/q/{word}", {"do": "dudo"}).status_code == HTTPStatus.NOT_FOUND
            assert Client().get(f"/q/{word}/preview.png").status_code == HTTPStatus.NOT_FOUND


# --- what is kept --------------------------------------------------------------------------------


def test_questions_are_in_my_data_and_forget_who_asked(game: Game, alice: User) -> None:
    question = asked(game, 4, alice)
    [row] = data_export.everything_about(alice)["questions"]
    assert row["link"] == address(question) and row["game"] == game.code
    assert (row["moment"], row["with_names"]) == (4, True)
    deletion.delete_account(alice, now=START)
    question.refresh_from_db()
    assert question.asked_by is None
    assert "alice" not in page(address(question))


def test_a_game_takes_its_questions_with_it(game: Game, alice: User) -> None:
    asked(game, 4, alice)
    Game.objects.filter(pk=game.pk).delete()
    assert not Question.objects.exists()


def test_leaving_is_no_answer_and_changes_nothing(game: Game, alice: User) -> None:
    here = address(asked(game, 4, alice))
    assert "is-refused" in page(here, do=Leave().kind)
    assert "is-refused" in page(here, do=CONFIRM.kind)
