"""A table as somebody's screen shows it, read back from the HTML that reached him."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_TABLE = re.compile(r'<section\s+id="table"[^>]*>')
_OWN = re.compile(r'<section\s+id="own".*?</section>', re.DOTALL)
_RADIO = re.compile(r'<input\b[^>]*\bname="face"[^>]*>')
_HAND = re.compile(r'class="my-dice".*?</p>', re.DOTALL)


@dataclass(frozen=True)
class View:
    """What is offered on a page or in a frame. `seat` is None for who only watches."""

    seq: int
    phase: str  # "" before the game
    seat: int | None
    hand: tuple[int, ...]
    my_turn: bool
    faces: dict[int, range]
    can_dudo: bool
    can_calza: bool
    must_confirm: bool
    table: str = field(repr=False)  # the fragment that is the same for everybody
    own: str = field(repr=False)

    @property
    def html(self) -> str:
        return self.table + self.own

    @classmethod
    def of(cls, text: str) -> View | None:
        opening = _TABLE.search(text)
        owning = _OWN.search(text)
        if opening is None or owning is None:
            return None
        own = owning[0]
        hand = _HAND.search(own)
        seat = _attribute(own[: own.index(">")], "data-seat")
        return cls(
            seq=int(_attribute(own, "data-seq") or _attribute(opening[0], "data-seq") or 0),
            phase=_attribute(opening[0], "data-phase"),
            seat=int(seat) if seat else None,
            hand=tuple(int(die) for die in re.findall(r"#die-(\d)", hand[0] if hand else "")),
            my_turn="is-turn" in own[: own.index(">")],
            faces={
                int(_attribute(radio, "value")): range(
                    int(_attribute(radio, "data-min")), int(_attribute(radio, "data-max")) + 1
                )
                for radio in _RADIO.findall(own)
                if _attribute(radio, "data-min")
            },
            can_dudo='value="dudo"' in own,
            can_calza='value="calza"' in own,
            must_confirm='value="confirm"' in own,
            table=text[opening.start() : text.rindex("</section>", 0, owning.start()) + 10],
            own=own,
        )


def _attribute(tag: str, name: str) -> str:
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return found[1] if found else ""
