"""The steps that lift the cups: dudo, a doubt that fails, palifico, calza."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.perudo.rules import moves
from games.perudo.rules.bids import PACO, Bid
from games.perudo.rules.options import SITE_OPTIONS
from games.perudo.tutorial.lesson import Bids, Lesson
from games.perudo.tutorial.script import LEARNER, Round, Script

DUDO: Final = Lesson(
    title=_("Dudo! I doubt it"),
    lead=_(
        "Don't believe a bid? Call dudo, and everyone shows their dice. If there are "
        "fewer than were bid, the bidder loses a die."
    ),
    ask=_("You have no sixes and no pacos, and %(name)s has five dice. Can this bid be true?"),
    script=Script(opener=1, rounds=(Round(("23445", "P2366"), ((1, Bid(6, 6)),)),)),
    right=(moves.Dudo(),),
    show=moves.Dudo(),
    because=_("You were right: it was a bluff, and it cost %(name)s a die."),
    others=(
        (
            Bids((6,)),
            _("You'd be bidding even more sixes, and you have none. Do you believe the bid?"),
        ),
        (
            Bids((PACO,)),
            _("You don't have any pacos. There's a safer move: can the bid be true?"),
        ),
    ),
)

FAILED_DOUBT: Final = Lesson(
    title=_("A dudo can fail"),
    lead=_(
        "Calling dudo is a risk. If there are as many dice as were bid, or more, the bid "
        "was true and you lose a die."
    ),
    ask=_("Four fives, and you have none. Is %(name)s bluffing? Call dudo to find out."),
    script=Script(opener=1, rounds=(Round(("23466", "P2555"), ((1, Bid(4, 5)),)),)),
    right=(moves.Dudo(),),
    show=moves.Dudo(),
    because=_(
        "No bluff this time: three fives and a toucan. You lose a die and open the next "
        "round. That's all it costs, but a player with no dice left is out."
    ),
    others=(
        (
            Bids((6,)),
            _("Good raise, and a fine way out at a real table. But here, call dudo."),
        ),
        (
            Bids((5,)),
            _("You'd be bidding even more fives, and you have none. Here, call dudo."),
        ),
        (
            Bids((PACO,)),
            _("Bidding pacos without having any is a daring bluff. Here, call dudo."),
        ),
    ),
)

# Four rounds in which the other player bids the moon and is doubted: down to one die.
_TO_THE_MOON = ((1, Bid(10, 6)), (LEARNER, moves.Dudo()))

PALIFICO: Final = Lesson(
    title=_("Palifico: the last die"),
    lead=_(
        "When you drop to one die you are palifico: you open the next round. In that "
        "round only, pacos aren't wild and nobody can change the value."
    ),
    ask=_("%(name)s has one die left. How many fours can there be in total? Make your move."),
    script=Script(
        opener=1,
        rounds=(
            Round(("22334", "23456"), _TO_THE_MOON),
            Round(("23345", "2346"), _TO_THE_MOON),
            Round(("33456", "245"), _TO_THE_MOON),
            Round(("22456", "35"), _TO_THE_MOON),
            Round(("PP246", "4"), ((1, Bid(3, 4)),)),
        ),
    ),
    right=(moves.Dudo(),),
    show=moves.Dudo(),
    because=_(
        "You had one four and there could be one more at most: your toucans didn't "
        "count. %(name)s has lost their last die, and the last player with dice wins: "
        "that's you!"
    ),
    others=(
        (
            Bids((4,)),
            _(
                "The only raise here is more fours. But you have just one, your toucans don't "
                "count, and there's only one die under the other cup."
            ),
        ),
    ),
)

CALZA: Final = Lesson(
    title=_("Calza! It's exact"),
    lead=_(
        "Some tables allow calza: calling the last bid exact. You can do it even out of "
        "turn, before the next player moves. If it's exact you win back a lost die; if "
        "not, you lose one."
    ),
    ask=_("You've lost a die. Call calza on %(name)s's bid before %(next)s moves."),
    script=Script(
        seats=3,
        options=replace(SITE_OPTIONS, calza="on"),
        opener=LEARNER,
        rounds=(
            Round(("22346", "23345", "34455"), ((LEARNER, Bid(9, 6)), (1, moves.Dudo()))),
            Round(("P255", "23356", "P2446"), ((LEARNER, Bid(3, 5)), (1, Bid(5, 5)))),
        ),
    ),
    right=(moves.Calza(),),
    show=moves.Calza(),
    # Nobody else spoke in that instant, so the call prevails.
    then=((LEARNER, moves.SettleClaims()),),
    because=_("Exactly five! You win back your die and open the next round."),
)
