"""Chat messages at a table; muting, blocking and reporting players."""

from __future__ import annotations

from allauth.core import ratelimit
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import push_url, trigger_client_event

from accounts.models import User
from accounts.requests import SignedIn
from games import words
from games.errors import Refused
from games.forms import ReportForm
from games.models import ChatMessage, Mute
from games.social.chat import phrases, talk
from games.social.friends import invitations
from games.social.friends import ties as friends
from games.table.at_a_table import SAY
from games.table.results import Done
from games.views.actions import answer, changes_tables, done_for, is_htmx, whole_page
from games.views.players import named_or_404

page = require_http_methods(["GET", "HEAD", "POST"])


@changes_tables
@require_POST
def say(request: HttpRequest, code: str) -> HttpResponse:
    """Post a quick phrase or a text; the event `said` tells the script to empty the field."""
    outcome = done_for(request, code, SAY)
    response = answer(request, code, outcome)
    return trigger_client_event(response, "said") if isinstance(outcome, Done) else response


@page
def person(request: HttpRequest, username: str) -> HttpResponse:
    """Mute, block or report a player."""
    whom = named_or_404(username)
    if not whom.is_active:
        raise Http404
    return _about(request, whom, None)


@changes_tables
@page
def message(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Mute, block or report the author of a message. The address needs the code of its table, so
    that only people who know the table can read the message.
    """
    message = get_object_or_404(
        ChatMessage.objects.select_related("by", "game"),
        pk=number,
        game__code=code,
        hidden=False,
        by__is_active=True,
    )
    return _about(request, message.by, message)


def _about(request: HttpRequest, whom: User, message: ChatMessage | None) -> HttpResponse:
    if not request.user.is_authenticated:
        return whole_page(request, redirect_to_login(request.get_full_path()))
    reporting = request.POST.get("do") == "report"
    form = ReportForm(request.POST if reporting else None)
    refusal = ""
    if request.method == "POST":
        try:
            if _act(request, request.user, whom, message, form):
                return redirect(request.path)
        except Refused as error:
            refusal = words.reason(error.code, error.details)
    mute = Mute.objects.filter(by=request.user, whom=whom).first()
    context = {
        "person": whom,
        "is_me": whom == request.user,
        "message": message and phrases.in_words(phrase=message.phrase, text=message.text),
        "game": message and message.game,
        "muted": mute is not None,
        "blocked": mute is not None and mute.blocked,
        "reported": talk.has_reported(request.user, whom, about=message),
        "form": form,
        "refusal": refusal,
    }
    # htmx shows only responses with the status 200.
    is_invalid = bool(refusal or form.errors) and not is_htmx(request)
    response = render(request, "games/person.html", context, status=422 if is_invalid else 200)
    return push_url(response, False)  # if opened within a table, the URL stays the table's


def _act(
    request: HttpRequest, me: User, whom: User, message: ChatMessage | None, form: ReportForm
) -> bool:
    """Mute, unmute, block or report. Returns False if the form of a report is invalid."""
    game = None if message is None else message.game
    match request.POST.get("do"):
        case "unmute" | "hear":  # "hear" is sent by pages loaded before it was renamed
            invitations.unblocked(me, whom)
            talk.unmute(me, whom, at=game)
        case "mute":
            invitations.unblocked(me, whom)
            talk.mute(me, whom, block=False, at=game)
        case "block":
            talk.mute(me, whom, block=True, at=game)
            friends.part(me, whom)
            invitations.withdraw_all(whom, me)
        case "report" if not form.is_valid():
            return False
        case "report":
            if not ratelimit.consume(request, action="report"):
                raise Refused("too_many_reports")
            chosen = form.cleaned_data
            talk.report(
                me,
                whom,
                reason=chosen["reason"],
                words=chosen["words"],
                about=message,
                now=timezone.now(),
            )
        case _:
            raise BadRequest
    return True


@page
@login_required
def muted(request: SignedIn) -> HttpResponse:
    """The players this user has muted or blocked; a POST unmutes one."""
    if request.method == "POST":
        name = request.POST.get("name", "")
        whom = named_or_404(name)
        invitations.unblocked(request.user, whom)
        talk.unmute(request.user, whom)
        return redirect("games:muted")
    mutes = Mute.objects.filter(by=request.user).select_related("whom").order_by("whom__name_key")
    return render(request, "games/muted.html", {"mutes": mutes})


@require_safe
@login_required
def reports(request: SignedIn) -> HttpResponse:
    """The reports of this user and their outcomes."""
    return render(request, "games/reports.html", {"reports": talk.reports_by(request.user)[:50]})
