"""The last moves of a round in words, as what has happened: for everyone, and for who made them."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from games.core.contract import Fact
from games.peco_peco.rules.cards import REVERSE, icon
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CallForgotten,
    CardPlayed,
    CardsDrawn,
    CardStolen,
    Declared,
    HonestyShown,
    OutOfRound,
)
from games.peco_peco.words.cards import animal_played, card_played
from games.peco_peco.words.facts import narrate, narrate_to_you


def last_move(facts: Sequence[Fact], names: Sequence[str], *, nobody_accused: bool = False) -> str:
    """What a move was, from its public facts; "" for facts that are no move.

    `nobody_accused`: it is a declaration that could have been accused, and play has gone on.
    """
    for fact in facts:
        match fact:
            case CardPlayed():
                return _and_call(_played(fact, facts, names), fact, facts, names, None)
            case Declared(seat):
                said = gettext("%(name)s said they couldn't play.") % {"name": names[seat]}
                return _and_nobody(said, nobody_accused=nobody_accused)
            case BluffAdmitted(accuser, accused) | HonestyShown(accuser, accused):
                said = gettext("%(accuser)s accused %(accused)s.")
                said %= {"accuser": names[accuser], "accused": names[accused]}
                return f"{said} {consequence(facts, names)}"
    return ""


def last_move_of_yours(
    facts: Sequence[Fact], names: Sequence[str], *, nobody_accused: bool = False
) -> str:
    """The same for the player who made it."""
    for fact in facts:
        match fact:
            case CardPlayed(seat):
                return _and_call(_played_by_you(fact, facts, names), fact, facts, names, seat)
            case Declared():
                said = gettext("You said you couldn't play.")
                return _and_nobody(said, nobody_accused=nobody_accused)
            case BluffAdmitted(accuser, accused) | HonestyShown(accuser, accused):
                said = gettext("You accused %(name)s.") % {"name": names[accused]}
                return f"{said} {consequence(facts, names, reader=accuser)}"
    return ""


def consequence(facts: Sequence[Fact], names: Sequence[str], *, reader: int | None = None) -> str:
    """What came of an accusation, from the public facts of that move; "" where nobody accused.

    `reader`: the seat of the accuser or of the accused, to whom it is told; None: for everyone.
    """
    for fact in facts:
        match fact:
            case BluffAdmitted():
                return _and_out(_caught(fact, names, reader), facts, names, reader)
            case HonestyShown(_, accused):
                drawn = sum(
                    each.count
                    for each in facts
                    if isinstance(each, CardsDrawn) and each.seat == accused
                )
                return _and_out(_honest(fact, drawn, names, reader), facts, names, reader)
    return ""


def _played(fact: CardPlayed, facts: Sequence[Fact], names: Sequence[str]) -> str:
    """What was played, and what its icon has done. No words tell which card a victim lost."""
    name, card = names[fact.seat], animal_played(fact.card)
    if victim := _victim(facts, names):
        form = gettext("%(name)s played %(card)s and took a card from %(victim)s.")
        return form % {"name": name, "card": card, "victim": victim}
    if _has_drawn(facts):
        form = gettext("%(name)s played %(card)s and drew a card.")
    elif icon(fact.card) == REVERSE:
        form = gettext("%(name)s played %(card)s and changed the direction.")
    else:
        form, card = gettext("%(name)s played %(card)s."), card_played(fact.card)
    return form % {"name": name, "card": card}


def _played_by_you(fact: CardPlayed, facts: Sequence[Fact], names: Sequence[str]) -> str:
    card = animal_played(fact.card)
    if victim := _victim(facts, names):
        form = gettext("You played %(card)s and took a card from %(victim)s.")
        return form % {"card": card, "victim": victim}
    if _has_drawn(facts):
        form = gettext("You played %(card)s and drew a card.")
    elif icon(fact.card) == REVERSE:
        form = gettext("You played %(card)s and changed the direction.")
    else:
        form, card = gettext("You played %(card)s."), card_played(fact.card)
    return form % {"card": card}


def _victim(facts: Sequence[Fact], names: Sequence[str]) -> str:
    return next((names[fact.victim] for fact in facts if isinstance(fact, CardStolen)), "")


def _has_drawn(facts: Sequence[Fact]) -> bool:
    return any(isinstance(fact, CardsDrawn) for fact in facts)


def _and_call(
    said: str, played: CardPlayed, facts: Sequence[Fact], names: Sequence[str], reader: int | None
) -> str:
    """The sentence, and the call "Peco Peco!", or what it cost to forget it (Q43)."""
    if played.called:
        call = gettext("“Peco Peco!”")
        return f"{said} {call}"
    forgotten = [fact for fact in facts if isinstance(fact, CallForgotten)]
    return " ".join([said, *(_told(fact, names, reader) for fact in forgotten)])


def _and_nobody(said: str, *, nobody_accused: bool) -> str:
    nobody = gettext("Nobody accused.")
    return f"{said} {nobody}" if nobody_accused else said


def _caught(fact: BluffAdmitted, names: Sequence[str], reader: int | None) -> str:
    accuser, accused = names[fact.accuser], names[fact.accused]
    if reader == fact.accuser:
        return gettext("Right: you took a card from %(name)s.") % {"name": accused}
    if reader == fact.accused:
        return gettext("Caught: %(name)s took a card from you.") % {"name": accuser}
    form = gettext("It was a bluff: %(accuser)s took a card from %(accused)s.")
    return form % {"accuser": accuser, "accused": accused}


def _honest(fact: HonestyShown, drawn: int, names: Sequence[str], reader: int | None) -> str:
    accuser, accused = names[fact.accuser], names[fact.accused]
    if reader == fact.accuser:
        form = ngettext(
            "Wrong: %(name)s drew %(count)d card and took one from you.",
            "Wrong: %(name)s drew %(count)d cards and took one from you.",
            drawn,
        )
        return form % {"name": accused, "count": drawn}
    if reader == fact.accused:
        form = ngettext(
            "It was true: you drew %(count)d card and took one from %(name)s.",
            "It was true: you drew %(count)d cards and took one from %(name)s.",
            drawn,
        )
        return form % {"name": accuser, "count": drawn}
    form = ngettext(
        "It was true: %(accused)s drew %(count)d card and took one from %(accuser)s.",
        "It was true: %(accused)s drew %(count)d cards and took one from %(accuser)s.",
        drawn,
    )
    return form % {"accused": accused, "accuser": accuser, "count": drawn}


def _and_out(said: str, facts: Sequence[Fact], names: Sequence[str], reader: int | None) -> str:
    """The sentence, and who is out of the round by it (Q15, Q34)."""
    out = [fact for fact in facts if isinstance(fact, OutOfRound)]
    return " ".join([said, *(_told(fact, names, reader) for fact in out)])


def _told(fact: Fact, names: Sequence[str], reader: int | None) -> str:
    """The sentence of one fact, to the reader where it is about them."""
    yours = None if reader is None else narrate_to_you(fact, reader, names)
    return yours or narrate(fact, names)
