"""Notification settings: what a person wants pushed, their quiet hours, and their browsers."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, cast

from allauth.core import ratelimit
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.requests import SignedIn
from games import page_identity, words
from games.errors import Refused
from games.models import PushChoice
from games.social.push import quiet, site_key, subscriptions, zones
from games.social.push.switches import SWITCHES, USUAL
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


class ZoneField(forms.ChoiceField):
    """A choice of a time zone that accepts any of its names."""

    def to_python(self, value: object) -> str:
        return zones.canonical(super().to_python(value))


class ChoiceForm(forms.ModelForm):
    quiet_from = _hour(gettext_lazy("Nothing from"))
    quiet_until = _hour(gettext_lazy("until"))
    zone = ZoneField(label=gettext_lazy("My time zone"), required=False)

    class Meta:
        model = PushChoice
        fields = (*SWITCHES, "quiet_from", "quiet_until", "zone")

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        if not settings.MEETING_HOURS:
            del self.fields["meeting"]
        kept = self.initial["zone"] = zones.canonical(self.initial["zone"])
        listed = zones.choices(timezone.now())
        if kept and not zones.is_listed(kept):  # a browser's zone, such as Etc/GMT+5
            listed.append((kept, kept))
        field = cast(ZoneField, self.fields["zone"])
        field.choices = listed
        if self.instance._state.adding:
            field.widget.attrs["data-is-new"] = ""  # push.js proposes the browser's zone

    def clean(self) -> None:
        super().clean()
        both = self.cleaned_data.get("quiet_from"), self.cleaned_data.get("quiet_until")
        if (both[0] is None) != (both[1] is None):
            self.add_error("quiet_until", _("Choose both hours, or neither."))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def notifications(request: SignedIn) -> HttpResponse:
    """The settings for what is pushed to a person, and for their quiet hours."""
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


@require_http_methods(["GET", "HEAD", "POST"])
def browser(request: HttpRequest) -> HttpResponse:
    """The requests of push.js, by the field `do`: `on` (with `for`, the switches to turn on),
    `refresh` (the session or the address of this browser has changed; 410 if pushes are off there),
    `off`, `all-off`, or `unwant`. The response is plain text: a sentence for the person.

    A GET is for the service worker, which has no page: the keys it needs to subscribe and to post.
    """
    if not request.user.is_authenticated:
        return _says(_("You're signed out. Load the page again."), 403)
    if not subscriptions.is_offered():
        raise Http404
    if request.method != "POST":
        return JsonResponse({"key": site_key.current().public_key, "token": get_token(request)})
    me, given, now = request.user, request.POST, timezone.now()
    if not ratelimit.consume(request, action="push"):
        said = _("You've changed your notifications a lot lately. Please wait a while.")
        return _says(said, 429)
    switches = [each for each in given.get("for", "").split() if each in SWITCHES]
    match given.get("do"):
        case "on" | "refresh" as do:
            try:
                is_told = subscriptions.subscribe(
                    me,
                    {each: given.get(each, "") for each in ("endpoint", "p256dh", "auth")},
                    language=get_language() or settings.LANGUAGE_CODE,
                    device=page_identity.of(me, request.session),
                    holder=holder(request),
                    now=now,
                    renews=do == "refresh",
                )
            except Refused as refused:
                return _says(words.reason(refused.code, refused.details), 422)
            if not is_told:
                return _says(_("Notifications are off in this browser."), 410)
            zone = given.get("zone", "")
            zone = zones.canonical(zone) if quiet.is_zone(zone) else ""
            if do == "on":
                subscriptions.want(me, switches or USUAL, zone=zone)
            elif zone and (asked := _asked_of_a_traveller(me, zone, now=now)):
                return asked
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


def _asked_of_a_traveller(me: User, zone: str, *, now: datetime) -> HttpResponse | None:
    """Ask a person whose quiet hours are in another time zone than their browser to change it; None
    if there is nothing to ask. It isn't changed automatically: a browser may hide its zone, and
    another browser of theirs may be at home.
    """
    choice = subscriptions.choice_of(me)
    if choice.quiet_from is None or zone in zones.HIDDEN or not quiet.is_zone(choice.zone):
        return None
    if not zones.differs(choice.zone, zone, now):
        return None
    sentence = _(
        "You're in another time zone. Notifications pause by the clock in %(place)s: "
        "change that to %(other)s?"
    )
    places = {"place": zones.place_of(choice.zone), "other": zones.place_of(zone)}
    answer = _says(sentence % places)
    answer.headers["X-Asks"] = "zone"
    return answer


def _says(sentence: str, status: int = 200) -> HttpResponse:
    return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")
