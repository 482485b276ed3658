"""Questions of the day: the page of one, answering it, the archive, and people's consent."""

from __future__ import annotations

from datetime import datetime
from typing import Final, cast

from allauth.core import ratelimit
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from games.contract import catalogue
from games.core.contract import IllegalMove
from games.lobby import home_stage
from games.models import DailyRound
from games.page_identity import of as page_identity
from games.study.questions import daily, daily_page, days, question_page, stage
from games.views import guests, link_preview
from games.views.actions import is_htmx
from games.views.signing_in import goes_on_after_signing_in

_A_PAGE: Final = 20  # of the archive


@require_safe
def today(request: HttpRequest) -> HttpResponse:
    """Redirect to the latest question, which is usually today's."""
    found = daily.newest(timezone.now())
    if found is None:
        return _none(request)
    return redirect("games:day", found.day.isoformat())


@require_http_methods(["GET", "HEAD", "POST"])
def of_day(request: HttpRequest, day: str) -> HttpResponse:
    """The question of a day: before an answer the table as its player knew it, then everything.

    An answer is posted and can't be changed; a visitor becomes a guest by answering. The home page
    posts its answers here too, and shows what comes back in their place.
    """
    now = timezone.now()
    found = _find(day, now)
    if found is None:
        return _none(request)
    here = reverse("games:day", args=[found.day.isoformat()])
    if request.method == "POST":
        return _chosen(request, found, here, now)
    person = request.user
    answer = daily.answers_of(person, [found]).get(found.pk) if person.is_authenticated else None
    if answer is None:
        context = daily_page.asked(found)
    else:
        address = request.build_absolute_uri(here)
        context = daily_page.answered(found, answer, cast(User, person), address=address, now=now)
    return _shown(request, found, context, here)


def _chosen(request: HttpRequest, found: DailyRound, here: str, now: datetime) -> HttpResponse:
    """Store the posted choice and redirect to the page; an impossible choice changes nothing."""
    decision = daily.decision_of(found)
    try:
        move = decision.parse(decision.fields_of(request.POST))
    except IllegalMove as illegal:
        refused = {"refused": question_page.reason(decision, illegal)}
        context = daily_page.asked(found) | refused
        return _shown(request, found, context, here, status=422)
    if not request.user.is_authenticated:
        too_many = guests.come_in(request, None)
        if too_many is not None:
            return too_many
    if not ratelimit.consume(request, action="daily_answer"):
        return ratelimit.respond_429(request)
    person = cast(User, request.user)
    counted = not person.is_guest or bool(ratelimit.consume(request, action="daily_guest"))
    daily.answer(found, person, move, counted=counted, now=now)
    if is_htmx(request) and request.POST.get("where") == "home":
        return _at_home(request, found, person, now)
    return redirect(here)


def _at_home(request: HttpRequest, found: DailyRound, person: User, now: datetime) -> HttpResponse:
    """The stage of the home page after an answer, which takes the place of the question there."""
    return HttpResponse(
        home_stage.answered(
            stage.of_round(found, person, now),
            person,
            site=request.build_absolute_uri(reverse("games:home")),
            now=now,
            csrf_token=get_token(request),
            page_identity=page_identity(person, request.session),
        )
    )


def _shown(
    request: HttpRequest,
    found: DailyRound,
    context: dict[str, object],
    here: str,
    status: int = 200,
) -> HttpResponse:
    preview = link_preview.of_day(daily.decision_of(found)).context(request, day=found)
    return render(request, "questions/day.html", context | preview | {"here": here}, status=status)


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """All questions of the day so far, the newest first, paginated."""
    now = timezone.now()
    listed = daily.rounds(now)
    before = days.parse(request.GET.get("before", ""))
    if before is not None:
        listed = listed.filter(day__lt=before)
    found = list(listed[: _A_PAGE + 1])
    person = request.user if request.user.is_authenticated else None
    context = {
        "rounds": daily_page.archive(found[:_A_PAGE], person),
        "older": found[_A_PAGE - 1].day.isoformat() if len(found) > _A_PAGE else "",
        "is_first": before is None,
        "in_a_row": daily.in_a_row(person, now) if person else 0,
    }
    return render(request, "questions/days.html", context)


@require_POST
def agree(request: HttpRequest) -> HttpResponse:
    """Agree that questions are made of one's decisions; asks signed-out people to sign in first."""
    if not request.user.is_authenticated:
        return goes_on_after_signing_in(request, otherwise=reverse("games:daily"))
    User.objects.filter(pk=request.user.pk).update(lends_decisions=True)
    messages.success(request, _("Thank you. You can change that in the settings."))
    return redirect("games:daily")


def _find(text: str, now: datetime) -> DailyRound | None:
    day = days.parse(text)
    found = None if day is None else daily.of_day(day, now)
    if found is None or found.kind_key not in {kind.key for kind in catalogue.every()}:
        return None
    return found


def _none(request: HttpRequest) -> HttpResponse:
    """The page for a day without a question, or whose question was withdrawn."""
    return render(request, "questions/no_day.html", status=404)
