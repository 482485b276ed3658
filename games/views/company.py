"""Company: saying something at a table; muting, blocking and reporting people."""

from __future__ import annotations

from typing import Any

from allauth.core import ratelimit
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import push_url, trigger_client_event

from games import company, lobby, words
from games.forms import ReportForm
from games.models import Game, Mute, Saying
from games.refusal import Refused
from games.views.deeds import deed, notice, sent

page = require_http_methods(["GET", "HEAD", "POST"])


@deed
def say(request: HttpRequest, game: Game) -> HttpResponse:
    """A quick phrase or a text. The script hears of it by the event `said` and empties the field.

    The limit is allauth's, as for signing in: its counter lives in the cache that all processes
    share, under a lock, so that many posts at once are counted one by one.
    """
    if not ratelimit.consume(request, action="say"):
        raise Refused("too_talkative")
    phrase, text = request.POST.get("phrase", ""), request.POST.get("text", "")
    company.say(game, request.user, phrase=phrase, text=text, now=timezone.now())
    return trigger_client_event(notice(request, game, ""), "said")


@deed
def chat(request: HttpRequest, game: Game) -> None:
    """The host lets people write, or not."""
    on = request.POST.get("chat") == "on"
    lobby.set_chat(game.code, request.user, on=on, now=timezone.now())


@page
def person(request: HttpRequest, username: str) -> HttpResponse:
    """Mute, block or report somebody."""
    whom = get_object_or_404(get_user_model(), username=username, is_active=True)
    return _about(request, whom, None)


@page
def saying(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The same, because of something he said. Only who knows the table's code gets to read it."""
    said = get_object_or_404(
        Saying.objects.select_related("by", "game"),
        pk=number,
        game__code=code,
        hidden=False,
        by__is_active=True,
    )
    return _about(request, said.by, said)


def _about(request: HttpRequest, whom: Any, said: Saying | None) -> HttpResponse:
    if not request.user.is_authenticated:
        return sent(request, redirect_to_login(request.get_full_path()))
    reporting = request.POST.get("do") == "report"
    form = ReportForm(request.POST if reporting else None)
    refusal = ""
    if request.method == "POST":
        try:
            if _done(request, whom, said, form):
                return redirect(request.path)
        except Refused as refused:
            refusal = words.reason(refused.code, refused.details)
    mute = Mute.objects.filter(by=request.user, whom=whom).first()
    context = {
        "person": whom,
        "is_me": whom == request.user,
        "saying": said and words.saying(phrase=said.phrase, text=said.text),
        "game": said and said.game,
        "muted": mute is not None,
        "blocked": mute is not None and mute.blocked,
        "reported": company.has_reported(request.user, whom, about=said),
        "form": form,
        "refusal": refusal,
    }
    # htmx shows an answer of 200 only.
    wrong = bool(refusal or form.errors) and request.headers.get("HX-Request") != "true"
    answer = render(request, "games/person.html", context, status=422 if wrong else 200)
    return push_url(answer, False)  # opened within a table, the address stays the table's


def _done(request: HttpRequest, whom: Any, said: Saying | None, form: ReportForm) -> bool:
    """Do what was asked; False when the form of a report is not filled in well."""
    me, game = request.user, None if said is None else said.game
    match request.POST.get("do"):
        case "hear":
            company.hear(me, whom, at=game)
        case "mute":
            company.mute(me, whom, block=False, at=game)
        case "block":
            company.mute(me, whom, block=True, at=game)
        case "report" if not form.is_valid():
            return False
        case "report":
            if not ratelimit.consume(request, action="report"):
                raise Refused("too_many_reports")
            chosen = form.cleaned_data
            company.report(
                me,
                whom,
                reason=chosen["reason"],
                words=chosen["words"],
                about=said,
                now=timezone.now(),
            )
        case _:
            raise BadRequest
    return True


@page
@login_required
def muted(request: Any) -> HttpResponse:
    """Everybody this person has muted or blocked, to hear them again."""
    if request.method == "POST":
        name = request.POST.get("name", "")
        company.hear(request.user, get_object_or_404(get_user_model(), username=name))
        return redirect("games:muted")
    mutes = Mute.objects.filter(by=request.user).select_related("whom").order_by("whom__username")
    return render(request, "games/muted.html", {"mutes": mutes})


@require_safe
@login_required
def reports(request: Any) -> HttpResponse:
    """What this person has told the staff, and what came of it."""
    return render(request, "games/reports.html", {"reports": company.reports_by(request.user)[:50]})
