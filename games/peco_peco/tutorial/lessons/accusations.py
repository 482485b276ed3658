"""The steps about accusing: a bluff, an honest player, and an accusation out of turn."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.peco_peco.rules.moves import Accuse, Declare, Play, Waive
from games.peco_peco.tutorial.lesson import Lesson, Plays, Right
from games.peco_peco.tutorial.script import LEARNER, Round, Script

ACCUSE: Final = Lesson(
    title=_("You're bluffing!"),
    lead=_(
        "If the player before you says “I can't play”, you can accuse them first. If it was a "
        "bluff, they don't show their hand, and you take one of their cards at random."
    ),
    ask=_("%(left)s has five cards, and none of them is a cat? Hard to believe. Accuse %(left)s."),
    script=Script(
        starter=1,
        rounds=(
            Round(
                "F14",
                (
                    ("E", "E", "E", "M", "M"),
                    ("C", "C", "E", "M", "Ed"),
                    ("C", "E", "M", "M", "C"),
                    ("C", "E", "E", "M", "Cr"),
                ),
                "M",
                moves=((1, Declare()),),
            ),
        ),
    ),
    right=(
        Right(
            moves=(Accuse(),),
            picked=("C",),
            because=_(
                "It was a bluff, and now you have one of %(left)s's cats. It's still your turn: "
                "at a real table you could play it now. The more cards a player holds, the less "
                "likely it is that none of them fits."
            ),
        ),
    ),
    show=Accuse(),
    others=(
        (
            (Declare(),),
            _("True, you can't play yet. But you can accuse %(left)s first, and you should."),
        ),
    ),
)

WRONG: Final = Lesson(
    title=_("When you accuse an honest player"),
    lead=_(
        "Accusing is a risk. A player who told the truth shows their hand, swaps it for new cards "
        "from the pile, and takes one of your cards at random."
    ),
    ask=_("%(left)s has only one card left. Is it an elephant? Accuse to find out."),
    script=Script(
        starter=1,
        rounds=(
            Round(
                "F07",
                (
                    ("M", "E", "E", "C"),
                    ("E", "E", "C", "M"),
                    ("C", "M", "C", "E"),
                    ("M", "E", "C", "E"),
                ),
                "C",
                moves=(
                    (1, Play("E")),
                    (LEARNER, Play("M")),
                    (3, Declare()),
                    (2, Play("C")),
                    (1, Play("E")),
                    (LEARNER, Declare()),
                    (3, Declare()),
                    (2, Play("M")),
                    (1, Play("C")),
                    (LEARNER, Play("E")),
                    (3, Play("M")),
                    (2, Play("C")),
                    (1, Declare()),
                ),
                pile=("Ms",),
            ),
        ),
    ),
    right=(
        Right(
            moves=(Accuse(),),
            picked=("C",),
            because=_(
                "No bluff: the last card was a mouse. %(left)s swapped it for a new card and took "
                "your cat. It's still your turn, and you have one card left."
            ),
        ),
    ),
    show=Accuse(),
    others=(
        (
            Plays(),
            _("A good, safe move at a real table. But here, accuse %(left)s to see what happens."),
        ),
        (
            (Declare(),),
            _("You could bluff too. But here, accuse %(left)s to see what happens."),
        ),
    ),
)

SLAP: Final = Lesson(
    title=_("When anyone can accuse"),
    lead=_(
        "Some stakes add a rule for the round. The hand means that anyone can accuse, not just "
        "the next player. You have a few seconds, and the fastest one counts."
    ),
    ask=_("%(across)s has five cards and says none of them beats a cat. Be quick: accuse!"),
    script=Script(
        starter=1,
        rounds=(
            Round(
                "F08",
                (
                    ("C", "C", "M", "M", "M"),
                    ("C", "E", "M", "M", "C"),
                    ("E", "E", "M", "C", "C"),
                    ("E", "C", "M", "M", "E"),
                ),
                "M",
                moves=((1, Play("C")), (2, Declare())),
            ),
        ),
    ),
    right=(
        Right(
            moves=(Accuse(),),
            picked=("E",),
            because=_(
                "You were first, and it was a bluff: you get a card from %(across)s. Then the turn "
                "goes on after %(across)s, so %(right)s is next."
            ),
        ),
    ),
    show=Accuse(),
    others=(
        (
            (Waive(),),
            _("Letting it pass costs nothing. But five cards and not one elephant? Accuse!"),
        ),
    ),
)
