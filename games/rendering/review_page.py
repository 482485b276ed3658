"""What the review of a finished game says, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from accounts.requests import AnyUser
from games import catalogue
from games.game_values import Highlight
from games.models import Game, Seat
from games.regional_formats import number
from games.rendering import review_chances, review_moments
from games.rendering.common import seats_of
from games.review import cards
from games.review.figures import points
from games.review.services import Review
from games.trying import services as trying

_COSTLIEST: Final = 3
ACCOUNT: Final = ("first", "own", "gifts", "machine", "luck", "residual", "last")
_CHANCES: Final = ("first", "last")

Content = Mapping[str, Any]


def of_game(
    game: Game,
    review: Review,
    *,
    address: Callable[[int], str],
    reader: int | None = None,
    at: int | None = None,
    tries: bool = False,
) -> dict[str, Any]:
    """The values of `games/_review.html` once there is a review.

    `address` leads to a moment, `reader` is the seat that the reader played. With `at` the decision
    that this moment shows is told, if it shows one, with the way to the others; without it all of
    them are told, for a script. `tries`: the reader is offered to try decisions again.
    `is_judged`: the judge has computed what moves are worth; else it says facts alone.
    """
    seats = seats_of(game)
    told = _Teller(game, seats, address, reader, tries=tries)
    content = review.content
    accounts, decisions = content["accounts"], content["decisions"]
    parts = [name for name in ACCOUNT if any(name in each for each in accounts)]
    page = {} if at is None else _steps((each["number"] for each in decisions), at, address)
    here = [told.decision(each) for each in decisions if each["number"] == at]
    return page | {
        "shown": here[0] if here else None,
        "is_judged": any(each["accuracy"] is not None for each in accounts),
        "accounts": [_account(each, parts, seats[each["seat"]]) for each in accounts],
        "has_chances": any(each["first"] is not None for each in accounts),
        "has_machine": "machine" in parts,
        "chart": told.chart(content, at or 1),
        "judgements": [
            each
            for decision in decisions
            if at in (None, decision["number"]) and (each := told.judgement(decision))
        ],
        "is_mine": reader is not None,
        "card_url": "" if reader is None else _card_of(game, accounts[reader]),
        "costliest": [told.costly(each) for each in _costliest(decisions, reader)],
        "highlights": [told.highlight(each) for each in content["game"].get("highlights", ())],
        "odds": [
            told.decision(each) | {"percent": round(100 * odds)}
            for each in decisions
            if (odds := odds_of(each)) is not None and 0 < odds < 1
        ],
    }


def _steps(numbers: Iterable[int], at: int, address: Callable[[int], str]) -> dict[str, str]:
    """The addresses of the decisions before and after a moment; "" where there is none."""
    numbers = list(numbers)
    before = max((each for each in numbers if each < at), default=0)
    after = min((each for each in numbers if each > at), default=0)
    return {
        "url_before": address(before) if before else "",
        "url_after": address(after) if after else "",
    }


def reader_of(game: Game, user: AnyUser) -> int | None:
    """The seat that this person played; None for everybody else."""
    if not user.is_authenticated:
        return None
    return next((seat.number for seat in seats_of(game) if seat.user_id == user.pk), None)


def first_to_read(review: Review, reader: int | None) -> int:
    """The moment at which a page of the review begins: the costliest, or the first decision."""
    decisions = review.content["decisions"]
    found = [*_costliest(decisions, reader), *decisions[:1]]
    return found[0]["number"] if found else 1


def _costliest(decisions: Sequence[Content], reader: int | None) -> list[Content]:
    """What cost most of what people decided: the reader, or of a game of others all of them."""
    people = (each for each in decisions if each["by"] == "person" and each["cost"])
    own = [each for each in people if reader in (None, each["seat"])]
    return sorted(own, key=lambda each: -each["cost"])[:_COSTLIEST]


def odds_of(decision: Content) -> float | None:
    """How likely the move that was played was right, by what its seat knew."""
    played = (each for each in decision["options"] if each["move"] == decision["played"])
    return next((each["odds"] for each in played), None)


class _Teller:
    """Tells one reader what happened at moments of one game."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seat],
        address: Callable[[int], str],
        reader: int | None,
        *,
        tries: bool,
    ) -> None:
        self._game, self._seats, self._kind = game, seats, catalogue.of(game.kind_key)
        self._moments = self._kind.replay.moments(game)
        self._address, self._reader, self._tries = address, reader, tries
        self._names = [seat.name for seat in seats]

    def decision(self, found: Content) -> dict[str, Any]:
        """Who did what, in which round, and the address of the moment that shows it."""
        moment = self._moments[found["number"] - 1]
        assert moment.move is not None  # noqa: S101  # what a decision led to
        return {
            "url": self._address(found["number"]),
            "name": self._names[found["seat"]],
            "avatar": self._seats[found["seat"]].avatar,
            "words": self._kind.words.move(moment.move),
            "round": moment.round,
            "label": label(found["label"]),
        }

    def costly(self, found: Content) -> dict[str, Any]:
        """The same with what it cost and, where moves have values, what was better."""
        judgement = self.judgement(found)
        return self.decision(found) | {
            "cost": points(-found["cost"]),
            "better": next((each["words"] for each in judgement["options"] if each["is_best"]), "")
            if judgement
            else "",
            "why": judgement["why"] if judgement else "",
        }

    def judgement(self, found: Content) -> dict[str, Any] | None:
        """See `review_moments.of_decision`; None where no move has a value."""
        words, seat = self._kind.review_words, found["seat"]
        if words is None or not review_moments.has_values(found):
            return None
        is_reader = seat == self._reader
        told = review_moments.of_decision(words, found, self._names[seat], is_reader=is_reader)
        return told | {
            "round": self._moments[found["number"] - 1].round,
            "try_url": self._try_url(found),
        }

    def _try_url(self, found: Content) -> str:
        """Where the decision is tried again; "" where it cannot be, or is not offered."""
        number = found["number"]
        if not self._tries or not trying.has_decision(self._kind, self._moments, number):
            return ""
        return trying.address(self._game, number)

    def highlight(self, found: Content) -> dict[str, Any]:
        told = Highlight(found["moment"], found["seat"], found["code"], found["values"])
        return {
            "url": self._address(told.moment),
            "avatar": self._seats[told.seat].avatar,
            "words": self._kind.words.highlight(told, self._names),
        }

    def chart(self, content: Content, at: int) -> dict[str, Any] | None:
        """The values of `games/_review_chart.html`; None where nobody has computed chances."""
        return review_chances.of_game(
            content,
            rounds=[moment.round for moment in self._moments],
            names=self._names,
            address=self._address,
            reader=self._reader,
            decisions={
                each["number"]: self.decision(each)
                for each in content["decisions"]
                if each["label"]
            },
            at=at,
        )


def label(key: str | None) -> str:
    """The label of a decision in words; "" for none."""
    match key:
        case "inaccuracy":
            return gettext("inaccuracy")
        case "mistake":
            return gettext("mistake")
        case "blunder":
            return gettext("blunder")
    return ""


def _card_of(game: Game, account: Content) -> str:
    """The address of the reader's own card; "" where there is none."""
    if not cards.has_card(account):
        return ""
    number = account["seat"]
    return reverse("games:card", args=[game.code, number, cards.signature(game, number)])


def _account(account: Content, parts: Sequence[str], seat: Seat) -> dict[str, Any]:
    return {
        "name": seat.name,
        "avatar": seat.avatar,
        "summary": gettext("bot") if seat.bot else summary(account),
        "n": number(account["decisions"]),
        "figures": [figure(name, account[name]) for name in parts],
    }


def figure(name: str, value: float | None) -> str:
    """A part of an account: a chance in percent, or what changed it, in points with its sign."""
    if value is None:
        return "–"
    return number(round(100 * value)) if name in _CHANCES else points(value)


def _wrong(account: Content) -> str:
    """How many errors of each kind; "" for none."""
    small, middle, large = (account[name] for name in ("inaccuracies", "mistakes", "blunders"))
    counted = (
        (small, ngettext("%(count)s inaccuracy", "%(count)s inaccuracies", small)),
        (middle, ngettext("%(count)s mistake", "%(count)s mistakes", middle)),
        (large, ngettext("%(count)s blunder", "%(count)s blunders", large)),
    )
    return ", ".join(text % {"count": number(count)} for count, text in counted if count)


def summary(account: Content) -> str:
    """Accuracy with the number of decisions, what was wrong, and luck: one line.

    Of a seat that was not judged only how much it decided.
    """
    n = account["decisions"]
    if account["accuracy"] is None:
        return ngettext("%(count)s decision", "%(count)s decisions", n) % {"count": number(n)}
    accuracy = gettext("accuracy %(percent)s%% (n = %(count)s)") % {
        "percent": number(round(100 * account["accuracy"])),
        "count": number(n),
    }
    luck = account["luck"]
    lucky = "" if luck is None else gettext("luck %(points)s") % {"points": points(luck)}
    return " · ".join(filter(None, (accuracy, _wrong(account), lucky)))
