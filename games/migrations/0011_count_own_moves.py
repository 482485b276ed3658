"""Statistics of what people did themselves, in the games that are over already.

Older logs do not say who made a move, but when. A turn that was answered after its time had run out
was answered by the clock; after two of them in a row a bot held the seat, until the person called
calza or confirmed a reveal. Somebody who came back and did neither cannot be told from the bot: those
moves count for nobody, though some were the person's own. A game is left where the seat was (`gone`)
or where a bot held it at the end (`asleep`), which older versions kept. Nothing is written into the
logs: only rounds, results and tallies change. The way back counts everything for everybody again, as
older versions did.

Each batch is a transaction of its own, and a run that was cut short may be run again.
"""

import json
import zlib
from datetime import timedelta

from django.conf import settings
from django.db import migrations, transaction
from django.db.models import Count, F, Q

GAMES, PEOPLE = 100, 500
MISSED = 2  # turns in a row after which a bot holds the seat
SHOWN_AT_LEAST = timedelta(seconds=min(settings.REVEAL_SECONDS, 6))


def count_own_moves(apps, schema_editor):
    Game, Result = apps.get_model("games", "Game"), apps.get_model("games", "Result")
    for games in batches(Game.objects.filter(status="finished"), GAMES):
        with transaction.atomic():
            mark_rounds(apps, games)
            seats = Result.objects.filter(seat__game__in=games)
            seats.filter(Q(seat__asleep=True) | Q(seat__gone=True)).update(left=True)
    count_anew(apps, own=True)


def count_everything(apps, schema_editor):
    Game, Result = apps.get_model("games", "Game"), apps.get_model("games", "Result")
    for games in batches(Game.objects.filter(status="finished"), GAMES):
        Result.objects.filter(seat__game__in=games, seat__gone=False).update(left=False)
    count_anew(apps, own=False)


def batches(rows, size):
    """Lists of so many rows in the order of their keys; nothing else is held in memory."""
    last = 0
    while batch := list(rows.filter(pk__gt=last).order_by("pk")[:size]):
        yield batch
        last = batch[-1].pk


# --- who made the moves --------------------------------------------------------------------------


def mark_rounds(apps, games):
    Round, Seat = apps.get_model("games", "Round"), apps.get_model("games", "Seat")
    people = {game.pk: {} for game in games}
    for seat in Seat.objects.filter(game__in=games, user__isnull=False):
        people[seat.game_id][seat.number] = seat
    rounds = {game.pk: [] for game in games}
    for row in Round.objects.filter(game__in=games):
        rounds[row.game_id].append(row)
    marked = []
    for game in games:
        if people[game.pk] and rounds[game.pk]:
            told = automatic_rounds(public_facts(apps, game), game, people[game.pk])
            for row in rounds[game.pk]:
                row.bid_automatic, row.call_automatic = told.get(row.seq, (False, False))
                if row.bid_automatic or row.call_automatic:
                    marked.append(row)
    Round.objects.bulk_update(marked, ["bid_automatic", "call_automatic"], batch_size=500)


def public_facts(apps, game):
    """(number, kind, data, time, whether the log says that it is automatic) in order.

    The same decoding as that of `games/log.py` on the day of this migration.
    """
    Event, PackedLog = apps.get_model("games", "Event"), apps.get_model("games", "PackedLog")
    record = PackedLog.objects.filter(pk=game.pk).first()
    if record is None:
        rows = Event.objects.filter(game=game, only__isnull=True).order_by("seq")
        return list(rows.values_list("seq", "kind", "data", "at", "automatic"))
    plain, at, facts = json.loads(zlib.decompress(record.facts)), record.begins, []
    known = set(plain.get("automatic", ()))
    for seq, only, kind, data, later in plain["facts"]:
        at += timedelta(microseconds=later)
        if only is None:
            facts.append((seq, kind, data, at, seq in known))
    return facts


def automatic_rounds(facts, game, people):
    """Whether the last bid, and the call, of each round was automatic, by its number in the log."""
    judge, told, bid = Judge(game, people), {}, False
    for place, (seq, kind, data, at, known) in enumerate(facts):
        # A person confirms alone, or first and before the clock confirms for everybody.
        first = not is_like(facts, place - 1, kind, at)
        alone = first and not is_like(facts, place + 1, kind, at)
        automatic = judge.hears(kind, data, at, first=first, alone=alone) or bool(known)
        if kind == "bid_made":
            bid = automatic
        elif kind == "revealed":
            told[seq] = bid, automatic
    return told


def is_like(facts, place, kind, at):
    return 0 <= place < len(facts) and facts[place][1] == kind and facts[place][3] == at


class Judge:
    """Reads a log fact by fact and tells of each move whether a person's seat made it by itself."""

    def __init__(self, game, people):
        self.people = people
        self.limit = None  # the longest that a person may have thought about a turn
        if game.turn_seconds is not None:
            calza = settings.CALZA_DELAY_MS / 1000 if game.options.get("calza") != "off" else 0
            self.limit = timedelta(seconds=game.turn_seconds + calza)
        self.asked = None
        self.missed = dict.fromkeys(people, 0)
        self.gone = set()
        self.claims = set()

    def hears(self, kind, data, at, *, first, alone):
        """Whether this fact tells of a move that the clock or a bot made for a person."""
        number = data.get("caller") if kind == "revealed" else data.get("seat")
        automatic = False
        if number in self.people:
            if kind == "left":
                self.gone.add(number)
            elif kind == "calza_claimed" or (
                kind == "reveal_seen" and (alone or (first and at - self.asked < SHOWN_AT_LEAST))
            ):
                self.missed[number] = 0
            elif kind == "bid_made" or (kind == "revealed" and number not in self.claims):
                automatic = self.is_automatic(number, at)
        if kind in ("bid_made", "revealed", "round_started"):
            self.asked, self.claims = at, set()
        elif kind == "calza_claimed":
            self.claims.add(number)
        return automatic

    def is_automatic(self, number, at):
        if number in self.gone or self.missed[number] >= MISSED:
            return True
        late = self.limit is not None and self.asked is not None and at - self.asked >= self.limit
        self.missed[number] = self.missed[number] + 1 if late else 0
        return late


# --- tallies -------------------------------------------------------------------------------------


def count_anew(apps, *, own):
    """Every tally from the results and rounds; `own`: without games left and automatic moves."""
    Tally = apps.get_model("games", "Tally")
    for batch in batches(Tally.objects.all(), PEOPLE):
        with transaction.atomic():
            ids = [tally.pk for tally in batch]
            held = Tally.objects.select_for_update().filter(pk__in=ids).order_by("pk")
            tallies = {tally.pk: tally for tally in held}
            count_places(apps, tallies, own=own)
            count_rounds(apps, tallies, own=own)
            fields = ["places", "left", *COUNTED["caller"], *COUNTED["bidder"]]
            Tally.objects.bulk_update(tallies.values(), fields, batch_size=100)


def count_places(apps, tallies, *, own):
    results = apps.get_model("games", "Result").objects.filter(user__in=list(tallies))
    for tally in tallies.values():
        tally.places, tally.left = [], 0
    if own:
        for user, times in results.filter(left=True).values_list("user").annotate(n=Count("pk")):
            tallies[user].left = times
        results = results.filter(left=False)
    for user, place, times in results.values_list("user", "place").annotate(n=Count("pk")):
        places = tallies[user].places
        places += [0] * (place - len(places))
        places[place - 1] = times


DUDO, CALZA = Q(call="dudo"), Q(call="calza")
COUNTED = {
    "caller": {
        "doubts": Count("pk", filter=DUDO),
        "doubts_right": Count("pk", filter=DUDO & Q(count__lt=F("quantity"))),
        "calzas": Count("pk", filter=CALZA),
        "calzas_exact": Count("pk", filter=CALZA & Q(count=F("quantity"))),
    },
    "bidder": {
        "bids_challenged": Count("pk", filter=DUDO),
        "bids_true": Count("pk", filter=DUDO & Q(count__gte=F("quantity"))),
    },
}


def count_rounds(apps, tallies, *, own):
    over = apps.get_model("games", "Round").objects.filter(game__status="finished")
    for who, numbers in COUNTED.items():
        rows = over.filter(**{f"{who}__user__in": list(tallies)})
        if own:
            flag = "call_automatic" if who == "caller" else "bid_automatic"
            rows = rows.exclude(**{flag: True})
        for tally in tallies.values():
            for name in numbers:
                setattr(tally, name, 0)
        for row in rows.order_by().values(f"{who}__user").annotate(**numbers):
            tally = tallies[row.pop(f"{who}__user")]
            for name, number in row.items():
                setattr(tally, name, number)


class Migration(migrations.Migration):
    atomic = False  # a large site goes on meanwhile

    dependencies = [("games", "0010_automatic_moves")]

    operations = [migrations.RunPython(count_own_moves, count_everything)]
