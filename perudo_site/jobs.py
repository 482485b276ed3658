"""The list of all jobs of a process, for which no request waits; add new jobs here."""

from __future__ import annotations

from typing import Final

from accounts import outbox, retention, visits
from games.lobby.matching import jobs as matching
from games.lobby.standing import retention as standing_retention
from games.notify import sending, to_many
from games.play import housekeeping, late_notes, next_tables, throws, worker
from games.play.clock import Clock
from games.play.due import DueGames
from games.play.jobs import Job, at_once
from games.play.ratings import correcting, counting
from games.play.shards import ALONE, Shards
from games.social.chat import retention as chat_retention
from games.social.friends import presence
from games.social.inbox import retention as inbox_retention
from games.social.inbox import turns
from games.store import archive
from games.study.marks import awards
from games.study.questions import choosing as daily_rounds
from games.study.review import jobs as reviews
from perudo_site.ratelimit import refusals


def of_the_scheduler(clock: Clock, shards: Shards = ALONE) -> tuple[Job, ...]:
    """Return the jobs on the games thread, in the order of a tick; they wait only for the database.

    The jobs of due games run in every tick, and the first queries the database for all three.
    `shards` decides which due games belong to this process.
    """
    due = DueGames(clock, shards)
    return (
        Job("people's time", due.people, every=0.0, share=1.0),
        Job("bots' moves", due.bots, every=0.0, share=0.15),
        Job("skipped games", due.skipped, every=0.0, share=0.05),
        Job("countdowns of quick tables", matching.end_countdowns, every=0.5, share=0.1),
        Job("people who look for others", at_once(matching.tidy), every=5.0, share=0.0, first=60.0),
        Job("packing of logs", archive.pack_waiting, every=5.0, share=0.05, again=1.0),
        Job("turns that people do not see", turns.run, every=1.0, share=0.02),
        Job("results of the worker", worker.results.run, every=1.0, share=0.05),
        Job("next tables", at_once(next_tables.run), every=1.0, share=0.0),
        Job("pages that were left", at_once(late_notes.run), every=1.0, share=0.0),
        Job("what was refused", at_once(refusals.report), every=60.0, share=0.0, first=10.0),
        Job("tables", at_once(housekeeping.run), every=5.0, share=0.0),
    )


# Jobs on a separate thread (see `housekeeping`), as a mail server may be slow.
IN_THE_BACKGROUND: Final = (
    Job("letters", outbox.run, every=15.0, share=1.0),
    Job(
        "retention of accounts",
        retention.run,
        every=retention.EVERY.total_seconds(),
        share=0.5,
        first=60.0,
    ),
    Job("who is here", presence.write, every=5.0, share=0.5, first=1.0),
    Job("pushes", sending.run, every=3.0, share=0.5, first=2.0),
    Job("calls to many", to_many.run, every=15.0, share=0.5, first=20.0),
    Job("visits", visits.write, every=5.0, share=0.5, first=1.5),
    Job("reviews", reviews.run, every=3.0, share=0.5, first=30.0, again=1.0),
    Job("ratings", at_once(counting.make_up), every=15.0, share=0.0, first=20.0),
    Job("corrections of ratings", correcting.run, every=5.0, share=0.5, first=40.0),
    Job("marks", awards.run, every=2.0, share=0.3, first=5.0, again=0.2),
    Job("throws of older games", throws.make_up, every=60.0, share=0.3, first=45.0, again=1.0),
    Job("question of the day", daily_rounds.run, every=60.0, share=0.5),
    Job("retention of the chat", chat_retention.run, every=3600.0, share=0.5, first=90.0),
    Job("retention of inboxes", inbox_retention.run, every=3600.0, share=0.5, first=120.0),
    Job(
        "retention of standing tables",
        standing_retention.run,
        every=3600.0,
        share=0.5,
        first=150.0,
    ),
)
