"""Django's database sessions, renewed while in use, and never lost to an outdated response."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions import middleware
from django.contrib.sessions.backends import base, db
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from games.live import outage_handling

# A session is renewed at the first request after this time.
RENEW_AFTER: Final = timedelta(days=1)
# Fields that allauth stores of each sign-in besides method and time; nothing reads them.
_PERSONAL: Final = ("username", "email", "phone")

logger = logging.getLogger(__name__)


class SessionStore(db.SessionStore):
    stored_until: datetime | None = None  # expiry in the database; None if it was not read

    def _get_session_from_db(self) -> object:
        row = super()._get_session_from_db()  # type: ignore[misc]  # no stub
        self.stored_until = row and row.expire_date
        return row

    def encode(self, session_dict: dict[str, Any]) -> str:
        """Encode a session without names, which must not remain in it after the account is deleted.

        Session rows are encoded, so the rows of an account cannot be found by its id.
        """
        return super().encode(without_names(session_dict))

    def save(self, must_create: bool = False) -> None:
        """Raise the database's own error in an outage, so that the response is 503.

        Django treats every failure to save as a deleted session, and responds with 400.
        """
        try:
            super().save(must_create)
        except base.UpdateError as error:
            if (cause := error.__context__) is not None and outage_handling.is_outage(cause):
                raise cause from None
            raise


def without_names(session: dict[str, object]) -> dict[str, object]:
    """Return the session data with the records of sign-ins reduced to method and time."""
    records = session.get(AUTHENTICATION_METHODS_SESSION_KEY)
    if not isinstance(records, list):
        return session
    kept = [{key: value for key, value in each.items() if key not in _PERSONAL} for each in records]
    return session | {AUTHENTICATION_METHODS_SESSION_KEY: kept}


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
        if cookie is None and response.status_code < 500:
            _renew(request, response, now=timezone.now())
        return response


def _renew(request: HttpRequest, response: HttpResponse, *, now: datetime) -> None:
    """Extend the session of a signed-in user, in the database and in the browser.

    Its key and data stay, so its sockets stay open and a concurrent change is not overwritten. If
    the renewal fails, the response is sent anyway, and the next one tries again.
    """
    session: Any = request.session
    if not session.accessed or session.stored_until is None or SESSION_KEY not in session:
        return
    age = timedelta(seconds=session.get_expiry_age())
    if session.stored_until > (due := now + age - RENEW_AFTER):
        return
    stored = session.model.objects.filter(session_key=session.session_key)

    def write() -> bool:
        """Renew the session; return whether this request was the one that did."""
        return bool(stored.filter(expire_date__lte=due).update(expire_date=now + age))

    try:
        # If this thread may only read, another thread writes, and the request does not wait.
        writer = getattr(request, "scope", {}).get("writer")
        if writer is None:
            is_ours = write()
        else:
            # The session may have ended meanwhile: its cookie must not replace the next one's.
            is_ours = stored.exists()
            writer.submit(_logging_failure(write))
    except DatabaseError as error:
        logger.warning("session not renewed error=%s", outage_handling.first_line(error))
        return
    if is_ours:
        response.set_cookie(
            settings.SESSION_COOKIE_NAME,
            session.session_key,
            max_age=age,
            domain=settings.SESSION_COOKIE_DOMAIN,
            path=settings.SESSION_COOKIE_PATH,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=settings.SESSION_COOKIE_HTTPONLY,
            samesite=settings.SESSION_COOKIE_SAMESITE,
        )


def _logging_failure(write: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        try:
            write()
        except DatabaseError as error:
            logger.warning("session not renewed error=%s", outage_handling.first_line(error))

    return run
