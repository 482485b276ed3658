"""The steps about pacos: they are wild, half of them is enough, and the way back is long."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.lessons.lesson import Bids, Lesson, ordinary
from games.lessons.script import LEARNER, Round, Script
from games.rules.perudo.bids import PACO, Bid
from games.rules.perudo.moves import Dudo

WILD: Final = Lesson(
    title=_("Pacos are wild"),
    lead=_(
        "The toucan is the paco. It is a joker: when the dice are counted, it counts as "
        "whatever value was bid."
    ),
    ask=_("How many threes do you have, pacos included? Bid that many."),
    script=Script(opener=1, rounds=(Round(("PP336", "24456"), ((1, Bid(3, 3)),)),)),
    right=(Bid(4, 3),),
    show=Bid(4, 3),
    then=((1, Dudo()),),
    because=_(
        "Two threes and two pacos make four. %(name)s did not believe it, so the cups went up "
        "and your toucans counted as threes."
    ),
    others=(
        (
            Bids((3,)),
            _("That is more than you have. Each toucan counts as one three: how many is that?"),
        ),
        (
            Bids(ordinary(but=(3,))),
            _("A fair raise, with your toucans behind it. But this step asks for your threes."),
        ),
        (
            Bids((PACO,)),
            _("That is a bid on the pacos themselves; it comes later. Here bid your threes."),
        ),
        (
            (Dudo(),),
            _(
                "Look again: your own threes and toucans make this bid true. A doubt would cost "
                "you a die. Raise it."
            ),
        ),
    ),
)

HALF: Final = Lesson(
    title=_("Bidding pacos: half is enough"),
    lead=_(
        "You can bid on the pacos themselves. They are rarer, so half the number is enough, "
        "rounded up. For such a bid only toucans count."
    ),
    ask=_("You have two toucans. Go over this bid with as few pacos as you may."),
    script=Script(
        opener=LEARNER,
        rounds=(Round(("PP346", "P2556"), ((LEARNER, Bid(3, 5)), (1, Bid(5, 5)))),),
    ),
    right=(Bid(3, PACO),),
    show=Bid(3, PACO),
    then=((1, Dudo()),),
    because=_(
        "Half of five, rounded up, is three. There was one more toucan under the other cup, "
        "so your bid was true."
    ),
    others=(
        (
            Bids((PACO,)),
            _("You may, but you need not go so high. Take half of five and round it up."),
        ),
        (
            Bids(ordinary()),
            _("That is a raise too, and a high one. With two toucans there is a cheaper way."),
        ),
        (
            (Dudo(),),
            _(
                "A doubt is possible here, and a risk: your own toucans count for this bid. "
                "Try the pacos."
            ),
        ),
    ),
)

BACK: Final = Lesson(
    title=_("Back from pacos: twice plus one"),
    lead=_(
        "Coming back from pacos costs twice the number, plus one. Then any value will do, "
        "even a lower one than before."
    ),
    ask=_("If %(name)s has toucans, they count for you. Come back to fives, as low as you may."),
    script=Script(
        opener=LEARNER,
        rounds=(Round(("P5555", "PP236"), ((LEARNER, Bid(4, 5)), (1, Bid(3, PACO)))),),
    ),
    right=(Bid(7, 5),),
    show=Bid(7, 5),
    then=((1, Dudo()),),
    because=_(
        "Twice three plus one is seven. You had five with your toucan, and the two toucans of "
        "%(name)s made it seven: true."
    ),
    others=(
        (
            Bids((5,)),
            _("That is allowed, but higher than you must. Reckon: twice three, plus one."),
        ),
        (
            Bids(ordinary()),
            _("After pacos any value will do. But look at your dice: you have fives."),
        ),
        (
            Bids((PACO,)),
            _("More pacos is a raise too. But you have only one of them and a hand full of fives."),
        ),
        (
            (Dudo(),),
            _(
                "You may doubt it. But if these toucans are there, they count for your fives: "
                "come back to fives."
            ),
        ),
    ),
)
