"""The steps that lift the cups: dudo, a doubt that fails, palifico, calza."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.lessons.lesson import Bids, Lesson
from games.lessons.script import LEARNER, Round, Script
from games.rules.perudo import moves
from games.rules.perudo.bids import PACO, Bid
from games.rules.perudo.options import SITE_OPTIONS

DUDO: Final = Lesson(
    title=_("Dudo! I doubt it"),
    lead=_(
        "If you do not believe a bid, say dudo. All cups go up. If there are fewer dice than were "
        "bid, the bidder loses a die."
    ),
    ask=_("You have no six and no paco, and %(name)s has five dice. Can this bid be true?"),
    script=Script(opener=1, rounds=(Round(("23445", "P2366"), ((1, Bid(6, 6)),)),)),
    right=(moves.Dudo(),),
    show=moves.Dudo(),
    because=_("You were right: it was a bluff, and it cost %(name)s a die."),
    others=(
        (
            Bids((6,)),
            _("You would promise even more sixes, and you have none. Do you believe the bid?"),
        ),
        (
            Bids((PACO,)),
            _("You have no paco to promise. And there is something safer: can the bid be true?"),
        ),
    ),
)

FAILED_DOUBT: Final = Lesson(
    title=_("A doubt can fail"),
    lead=_(
        "A doubt is a risk. If there are as many dice as were bid, or more, the bid was true and "
        "the doubter loses a die."
    ),
    ask=_("Four fives, and you have none. Is %(name)s bluffing? Say dudo and find out."),
    script=Script(opener=1, rounds=(Round(("23466", "P2555"), ((1, Bid(4, 5)),)),)),
    right=(moves.Dudo(),),
    show=moves.Dudo(),
    because=_(
        "No bluff this time: three fives and a toucan. You lose a die and open the next round. "
        "That is all it costs; whoever has no die left is out."
    ),
    others=(
        (
            Bids((6,)),
            _("A good raise, and a fine way out at a table. But here try a doubt: say dudo."),
        ),
        (
            Bids((5,)),
            _("You would promise even more fives, and you have none. Here try a doubt: say dudo."),
        ),
        (
            Bids((PACO,)),
            _("Pacos, without having one: a daring bluff. Here try a doubt: say dudo."),
        ),
    ),
)

# Four rounds in which the other player bids the moon and is doubted: down to one die.
_TO_THE_MOON = ((1, Bid(10, 6)), (LEARNER, moves.Dudo()))

PALIFICO: Final = Lesson(
    title=_("Palifico: the last die"),
    lead=_(
        "Whoever falls to one die is palifico and opens the next round. In that one round pacos "
        "are no jokers and nobody may change the value."
    ),
    ask=_("%(name)s has one die. How many fours can there be on this table? Answer the bid."),
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
        "One four of yours and one more at best: your toucans did not count. That was the last "
        "die of %(name)s, and whoever is left with dice wins the game. You do!"
    ),
    others=(
        (
            Bids((4,)),
            _(
                "More fours is the only raise there is. But you have one four, your toucans do "
                "not count, and the other cup hides a single die."
            ),
        ),
    ),
)

CALZA: Final = Lesson(
    title=_("Calza! It is exact"),
    lead=_(
        "Some tables play with calza: the last bid is exactly right. You may call it out of turn, "
        "before the next player speaks. If it is exact you take back a die you lost; if not, you "
        "lose one."
    ),
    ask=_("You have lost a die. Call calza on the bid of %(name)s before %(next)s speaks."),
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
    because=_("Exactly five! You take your die back, and you open the next round."),
)
