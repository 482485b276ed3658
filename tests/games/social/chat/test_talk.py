"""Chat messages: who may write, how texts are cleaned, and what readers see."""

from __future__ import annotations

import re
from pathlib import Path
from time import monotonic

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils import translation

from accounts.models import User
from games.errors import Refused
from games.models import ChatMessage, Game
from games.perudo.forms import NewTableForm
from games.perudo.rules import KEY
from games.perudo.rules.options import SITE_PRESET
from games.play import before_start, rematches
from games.social.chat import phrases, rendering, talk
from games.social.chat.phrases import LINK, PHRASES, REACTIONS
from games.store import event_log
from tests.support.cases import untouched
from tests.support.fast_games import START, finished_game, open_table, play_until, running_game
from tests.support.fixtures import signed_in
from tests.support.game_driver import LEAVE, deal_game

pytestmark = pytest.mark.django_db

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return open_table(alice, bob)


def says(game: Game, person: User, text: str = "", *, phrase: str = "") -> None:
    talk.say(game, person, phrase=phrase, text=text, now=START)


def refusal(game: Game, person: User, text: str = "", *, phrase: str = "") -> str:
    """The code with which a message is refused; asserts that nothing was stored."""
    before = ChatMessage.objects.count()
    with pytest.raises(Refused) as refused:
        says(game, person, text, phrase=phrase)
    assert ChatMessage.objects.count() == before
    return refused.value.code


def chat_html(game: Game, viewer: User | AnonymousUser, language: str = "en") -> str:
    with translation.override(language):
        return rendering.messages(Game.objects.get(pk=game.pk), user=viewer)


def page(client: Client, game: Game) -> str:
    return client.get(f"/games/{game.code}").content.decode()


def post(client: Client, game: Game, **form: str) -> str:
    """The notice of an htmx POST; "" when the message was posted."""
    answer = client.post(f"/games/{game.code}/say", form, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return answer.content.decode().strip()


# --- who may write -------------------------------------------------------------------------------


def test_players_can_write_before_during_and_after_the_game(alice: User, bob: User) -> None:
    for game in (open_table(alice, bob), running_game(alice, bob), finished_game(alice, bob)):
        says(game, alice, phrase="well_played")
        says(game, bob, "Thank you.")
        assert chat_html(game, AnonymousUser()).count("data-said") == 2


def test_a_player_who_is_out_can_still_write(alice: User, bob: User, charlie: User) -> None:
    game = play_until(running_game(alice, bob, charlie), lambda state: bool(state.out))
    assert game.status == Game.Status.PLAYING
    out = game.seat_set.get(number=event_log.public_state(game).out[0])
    says(game, out.user, "I am out.")
    assert "I am out." in chat_html(game, alice)


def test_a_spectator_can_only_read(game: Game, alice: User, charlie: User) -> None:
    running = running_game(alice, charlie)
    assert refusal(running, User.objects.get(username="bob"), phrase="hello") == "not_seated"
    assert refusal(game, charlie, "Hello?") == "not_seated"


def test_a_player_who_left_the_game_cannot_write(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, "steady", hands=(*HANDS, (3, 3, 4, 4, 6)))
    driver.move(1, LEAVE)
    assert refusal(driver.game, bob, phrase="ouch") == "already_left"


def test_nobody_can_write_at_a_closed_table(game: Game, alice: User) -> None:
    before_start.close(game.code, alice, now=START)
    game.refresh_from_db()
    assert refusal(game, alice, phrase="hello") == "closed"


def test_an_anonymous_visitor_is_sent_to_sign_in(client: Client, game: Game) -> None:
    answer = client.post(f"/games/{game.code}/say", {"phrase": "hello"})
    assert answer.headers["Location"].startswith("/account/login/")
    assert ChatMessage.objects.count() == 0


def test_a_message_does_not_change_the_game(alice: User, bob: User) -> None:
    game = running_game(alice, bob)
    before = Game.objects.values().get(pk=game.pk)
    says(game, alice, "I have three fives.")
    assert Game.objects.values().get(pk=game.pk) == before


def test_get_requests_post_nothing(alice_client: Client, game: Game) -> None:
    assert alice_client.get(f"/games/{game.code}/say?phrase=hello").status_code == 405


# --- where the host allows it --------------------------------------------------------------------


def test_without_chat_the_phrases_are_still_available(game: Game, alice: User) -> None:
    before_start.set_chat(game.code, alice, on=False, now=START)
    game.refresh_from_db()
    assert refusal(game, alice, "Hello, all!") == "chat_off"
    says(game, alice, phrase="hello")
    assert 'data-chat="off"' in chat_html(game, alice)


def test_only_the_host_switches_the_chat_off_and_only_before_the_game(
    game: Game, alice_client: Client, bob_client: Client, alice: User
) -> None:
    bob_client.post(f"/games/{game.code}/chat", {"chat": "off"})
    assert Game.objects.get(pk=game.pk).chat
    alice_client.post(f"/games/{game.code}/chat", {"chat": "off"})
    assert not Game.objects.get(pk=game.pk).chat
    before_start.start(game.code, alice, now=START)
    alice_client.post(f"/games/{game.code}/chat", {"chat": "on"})
    assert not Game.objects.get(pk=game.pk).chat


def test_switching_the_chat_off_shows_at_once(game: Game, alice: User) -> None:
    assert 'data-chat="on"' in chat_html(game, alice)
    before_start.set_chat(game.code, alice, on=False, now=START)
    assert 'data-chat="off"' in chat_html(game, alice)


@pytest.mark.parametrize(("ticked", "chat"), [({"chat": "on"}, True), ({}, False)])
def test_the_form_of_a_new_table_switches_the_chat_on_or_off(
    alice_client: Client, ticked: dict[str, str], chat: bool
) -> None:
    form = {"preset": SITE_PRESET, "seats": "3", "pace": "", "visibility": "public"}
    alice_client.post("/games/new", form | ticked)
    assert Game.objects.get().chat is chat
    assert NewTableForm().fields["chat"].initial is True


def test_a_table_against_bots_has_no_chat(alice: User) -> None:
    settings = before_start.quick_settings(KEY, bots=1)
    game = before_start.play_now(alice, settings, bots=["steady"], now=START)
    assert not game.chat


def test_a_rematch_keeps_what_the_host_chose(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    Game.objects.filter(pk=game.pk).update(chat=False)
    assert not rematches.rematch(game.code, bob, now=START).chat


# --- texts and phrases ---------------------------------------------------------------------------


def test_every_phrase_fits_its_column_and_has_a_text() -> None:
    assert len(PHRASES) == 12
    assert all(len(key) <= 20 for key in PHRASES)
    assert len({said for _, said in phrases.phrases()}) == len(PHRASES)


def test_every_reaction_is_drawn_and_has_a_name() -> None:
    drawing = Path(str(finders.find("games/reactions.svg"))).read_text()
    assert set(re.findall(r'symbol id="(\w+)"', drawing)) == set(REACTIONS)
    assert not set(REACTIONS) & set(PHRASES)
    assert all(len(key) <= 20 for key in REACTIONS)


def test_a_reaction_is_shown_as_its_drawing_with_its_name(game: Game, alice: User) -> None:
    says(game, alice, phrase="laughter")
    for language, name in (("en", "Laughter"), ("it", "Risate")):
        html = chat_html(game, alice, language)
        assert name in html
        assert re.search(r'<use href="/static/games/reactions[^"]*\.svg#laughter">', html)


def test_a_phrase_has_no_drawing(game: Game, alice: User) -> None:
    says(game, alice, phrase="good_luck")
    assert "reactions" not in chat_html(game, alice)


def test_a_phrase_is_shown_in_the_viewers_language(
    game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(game, alice, phrase="good_luck")
    with translation.override("fr"):
        french = phrases.in_words(phrase="good_luck", text="")
    assert french != "Good luck!"
    assert french in chat_html(game, alice, "fr").replace("&#x27;", "'")
    assert "Good luck!" in chat_html(game, alice, "en")


def test_an_unknown_phrase_is_refused(game: Game, alice: User) -> None:
    assert refusal(game, alice, phrase="you_cheat") == "no_such_phrase"


def test_markup_is_escaped(
    game: Game, alice: User, alice_client: Client, bob_client: Client
) -> None:
    evil = '<img src=x onerror="alert(1)"></ol><script>alert(2)</script> {{ game }} %(words)s &amp;'
    says(game, alice, evil)
    for html in (chat_html(game, alice), page(alice_client, game), page(bob_client, game)):
        assert "<img" not in html and "<script>alert" not in html
        assert "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;" in html
        assert "{{ game }} %(words)s &amp;amp;" in html


def test_a_text_becomes_one_line_without_control_characters() -> None:
    cases = [
        ("  one \r\n\t two\u2028three\u2029four\x00 ", "one two three four"),
        ("a\x1b[31mb\x07", "a [31mb"),
        ("ab\u202ecod\u202c\u2066x\u2069\u200e\ufeff\u00ad", "abcodx"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("e\u0301", "\u00e9"),
        ("z" + "\u0336" * 40 + "o", "z\u0336\u0336o"),
        ("\ud83d smile", "smile"),
        ("¡Qué suerte! – 你好 שלום 🎲", "¡Qué suerte! – 你好 שלום 🎲"),
    ]
    wrong = [(typed, kept, found) for typed, kept in cases if (found := talk.tidy(typed)) != kept]
    assert wrong == []


def test_a_link_is_removed(game: Game, alice: User, subtests: pytest.Subtests) -> None:
    for link in [
        "https://example.org/a?b=c#d",
        "HTTP://EXAMPLE.ORG",
        "ftp://example.org",
        "javascript://%0aalert(1)",
        "www.example.org",
        "example.com",
        "sub.example.net:8000",
        "discord.gg/abcdef",
        "t.me/somebody",
        "someone@example.org",
    ]:
        with subtests.test(link=link), untouched():
            says(game, alice, f"Look at {link} now")
            assert ChatMessage.objects.get().text == f"Look at {LINK} now"
            assert "Look at [link] now" in chat_html(game, alice)


def test_text_that_only_looks_like_a_link_stays() -> None:
    wrong = [
        text
        for text in [
            "No.Really not.",
            "3/4 of them",
            "Mr.Smith bids 2.5",
            "What?!... ok",
            "7:30",
            "a@b",
        ]
        if talk.tidy(text) != text
    ]
    assert wrong == []


def test_nobody_can_type_the_placeholder_of_a_link() -> None:
    assert talk.tidy(f"a{LINK}b") == "ab"


def test_an_empty_text_is_refused(game: Game, alice: User, subtests: pytest.Subtests) -> None:
    for text in ["", " ", "\u200b\u200d\u202e", "\x00\n"]:
        with subtests.test(text=text):
            assert refusal(game, alice, text) == "nothing_said"


def test_a_text_has_at_most_200_characters(game: Game, alice: User) -> None:
    says(game, alice, "x" * 200)
    assert refusal(game, alice, "x" * 201) == "too_long"
    # Each of these becomes three characters when normalised.
    assert refusal(game, alice, "\ufb2c" * 150) == "too_long"


def test_the_last_fifty_messages_are_shown_newest_first(game: Game, alice: User) -> None:
    for number in range(60):
        says(game, alice, f"message no. {number}.")
    html = chat_html(game, alice)
    assert html.count("data-said") == 50
    assert "message no. 10." in html and "message no. 9." not in html
    assert html.index("message no. 59.") < html.index("message no. 58.")


def test_the_number_of_queries_does_not_grow_with_the_messages(
    game: Game, alice: User, bob: User, django_assert_num_queries
) -> None:
    for _ in range(3):
        says(game, alice, phrase="hello")
        says(game, bob, phrase="thanks")
        with django_assert_num_queries(3):
            chat_html(game, AnonymousUser())


# --- the page ------------------------------------------------------------------------------------


def test_the_page_shows_the_messages(game: Game, alice: User, client: Client) -> None:
    says(game, alice, "Welcome in.")
    assert "Welcome in." in page(client, game)


def test_only_players_are_offered_the_phrases(
    game: Game, alice_client: Client, charlie_client: Client, client: Client
) -> None:
    assert page(alice_client, game).count('name="phrase"') == len(PHRASES) + len(REACTIONS)
    assert 'name="phrase"' not in page(charlie_client, game)
    assert 'name="phrase"' not in page(client, game)


def test_a_message_can_be_posted_with_and_without_htmx(game: Game, alice_client: Client) -> None:
    answer = alice_client.post(
        f"/games/{game.code}/say", {"text": "Hello there."}, headers={"HX-Request": "true"}
    )
    assert answer.content.strip() == b""
    assert answer.headers["HX-Trigger"] == '{"said": {}}'
    answer = alice_client.post(f"/games/{game.code}/say", {"phrase": "good_luck"})
    assert answer.headers["Location"] == f"/games/{game.code}"
    assert list(ChatMessage.objects.values_list("phrase", "text")) == [
        ("", "Hello there."),
        ("good_luck", ""),
    ]


def test_a_user_can_post_five_messages_in_twenty_seconds(
    game: Game, alice_client: Client, bob: User
) -> None:
    for _ in range(5):
        assert post(alice_client, game, phrase="hello") == ""
    assert "sending messages too fast" in post(alice_client, game, phrase="hello")
    assert "sending messages too fast" in post(
        signed_in(User.objects.get(username="alice")), game, text="Hi"
    )
    assert ChatMessage.objects.count() == 5
    assert post(signed_in(bob), game, phrase="ouch") == ""


def test_a_refusal_is_a_sentence(game: Game, alice_client: Client, charlie_client: Client) -> None:
    assert "not at this table, but you can watch" in post(charlie_client, game, phrase="hello")
    assert "200 characters or fewer" in post(alice_client, game, text="x" * 201)
    assert "Your message is empty" in post(alice_client, game)


def test_a_rendering_is_shared_until_a_newer_one_is_asked_for(
    game: Game, alice: User, django_assert_num_queries
) -> None:
    began = monotonic()
    [first] = rendering.render_for(game.code, [(None, "en")], since=began)
    says(game, alice, phrase="ouch")
    with django_assert_num_queries(0):
        assert rendering.render_for(game.code, [(None, "en")], since=began) == [first]
    [later] = rendering.render_for(game.code, [(None, "en")], since=monotonic())
    assert "data-said" not in first and "data-said" in later
