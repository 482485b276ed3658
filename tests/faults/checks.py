"""What must be true after a storm; each check raises AssertionError with what it found."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from games.contract import catalogue
from games.core.contract import Rules, fold
from tests.faults.crowd import Crowd
from tests.faults.player import Attempt, CutOff, Player
from tests.support import page_players
from tests.support.http_client import View, chat_of
from tests.support.services import PASSWORD
from tests.support.site_database import LogEntry, SiteDatabase

LONGEST_LINE = 400
# What a log may say about a service that is away, and nothing else: one line each.
_EXPLAINED = re.compile(r"(database|Redis) unavailable|^Application instance ")


class Records:
    """Every log, read once, and where in it a player may do again what they did before.

    `codes` are the games people play. Where an answer was lost while a table was opened, its people
    went to another one, and the first may have begun without them: its log must replay too, but
    there the clock wrongs nobody.
    """

    def __init__(self, database: SiteDatabase, codes: Iterable[str]) -> None:
        self.database = database
        self.codes = set(codes)
        # First: while the rest is read, nobody plays, and the site's clock goes on.
        slept = database.rows(
            "SELECT g.code, s.number, s.missed FROM games_seat s JOIN games_game g "
            "ON g.id = s.game_id WHERE s.user_id IS NOT NULL AND (s.missed > 0 OR s.asleep)"
        )
        self.slept = [row for row in slept if row[0] in self.codes]
        begun = database.rows(
            "SELECT code, rules FROM games_game WHERE status IN ('playing', 'finished')"
        )
        self.keys: dict[str, str] = dict(begun)
        self.logs = {code: database.log(code) for code in self.keys}
        self.divided = {
            code: [entry.seq for entry in log if self.page_player(code).allows_repeat(entry.fact)]
            for code, log in self.logs.items()
        }

    def page_player(self, code: str) -> page_players.PagePlayer:
        return page_players.of(self.keys[code])

    def _part(self, code: str, seq: int) -> int:
        return sum(1 for divided in self.divided[code] if divided < seq)

    def made(self, attempt: Attempt) -> list[LogEntry]:
        """What the log has of an attempt, in the part of the game in which it was made."""
        asked_in = self._part(attempt.code, attempt.seen + 1)
        return [
            entry
            for entry in self.logs[attempt.code]
            if entry.seq > attempt.seen
            and self.page_player(attempt.code).is_result_of(
                attempt.action, attempt.seat, entry.fact
            )
            and self._part(attempt.code, entry.seq) == asked_in
        ]


def check_acknowledged_moves_stored_once(records: Records, attempts: Iterable[Attempt]) -> int:
    count = 0
    for attempt in attempts:
        if not attempt.yes:
            continue
        made = records.made(attempt)
        if attempt.action["do"] == "calza":  # a claim that prevails is claimed and then revealed
            made = made[:1]
        assert len(made) == 1, f"{attempt} was acknowledged, and the log has {made}"
        count += 1
    return count


def check_no_move_without_request(records: Records, attempts: Iterable[Attempt]) -> None:
    """Every move that was made at a person's seat was sent by that person."""
    sent = defaultdict(list)
    for attempt in attempts:
        sent[attempt.code, attempt.seat].append(attempt)
    for code in records.codes:
        log = records.logs[code]
        page_player = records.page_player(code)
        people = {seat for seat, user, _ in records.database.seats(code) if user is not None}
        for entry in log:
            seat = page_player.requesting_seat(entry.fact)
            if seat in people:
                asked = sent[code, seat]
                assert any(
                    page_player.is_result_of(one.action, seat, entry.fact) for one in asked
                ), (
                    f"nobody at seat {seat} of {code} asked for {entry}, "
                    f"{_after_what(log, entry, asked)}"
                )
    assert records.slept == [], f"(game, seat, missed): {records.slept}"


def _after_what(log: list[LogEntry], entry: LogEntry, asked: list[Attempt]) -> str:
    last = max((one for one in log if one.seq < entry.seq), key=lambda one: one.seq)
    tries = sum(attempt.seen >= last.seq for attempt in asked)
    return f"{entry.at - last.at:.1f} s and {tries} tries after the last fact"


def check_logs_replay(records: Records) -> None:
    """And the history of rounds says what the log says."""
    assert records.codes <= set(records.logs)
    for code in records.logs:
        records.database.check(code)
        log = records.logs[code]
        # The clock may have played on since the log was read.
        rows = records.database.rows(records.page_player(code).ROUNDS, code, log[-1].seq)
        rounds = _rounds(log, catalogue.of(records.keys[code]).rules, records.page_player(code))
        assert rows == rounds, f"the rounds of {code} are not those of its log"


def _rounds(
    log: list[LogEntry], rules: Rules, page_player: page_players.PagePlayer
) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    state: Any = None
    for entry in log:
        before = None if state is None else rules.finished_round(state)
        state = fold(rules, [entry.fact], state)
        if rules.finished_round(state) is not None and before is None:
            found.append(page_player.round_row(state, entry.seq))
    return found


async def check_no_game_stuck(crowd: Crowd, database: SiteDatabase) -> None:
    """Once all is well again, every game goes on, before any person's turn could run out."""
    before = dict(_running_games(crowd, database))
    crowd.play()
    deadline = time.monotonic() + crowd.pace * 2 / 3
    while waiting := [
        code
        for code, seq in _running_games(crowd, database)
        if seq is not None and seq == before.get(code)
    ]:
        if time.monotonic() > deadline:
            await crowd.pause()
            raise AssertionError(f"stuck: {_state_of_games(database, waiting)}")
        await asyncio.sleep(0.25)
    await crowd.pause()


def _running_games(crowd: Crowd, database: SiteDatabase) -> list[tuple[str, int]]:
    """(code, seq) of the games that people play."""
    found = database.rows("SELECT code, seq FROM games_game WHERE status = 'playing'")
    return [(code, seq) for code, seq in found if code in crowd.codes]


def _state_of_games(database: SiteDatabase, codes: list[str]) -> list[tuple[object, ...]]:
    columns = ("seq", "turn_seq", "due_at", "turn_ends_at")
    return [(code, *database.game(code, *columns)) for code in codes]


async def check_screens_match_fresh_pages(crowd: Crowd, *, seconds: float = 12) -> int:
    """Table, own place and talk, byte for byte. While a bot moves, both are looked at again."""
    compared = 0
    for player in crowd.players:
        deadline = time.monotonic() + seconds
        while difference := await _difference(player):
            assert time.monotonic() < deadline, f"{_connection_state(player)}: {difference}"
            await asyncio.sleep(0.1)
        compared += 1
    return compared


async def _difference(player: Player) -> str:
    """ "" when this screen shows what a new page would."""
    try:
        page = await player.look()
    except CutOff:
        return "no page came"
    fresh, shown = View.of(page.text), player.view
    if fresh is None or shown is None:
        return "there is no table"
    if fresh.seq != shown.seq:
        return f"the page is at {fresh.seq}, the screen at {shown.seq}"
    for name in ("table", "own"):
        if getattr(fresh, name) != getattr(shown, name):
            return f"#{name} differs:\n{getattr(fresh, name)}\n{getattr(shown, name)}"
    talk = chat_of(page.text)
    return "" if talk == player.talk else f"#talk differs: {talk} {player.talk}"


def _connection_state(player: Player) -> str:
    line = "cut off" if player.socket is None or player.socket.closed else f"at {player.url}"
    return f"{player.code}, {line}, heard {time.monotonic() - player.heard_at:.1f} s ago"


def check_server_log(log: str) -> Counter[str]:
    """Short lines about services that were away, nothing broken and nothing told. How many."""
    assert PASSWORD not in log
    said: Counter[str] = Counter()
    for line in log.splitlines():
        match = re.match(r"\d{4}-\d\d-\d\d [\d:,]+ (\w+) (\S+): (.*)", line)
        assert match, f"not a line of a log of ours: {line[:LONGEST_LINE]}"
        assert len(line) <= LONGEST_LINE, f"too long: {line}"
        if match[1] in ("WARNING", "ERROR", "CRITICAL"):
            assert _EXPLAINED.search(match[3]), f"nobody expected this: {line}"
            said[f"{match[2]}: {re.sub(r'[0-9].*', '…', match[3])[:60]}"] += 1
    return said


def check_no_visible_errors(crowd: Crowd) -> None:
    assert crowd.journal.broken == [], crowd.journal.broken[:5]
