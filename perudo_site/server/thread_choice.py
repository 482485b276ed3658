"""Choice of the thread that runs a request, by its view's work, its method and the database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from asgiref.sync import SyncToAsync, ThreadSensitiveContext

from perudo_site.server import work
from perudo_site.server.threads import Threads
from perudo_site.server.work import READING, Work

Application = Callable[[Any, Any, Any], Awaitable[None]]

# The thread of the sockets and the scheduler. Its database connection stays open.
GAMES: Final = Threads([SyncToAsync.single_thread_executor])
ACCOUNTS: Final = Threads.named("accounts")
# With PostgreSQL a page sometimes waits for the database, and another is rendered meanwhile. Each
# thread keeps its own connection; with those of metrics, downloads and housekeeping there are fewer
# than ten, as docs/hosting.md says.
POSTGRESQL_PAGE_THREADS: Final = 2
PAGES: Final = Threads.named("pages")
POSTGRESQL_PAGES: Final = Threads.named("pages", POSTGRESQL_PAGE_THREADS)
# Static files need no database, and delay no page on a separate thread.
FILES: Final = Threads.named("files")
# Pictures of link previews are drawn one at a time, and nothing else waits for them.
PREVIEWS: Final = Threads.named("previews")


def sqlite_threads(work: Work, method: str) -> Threads:
    """With SQLite: read-only pages on one thread, accounts on another, the rest with the games.

    The games thread is also that of the sockets and the scheduler. Each thread has one connection,
    open for as long as the process lives, and a move never waits for a lock of its own process.
    While another process keeps the file locked, writers wait on the games and accounts threads;
    pages are still served, because in WAL mode a reader never waits. Hashing a password takes a
    tenth of a second and 100 MB: on its own thread it delays no move, and many sign-ins at once
    queue up instead of taking all the processors and memory.
    """
    match work:
        case Work.PICTURE:
            return PREVIEWS
        case Work.FILE:
            return FILES
        case Work.STORED_POST:
            return GAMES
        case Work.LOOK:
            return GAMES  # like the sockets, it writes now and then
        case Work.SESSION:
            return ACCOUNTS
    if method in READING:
        return PAGES
    return ACCOUNTS if work == Work.ACCOUNT else GAMES


def postgresql_threads(work: Work, method: str) -> Threads:
    """With PostgreSQL: moves on the games thread, accounts on theirs, others on those of pages."""
    match work:
        case Work.PICTURE:
            return PREVIEWS
        case Work.FILE:
            return FILES
        case Work.ACCOUNT | Work.SESSION:
            return ACCOUNTS
        case Work.STORED_POST:
            return GAMES
        case Work.TABLE if method == "POST":
            return GAMES
    return POSTGRESQL_PAGES


def on_threads(app: Application, *, choose: Callable[[Work, str], Threads]) -> Application:
    """Run each request on one of the threads that `choose` returns, once one of them is free.

    The thread is free again when the response begins: the rest needs the client, not the thread.
    """

    async def application(scope: Any, receive: Any, send: Any) -> None:
        match = scope.get("resolved") or work.resolved(scope["path"])
        threads = choose(work.work_of(scope, match), scope["method"])
        scope = {**scope, "resolved": match}
        if threads is PAGES:  # which must not wait for a lock; see sessions.py
            scope["writer"] = GAMES
        async with threads.one() as thread:

            async def send_and_leave(message: Any) -> None:
                thread.leave()
                await send(message)

            async with ThreadSensitiveContext(executor=thread.executor):
                await app(scope, receive, send_and_leave)

    return application


def shut() -> None:
    """Cancel the queued work of all threads, at the end of the process."""
    for threads in (GAMES, ACCOUNTS, PAGES, POSTGRESQL_PAGES, FILES, PREVIEWS):
        threads.shut()
