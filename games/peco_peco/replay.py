"""The replay of a finished game of Peco Peco: its moments, each the table with every hand open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.game_values import Highlight
from games.models import Game
from games.peco_peco import presenter, words
from games.peco_peco.highlights import highlights as find_highlights
from games.peco_peco.moments import Moment, from_log
from games.peco_peco.rules.outcome import outcome
from games.rendering import replay_page
from games.store.moments import moments_of

_A_BLUFF = _("That's a bluff.")


def moments(game: Game) -> Sequence[Moment]:
    """Every moment of a finished game, in order."""
    return moments_of(game, from_log)


def highlights(game: Game) -> list[Highlight]:
    """What was remarkable in a finished game."""
    return find_highlights(moments(game))


def scene(game: Game, moment: Moment, *, seat: int | None = None) -> dict[str, Any]:
    """The table of that moment with every hand open, or with a `seat` only its own."""
    seats, state = list(game.seat_set.select_related("user")), moment.state
    news = [fact for fact in moment.facts if fact.audience is None]
    narration = _narration(moment, [each.name for each in seats], seat)
    view = presenter.scene(state, seats, narration=narration, news=news)
    replay_page.show_as_then(view["seats"], seats, gone=state.gone)
    for each in view["seats"]:
        shown = seat in (None, each["number"])
        each["hand"] = state.hands[each["number"]] if shown else None
    return view


def _narration(moment: Moment, names: Sequence[str], seat: int | None) -> str:
    """What happened, in sentences; with a `seat` only what it could know."""
    sentences = [words.narrate(fact, names) for fact in moment.facts]
    if moment.bluff and moment.move and seat in (None, moment.move.seat):
        sentences.append(str(_A_BLUFF))
    ended = outcome(moment.state)
    if ended and len(ended.winners) == 1:
        [winner] = ended.winners
        sentences.append(gettext("%(name)s wins the game.") % {"name": names[winner]})
    elif ended:
        winners = ", ".join(names[seat] for seat in ended.winners)
        sentences.append(gettext("%(names)s win the game.") % {"names": winners})
    return " ".join(filter(None, sentences))


def rounds(game: Game, seats: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rounds in order, each with its stake and who won it."""
    rows: dict[int, dict[str, Any]] = {}
    for moment in moments(game):
        state = moment.state
        if state.number not in rows:
            stake = presenter.stake(state.stake_id)
            rows[state.number] = {"number": state.number, "stake": stake, "winner": None}
        if state.result and state.result.winner is not None:
            rows[state.number]["winner"] = seats[state.result.winner]
    return list(rows.values())
