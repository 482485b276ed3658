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
# In chances of winning: a cheaper move is as good as the best, and …
_COSTLY: Final = 0.01
# … one that costs so much is not called good, however few dice it costs.
_TOO_MUCH: Final = 0.03


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
        verdict=_verdict(decision, is_best=regret < _NOTHING),
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

    Costs are chances of winning. `after`: see `ReviewWords.result`.
    """
    is_costly, reason = _is_costly(decision), why_better(words, decision)
    verdict = _verdict(decision, is_best=is_best(decision))
    better = words.move(decision["best"]) if reason else ""
    said = [words.result(decision, after), words.odds(decision, None if is_reader else name)]
    if decision["forced"]:
        said.append(gettext("There was no other move."))
    elif better:
        form = gettext("Better: %(move)s. %(reason)s")
        said.append(form % {"move": better, "reason": reason})
    told = of_decision(words, decision, name, is_reader=is_reader)
    return replace(
        told,
        regret=percent(decision["cost"]) if is_costly else "",
        verdict=_of_cost(verdict, decision) if is_costly else verdict,
        why=" ".join(filter(None, said)),
        better=better,
        reason=reason,
        options=[
            replace(each, is_best=each.is_played if is_best(decision) else _is_named(each, better))
            for each in told.options
        ],
    )


def why_better(words: ReviewWords, decision: Content) -> str:
    """Why a review calls the best move better than the one that was played; "" where it doesn't.

    It does so only where it was worth more, the reason can be shown, and no other move leaves a
    better chance of winning.
    """
    is_worse = _is_costly(decision) or decision["label"]
    if not is_worse or not _was_more(decision) or _is_outdone(decision, decision["best"]):
        return ""
    return words.reason(decision)


def is_best(decision: Content) -> bool:
    """Whether a review calls the move that was played the best.

    Nothing was worth more in the unit of the game, and no other move leaves a better chance of
    winning, which stands beside it.
    """
    return not _was_more(decision) and not _is_outdone(decision, decision["played"])


def _was_more(decision: Content) -> bool:
    """Whether another move was worth more in the unit of the game."""
    return decision["best"] != decision["played"] and (decision["regret"] or 0.0) >= _NOTHING


def is_error(decision: Content) -> bool:
    """Whether a review says of a person's decision that it was an error, or not the best move."""
    if decision["by"] != "person":
        return False
    return bool(decision["label"] or _is_too_much(decision))


def _is_too_much(decision: Content) -> bool:
    return (decision["cost"] or 0.0) >= _TOO_MUCH and _was_more(decision)


def _is_costly(decision: Content) -> bool:
    return (decision["cost"] or 0.0) >= _COSTLY and not is_best(decision)


def _is_outdone(decision: Content, move: str) -> bool:
    """Whether another move leaves a better chance of winning, as it is shown: in whole percents."""
    chances = {
        each["move"]: round(100 * (each.get("chance") or 0.0)) for each in decision["options"]
    }
    return max(chances.values()) > chances[move]


def _is_named(option: ToldOption, better: str) -> bool:
    return option.is_best and bool(better)


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


def _verdict(decision: Content, *, is_best: bool) -> str:
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
    return gettext("Best move") if is_best else gettext("Good move")


def _of_cost(verdict: str, decision: Content) -> str:
    """The verdict on a person's decision that costs something, in chances of winning."""
    is_error = decision["by"] != "person" or decision["label"] or decision["forced"]
    if is_error or not _is_too_much(decision):
        return verdict
    return gettext("Not the best move")


def capitalised(kind: str) -> str:
    """The name of a kind of error as a heading or for a mark. Raises KeyError for other keys."""
    return {
        "inaccuracy": gettext("Inaccuracy"),
        "mistake": gettext("Mistake"),
        "blunder": gettext("Blunder"),
    }[kind]
