"""The first steps: playing a card, the circle of the animals, having none that fits, bluffing."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.peco_peco.rules.moves import Declare, Play
from games.peco_peco.tutorial.lesson import Lesson, Plays, Right
from games.peco_peco.tutorial.script import LEARNER, Round, Script

BEAT: Final = Lesson(
    title=_("Beat the top card"),
    lead=_(
        "Everyone has a hand of animal cards; one card is turned up in the middle. On your turn "
        "you play a card that beats the top one. An elephant beats a cat."
    ),
    ask=_("It's your turn. Beat the cat."),
    script=Script(
        starter=LEARNER,
        rounds=(
            Round(
                "F01",
                (
                    ("E", "C", "M", "M"),
                    ("M", "M", "C", "E"),
                    ("E", "E", "C", "M"),
                    ("C", "C", "E", "M"),
                ),
                "C",
            ),
        ),
    ),
    right=(
        Right(
            moves=Plays(("E",)),
            then=((1, Play("M")),),
            because=_(
                "Your elephant is now the card to beat, and %(left)s beat it with a mouse. Even "
                "the smallest animal beats something: see the next step."
            ),
        ),
    ),
    show=Play("E"),
    others=(
        (
            (Declare(),),
            _("You have a card that beats the cat: the elephant. Play it."),
        ),
    ),
)

CIRCLE: Final = Lesson(
    title=_("Elephant, cat, mouse"),
    lead=_(
        "Elephant beats cat, cat beats mouse, mouse beats elephant. No animal beats its own kind. "
        "The arrow shows which way play goes this round."
    ),
    ask=_("%(left)s played an elephant. Which of your cards beats it?"),
    script=Script(
        starter=2,
        rounds=(
            Round(
                "F07",
                (
                    ("C", "C", "E", "M"),
                    ("E", "E", "M", "C"),
                    ("C", "M", "M", "E"),
                    ("C", "C", "E", "M"),
                ),
                "M",
                moves=((2, Play("C")), (1, Play("E"))),
            ),
        ),
    ),
    right=(
        Right(
            moves=Plays(("M",)),
            then=((3, Play("C")),),
            because=_(
                "The mouse beats the elephant, and %(right)s's cat beats your mouse. Play goes "
                "anticlockwise here, so %(right)s came after you."
            ),
        ),
    ),
    show=Play("M"),
    others=(
        (
            (Declare(),),
            _("You can play: the smallest animal beats the biggest one. Play your mouse."),
        ),
    ),
)

CANNOT: Final = Lesson(
    title=_("“I can't play”"),
    lead=_(
        "If you have no card that beats the top one, say “I can't play”. You keep your cards, "
        "and it's the next player's turn."
    ),
    ask=_("Only a mouse beats %(left)s's elephant, and you have none. What do you say?"),
    script=Script(
        starter=1,
        rounds=(
            Round(
                "F04",
                (("C", "C", "E"), ("E", "M", "C"), ("E", "C", "M"), ("M", "C", "E")),
                "C",
                moves=((1, Play("E")),),
            ),
        ),
    ),
    right=(
        Right(
            moves=(Declare(),),
            then=((3, Play("M")),),
            because=_(
                "Nothing lost: the elephant is covered now, and you can answer again on your next "
                "turn. If a card stays on top until it's its owner's turn again, its owner wins "
                "the round."
            ),
        ),
    ),
    show=Declare(),
)

BLUFF: Final = Lesson(
    title=_("You may lie"),
    lead=_(
        "You can say “I can't play” even if it isn't true, to save a card for later. A true and a "
        "false “I can't play” look exactly the same."
    ),
    ask=_("Your cat would beat the mouse, but it's your only one. Keep it: bluff!"),
    script=Script(
        starter=3,
        rounds=(
            Round(
                "F12",
                (
                    ("C", "E", "M", "M"),
                    ("C", "E", "E", "M"),
                    ("E", "C", "M", "M"),
                    ("M", "E", "C", "C"),
                ),
                "E",
                moves=((3, Play("M")),),
            ),
        ),
    ),
    right=(
        Right(
            moves=(Declare(),),
            then=((1, Play("C")),),
            because=_(
                "%(left)s believed you and played on. Why save cards? When your hand is empty, "
                "you're out of the round as soon as someone covers your last card."
            ),
        ),
    ),
    show=Declare(),
    others=(
        (
            Plays(),
            _("That's honest, and often a good move. But here, bluff: say you can't play."),
        ),
    ),
)
