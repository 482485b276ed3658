"""What the fuzzer sends: valid forms with changes, and invalid input of every kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from tests.security.fuzz.forms import Form

T = TypeVar("T")

NASTY = (
    *("", " ", "0", "-1", "1", "+1", "1.0", "1e3", "0x1", "00", "NaN", "Infinity", "null", "None"),
    *("true", "[]", "{}", "[1,2]", '{"do": "dudo"}', "'", '"', "' OR 1=1 --", "<script>alert(1)"),
    *(
        "\x00",
        "a\x00b",
        "\r\nSet-Cookie: a=b",
        "\u202eabc",
        "\u200b",
        "\ufeff",
        "🎲" * 50,
        "é" * 300,
    ),
    *("\ud800", "\U000e0001", "ﷺ" * 100, "١", "１", "²", "P", "x" * 10_000, "9" * 10_000, "%s%n%d"),
    *("{{ 7*7 }}", "{% load %}", "../../etc/passwd", "//evil.example", "https://evil.example/"),
    *("javascript:alert(1)", "__class__", "dudo", "bid", "calza", "confirm", "leave", "raise"),
    *(str(2**31), str(2**63), str(2**64), str(-(2**63)), "9" * 40, "1" * 9, "999999999"),
)
# Fields that the site's forms have, for forms that do not have them.
STRAYS = (
    "do quantity face seen seat number user code next kind text phrase chat name reason words page "
    "username password password1 email language theme sure preset seats pace public bots strength "
    "calza lost_dice_visible opponents outcome login remember csrfmiddlewaretoken _method"
).split()
METHODS = ("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")
KINDS = (
    *("application/json", "text/plain", "multipart/form-data; boundary=x", "multipart/form-data"),
    *("application/x-www-form-urlencoded; charset=klingon", "application/octet-stream", "a/b; c"),
    *("application/x-www-form-urlencoded; charset=utf-16", "multipart/mixed; boundary=" + "y" * 99),
)
HEADERS: tuple[dict[str, str], ...] = (
    {},
    {},
    {"HX-Request": "true"},
    {"HX-Request": "true", "HX-Current-URL": "\x7f:", "HX-Target": "%ff"},
    {"Accept-Language": "x-" * 500},
    {"Accept-Language": "fr;q=zz, it;q=9e99"},
    {"Cookie": "django_language=../../x; sessionid=\xff; messages=W10:x"},
    {"Cookie": "messages=" + "A" * 3000},
    {"Referer": "http://[", "Origin": "http://["},
    {"If-None-Match": '"' * 300, "If-Modified-Since": "x"},
    {"X-Forwarded-For": "x, y, \x7f", "X-Forwarded-Host": "evil", "X-Forwarded-Proto": "ftp"},
    {"Range": "bytes=9-1", "X-HTTP-Method-Override": "DELETE", "Accept": "\x7f"},
)

Fields = dict[str, list[str]]


@dataclass(frozen=True)
class Input:
    """One request. `body` is a form, or bytes that are none."""

    who: int
    method: str
    path: str
    body: dict[str, list[str]] | bytes
    kind: str
    headers: dict[str, str]


class Luck:
    """Everything the fuzzer chooses; the same seed and the same world make the same inputs.

    Not Hypothesis: the tables of the world move on with every input, so that nothing could be
    made smaller afterwards, and its choices cost more than the site's answers.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311

    def below(self, bound: int, at: object = None) -> int:
        return self._random.randrange(bound)

    def one_of(self, several: Sequence[T]) -> T:
        return several[self._random.randrange(len(several))]

    def value(self) -> str:
        """Something to put into a field."""
        match self.below(5):
            case 0:
                return str(self._random.randint(-9, 99))
            case 1:
                return str(self._random.randint(-(2**70), 2**70))
            case 2:
                return repr(self._random.uniform(-1e308, 1e308))
            case 3:
                return "".join(chr(self.below(0x3000)) for _ in range(self.below(20)))
            case _:
                return self.one_of(NASTY)

    def stray(self) -> Fields:
        names = {self.one_of(STRAYS) for _ in range(self.below(5))}
        return {name: [self.value() for _ in range(1 + self.below(2))] for name in sorted(names)}

    def bent(self, form: Form) -> Fields:
        """A form with most fields as they should be, and others dropped, doubled or spoilt."""
        sent: Fields = {}
        honest = self.below(3) == 0
        for name, offered in form.fields.items():
            fate = 9 if honest else self.below(10)
            if fate in (1, 2):
                sent[name] = [self.value()]
            elif fate == 3:
                sent[name] = [self.value(), *offered[:3]]
            elif fate:
                sent[name] = [self.one_of(offered) if offered else self.value()]
        return sent if self.below(4) else sent | self.stray()

    def input(self, forms: Sequence[Form], addresses: Sequence[str], people: int) -> Input:
        """A form of a page, an address without its form, or no form at all."""
        who, headers, kind = self.below(people), self.one_of(HEADERS), ""
        body: Fields | bytes
        match self.below(10):
            case 0 | 1 | 2 | 3 | 4 if forms:
                form = self.one_of(forms)
                path, method, body = form.action, form.method.upper(), self.bent(form)
                who = form.whose
            case 5 | 6:
                path, method, body = self.one_of(addresses), "POST", self.stray()
            case 7:
                path, method, body = self.one_of(addresses), "POST", self._random.randbytes(99)
                kind = self.one_of(KINDS)
            case 8:
                path, method = self.one_of(addresses), self.one_of(METHODS)
                body = self.stray()
            case _:
                path, method = self.one_of(addresses), "GET"
                body = self.stray()
        return Input(who, method, path, body, kind, headers)
