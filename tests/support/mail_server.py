"""A mail server for tests: it takes letters, or fails in one of the ways that mail servers do."""

from __future__ import annotations

import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from threading import Event

from tests.support.live_site import free_port


@dataclass
class MailServer:
    """`refused` maps recipients to the code they are refused with; `silent` never says a word."""

    port: int
    refused: dict[str, int] = field(default_factory=dict)
    silent: bool = False
    seconds: float = 0.0  # before each answer
    taken: list[tuple[str, EmailMessage]] = field(default_factory=list)
    connections: int = 0
    ended: Event = field(default_factory=Event)

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}?timeout=2"

    def to(self, address: str) -> list[EmailMessage]:
        """The letters that it took for this address."""
        return [letter for recipient, letter in self.taken if recipient == address]

    def wait(self, letters: int, *, within: float = 30) -> None:
        deadline = time.monotonic() + within
        while len(self.taken) < letters:
            assert time.monotonic() < deadline, f"{len(self.taken)} letters arrived"
            time.sleep(0.02)


def _handler(server: MailServer) -> type[socketserver.StreamRequestHandler]:
    class Handler(socketserver.StreamRequestHandler):
        def say(self, line: str) -> None:
            server.ended.wait(server.seconds)
            self.wfile.write(line.encode() + b"\r\n")

        def handle(self) -> None:
            server.connections += 1
            if server.silent:
                server.ended.wait()
                return
            recipients: list[str] = []
            self.say("220 here")
            while line := self.rfile.readline().strip():
                command, _, rest = line.decode().partition(" ")
                match command.upper():
                    case "EHLO" | "HELO" | "MAIL" | "RSET":
                        self.say("250 ok")
                    case "RCPT":
                        address = rest.partition("<")[2].partition(">")[0]
                        if code := server.refused.get(address):
                            self.say(f"{code} <{address}> is unknown here")
                        else:
                            recipients.append(address)
                            self.say("250 ok")
                    case "DATA":
                        self.say("354 go on")
                        letter = self.letter()
                        server.taken += [(address, letter) for address in recipients]
                        self.say("250 taken")
                    case _:
                        self.say("221 bye")
                        return

        def letter(self) -> EmailMessage:
            lines = []
            while (line := self.rfile.readline()) not in (b".\r\n", b""):
                lines.append(line)
            letter = message_from_bytes(b"".join(lines), policy=policy.default)
            assert isinstance(letter, EmailMessage)
            return letter

    return Handler


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


@contextmanager
def mail_server(port: int = 0) -> Iterator[MailServer]:
    """A running mail server."""
    server = MailServer(port or free_port())
    with _Server(("127.0.0.1", server.port), _handler(server)) as tcp:
        thread = threading.Thread(target=tcp.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server
        server.ended.set()
        tcp.shutdown()
        thread.join()
