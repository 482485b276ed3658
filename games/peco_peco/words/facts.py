"""What happened at the table, one sentence a fact: for everyone, and for the player it is about."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from games.core.contract import Fact
from games.peco_peco.rules.cards import REVERSE, icon
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CallForgotten,
    CardPassed,
    CardPlayed,
    CardsBuried,
    CardsDrawn,
    CardStolen,
    CardTaken,
    CardTurned,
    Declared,
    DiscardReshuffled,
    GameEnded,
    GameStarted,
    HandDiscarded,
    HandReceived,
    HonestyShown,
    Left,
    OutOfRound,
    Removed,
    RoundEnded,
    RoundSeen,
    RoundStarted,
    SoloJoined,
)
from games.peco_peco.rules.midway_facts import StartedMidway
from games.peco_peco.rules.stakes import STAKES
from games.peco_peco.words.cards import card_played, cards, cards_played
from games.peco_peco.words.stakes import ending, rule, rule_help, stake

# --- for everyone --------------------------------------------------------------------------------


def narrate(fact: Fact, names: Sequence[str]) -> str:
    """One sentence or two for a fact, with names by seat; "" for what is not announced.

    Hidden facts are not, nor is who does not accuse.
    """
    match fact:
        case CardPlayed(seat, played, called):
            if called:
                form = gettext("%(name)s plays %(card)s and says “Peco Peco!”")
            else:
                form = gettext("%(name)s plays %(card)s.")
            return _and_direction(form % {"name": names[seat], "card": card_played(played)}, fact)
        case Declared(seat):
            return gettext("%(name)s says they can't play.") % {"name": names[seat]}
        case OutOfRound(seat):
            return gettext("%(name)s is out of this round.") % {"name": names[seat]}
        case CardsDrawn(seat, count):
            form = ngettext(
                "%(name)s draws %(count)d card.", "%(name)s draws %(count)d cards.", count
            )
            return form % {"name": names[seat], "count": count}
        case CardStolen(thief, victim):
            form = gettext("%(thief)s takes a card from %(victim)s and discards it.")
            return form % {"thief": names[thief], "victim": names[victim]}
        case CallForgotten(seat):
            form = gettext("%(name)s didn't say “Peco Peco!” and loses their last card.")
            return form % {"name": names[seat]}
        case HandDiscarded(seat):
            return gettext("%(name)s discards their hand.") % {"name": names[seat]}
    return _accusation(fact, names) or _round_or_game(fact, names)


def _accusation(fact: Fact, names: Sequence[str]) -> str:
    match fact:
        case BluffAdmitted(accuser, accused):
            form = gettext("%(accuser)s accuses %(accused)s: it was a bluff!")
            return form % {"accuser": names[accuser], "accused": names[accused]}
        case HonestyShown(accuser, accused, hand):
            form = gettext("%(accuser)s accuses %(accused)s, but it was true: %(cards)s.")
            return form % {
                "accuser": names[accuser],
                "accused": names[accused],
                "cards": cards(hand),
            }
        case CardTaken(taker, giver):
            form = gettext("%(taker)s takes a card from %(giver)s.")
            return form % {"taker": names[taker], "giver": names[giver]}
    return ""


def _round_or_game(fact: Fact, names: Sequence[str]) -> str:
    match fact:
        case GameStarted():
            return gettext("The game starts.")
        case StartedMidway():
            return gettext("It starts in the middle of another game.")
        case RoundStarted(number, code, starter):
            form = gettext("Round %(number)d for %(stake)s: %(name)s starts.")
            opening = form % {"number": number, "stake": stake(code), "name": names[starter]}
            return _and_rule(opening, code)
        case SoloJoined(seat, partner):
            form = gettext("%(name)s teams up with %(partner)s.")
            return form % {"name": names[seat], "partner": names[partner]}
        case CardTurned(turned):
            return gettext("The first card is %(card)s.") % {"card": card_played(turned)}
        case DiscardReshuffled():
            return gettext("The discard pile becomes the new draw pile.")
        case RoundEnded(None):
            return gettext("Nobody played a card: nobody wins this round.")
        case RoundEnded(winner):
            assert winner is not None  # noqa: S101
            return gettext("%(name)s wins the round!") % {"name": names[winner]}
        case RoundSeen():  # which comes from everybody in every round
            return ""
        case Left(seat):
            return gettext("%(name)s left the game.") % {"name": names[seat]}
        case Removed(seat):
            return gettext("%(name)s is out.") % {"name": names[seat]}
        case GameEnded(reason):
            return ending(reason)
    return ""


def _and_rule(opening: str, code: str) -> str:
    """The sentence about a new round, and what is special in it."""
    special = STAKES[code].rule
    return f"{opening} {rule_help(special)}" if rule(special) else opening


def _and_direction(sentence: str, fact: CardPlayed) -> str:
    if icon(fact.card) != REVERSE:
        return sentence
    return f"{sentence} {gettext('The direction of play changes.')}"


# --- for one player ------------------------------------------------------------------------------


def narrate_to_you(fact: Fact, seat: int, names: Sequence[str]) -> str | None:
    """The same for the player at `seat`; None for a fact that is not about them.

    Also for hidden facts that this player may know: which cards they got or lost.
    """
    match fact:
        case CardPlayed(player, played, called) if player == seat:
            if called:
                form = gettext("You play %(card)s and say “Peco Peco!”")
            else:
                form = gettext("You play %(card)s.")
            return _and_direction(form % {"card": card_played(played)}, fact)
        case Declared(player) if player == seat:
            return gettext("You say you can't play.")
        case OutOfRound(player) if player == seat:
            return gettext("You're out of this round.")
        case CardsDrawn(player, count) if player == seat:
            form = ngettext("You draw %(count)d card.", "You draw %(count)d cards.", count)
            return form % {"count": count}
        case CallForgotten(player) if player == seat:
            return gettext("You didn't say “Peco Peco!” and lose your last card.")
        case HandDiscarded(player) if player == seat:
            return gettext("You discard your hand.")
        case RoundStarted(number, code, starter) if starter == seat:
            form = gettext("Round %(number)d for %(stake)s: you start.")
            return _and_rule(form % {"number": number, "stake": stake(code)}, code)
        case RoundEnded(winner) if winner == seat:
            return gettext("You win the round!")
    return _told_one_of_two(fact, seat, names) or _told_of_cards(fact, seat)


def _told_one_of_two(fact: Fact, seat: int, names: Sequence[str]) -> str | None:
    """A fact between two players, told to one of them."""
    match fact:
        case BluffAdmitted(accuser, accused):
            first, second = accuser, accused
            to_first = gettext("You accuse %(name)s: it was a bluff!")
            to_second = gettext("%(name)s accuses you: it was a bluff!")
        case HonestyShown(accuser, accused):
            first, second = accuser, accused
            to_first = gettext("You accuse %(name)s, but it was true: %(cards)s.")
            to_second = gettext("%(name)s accuses you, but it was true.")
        case CardTaken(taker, giver):
            first, second = taker, giver
            to_first = gettext("You take a card from %(name)s.")
            to_second = gettext("%(name)s takes a card from you.")
        case CardStolen(thief, victim):
            first, second = thief, victim
            to_first = gettext("You take a card from %(name)s and discard it.")
            to_second = gettext("%(name)s takes a card from you and discards it.")
        case SoloJoined(solo, partner):
            first, second = solo, partner
            to_first = to_second = gettext("You team up with %(name)s.")
        case _:
            return None
    shown = cards(fact.hand) if isinstance(fact, HonestyShown) else ""
    if seat == first:
        return to_first % {"name": names[second], "cards": shown}
    return to_second % {"name": names[first]} if seat == second else None


def _told_of_cards(fact: Fact, seat: int) -> str | None:
    """Which cards a player got or lost, told to them alone."""
    match fact:
        case HandReceived(player, got) if player == seat:
            return gettext("You get %(cards)s.") % {"cards": cards_played(got)}
        case CardPassed(taker, _, passed) if taker == seat:
            return gettext("You get %(cards)s.") % {"cards": card_played(passed)}
        case CardPassed(_, giver, passed) if giver == seat:
            return gettext("You lose %(cards)s.") % {"cards": card_played(passed)}
        case CardsBuried(player, lost) if player == seat:
            return gettext("You lose %(cards)s.") % {"cards": cards_played(lost)}
    return None
