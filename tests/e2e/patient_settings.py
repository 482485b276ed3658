"""As unhurried_settings; a table waits longer for salts, as a busy machine needs now and then."""

from __future__ import annotations

from datetime import timedelta

from tests.e2e.unhurried_settings import *  # noqa: F403
from tests.e2e.unhurried_settings import INSTALLED_APPS, Unhurried

INSTALLED_APPS = [*INSTALLED_APPS[:-1], "tests.e2e.patient_settings.Patient"]


class Patient(Unhurried):
    def ready(self) -> None:
        from games.play import first_deal

        super().ready()
        first_deal.WAITS = timedelta(seconds=8)  # type: ignore[misc]
