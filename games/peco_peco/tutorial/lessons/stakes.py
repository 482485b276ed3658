"""The steps about icons, bombs, winning a stake and winning the game."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.peco_peco.rules.moves import Accuse, Declare, Play
from games.peco_peco.tutorial.lesson import Lesson, Plays, Right
from games.peco_peco.tutorial.script import LEARNER, Round, Script

ICONS: Final = Lesson(
    title=_("Cards with icons"),
    lead=_(
        "Some cards do something when you play them. Arrows: play changes direction. A plus: you "
        "draw a card. A mask: you choose an opponent, who loses a random card."
    ),
    ask=_("Your three cats each have an icon. Play one of them and see what it does."),
    script=Script(
        starter=LEARNER,
        rounds=(
            Round(
                "F12",
                (
                    ("Cd", "Cr", "Cs", "E"),
                    ("E", "C", "M", "M"),
                    ("C", "E", "M", "M"),
                    ("E", "E", "C", "M"),
                ),
                "M",
                pile=("M",),
            ),
        ),
    ),
    right=(
        Right(
            moves=Plays(("Cr",)),
            because=_(
                "Play now goes the other way until the round ends, so %(right)s is next instead of "
                "%(left)s."
            ),
        ),
        Right(
            moves=Plays(("Cd",)),
            because=_("You drew a mouse. You played a card and still have four."),
        ),
        Right(
            moves=(Play("Cs", 1),),
            picked=("E",),
            because=_(
                "One of %(left)s's cards went under the discard pile. Only %(left)s knows "
                "which one."
            ),
        ),
        Right(
            moves=(Play("Cs", 2),),
            picked=("E",),
            because=_(
                "One of %(across)s's cards went under the discard pile. Only %(across)s knows "
                "which one."
            ),
        ),
        Right(
            moves=(Play("Cs", 3),),
            picked=("E",),
            because=_(
                "One of %(right)s's cards went under the discard pile. Only %(right)s knows "
                "which one."
            ),
        ),
    ),
    show=Play("Cr"),
    others=(
        (
            (Declare(),),
            _("You could bluff and keep your cats. But here, play one of them."),
        ),
    ),
)

BOMB: Final = Lesson(
    title=_("A bomb, and a stake won"),
    lead=_(
        "A bomb beats any card. Once played, it counts as its animal: a mouse or another bomb "
        "beats this one. Each round is for a stake, a card with dishes."
    ),
    ask=_("Win this round: play your bomb on the mouse."),
    script=Script(
        starter=3,
        rounds=(
            Round(
                "F10",
                (("Eb", "M", "E"), ("C", "E", "E"), ("E", "C", "C"), ("M", "C", "E")),
                "E",
                moves=((3, Play("M")),),
            ),
        ),
    ),
    right=(
        Right(
            moves=Plays(("Eb",)),
            then=((1, Declare()), (2, Declare()), (3, Declare())),
            because=_(
                "Nobody beat your bomb before it was your turn again, so the stake is yours: two "
                "dishes of sushi in front of you, your buffet. Its +1 means you get one more card "
                "next round, and you start."
            ),
        ),
    ),
    show=Play("Eb"),
    others=(
        (
            (Declare(),),
            _(
                "With a bomb in hand, “I can't play” is a bluff. This stake forbids accusing, so "
                "you'd get away with it. But here, play the bomb."
            ),
        ),
    ),
)

SET: Final = Lesson(
    title=_("Three different dishes win"),
    lead=_(
        "Maki, sushi and onigiri in your buffet win the game at once. If the stakes run out first, "
        "points decide: your best stake of each dish, plus one for every other stake."
    ),
    ask=_("You have maki and sushi, and this round is for onigiri. Beat the cat and win!"),
    script=Script(
        starter=LEARNER,
        rounds=(
            Round(
                "F04",
                (("C", "E", "M"), ("E", "M", "M"), ("E", "M", "E"), ("M", "E", "M")),
                "M",
                moves=((LEARNER, Play("C")), (3, Declare()), (2, Declare()), (1, Declare())),
            ),
            Round(
                "F10",
                (("C", "E", "M", "M"), ("M", "M", "C"), ("C", "M", "C"), ("M", "C", "M")),
                "M",
                moves=((LEARNER, Play("C")), (1, Declare()), (2, Declare()), (3, Declare())),
            ),
            Round(
                "F14",
                (
                    ("E", "E", "M", "M", "C", "C"),
                    ("C", "C", "C", "Cr", "Cd"),
                    ("C", "C", "E", "E", "C"),
                    ("M", "C", "E", "C", "C"),
                ),
                "C",
                moves=(
                    (LEARNER, Play("E")),
                    (3, Play("M")),
                    (2, Play("C")),
                    (1, Declare()),
                ),
            ),
        ),
    ),
    right=(
        Right(
            moves=Plays(("E",)),
            then=((3, Declare()), (2, Declare()), (1, Declare())),
            because=_(
                "Nobody had a mouse left. Maki, sushi and onigiri: you have all three, and you "
                "win the game!"
            ),
        ),
    ),
    show=Play("E"),
    others=(
        (
            (Declare(),),
            _("Then %(across)s's cat might win the stake. Your elephant beats it: play it."),
        ),
        (
            (Accuse(),),
            _("You could accuse %(left)s, but why take the risk? Your elephant beats the cat."),
        ),
    ),
)
