"""Sessions in the database, as Django keeps them; a database that is away ends none."""

from __future__ import annotations

from django.contrib.sessions.backends import base, db

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
