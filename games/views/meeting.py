"""The download of a calendar reminder of the next meeting."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.notify.hours import next_meeting
from games.notify.meeting_words import reminder


@require_safe
@never_cache
def remind(request: HttpRequest) -> HttpResponse:
    """An .ics file of the next meeting; 404 on a site without meeting hours."""
    now = timezone.now()
    meeting = next_meeting(settings.MEETING_HOURS, now)
    if meeting is None:
        raise Http404
    site = request.build_absolute_uri("/").rstrip("/")
    return HttpResponse(
        reminder(meeting, site=site, now=now),
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="meeting.ics"'},
    )
