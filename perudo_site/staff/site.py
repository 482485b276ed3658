"""The admin site: for staff who have entered a two-factor code in this session."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import two_factor
from accounts.views import sign_out, where_next
from perudo_site import VERSION


class StaffSite(AdminSite):
    site_title = gettext_lazy("Staff")
    site_header = gettext_lazy("Staff pages")
    index_title = gettext_lazy("Moderation")
    empty_value_display = "–"

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and two_factor.is_done(request, now=timezone.now())

    def each_context(self, request: HttpRequest) -> dict[str, object]:
        return super().each_context(request) | {"version": VERSION}

    def login(self, request: HttpRequest, extra_context: object = None) -> HttpResponseBase:  # type: ignore[override]
        """Redirect to the site's own sign-in, whose rate limits and two-factor step apply here too.

        Users who are not staff get a 404.
        """
        target = where_next(request, otherwise="admin:index")
        if not request.user.is_authenticated:
            return redirect_to_login(target)
        if not super().has_permission(request):
            raise Http404
        if self.has_permission(request):
            return redirect(target)
        if two_factor.is_set_up(request.user):
            query = urlencode({REDIRECT_FIELD_NAME: target})
            return redirect(f"{reverse('mfa_reauthenticate')}?{query}")
        messages.warning(
            request, _("Staff pages require two-factor authentication. Set it up, then come back.")
        )
        return redirect("mfa_activate_totp")

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Redirect to the site's own page, which is rate limited."""
        return redirect("account_change_password")

    def logout(self, request: HttpRequest, extra_context: object = None) -> HttpResponseBase:  # type: ignore[override]
        """Sign out of the whole site."""
        return sign_out(request)

    def get_urls(self) -> list[Any]:
        """Leave out `view_on_site`, as no model here has such a page.

        Django would look up the row past the manager that leaves hidden facts out."""
        return [url for url in super().get_urls() if getattr(url, "name", "") != "view_on_site"]
