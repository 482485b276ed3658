"""The first steps: one's own dice, a bid, a raise."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.lessons.lesson import Bids, Lesson, ordinary
from games.lessons.script import LEARNER, Round, Script
from games.rules.perudo.bids import PACO, Bid
from games.rules.perudo.moves import Dudo

YOUR_DICE: Final = Lesson(
    title=_("Your cup and your dice"),
    lead=_(
        "Everybody has a cup and five dice. Yours lie open before you and nobody else sees them; "
        "those of %(name)s are hidden under the other cup."
    ),
    ask=_("Say something you know is true: choose a value you have, and bid as many as you see."),
    script=Script(opener=LEARNER, rounds=(Round(("35556", "22346")),)),
    right=(Bid(1, 3), Bid(1, 5), Bid(2, 5), Bid(3, 5), Bid(1, 6)),
    show=Bid(3, 5),
    because=_("True, and you knew it: they lie in front of you. Nobody can catch you with this."),
    others=(
        (
            Bids(ordinary()),
            _(
                "Perhaps that is true, but you cannot see it. Choose a value that lies in front "
                "of you, and no more than you have of it."
            ),
        ),
    ),
)

OPEN: Final = Lesson(
    title=_("A bid speaks of all dice"),
    lead=_(
        "A bid says: under all the cups together lie at least so many dice of this value. "
        "There are ten dice here, and you see half of them."
    ),
    ask=_("You have two fours, and %(name)s may have some too. Open with three or four fours."),
    script=Script(opener=LEARNER, rounds=(Round(("24456", "P3346")),)),
    right=Bids((4,), range(3, 5)),
    show=Bid(3, 4),
    because=_(
        "A good bid: it needs only one or two dice from %(name)s. Now %(name)s has to raise it "
        "or doubt it; nobody may pass."
    ),
    others=(
        (
            Bids((4,), range(1, 3)),
            _("True for sure, but timid. Count on the other cup a little: three or four fours."),
        ),
        (
            Bids((4,), range(5, 8)),
            _(
                "Bold! At least three of the five hidden dice would have to help you. "
                "Try three or four fours."
            ),
        ),
        (
            Bids((4,)),
            _(
                "That cannot be: you have two and there are five hidden dice, seven at most. "
                "Try three or four fours."
            ),
        ),
        (
            Bids(ordinary(but=(4,))),
            _(
                "You may bid on any value, even without having it: that is bluffing. "
                "This time stay with what you have most of: three or four fours."
            ),
        ),
    ),
)

RAISE: Final = Lesson(
    title=_("Raise: more, or higher"),
    lead=_(
        "You raise a bid in one of two ways: more dice of the same value, or as many dice of a "
        "higher value. Never both at once."
    ),
    ask=_("Raise the bid of %(name)s by a small step, either way."),
    script=Script(
        opener=LEARNER,
        rounds=(Round(("35566", "P2455"), ((LEARNER, Bid(2, 5)), (1, Bid(3, 5)))),),
    ),
    right=(Bid(4, 5), Bid(5, 5), Bid(3, 6)),
    show=Bid(4, 5),
    because=_("Well raised. Bids only go up, so sooner or later somebody says too much."),
    others=(
        (
            Bids((5,)),
            _("That is a raise, but a long jump for ten dice. One or two more fives will do."),
        ),
        (
            Bids((PACO,)),
            _("That is allowed, and comes in a later step. Here raise on fives or on sixes."),
        ),
        (
            (Dudo(),),
            _("A doubt comes in a later step. You have two fives yourself: raise the bid."),
        ),
    ),
)
