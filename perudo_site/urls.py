"""URL patterns of the whole site, and its error handlers."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from games.views import look
from perudo_site import invitations, previews, pwa, views
from perudo_site.ratelimit import looks

urlpatterns = [
    path("account/data", views.my_data, name="my-data"),
    path("account/delete", views.delete_account, name="delete-account"),
    path("account/", include("accounts.urls")),
    path("play-now", views.play_now, name="play-now"),
    path("games/<slug:code>/sit-as-guest", invitations.sit_as_guest, name="sit-as-guest"),
    path("games/<slug:code>/name", invitations.rename_guest, name="rename-guest"),
    path("games/<slug:code>/preview.png", previews.table, name="table-preview"),
    path("games/<slug:code>/now", looks.limited(look.table), name="look-at-table"),
    path("now", looks.limited(look.lobby), name="look-at-lobby"),
    path("preview/<slug:language>.png", previews.site, name="site-preview"),
    path("language", views.set_language, name="set_language"),
    path("manifest.webmanifest", pwa.manifest, name="manifest"),
    path("sw.js", pwa.service_worker, name="worker"),
    path("offline", pwa.offline, name="offline"),
    path("robots.txt", views.robots, name="robots"),
    path("admin/", admin.site.urls),
    path("", include("games.urls")),
]

handler400 = "perudo_site.errors.bad_request"
handler403 = "perudo_site.errors.forbidden"
handler404 = "perudo_site.errors.not_found"
handler429 = "perudo_site.errors.too_many_requests"  # allauth's rate limits ask for it
handler500 = "perudo_site.errors.server_error"
