"""The first steps: one's own dice, a bid, a raise."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.perudo.rules.bids import PACO, Bid
from games.perudo.rules.moves import Dudo
from games.perudo.tutorial.lesson import Bids, Lesson, ordinary
from games.perudo.tutorial.script import LEARNER, Round, Script

YOUR_DICE: Final = Lesson(
    title=_("Your cup and your dice"),
    lead=_(
        "Everyone has a cup and five dice. Only you can see yours; %(name)s's dice are "
        "hidden under the other cup."
    ),
    ask=_("Make a bid you know is true: choose a value you have, and bid as many as you can see."),
    script=Script(opener=LEARNER, rounds=(Round(("35556", "22346")),)),
    right=(Bid(1, 3), Bid(1, 5), Bid(2, 5), Bid(3, 5), Bid(1, 6)),
    show=Bid(3, 5),
    because=_(
        "True, and you knew it: the dice are right in front of you. Nobody can catch you on that."
    ),
    others=(
        (
            Bids(ordinary()),
            _(
                "That may be true, but you can't see it. Choose a value you have, and bid no "
                "more than you have of it."
            ),
        ),
    ),
)

OPEN: Final = Lesson(
    title=_("A bid counts everyone's dice"),
    lead=_(
        "A bid says: there are at least this many dice of this value under all the cups. "
        "There are ten dice here, and you can see half of them."
    ),
    ask=_("You have two fours, and %(name)s may have some too. Open with three or four fours."),
    script=Script(opener=LEARNER, rounds=(Round(("24456", "P3346")),)),
    right=Bids((4,), range(3, 5)),
    show=Bid(3, 4),
    because=_(
        "Good bid: you only need one or two fours from %(name)s, who now has to raise it "
        "or doubt it. Nobody can pass."
    ),
    others=(
        (
            Bids((4,), range(1, 3)),
            _(
                "Certainly true, but timid. Count on the other cup a little: bid three or four "
                "fours."
            ),
        ),
        (
            Bids((4,), range(5, 8)),
            _("Bold! You'd need at least three of the five hidden dice. Try three or four fours."),
        ),
        (
            Bids((4,)),
            _(
                "That's impossible: you have two and there are five hidden dice, so seven at "
                "most. Try three or four fours."
            ),
        ),
        (
            Bids(ordinary(but=(4,))),
            _(
                "You can bid any value, even one you don't have: that's bluffing. This time, "
                "stick with what you have most of: three or four fours."
            ),
        ),
    ),
)

RAISE: Final = Lesson(
    title=_("Raise: more, or higher"),
    lead=_(
        "You can raise a bid in one of two ways: more dice of the same value, or the "
        "same number of dice of a higher value. Never both at once."
    ),
    ask=_("Raise %(name)s's bid a little, either way."),
    script=Script(
        opener=LEARNER,
        rounds=(Round(("35566", "P2455"), ((LEARNER, Bid(2, 5)), (1, Bid(3, 5)))),),
    ),
    right=(Bid(4, 5), Bid(5, 5), Bid(3, 6)),
    show=Bid(4, 5),
    because=_("Nice raise. Bids only go up, so sooner or later someone goes too far."),
    others=(
        (
            Bids((5,)),
            _("That's a raise, but a big jump for ten dice. One or two more fives will do."),
        ),
        (
            Bids((PACO,)),
            _("That's allowed, but it comes in a later step. Here, raise with fives or sixes."),
        ),
        (
            (Dudo(),),
            _("Dudo comes in a later step. You have two fives yourself: raise the bid."),
        ),
    ),
)
