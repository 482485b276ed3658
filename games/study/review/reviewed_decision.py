"""A reviewed decision as the replay shows it: the options, the move played, and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext

from games.contract.optional_parts import ReviewWords
from games.core.contract import Fact
from games.study.review.content import Content
from games.words import percent

MOST_SHOWN: Final = 6
# A move whose value is less than this below the best counts as best.
_NOTHING: Final = 0.005


def has_values(decision: Content) -> bool:
    """Whether the judge has computed the values of the moves."""
    return any(each["value"] is not None for each in decision["options"])


def shown(decision: Content) -> Sequence[Content]:
    """The best options, at most MOST_SHOWN, including the one that was played."""
    options: Sequence[Content] = decision["options"]
    played = [each["move"] for each in options].index(decision["played"])
    if played < MOST_SHOWN:
        return options[:MOST_SHOWN]
    return [*options[: MOST_SHOWN - 1], options[played]]


@dataclass(frozen=True, slots=True)
class ToldOption:
    words: str
    odds: str
    after: str  # the same by others' moves too; "" if the judge has not said
    chance: str  # of winning; "" in a question, which has none
    value: str  # in the unit of the game
    is_best: bool
    is_played: bool


@dataclass(frozen=True, slots=True)
class ToldDecision:
    """The values of `games/_judgement.html`; `kind` is that of an error, "" for none."""

    number: int
    seat: int
    name: str
    is_reader: bool
    kind: str
    verdict: str
    regret: str
    why: str
    unit: str
    after: str  # the heading of that column of the options; "" if none has it
    options: Sequence[ToldOption]
    better: str = ""  # the better move, if a reason for it can be shown
    reason: str = ""
    round: int = 0
    try_url: str = ""
    trainer_url: str = ""  # where to train the odds that the decision was about

    @property
    def is_folded(self) -> bool:
        """Whether the table of options waits for a press, as beside a game."""
        return bool(self.round)


def of_decision(
    words: ReviewWords, decision: Content, name: str, *, is_reader: bool
) -> ToldDecision:
    """A decision of a question, whose moves have values in the unit of the game.

    Moves by a bot or the clock are shown, but never labelled as errors.
    """
    regret = decision["regret"]
    options = [_option(words, decision, each) for each in shown(decision)]
    return ToldDecision(
        number=decision["number"],
        seat=decision["seat"],
        name=name,
        is_reader=is_reader,
        kind=(decision["label"] or "") if decision["by"] == "person" else "",
        verdict=_verdict(decision),
        regret=words.cost(regret) if regret >= _NOTHING else "",
        why=words.why(decision, None if is_reader else name),
        unit=words.unit(),
        after=words.after() if any(each.after for each in options) else "",
        options=options,
    )


def of_game(
    words: ReviewWords,
    decision: Content,
    name: str,
    *,
    is_reader: bool,
    after: Sequence[Sequence[Fact]],
) -> ToldDecision:
    """A decision of a reviewed game: how it turned out, how likely that was, and what was better.

    Costs are chances of winning. A move is called better only where its reason can be shown.
    `after`: see `ReviewWords.result`.
    """
    reason = words.reason(decision)
    is_best = decision["best"] == decision["played"]
    better = words.move(decision["best"]) if reason and not is_best else ""
    said = [words.result(decision, after), words.odds(decision, None if is_reader else name)]
    if decision["forced"]:
        said.append(gettext("There was no other move."))
    elif better:
        form = gettext("Better: %(move)s. %(reason)s")
        said.append(form % {"move": better, "reason": reason})
    cost = decision["cost"] or 0.0
    told = of_decision(words, decision, name, is_reader=is_reader)
    return replace(
        told,
        regret=percent(cost) if cost >= _NOTHING else "",
        why=" ".join(filter(None, said)),
        better=better,
        reason=reason,
        options=[
            replace(each, is_best=each.is_best and (is_best or bool(better)))
            for each in told.options
        ],
    )


def _option(words: ReviewWords, decision: Content, option: Content) -> ToldOption:
    chance, after = option.get("chance"), option.get("after")
    return ToldOption(
        words=words.move(option["move"]),
        odds="–" if option["odds"] is None else percent(option["odds"]),
        after="" if after is None else percent(after),
        chance="" if chance is None else percent(chance),
        value=words.value(option["value"]),
        is_best=option["move"] == decision["best"],
        is_played=option["move"] == decision["played"],
    )


def _verdict(decision: Content) -> str:
    """The verdict on a decision, as a heading."""
    match decision["by"]:
        case "bot":
            return gettext("Played by a bot")
        case "clock":
            return gettext("Played automatically")
    if decision["forced"]:
        return gettext("The only move")
    if decision["label"]:
        return capitalised(decision["label"])
    return gettext("Best move") if decision["regret"] < _NOTHING else gettext("Good move")


def capitalised(kind: str) -> str:
    """The name of a kind of error as a heading or for a mark. Raises KeyError for other keys."""
    return {
        "inaccuracy": gettext("Inaccuracy"),
        "mistake": gettext("Mistake"),
        "blunder": gettext("Blunder"),
    }[kind]
