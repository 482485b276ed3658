"""URL patterns of the whole site, and its error handlers."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from accounts import urls as account_urls
from accounts import views as account_views
from games import urls as game_urls
from games.views import look, previews
from perudo_site import pwa, views
from perudo_site.ratelimit import looks, pictures
from perudo_site.ratelimit.requests import Change, changes
from perudo_site.server.work import Work, on

LIMIT = {"may_draw": pictures.may_draw}

for each in account_urls.writing_pages:
    on(Work.SESSION, each)
changes.on(Change.GUESSABLE_LINK, game_urls.standing_tables)

account_pages: list[URLPattern | URLResolver] = [
    path("data", views.my_data, name="my-data"),
    on(Work.ACCOUNT, path("delete", views.delete_account, name="delete-account")),
    on(Work.STORED_POST, path("go-on", account_views.go_on, name="go-on")),
    on(Work.ACCOUNT, path("", include("accounts.urls"))),
]

urlpatterns = [
    changes.on(Change.ACCOUNT, path("account/", include(account_pages))),
    on(
        Work.PICTURE,
        path("games/<slug:code>/preview.png", previews.table, LIMIT, name="table-preview"),
    ),
    on(Work.LOOK, path("games/<slug:code>/now", looks.limited(look.table), name="look-at-table")),
    on(
        Work.LOOK,
        path("games/<slug:code>/board/now", looks.limited(look.board), name="look-at-board"),
    ),
    on(Work.LOOK, path("now", looks.limited(look.lobby), name="look-at-lobby")),
    on(Work.LOOK, path("inbox/now", looks.limited(look.person), name="look-at-inbox")),
    on(
        Work.PICTURE,
        path("preview/<slug:language>.png", previews.site, LIMIT, name="site-preview"),
    ),
    changes.on(
        Change.GUESSABLE_LINK,
        on(
            Work.PICTURE,
            path("t/<slug:word>/preview.png", previews.standing, LIMIT, name="standing-preview"),
        ),
    ),
    on(
        Work.PICTURE,
        path("q/<slug:asked>/preview.png", previews.question, LIMIT, name="question-preview"),
    ),
    on(
        Work.PICTURE,
        path("daily/<slug:day>/preview.png", previews.day, LIMIT, name="day-preview"),
    ),
    on(
        Work.PICTURE,
        path(
            "games/<slug:code>/replay/review/<int:seat>/<slug:sign>/preview.png",
            previews.card,
            LIMIT,
            name="card-preview",
        ),
    ),
    path("language", account_views.set_language, name="set_language"),
    path("manifest.webmanifest", pwa.manifest, name="manifest"),
    path("sw.js", pwa.service_worker, name="worker"),
    path("open", pwa.opened, name="open"),
    path("offline", pwa.offline, name="offline"),
    path("privacy", views.privacy, name="privacy"),
    path("imprint", views.imprint, name="imprint"),
    path("robots.txt", views.robots, name="robots"),
    changes.on(Change.ACCOUNT, on(Work.SESSION, path("admin/", admin.site.urls))),
    path("", include("games.urls")),
]

handler400 = "perudo_site.errors.bad_request"
handler403 = "perudo_site.errors.forbidden"
handler404 = "perudo_site.errors.not_found"
handler429 = "perudo_site.errors.too_many_requests"  # used by allauth's rate limits
handler500 = "perudo_site.errors.server_error"
