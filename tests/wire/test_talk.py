"""Chat over real sockets: who gets which frame, in which language, and no stale move."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.support.deployments import Deployment
from tests.support.players import HttpPlayer, PlayerSocket, wait_for

pytestmark = pytest.mark.real_server

NewPlayer = Callable[..., HttpPlayer]


def talk_of(socket: PlayerSocket) -> list[str]:
    """The frames with the chat; each must contain nothing else."""
    frames = [frame for frame in socket.frames if 'id="talk"' in frame]
    assert not any('id="table"' in frame or 'id="own"' in frame for frame in frames)
    return frames


def hears(person: HttpPlayer, words: str) -> None:
    def heard() -> bool:
        frames = talk_of(person.sockets[-1])
        return bool(frames) and words in frames[-1]

    wait_for(heard, f"{person.name} hears: {words}")


def say(person: HttpPlayer, code: str, **form: str) -> None:
    assert person.action(code, "say", **form) == ""


def company(
    one_process: Deployment, new_player: NewPlayer, *names: str
) -> tuple[str, list[HttpPlayer]]:
    """A table opened by the first, at which the others sit too; all of them look at it."""
    host, *others = (new_player(one_process.site) for _ in names)
    code = host.open_table(size=len(names), chat="on")
    for other in others:
        other.action(code, "sit")
    for person in (host, *others):
        person.open_page(code)
    return code, [host, *others]


def test_a_message_reaches_everyone_in_a_separate_frame(
    one_process: Deployment, new_player: NewPlayer
) -> None:
    code, [host, other] = company(one_process, new_player, "host", "other")
    stranger = new_player(one_process.site, stranger=True).open_page(code)
    say(host, code, text="Shall we begin?")
    for person in (host, other, stranger):
        hears(person, "Shall we begin?")
        assert len(talk_of(person.sockets[-1])) == 1


def test_a_phrase_is_heard_in_each_viewers_language(
    one_process: Deployment, new_player: NewPlayer
) -> None:
    code, [host, other] = company(one_process, new_player, "host", "other")
    path = re.sub(r"lang=\w+", "lang=es", other.sockets[-1].path)
    other.listen(path)
    say(host, code, phrase="good_luck")
    hears(host, "Good luck!")
    wait_for(lambda: talk_of(other.sockets[-1]), "a frame in Spanish")
    assert "Good luck!" not in talk_of(other.sockets[-1])[-1]


def test_talking_makes_no_move_stale(one_process: Deployment, new_player: NewPlayer) -> None:
    code, [host, other] = company(one_process, new_player, "host", "other")
    assert host.action(code, "start") == ""
    for person in (host, other):
        wait_for(lambda person=person: person.view(code).phase == "turn", "the first turn")
    speaker = host if host.view(code).my_turn else other
    before = speaker.view(code).seq
    say(host, code, phrase="are_you_sure")
    say(other, code, text="I am.")
    hears(speaker, "I am.")
    assert speaker.view(code).seq == before
    assert speaker.move(code, "bid", seen=before, quantity=1, face=2) == ""


def test_a_socket_with_the_current_chat_gets_it_only_once(
    one_process: Deployment, new_player: NewPlayer
) -> None:
    code, [host, other] = company(one_process, new_player, "host", "other")
    say(host, code, text="Old news.")
    hears(other, "Old news.")
    other.open_page(code)  # the page holds it
    say(host, code, text="Fresh news.")
    hears(other, "Fresh news.")
    assert len(talk_of(other.sockets[-1])) == 1
    late = other.listen(other.sockets[-1].path)  # as a page that was away
    wait_for(lambda: talk_of(late), "the talk it missed")
    assert "Fresh news." in talk_of(late)[0]


def test_the_frame_is_the_page(one_process: Deployment, new_player: NewPlayer) -> None:
    code, [host, other] = company(one_process, new_player, "host", "other")
    say(host, code, text='A <b>bold</b> "word" & more')
    hears(other, "bold")
    assert talk_of(other.sockets[-1])[-1].strip() in other.get(f"/games/{code}").text


def test_a_mute_empties_the_muters_screen_at_once_and_no_other(
    one_process: Deployment, new_player: NewPlayer
) -> None:
    code, [host, rude, third] = company(one_process, new_player, "host", "rude", "third")
    say(rude, code, text="You all are fools.")
    for person in (host, rude, third):
        hears(person, "fools")
    frames = len(talk_of(rude.sockets[-1])), len(talk_of(third.sockets[-1]))
    found = re.search(rf"/games/{code}/messages/\d+", talk_of(host.sockets[-1])[-1])
    assert found
    host.post(found[0], do="mute")
    wait_for(lambda: "fools" not in talk_of(host.sockets[-1])[-1], "the words go")
    say(rude, code, text="Again: fools.")
    hears(third, "Again")
    say(third, code, text="Be kind.")
    hears(host, "Be kind.")
    assert "fools" not in talk_of(host.sockets[-1])[-1]
    # What the mute changed was sent to nobody else: one frame each for the two messages since.
    for person in (rude, third):
        hears(person, "Be kind.")
    assert [len(talk_of(each.sockets[-1])) for each in (rude, third)] == [n + 2 for n in frames]


def test_a_closed_chat_is_heard_of(one_process: Deployment, new_player: NewPlayer) -> None:
    code, [host, other] = company(one_process, new_player, "host", "other")
    host.action(code, "chat", chat="off")
    hears(other, 'data-chat="off"')
    assert "Quick phrases only" in other.action(code, "say", text="Why?")
