"""The review of a finished game in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext

from accounts.requests import AnyUser
from games.contract import catalogue
from games.contract.game_values import Highlight
from games.contract.optional_parts import ReviewWords
from games.models import Game, Seat
from games.play import retry
from games.study.review import accounts_told, cards, first_look, review_chances, reviewed_decision
from games.study.review.content import Content
from games.study.review.figures import in_percent
from games.study.review.first_look import FirstLook, ToldMoment
from games.study.review.review_chart import LUCKY
from games.study.review.reviewed_decision import ToldDecision
from games.study.review.reviews import StoredReview
from games.table.common import seats_of
from games.words import percent

_COSTLIEST: Final = first_look.MOST_MOMENTS
_LEAST_LUCK: Final = 0.05  # in chances; less is no moment of luck
_LEAST_COST: Final = 0.01  # in chances; cheaper errors are not listed as costliest


@dataclass(frozen=True, slots=True)
class ToldMove:
    """A move with its player, its round and the address of its moment.

    `odds`: how likely it was right, where a list says so; `after`: the same by others' moves too,
    where that is something else.
    """

    url: str
    name: str
    avatar: dict[str, str]
    words: str
    round: int
    odds: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class ToldHighlight:
    """A highlight of a game with the address of its moment."""

    url: str
    avatar: dict[str, str]
    words: str


def of_game(
    game: Game,
    review: StoredReview,
    *,
    address: Callable[[int], str],
    reader: int | None = None,
    at: int | None = None,
    tries: bool = False,
) -> dict[str, Any]:
    """The values of `games/_review.html` once there is a review.

    `address` returns the address of a moment; `reader` is the seat that the reader played. With
    `at`, only the decision at this moment is included, if there is one, with links to the decisions
    before and after; without it all are included, for a script. `tries`: the reader can try
    decisions again. In the result, `is_judged`: the judge has computed values of moves, not only
    facts.
    """
    seats = seats_of(game)
    told = _Teller(game, seats, address, reader, tries=tries)
    words, content = catalogue.of(game.kind_key).review_words, review.content
    accounts, decisions = content["accounts"], content["decisions"]
    parts = accounts_told.parts(accounts)
    page = {} if at is None else _steps((each["number"] for each in decisions), at, address)
    here = [told.decision(each) for each in decisions if each["number"] == at]
    return page | {
        "shown": here[0] if here else None,
        "is_judged": any(each["accuracy"] is not None for each in accounts),
        "accounts": [accounts_told.told(each, parts, seats[each["seat"]]) for each in accounts],
        "has_chances": any(each["first"] is not None for each in accounts),
        "machine": accounts_told.of_machine(seats) if "machine" in parts else "",
        "chart": told.chart(content, at or 1),
        "judgements": [
            each
            for decision in decisions
            if at in (None, decision["number"]) and (each := told.judgement(decision))
        ],
        "judged_as": "" if words is None else words.judged_as(content["game"]),
        "is_mine": reader is not None,
        "card_url": "" if reader is None else _card_of(game, accounts[reader]),
        "first": told.first_look(content, costliest(decisions, reader)),
        "highlights": [told.highlight(each) for each in content["game"].get("highlights", ())],
        "odds": [
            told.likely(each)
            for each in decisions
            if (odds := odds_of(each)) is not None and 0 < odds < 1
        ],
        "after": "" if words is None else words.after(),
    }


def _steps(numbers: Iterable[int], at: int, address: Callable[[int], str]) -> dict[str, str]:
    """The addresses of the decisions before and after a moment; "" if there is none."""
    numbers = list(numbers)
    before = max((each for each in numbers if each < at), default=0)
    after = min((each for each in numbers if each > at), default=0)
    return {
        "url_before": address(before) if before else "",
        "url_after": address(after) if after else "",
    }


def reader_of(game: Game, user: AnyUser) -> int | None:
    """The seat that this person played; None if they didn't play."""
    if not user.is_authenticated:
        return None
    return next((seat.number for seat in seats_of(game) if seat.user_id == user.pk), None)


def first_to_read(review: StoredReview, reader: int | None) -> int:
    """The moment that a review shows first: the costliest error, or the first decision."""
    decisions = review.content["decisions"]
    found = [*costliest(decisions, reader), *decisions[:1]]
    return found[0]["number"] if found else 1


def deciding(review: StoredReview, reader: int) -> int | None:
    """The moment that changed the reader's chances most: their costliest error, or luck if it
    changed more. None if the judge has computed no chances, or nothing changed them much.
    """
    errors = [
        (each["cost"], each["number"]) for each in costliest(review.content["decisions"], reader)
    ]
    lucky = [(abs(change), number) for number, change in _lucky(review.content, reader)]
    return max([*errors[:1], *lucky[:1]], default=(0.0, None))[1]


def _lucky(content: Content, reader: int) -> list[tuple[int, float]]:
    """The moments at which luck changed the reader's chances, and by how much; the most first."""
    changes = ((number, row[reader]) for number, row in content.get("lucky", ()))
    least = 100 * _LEAST_LUCK
    return sorted((each for each in changes if 100 * abs(each[1]) >= least), key=_by_size)


def costliest(
    decisions: Sequence[Content], reader: int | None, *, most: int = _COSTLIEST
) -> list[Content]:
    """The errors that cost most, in chances to win, compared to the better move: those of the
    reader, or of all people if the reader didn't play.
    """
    errors = (each for each in decisions if reviewed_decision.is_error(each))
    costly = (each for each in errors if each["cost"] and each["cost"] >= _LEAST_COST)
    own = [each for each in costly if reader in (None, each["seat"])]
    return sorted(own, key=lambda each: -each["cost"])[:most]


def odds_of(decision: Content, by: str = "odds") -> float | None:
    """The chance that the played move was right, by what its seat knew, or with `by` "after" by
    others' moves too; None if unknown.
    """
    played = (each for each in decision["options"] if each["move"] == decision["played"])
    return next((each.get(by) for each in played), None)


def _by_size(change: tuple[int, float]) -> float:
    return -abs(change[1])


class _Teller:
    """Puts the moments of one game into words for one reader."""

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

    def decision(self, found: Content) -> ToldMove:
        moment = self._moments[found["number"] - 1]
        assert moment.move is not None  # noqa: S101  # what a decision led to
        return ToldMove(
            url=self._address(found["number"]),
            name=self._names[found["seat"]],
            avatar=self._seats[found["seat"]].avatar,
            words=self._kind.words.move(moment.move),
            round=moment.round,
        )

    def likely(self, found: Content) -> ToldMove:
        """A decision with the chance that it was right, which is known."""
        odds, after = percent(odds_of(found) or 0.0), odds_of(found, "after")
        told = "" if after is None else percent(after)
        return replace(self.decision(found), odds=odds, after="" if told == odds else told)

    def first_look(self, content: Content, costliest: Sequence[Content]) -> FirstLook:
        """See `first_look`: of the reader's own game, or of everybody's for who didn't play."""
        told = [self.costly(each) for each in costliest]
        account = None if self._reader is None else content["accounts"][self._reader]
        worst = (told[0], costliest[0]["cost"]) if told else (None, 0.0)
        lucky = self._lucky(content)[: first_look.MOST_MOMENTS - len(told)]
        return FirstLook(
            title=first_look.title(self._seats, self._reader),
            told=self._decided(account, worst, content["decisions"]),
            figures=[] if account is None else first_look.figures(account),
            moments=sorted([*told, *lucky], key=lambda each: each.number),
        )

    def _decided(
        self,
        account: Content | None,
        worst: tuple[ToldMoment | None, float],
        decisions: Sequence[Content],
    ) -> str:
        if account is None or self._reader is None:
            return ""
        automatic = first_look.played_for(decisions, self._reader)
        told = first_look.decided(account, *worst, automatic=automatic)
        if not self._seats[self._reader].left:
            return told
        left = gettext("You didn't play to the end.")
        return f"{left} {told}".strip()

    def costly(self, found: Content) -> ToldMoment:
        """An error with its cost and, if moves have values, why."""
        decision, judgement = self.decision(found), self.judgement(found)
        return ToldMoment(
            number=found["number"],
            url=decision.url,
            kind=found["label"] or "",
            round=decision.round,
            name="" if found["seat"] == self._reader else decision.name,
            words=decision.words,
            told=judgement.why if judgement else "",
            cost=in_percent(round(-100 * found["cost"])),
        )

    def _lucky(self, content: Content) -> list[ToldMoment]:
        """What luck changed most for the reader, the most first."""
        if self._reader is None:
            return []
        return [
            ToldMoment(
                number=number,
                url=self._address(number),
                kind=LUCKY,
                round=self._moments[number - 1].round,
                name="",
                words=gettext("Good luck") if change > 0 else gettext("Bad luck"),
                told=gettext("What the dice showed, compared to what you could expect."),
                cost=in_percent(round(100 * change)),
            )
            for number, change in _lucky(content, self._reader)
        ]

    def judgement(self, found: Content) -> ToldDecision | None:
        """See `reviewed_decision.of_game`; None if no move has a value."""
        words, seat = self._kind.review_words, found["seat"]
        if words is None or not reviewed_decision.has_values(found):
            return None
        number = found["number"]
        told = reviewed_decision.of_game(
            words,
            found,
            self._names[seat],
            is_reader=seat == self._reader,
            after=[moment.facts for moment in self._moments[number - 1 : number + 1]],
        )
        round_of = self._moments[number - 1].round
        return replace(
            told,
            round=round_of,
            try_url=self._try_url(found),
            trainer_url=self._trainer_url(words, found),
        )

    def _try_url(self, found: Content) -> str:
        """The address at which to try the decision again; "" if that isn't possible or offered."""
        number = found["number"]
        if not self._tries or not retry.has_decision(self._kind, self._moments, number):
            return ""
        return retry.address(self._game, number)

    def _trainer_url(self, words: ReviewWords, found: Content) -> str:
        """The address of the game's odds trainer; "" for a decision that isn't about odds."""
        if self._kind.trainer is None or not words.odds(found, None):
            return ""
        return reverse("games:odds", args=[self._kind.key])

    def highlight(self, found: Content) -> ToldHighlight:
        told = Highlight(found["moment"], found["seat"], found["code"], found["values"])
        return ToldHighlight(
            url=self._address(told.moment),
            avatar=self._seats[told.seat].avatar,
            words=self._kind.words.highlight(told, self._names),
        )

    def chart(self, content: Content, at: int) -> dict[str, Any] | None:
        """The values of `games/_review_chart.html`; None if the judge has computed no chances."""
        return review_chances.of_game(
            content,
            rounds=[moment.round for moment in self._moments],
            names=self._names,
            address=self._address,
            reader=self._reader,
            errors={
                each["number"]: self.decision(each).words
                for each in content["decisions"]
                if each["label"]
            },
            at=at,
        )


def _card_of(game: Game, account: Content) -> str:
    """The address of the reader's own card; "" if there is none."""
    if not cards.has_card(account):
        return ""
    number = account["seat"]
    return reverse("games:card", args=[game.code, number, cards.signature(game, number)])


def judgement_of(
    game: Game, decision: Content, reader: int | None, *, tries: bool = False
) -> ToldDecision | None:
    """What a review says of one decision, to this reader; see `_Teller.judgement`."""
    told = _Teller(game, seats_of(game), str, reader, tries=tries)
    return told.judgement(decision)
