"""Chat over real sockets: who gets which frame, in which language, and no stale move."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.wire.deployments import Deployment
from tests.wire.people import Person, Socket, wait_until

pytestmark = pytest.mark.real_server

Come = Callable[..., Person]


def talk_of(socket: Socket) -> list[str]:
    """The frames with the chat; each must contain nothing else."""
    frames = [frame for frame in socket.frames if 'id="talk"' in frame]
    assert not any('id="table"' in frame or 'id="own"' in frame for frame in frames)
    return frames


def hears(person: Person, words: str) -> None:
    def heard() -> bool:
        frames = talk_of(person.sockets[-1])
        return bool(frames) and words in frames[-1]

    wait_until(heard, f"{person.name} hears: {words}")


def say(person: Person, code: str, **form: str) -> None:
    assert person.action(code, "say", **form) == ""


def company(one_process: Deployment, come: Come, *names: str) -> tuple[str, list[Person]]:
    """A table opened by the first, at which the others sit too; all of them look at it."""
    host, *others = (come(one_process.site) for _ in names)
    code = host.open_table(size=len(names), chat="on")
    for other in others:
        other.action(code, "sit")
    for person in (host, *others):
        person.look_at(code)
    return code, [host, *others]


def test_a_message_reaches_everyone_in_a_separate_frame(
    one_process: Deployment, come: Come
) -> None:
    code, [host, other] = company(one_process, come, "host", "other")
    stranger = come(one_process.site, stranger=True).look_at(code)
    say(host, code, text="Shall we begin?")
    for person in (host, other, stranger):
        hears(person, "Shall we begin?")
        assert len(talk_of(person.sockets[-1])) == 1


def test_a_phrase_is_heard_in_each_viewers_language(one_process: Deployment, come: Come) -> None:
    code, [host, other] = company(one_process, come, "host", "other")
    path = re.sub(r"lang=\w+", "lang=es", other.sockets[-1].path)
    other.listen(path)
    say(host, code, phrase="good_luck")
    hears(host, "Good luck!")
    wait_until(lambda: talk_of(other.sockets[-1]), "a frame in Spanish")
    assert "Good luck!" not in talk_of(other.sockets[-1])[-1]


def test_talking_makes_no_move_stale(one_process: Deployment, come: Come) -> None:
    code, [host, other] = company(one_process, come, "host", "other")
    assert host.action(code, "start") == ""
    for person in (host, other):
        wait_until(lambda person=person: person.sees(code).phase == "turn", "the first turn")
    speaker = host if host.sees(code).my_turn else other
    before = speaker.sees(code).seq
    say(host, code, phrase="are_you_sure")
    say(other, code, text="I am.")
    hears(speaker, "I am.")
    assert speaker.sees(code).seq == before
    assert speaker.move(code, "bid", seen=before, quantity=1, face=2) == ""


def test_a_socket_with_the_current_chat_gets_it_only_once(
    one_process: Deployment, come: Come
) -> None:
    code, [host, other] = company(one_process, come, "host", "other")
    say(host, code, text="Old news.")
    hears(other, "Old news.")
    other.look_at(code)  # the page holds it
    say(host, code, text="Fresh news.")
    hears(other, "Fresh news.")
    assert len(talk_of(other.sockets[-1])) == 1
    late = other.listen(other.sockets[-1].path)  # as a page that was away
    wait_until(lambda: talk_of(late), "the talk it missed")
    assert "Fresh news." in talk_of(late)[0]


def test_the_frame_is_the_page(one_process: Deployment, come: Come) -> None:
    code, [host, other] = company(one_process, come, "host", "other")
    say(host, code, text='A <b>bold</b> "word" & more')
    hears(other, "bold")
    assert talk_of(other.sockets[-1])[-1].strip() in other.get(f"/games/{code}").text


def test_a_mute_empties_the_muters_screen_at_once_and_no_other(
    one_process: Deployment, come: Come
) -> None:
    code, [host, rude, third] = company(one_process, come, "host", "rude", "third")
    say(rude, code, text="You all are fools.")
    for person in (host, rude, third):
        hears(person, "fools")
    frames = len(talk_of(rude.sockets[-1])), len(talk_of(third.sockets[-1]))
    found = re.search(rf"/games/{code}/sayings/\d+", talk_of(host.sockets[-1])[-1])
    assert found
    host.post(found[0], do="mute")
    wait_until(lambda: "fools" not in talk_of(host.sockets[-1])[-1], "the words go")
    say(rude, code, text="Again: fools.")
    hears(third, "Again")
    say(third, code, text="Be kind.")
    hears(host, "Be kind.")
    assert "fools" not in talk_of(host.sockets[-1])[-1]
    # What the mute changed was sent to nobody else: one frame each for the two messages since.
    for person in (rude, third):
        hears(person, "Be kind.")
    assert [len(talk_of(each.sockets[-1])) for each in (rude, third)] == [n + 2 for n in frames]


def test_a_closed_chat_is_heard_of(one_process: Deployment, come: Come) -> None:
    code, [host, other] = company(one_process, come, "host", "other")
    host.action(code, "chat", chat="off")
    hears(other, 'data-chat="off"')
    assert "Quick phrases only" in other.action(code, "say", text="Why?")
