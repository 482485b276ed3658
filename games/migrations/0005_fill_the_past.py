"""Results and tallies of the games that are over; on the way back every packed log in rows again."""

import json
import zlib
from datetime import timedelta

from django.db import migrations
from django.db.models import Count, F, Q

BATCH = 2_000


def fill(apps, schema_editor):
    Game, Seat = apps.get_model("games", "Game"), apps.get_model("games", "Seat")
    Seat.objects.filter(game__status__in=("finished", "closed")).update(live=False)
    Game.objects.filter(status="finished").update(pack_at=F("finished_at"))
    fill_results(apps)
    fill_tallies(apps)


def fill_results(apps):
    Seat, Result = apps.get_model("games", "Seat"), apps.get_model("games", "Result")
    seats = Seat.objects.filter(game__status="finished", user__isnull=False)
    rows = []
    for seat in seats.select_related("game").order_by("pk").iterator(BATCH):
        rows.append(
            Result(
                seat=seat,
                user_id=seat.user_id,
                finished_at=seat.game.finished_at,
                place=seat.place,
                left=seat.gone,
                preset=seat.game.preset,
                calza=seat.game.options["calza"] == "on",
                public=seat.game.public,
            )
        )
        if len(rows) == BATCH:
            Result.objects.bulk_create(rows)
            rows = []
    Result.objects.bulk_create(rows)


def fill_tallies(apps):
    Seat, Tally = apps.get_model("games", "Seat"), apps.get_model("games", "Tally")
    over = apps.get_model("games", "Round").objects.filter(game__status="finished")
    tallies = {}
    seats = Seat.objects.filter(game__status="finished", user__isnull=False)
    for user, place, times in seats.order_by().values_list("user", "place").annotate(n=Count("pk")):
        tally = tallies.setdefault(user, Tally(user_id=user))
        tally.places += [0] * (place - len(tally.places))
        tally.places[place - 1] = times
    dudo, calza = Q(call="dudo"), Q(call="calza")
    counted = {
        "caller__user": {
            "doubts": Count("pk", filter=dudo),
            "doubts_right": Count("pk", filter=dudo & Q(count__lt=F("quantity"))),
            "calzas": Count("pk", filter=calza),
            "calzas_exact": Count("pk", filter=calza & Q(count=F("quantity"))),
        },
        "bidder__user": {
            "bids_challenged": Count("pk", filter=dudo),
            "bids_true": Count("pk", filter=dudo & Q(count__gte=F("quantity"))),
        },
    }
    for who, numbers in counted.items():
        rows = over.filter(**{f"{who}__isnull": False}).order_by().values(who).annotate(**numbers)
        for row in rows:
            tally = tallies[row.pop(who)]
            for name, number in row.items():
                setattr(tally, name, number)
    Tally.objects.bulk_create(tallies.values(), batch_size=BATCH)


def unpack(apps, schema_editor):
    """The same decoding as that of `games/log.py` on the day of this migration."""
    Event, PackedLog = apps.get_model("games", "Event"), apps.get_model("games", "PackedLog")
    for record in PackedLog.objects.order_by("pk").iterator(100):
        rows, at = [], record.begins
        for seq, only, kind, data, later in json.loads(zlib.decompress(record.facts))["facts"]:
            at += timedelta(microseconds=later)
            fact = {"seq": seq, "only": only, "kind": kind, "data": data, "at": at}
            rows.append(Event(game_id=record.game_id, **fact))
        Event.objects.bulk_create(rows)
    PackedLog.objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("games", "0004_a_long_life")]

    operations = [migrations.RunPython(fill, unpack)]
