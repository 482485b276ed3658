"""Sessions in the database, as Django keeps them, but for two ways in which they would be lost."""

from __future__ import annotations

from django.conf import settings
from django.contrib.sessions import middleware
from django.contrib.sessions.backends import base, db
from django.http import HttpRequest, HttpResponse

from perudo_site import away


class SessionStore(db.SessionStore):
    def save(self, must_create: bool = False) -> None:
        """Django takes any failure to save for a row that is gone, and tells the person that his
        request was a bad one (400). Where the database is away, that is what he is told (503).
        """
        try:
            super().save(must_create)
        except base.UpdateError as gone:
            if (trouble := gone.__context__) is not None and away.is_away(trouble):
                raise trouble from None
            raise


class SessionMiddleware(middleware.SessionMiddleware):
    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Delete the cookie only when this request ended the session.

        Django deletes it also when the key is unknown. A request sent just before the session got a
        new key (on a new password) would then delete the new cookie, and sign the person out.
        """
        response = super().process_response(request, response)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and not cookie.value and not request.session.modified:
            del response.cookies[settings.SESSION_COOKIE_NAME]
        return response
