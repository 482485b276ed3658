"""Talking at the table: who may, what becomes of the words, and how they are read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import translation

from accounts.models import User
from games import company, lobby, log, words
from games.forms import NewTableForm
from games.models import Game, Saying
from games.refusal import Refused
from games.rules.perudo.options import SITE_OPTIONS, SITE_PRESET
from games.screens import talk
from games.words.phrases import LINK, PHRASES
from tests.conftest import signed_in
from tests.games.evening import LEAVE, dealt
from tests.games.playing import EVENING, finished_game, open_table, play_until, running_game

pytestmark = pytest.mark.django_db

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


@pytest.fixture(autouse=True)
def _nothing_rendered_before() -> Iterator[None]:
    talk._shared.clear()
    yield
    talk._shared.clear()


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return open_table(alice, bob)


def says(game: Game, person: User, text: str = "", *, phrase: str = "") -> None:
    company.say(game, person, phrase=phrase, text=text, now=EVENING)


def refusal(game: Game, person: User, text: str = "", *, phrase: str = "") -> str:
    """The code with which a saying is refused, once it is certain that nothing was kept."""
    before = Saying.objects.count()
    with pytest.raises(Refused) as refused:
        says(game, person, text, phrase=phrase)
    assert Saying.objects.count() == before
    return refused.value.code


def heard(game: Game, viewer: User | AnonymousUser, language: str = "en") -> str:
    with translation.override(language):
        return talk.sayings(game.code, user=viewer)


def page(client: Client, game: Game) -> str:
    return client.get(f"/games/{game.code}").content.decode()


def post(client: Client, game: Game, **form: str) -> str:
    """What the notice of a post by htmx says; "" when it was said."""
    answer = client.post(f"/games/{game.code}/say", form, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return answer.content.decode().strip()


# --- who may speak -------------------------------------------------------------------------------


def test_who_sits_here_speaks_before_during_and_after_the_game(alice: User, bob: User) -> None:
    for game in (open_table(alice, bob), running_game(alice, bob), finished_game(alice, bob)):
        says(game, alice, phrase="well_played")
        says(game, bob, "Thank you.")
        assert heard(game, AnonymousUser()).count("data-said") == 2


def test_who_has_no_dice_left_speaks_on(alice: User, bob: User, charlie: User) -> None:
    game = play_until(running_game(alice, bob, charlie), lambda state: bool(state.out))
    assert game.status == Game.Status.PLAYING
    out = game.seat_set.get(number=log.public_state(game).out[0])
    says(game, out.user, "I am out.")
    assert "I am out." in heard(game, alice)


def test_a_spectator_only_reads(game: Game, alice: User, charlie: User) -> None:
    running = running_game(alice, charlie)
    assert refusal(running, User.objects.get(username="bob"), phrase="hello") == "not_seated"
    assert refusal(game, charlie, "Hello?") == "not_seated"


def test_who_left_for_good_is_a_spectator(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, "steady", hands=(*HANDS, (3, 3, 4, 4, 6)))
    evening.says(1, LEAVE)
    assert refusal(evening.game, bob, phrase="ouch") == "already_left"


def test_nobody_speaks_at_a_closed_table(game: Game, alice: User) -> None:
    lobby.close(game.code, alice, now=EVENING)
    game.refresh_from_db()
    assert refusal(game, alice, phrase="hello") == "closed"


def test_a_stranger_is_sent_to_sign_in(client: Client, game: Game) -> None:
    answer = client.post(f"/games/{game.code}/say", {"phrase": "hello"})
    assert answer.headers["Location"].startswith("/account/login/")
    assert Saying.objects.count() == 0


def test_a_saying_does_not_move_the_table(alice: User, bob: User) -> None:
    game = running_game(alice, bob)
    before = Game.objects.values().get(pk=game.pk)
    says(game, alice, "I have three fives.")
    assert Game.objects.values().get(pk=game.pk) == before


def test_only_a_post_speaks(alice_client: Client, game: Game) -> None:
    assert alice_client.get(f"/games/{game.code}/say?phrase=hello").status_code == 405


# --- where the host allows it --------------------------------------------------------------------


def test_without_chat_the_phrases_remain(game: Game, alice: User) -> None:
    lobby.set_chat(game.code, alice, on=False, now=EVENING)
    game.refresh_from_db()
    assert refusal(game, alice, "Hello, all!") == "chat_off"
    says(game, alice, phrase="hello")
    assert 'data-chat="off"' in heard(game, alice)


def test_the_host_alone_closes_the_chat_and_only_before_the_game(
    game: Game, alice_client: Client, bob_client: Client, alice: User
) -> None:
    bob_client.post(f"/games/{game.code}/chat", {"chat": "off"})
    assert Game.objects.get(pk=game.pk).chat
    alice_client.post(f"/games/{game.code}/chat", {"chat": "off"})
    assert not Game.objects.get(pk=game.pk).chat
    lobby.start(game.code, alice, now=EVENING)
    alice_client.post(f"/games/{game.code}/chat", {"chat": "on"})
    assert not Game.objects.get(pk=game.pk).chat


def test_a_closed_chat_is_in_everybodys_next_look_at_once(game: Game, alice: User) -> None:
    assert 'data-chat="on"' in heard(game, alice)
    lobby.set_chat(game.code, alice, on=False, now=EVENING)
    assert 'data-chat="off"' in heard(game, alice)


@pytest.mark.parametrize(("ticked", "chat"), [({"chat": "on"}, True), ({}, False)])
def test_the_form_of_a_new_table_decides(
    alice_client: Client, ticked: dict[str, str], chat: bool
) -> None:
    form = {"preset": SITE_PRESET, "seats": "3", "pace": "", "public": "yes"}
    alice_client.post("/games/new", form | ticked)
    assert Game.objects.get().chat is chat
    assert NewTableForm().fields["chat"].initial is True


def test_a_table_against_bots_has_no_chat(alice: User) -> None:
    options = SITE_OPTIONS.to_json()
    game = lobby.play_now(alice, bots=["steady"], preset=SITE_PRESET, options=options, now=EVENING)
    assert not game.chat


def test_a_rematch_keeps_what_the_host_chose(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    Game.objects.filter(pk=game.pk).update(chat=False)
    assert not lobby.rematch(game.code, bob, now=EVENING).chat


# --- the words -----------------------------------------------------------------------------------


def test_every_phrase_fits_its_column_and_has_words() -> None:
    assert len(PHRASES) == 12
    assert all(len(key) <= 20 for key in PHRASES)
    assert len({said for _, said in words.phrases()}) == len(PHRASES)


def test_a_phrase_is_read_in_the_viewers_language(
    game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(game, alice, phrase="good_luck")
    with translation.override("fr"):
        french = words.saying(phrase="good_luck", text="")
    assert french != "Good luck!"
    assert french in heard(game, alice, "fr").replace("&#x27;", "'")
    assert "Good luck!" in heard(game, alice, "en")


def test_a_phrase_nobody_offers_is_refused(game: Game, alice: User) -> None:
    assert refusal(game, alice, phrase="you_cheat") == "no_such_phrase"


def test_markup_is_shown_and_never_obeyed(
    game: Game, alice: User, alice_client: Client, bob_client: Client
) -> None:
    evil = '<img src=x onerror="alert(1)"></ol><script>alert(2)</script> {{ game }} %(words)s &amp;'
    says(game, alice, evil)
    for html in (heard(game, alice), page(alice_client, game), page(bob_client, game)):
        assert "<img" not in html and "<script>alert" not in html
        assert "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;" in html
        assert "{{ game }} %(words)s &amp;amp;" in html


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  one \r\n\t two\u2028three\u2029four\x00 ", "one two three four"),
        ("a\x1b[31mb\x07", "a [31mb"),
        ("ab\u202ecod\u202c\u2066x\u2069\u200e\ufeff\u00ad", "abcodx"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("e\u0301", "\u00e9"),
        ("z" + "\u0336" * 40 + "o", "z\u0336\u0336o"),
        ("\ud83d smile", "smile"),
        ("¡Qué suerte! – 你好 שלום 🎲", "¡Qué suerte! – 你好 שלום 🎲"),
    ],
)
def test_a_text_is_one_line_that_stays_in_its_place(typed: str, kept: str) -> None:
    assert company.tidy(typed) == kept


@pytest.mark.parametrize(
    "link",
    [
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
    ],
)
def test_a_link_is_taken_out(game: Game, alice: User, link: str) -> None:
    says(game, alice, f"Look at {link} now")
    assert Saying.objects.get().text == f"Look at {LINK} now"
    assert "Look at [link] now" in heard(game, alice)


@pytest.mark.parametrize(
    "text", ["No.Really not.", "3/4 of them", "Mr.Smith bids 2.5", "What?!... ok", "7:30", "a@b"]
)
def test_what_is_no_link_stays(text: str) -> None:
    assert company.tidy(text) == text


def test_nobody_can_type_the_mark_of_a_link() -> None:
    assert company.tidy(f"a{LINK}b") == "ab"


@pytest.mark.parametrize("text", ["", " ", "\u200b\u200d\u202e", "\x00\n"])
def test_nothing_is_no_saying(game: Game, alice: User, text: str) -> None:
    assert refusal(game, alice, text) == "nothing_said"


def test_a_text_has_200_characters_at_most(game: Game, alice: User) -> None:
    says(game, alice, "x" * 200)
    assert refusal(game, alice, "x" * 201) == "too_long"
    # Each of these is written as three letters when it is tidied.
    assert refusal(game, alice, "\ufb2c" * 150) == "too_long"


def test_the_last_fifty_are_shown_newest_first(game: Game, alice: User) -> None:
    for number in range(60):
        says(game, alice, f"saying no. {number}.")
    html = heard(game, alice)
    assert html.count("data-said") == 50
    assert "saying no. 10." in html and "saying no. 9." not in html
    assert html.index("saying no. 59.") < html.index("saying no. 58.")


def test_more_sayings_ask_the_database_no_more(
    game: Game, alice: User, bob: User, django_assert_num_queries
) -> None:
    for _ in range(3):
        says(game, alice, phrase="hello")
        says(game, bob, phrase="thanks")
        with django_assert_num_queries(3):
            heard(game, AnonymousUser())


# --- the page ------------------------------------------------------------------------------------


def test_the_page_holds_what_was_said(game: Game, alice: User, client: Client) -> None:
    says(game, alice, "Welcome in.")
    assert "Welcome in." in page(client, game)


def test_only_who_may_speak_is_offered_the_phrases(
    game: Game, alice_client: Client, charlie_client: Client, client: Client
) -> None:
    assert page(alice_client, game).count('name="phrase"') == len(PHRASES)
    assert 'name="phrase"' not in page(charlie_client, game)
    assert 'name="phrase"' not in page(client, game)


def test_a_saying_is_posted_with_htmx_or_without(game: Game, alice_client: Client) -> None:
    answer = alice_client.post(
        f"/games/{game.code}/say", {"text": "Hello there."}, headers={"HX-Request": "true"}
    )
    assert answer.content.strip() == b""
    assert answer.headers["HX-Trigger"] == '{"said": {}}'
    answer = alice_client.post(f"/games/{game.code}/say", {"phrase": "good_luck"})
    assert answer.headers["Location"] == f"/games/{game.code}"
    assert list(Saying.objects.values_list("phrase", "text")) == [
        ("", "Hello there."),
        ("good_luck", ""),
    ]


def test_nobody_says_more_than_five_things_in_twenty_seconds(
    game: Game, alice_client: Client, bob: User
) -> None:
    for _ in range(5):
        assert post(alice_client, game, phrase="hello") == ""
    assert "Not so fast" in post(alice_client, game, phrase="hello")
    assert "Not so fast" in post(signed_in(User.objects.get(username="alice")), game, text="Hi")
    assert Saying.objects.count() == 5
    assert post(signed_in(bob), game, phrase="ouch") == ""


def test_a_refusal_is_a_sentence(game: Game, alice_client: Client, charlie_client: Client) -> None:
    assert "You do not sit at this table" in post(charlie_client, game, phrase="hello")
    assert "200 characters or fewer" in post(alice_client, game, text="x" * 201)
    assert "You have not written anything" in post(alice_client, game)


def test_what_is_rendered_is_shared_until_something_new_may_have_been_said(
    game: Game, alice: User, django_assert_num_queries
) -> None:
    heard(game, AnonymousUser())
    began = talk._shared.get((game.code, "en"))[0]
    with translation.override("en"), django_assert_num_queries(0):
        talk.read_by(game.code, [(None, "en")], since=began)
    says(game, alice, phrase="ouch")
    with translation.override("en"):
        [later] = talk.read_by(game.code, [(None, "en")], since=began + 1e-9)
    assert "data-said" in later
