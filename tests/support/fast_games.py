"""Whole games played fast, with the commands that people, bots and the scheduler use.

Nobody waits: `now` jumps to the moment at which something happens. Luck is seeded, so a game
comes out the same every time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from accounts.models import User
from games.contract import catalogue
from games.core.chance import SeededChance
from games.models import Game, Seat, TableSettings
from games.perudo.rules import KEY
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.rules.options import PRESETS, SITE_OPTIONS
from games.play import before_start, commands
from games.play.downtime import Owed
from games.store import event_log
from tests.support.copied_games import Recording, record

START = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)
_THINKING = timedelta(seconds=2)
_MOST_STEPS = 3_000  # far beyond any game; a game that hangs must not hang the tests


class OneDieAtATime(Random):
    """A generator that draws each die on its own: the seeds in these tests were chosen with it."""

    def choices(self, population: Any, *args: Any, k: int = 1, **kwargs: Any) -> list[Any]:
        assert not args and not kwargs, "no weights are known here"
        return [population[self.randrange(len(population))] for _ in range(k)]


def seeded(seed: int) -> SeededChance:
    """The chance of a game that comes out the same every time."""
    return SeededChance(OneDieAtATime(seed))


def open_table(
    host: User,
    *opponents: User | str,
    preset: str = "asmodee_fr",
    public: bool = True,
    turn_seconds: int | None = 45,
    show_odds: bool = False,
    rated: bool = False,
    homes: Sequence[str] = (),
    now: datetime = START,
    **settings: Any,
) -> Game:
    """An open table at which everybody sits: people, and bots by their kind ("steady").

    `settings` are those of the rules (calza="on", lost_dice_visible=True …). A `rated` table has
    the rules of one that may be. `homes` are the addresses of the first people (`Seat.home`).
    """
    if rated:
        settings.setdefault("lost_dice_visible", SITE_OPTIONS.lost_dice_visible)
    home = iter(homes)
    game = before_start.open_game(
        host,
        TableSettings(
            kind_key=KEY,
            preset=preset,
            options=replace(PRESETS[preset], **settings).to_json(),
            size=len(opponents) + 1,
            turn_seconds=turn_seconds,
            visibility=Game.Visibility.PUBLIC if public else Game.Visibility.LINK,
            show_odds=show_odds,
            rated=rated,
        ),
        home=next(home, ""),
        now=now,
    )
    for opponent in opponents:
        if isinstance(opponent, str):
            before_start.add_bot(game.code, host, kind=opponent, now=now)
        else:
            before_start.sit(game.code, opponent, home=next(home, ""), now=now)
    game.refresh_from_db()
    return game


def running_game(
    host: User,
    *opponents: User | str,
    rounds: int = 0,
    bids: int = 0,
    seed: int = 1,
    now: datetime = START,
    **table: Any,
) -> Game:
    """A game in its bidding, so many rounds over and so many bids made in the present one.

    AssertionError when the game ended before that; then take another seed.
    """
    game = open_table(host, *opponents, now=now, **table)
    before_start.start(game.code, host, now=now, chance=seeded(seed))

    def far_enough(state: Any) -> bool:
        return state.phase == "turn" and state.number > rounds and len(state.bids) >= bids

    game = play_until(game, far_enough, seed=seed)
    assert game.status == Game.Status.PLAYING, "the game ended before that"
    return game


def played_game(
    host: User, *opponents: User | str, seed: int = 1, now: datetime = START, **table: Any
) -> Game:
    """A game from the opening of its table to its end."""
    return finish_game(running_game(host, *opponents, seed=seed, now=now, **table), seed=seed)


_recordings: dict[Hashable, Recording] = {}


def finished_game(
    host: User, *opponents: User | str, seed: int = 1, now: datetime = START, **table: Any
) -> Game:
    """A played game; one that was played before in this process is copied row by row."""
    people = [host, *(one for one in opponents if isinstance(one, User))]
    kinds = tuple(one if isinstance(one, str) else "" for one in opponents)
    key = (kinds, seed, *sorted(table.items()))
    if key in _recordings:
        return _recordings[key].copy(people, began=now)
    game = played_game(host, *opponents, seed=seed, now=now, **table)
    _recordings[key] = record(game, began=now)
    return game


def won_by(winner: User | str, game: Game) -> Game:
    """The same finished game, won by this person or bot: lists name no win of a bot."""
    seats = game.seat_set
    first = seats.get(bot=winner) if isinstance(winner, str) else seats.get(user=winner)
    seats.filter(place=1).update(place=first.place)
    seats.filter(pk=first.pk).update(place=1)
    return game


def finish_game(game: Game, *, seed: int = 1) -> Game:
    """Play a running game to its end."""
    return play_until(game, lambda state: False, seed=seed)


def play_until(game: Game, enough: Callable[[Any], bool], *, seed: int = 1) -> Game:
    """Play on until the public state is such, or the game is over."""
    rng = OneDieAtATime(seed + 1)
    game.refresh_from_db()
    now = event_log.latest_public_facts(game)[-1].at
    for _ in range(_MOST_STEPS):
        state = event_log.public_state(game)
        if game.status == Game.Status.FINISHED or enough(state):
            return game
        now = _step(game, state, rng, now=now)
        game.refresh_from_db()
    raise AssertionError(f"game {game.code} does not end")


def _step(game: Game, state: Any, rng: Random, *, now: datetime) -> datetime:
    """Whatever happens next: what is due by then, else a person's move. Returns when it was."""
    seat, move = _next_move_of_a_person(game, state, rng)
    then = max(now + _THINKING, game.opens_at or now)
    if isinstance(move, Calza):
        then = now + timedelta(milliseconds=1)  # a player who calls calza is quick
    if game.due_at is not None and (seat is None or game.due_at <= then):
        then = max(now, game.due_at)
        commands.play_due(game.code, now=then, chance=SeededChance(rng))
    else:
        assert seat is not None, f"game {game.code} waits for nobody"
        commands.move(
            game.code, seat.number, move, seen=game.seq, now=then, chance=SeededChance(rng)
        )
    return then


def _next_move_of_a_person(game: Game, state: Any, rng: Random) -> tuple[Seat | None, Any]:
    """What some person wants to play now; (None, None) while the site is to move.

    People here raise by little, doubt often and now and then call calza: games stay short.
    """
    rules = catalogue.of(game.kind_key).rules
    seats = {seat.number: seat for seat in game.seat_set.all() if not seat.held}
    if state.phase == "claims":
        return None, None
    able = [seats[number] for number in rules.to_act(state) if number in seats]
    if state.phase == "reveal":
        return (able[0], rules.legal_moves(state, able[0].number)[0]) if able else (None, None)
    callers = [seat for seat in able if seat.number != state.turn]
    if callers and rng.random() < 0.1:
        return rng.choice(callers), Calza()
    if state.turn not in seats:
        return None, None
    if state.bids and rng.random() < 0.4:
        return seats[state.turn], Dudo()
    moves = rules.legal_moves(state, state.turn)
    small = [move for move in moves if getattr(move, "quantity", 99) <= _likely_quantity(state)]
    return seats[state.turn], rng.choice(small or moves)


def _likely_quantity(state: Any) -> int:
    """A third of the dice in play, or one more than the last bid: the size of a likely bid."""
    last = state.last_bid
    return int(max(sum(state.dice) // 3, last.quantity + 1 if last else 1))


def end_downtime(lost: timedelta, *, now: datetime) -> None:
    """What a process does that ends a downtime of the site: everybody is given their time back."""
    owed = Owed()
    owed.add(lost)
    while owed:
        owed.give_back(now=now)
