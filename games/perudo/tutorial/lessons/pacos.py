"""The steps about pacos: they are wild, half of them is enough, and the way back is long."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.perudo.rules.bids import PACO, Bid
from games.perudo.rules.moves import Dudo
from games.perudo.tutorial.lesson import Bids, Lesson, ordinary
from games.perudo.tutorial.script import LEARNER, Round, Script

WILD: Final = Lesson(
    title=_("Pacos are wild"),
    lead=_(
        "The toucan is the paco. It's wild: when the dice are counted, it counts as the "
        "value that was bid."
    ),
    ask=_("How many threes do you have, counting your pacos? Bid that many."),
    script=Script(opener=1, rounds=(Round(("PP336", "24456"), ((1, Bid(3, 3)),)),)),
    right=(Bid(4, 3),),
    show=Bid(4, 3),
    then=((1, Dudo()),),
    because=_(
        "Two threes and two pacos make four. %(name)s called dudo, but your toucans "
        "counted as threes, so your bid was true."
    ),
    others=(
        (
            Bids((3,)),
            _("That's more than you have. Each toucan counts as one three: how many is that?"),
        ),
        (
            Bids(ordinary(but=(3,))),
            _("Good raise, with your toucans behind it. But in this step, bid your threes."),
        ),
        (
            Bids((PACO,)),
            _("That's a bid on pacos themselves, which comes later. Here, bid your threes."),
        ),
        (
            (Dudo(),),
            _(
                "Look again: your own threes and toucans make this bid true. Dudo would cost you "
                "a die, so raise."
            ),
        ),
    ),
)

HALF: Final = Lesson(
    title=_("Bidding pacos: half is enough"),
    lead=_(
        "You can also bid pacos. They're rarer, so half the number is enough, rounded "
        "up. Only toucans count for such a bid."
    ),
    ask=_("You have two toucans. Beat this bid with the fewest pacos you can."),
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
            _("You can, but you don't need to go that high. Take half of five and round up."),
        ),
        (
            Bids(ordinary()),
            _("That's a raise too, but a high one. With two toucans there's a cheaper way."),
        ),
        (
            (Dudo(),),
            _(
                "You could call dudo here, but it's risky: your own toucans count for this bid. "
                "Try pacos."
            ),
        ),
    ),
)

BACK: Final = Lesson(
    title=_("Back from pacos: twice plus one"),
    lead=_(
        "Going back from pacos costs twice the number, plus one. Then you can choose any "
        "value, even a lower one than before."
    ),
    ask=_("If %(name)s has toucans, they count for you. Go back to fives, as low as you can."),
    script=Script(
        opener=LEARNER,
        rounds=(Round(("P5555", "PP236"), ((LEARNER, Bid(4, 5)), (1, Bid(3, PACO)))),),
    ),
    right=(Bid(7, 5),),
    show=Bid(7, 5),
    then=((1, Dudo()),),
    because=_(
        "Twice three plus one is seven. You had five with your toucan, and %(name)s's "
        "two toucans made it seven: true."
    ),
    others=(
        (
            Bids((5,)),
            _("That's allowed, but higher than necessary. Work it out: twice three, plus one."),
        ),
        (
            Bids(ordinary()),
            _("After pacos you can choose any value. But look at your dice: you have fives."),
        ),
        (
            Bids((PACO,)),
            _("More pacos is a raise too. But you only have one, and a cup full of fives."),
        ),
        (
            (Dudo(),),
            _(
                "You could call dudo. But if those toucans are there, they count for your fives: "
                "go back to fives."
            ),
        ),
    ),
)
