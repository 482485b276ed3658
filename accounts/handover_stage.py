"""Last step of signing in as a guest: decide whether the guest's games move to the account.

They move without a question, unless the account has a seat at one of the tables, would have too
many tables, or has never been used in this browser: then it may be a friend's account.
"""

from __future__ import annotations

from typing import cast

from allauth.account.stages import LoginStage, LoginStageController
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts import handover, known_browsers
from accounts.models import User

_CHOICE, _KNOWN = "_takes_along", "_was_known"  # attributes of the request


class HandOverStage(LoginStage):
    key = "hand_over"
    urlname = "hand-over"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """Continue the sign-in, or redirect to the page that asks."""
        guest, account = handover.guest_of(self.request), cast(User | None, self.login.user)
        if guest is None or account is None:
            return None, True
        found = handover.of_site().look(guest, account)
        if not found.anything or (found.fits and _knows(self.request, account)):
            return None, True
        return redirect("hand-over"), True


def current(request: HttpRequest) -> HandOverStage | None:
    """Return the hand-over stage of this session; None if it is not in this stage."""
    stage = LoginStageController.enter(request, HandOverStage.key)
    has_somebody = stage is not None and stage.login.user is not None
    return stage if has_somebody and isinstance(stage, HandOverStage) else None


def choose(request: HttpRequest, stage: HandOverStage, *, takes_along: bool) -> HttpResponse:
    """Finish the sign-in, with or without the guest's data."""
    setattr(request, _CHOICE, takes_along)
    response: HttpResponse = stage.exit()
    return response


def takes_along(request: HttpRequest) -> bool:
    """Whether the guest's data moves: the choice in this request, by default yes."""
    return bool(getattr(request, _CHOICE, True))


def note_known(request: HttpRequest, person: User) -> None:
    """Record whether this browser is known, before a new password voids its token."""
    setattr(request, _KNOWN, bool(known_browsers.known_as(request, person)))


def _knows(request: HttpRequest, account: User) -> bool:
    return bool(getattr(request, _KNOWN, False) or known_browsers.known_as(request, account))
