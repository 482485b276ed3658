"""Django's database sessions, with two cases fixed in which a session would be lost."""

from __future__ import annotations

from django.conf import settings
from django.contrib.sessions import middleware
from django.contrib.sessions.backends import base, db
from django.http import HttpRequest, HttpResponse

from games.live import outage_handling


class SessionStore(db.SessionStore):
    def save(self, must_create: bool = False) -> None:
        """Raise the database's own error in an outage, so that the response is 503.

        Django takes every failure to save for a deleted session, and responds with 400.
        """
        try:
            super().save(must_create)
        except base.UpdateError as error:
            if (cause := error.__context__) is not None and outage_handling.is_outage(cause):
                raise cause from None
            raise


class SessionMiddleware(middleware.SessionMiddleware):
    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Delete the cookie only when this request ended the session.

        Django also deletes it when the key is unknown. A request sent just before the session got a
        new key (on a new password) would then delete the new cookie and sign the user out.
        """
        response = super().process_response(request, response)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and not cookie.value and not request.session.modified:
            del response.cookies[settings.SESSION_COOKIE_NAME]
        return response
