"""Notifications: what a person wants to be told by push, when not, and in which browsers."""

from __future__ import annotations

from typing import Any, Final

from allauth.core import ratelimit
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.requests import SignedIn
from games import page_identity, words
from games.errors import Refused
from games.models import PushChoice
from games.push import quiet, subscriptions
from games.push.switches import SWITCHES, USUAL
from games.views.holder import holder

_HOURS: Final = [(hour, f"{hour:02}:00") for hour in range(24)]


def _hour(label: Any) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(
        label=label,
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", gettext_lazy("never")), *_HOURS],
    )


class ChoiceForm(forms.ModelForm):
    quiet_from = _hour(gettext_lazy("Nothing from"))
    quiet_until = _hour(gettext_lazy("until"))
    # Filled in by push.js: where there is no script there are no pushes.
    zone = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)

    class Meta:
        model = PushChoice
        fields = (*SWITCHES, "quiet_from", "quiet_until", "zone")

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        if not settings.MEETING_HOURS:
            del self.fields["meeting"]

    def clean_zone(self) -> str:
        zone: str = self.cleaned_data["zone"]
        return zone if quiet.is_zone(zone) else ""

    def clean(self) -> None:
        super().clean()
        both = self.cleaned_data.get("quiet_from"), self.cleaned_data.get("quiet_until")
        if (both[0] is None) != (both[1] is None):
            self.add_error("quiet_until", _("Choose both hours, or neither."))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def notifications(request: SignedIn) -> HttpResponse:
    """What to tell a person, and the hours at which nothing is sent."""
    if not subscriptions.is_offered():
        raise Http404
    choice = subscriptions.choice_of(request.user)
    form = ChoiceForm(request.POST or None, instance=choice)
    if form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("games:notifications")
    context = {"form": form, "browsers": subscriptions.browsers_of(request.user)}
    return render(request, "games/notifications.html", context, status=422 if form.errors else 200)


@require_POST
def browser(request: HttpRequest) -> HttpResponse:
    """What push.js asks for: `do` is `on` (with `for`, the switches to turn on), `refresh` (the
    session or the address of this browser has changed), `off`, `all-off`, or `unwant`.

    The answer is plain text: a sentence for the person.
    """
    if not request.user.is_authenticated:
        return _says(_("You're signed out. Load the page again."), 403)
    if not subscriptions.is_offered():
        raise Http404
    me, given, now = request.user, request.POST, timezone.now()
    if not ratelimit.consume(request, action="push"):
        said = _("You've changed your notifications a lot lately. Please wait a while.")
        return _says(said, 429)
    switches = [each for each in given.get("for", "").split() if each in SWITCHES]
    match given.get("do"):
        case "on" | "refresh" as do:
            try:
                subscriptions.subscribe(
                    me,
                    {each: given.get(each, "") for each in ("endpoint", "p256dh", "auth")},
                    language=get_language() or settings.LANGUAGE_CODE,
                    device=page_identity.of(me, request.session),
                    holder=holder(request),
                    now=now,
                )
            except Refused as refused:
                return _says(words.reason(refused.code, refused.details), 422)
            if do == "on":
                zone = given.get("zone", "")
                wanted = switches or USUAL
                subscriptions.want(me, wanted, zone=zone if quiet.is_zone(zone) else "")
            said = _("Done: you'll be told in this browser.")
        case "off":
            subscriptions.unsubscribe(me, given.get("endpoint", ""))
            said = _("Done: nothing more is sent to this browser.")
        case "all-off":
            subscriptions.unsubscribe_all(me)
            said = _("Done: nothing more is sent to any browser of yours.")
        case "unwant":
            subscriptions.do_not_want(me, switches)
            said = _("Done.")
        case _:
            raise BadRequest
    return _says(said)


def _says(sentence: str, status: int = 200) -> HttpResponse:
    return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")
