"""Which thread runs a request: every address has its kind of work, and every kind its thread."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.test import RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from perudo_site import asgi
from perudo_site.server import thread_choice, work
from perudo_site.server.work import Work

# By the name of the address; those that are not here are pages.
SAYS = {
    Work.TABLE: "new move back skip new-game sit stand start close add-bot remove rematch say chat "
    "part salt "
    "message sit-as-guest rename-guest play play-answer next not-next play-on end-here "
    "find-people standing-play standing-keep standing-rules "
    "standing-renew standing-delete friend-act try-again",
    Work.LOOK: "look-at-table look-at-board look-at-lobby look-at-inbox",
    Work.STORED_POST: "go-on",
    Work.PICTURE: "table-preview site-preview standing-preview question-preview day-preview "
    "card-preview",
    Work.ACCOUNT: "account guest keep-account welcome change-email delete-account old-two-factor "
    "old-two-factor-page account_login hand-over "
    "confirm-my-email confirm-email ask-for-code enter-mailed-code "
    "account_logout account_signup account_inactive account_reauthenticate",
    Work.SESSION: "mfa_index mfa_authenticate mfa_reauthenticate mfa_activate_totp "
    "mfa_deactivate_totp mfa_view_recovery_codes mfa_download_recovery_codes "
    "mfa_generate_recovery_codes account_change_password account_set_password "
    "account_reset_password account_reset_password_done account_reset_password_from_key "
    "account_reset_password_from_key_done",
}
# The threads of GET and of POST.
SQLITE = {
    Work.PAGE: (thread_choice.PAGES, thread_choice.GAMES),
    Work.TABLE: (thread_choice.PAGES, thread_choice.GAMES),
    Work.LOOK: (thread_choice.GAMES, thread_choice.GAMES),
    Work.STORED_POST: (thread_choice.GAMES, thread_choice.GAMES),
    Work.ACCOUNT: (thread_choice.PAGES, thread_choice.ACCOUNTS),
    Work.SESSION: (thread_choice.ACCOUNTS, thread_choice.ACCOUNTS),
    Work.PICTURE: (thread_choice.PREVIEWS, thread_choice.PREVIEWS),
    Work.FILE: (thread_choice.FILES, thread_choice.FILES),
}
POSTGRESQL = {
    Work.PAGE: (thread_choice.POSTGRESQL_PAGES, thread_choice.POSTGRESQL_PAGES),
    Work.TABLE: (thread_choice.POSTGRESQL_PAGES, thread_choice.GAMES),
    Work.LOOK: (thread_choice.POSTGRESQL_PAGES, thread_choice.POSTGRESQL_PAGES),
    Work.STORED_POST: (thread_choice.GAMES, thread_choice.GAMES),
    Work.ACCOUNT: (thread_choice.ACCOUNTS, thread_choice.ACCOUNTS),
    Work.SESSION: (thread_choice.ACCOUNTS, thread_choice.ACCOUNTS),
    Work.PICTURE: (thread_choice.PREVIEWS, thread_choice.PREVIEWS),
    Work.FILE: (thread_choice.FILES, thread_choice.FILES),
}


def addresses(resolver: Any, space: str = "") -> Iterator[tuple[str, Any]]:
    """Every address: its name, that of the admin's with its namespace, and its view."""
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from addresses(each, "admin:" if each.namespace == "admin" else space)
        elif isinstance(each, URLPattern):
            yield f"{space}{each.name}", each.callback


def test_every_address_says_what_its_view_does() -> None:
    found = defaultdict(set)
    for name, view in addresses(get_resolver()):
        kind = work.of_view(view)
        assert (kind == Work.SESSION) or not name.startswith("admin:"), name
        if not name.startswith("admin:"):
            found[kind].add(name)
    assert {kind: set(names.split()) for kind, names in SAYS.items()} == {
        kind: names for kind, names in found.items() if kind != Work.PAGE
    }
    assert {"home", "table", "rounds", "replay", "profile", "my-data", "play-now"} <= found[
        Work.PAGE
    ]


def test_each_kind_of_work_has_its_thread() -> None:
    for choose, threads in (
        (thread_choice.sqlite_threads, SQLITE),
        (thread_choice.postgresql_threads, POSTGRESQL),
    ):
        assert {kind: (choose(kind, "GET"), choose(kind, "POST")) for kind in Work} == threads
        assert [kind for kind in Work if choose(kind, "HEAD") is not threads[kind][0]] == []


def test_moves_accounts_and_pictures_wait_for_no_page() -> None:
    threads = (
        thread_choice.GAMES,
        thread_choice.ACCOUNTS,
        thread_choice.PREVIEWS,
        thread_choice.FILES,
        thread_choice.PAGES,
    )
    assert len({id(each.single) for each in threads}) == len(threads)


def test_what_has_no_view_is_a_page() -> None:
    for path in ("/nowhere", "/games/abc/nowhere", "/account/nowhere", "//"):
        scope = {"method": "GET", "path": path}
        assert work.work_of(scope, work.resolved(path)) == Work.PAGE, path


def test_a_static_file_is_no_page() -> None:
    scope = {"method": "GET", "path": "/static/site/base.css"}
    assert work.work_of(scope, None) == Work.FILE
    assert work.work_of(scope | {"method": "POST"}, None) == Work.PAGE


def test_the_view_that_chose_the_thread_is_the_one_that_answers() -> None:
    """It is found once for a request; a request whose path is another's is looked up again."""
    path = reverse("games:table", args=["abc"])
    match = work.resolved(path)
    handler: Any = asgi.OneHopHandler()
    request: Any = RequestFactory().get(path)
    request.scope = {"path": path, "resolved": match}
    assert handler.resolve_request(request) is match
    assert request.resolver_match is match
    request.scope = {"path": "/learn", "resolved": work.resolved("/learn")}
    assert handler.resolve_request(request).url_name == "table"
    request.scope = {"path": path, "resolved": None}
    assert handler.resolve_request(request).url_name == "table"
