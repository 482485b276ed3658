"""A tool of the staff: an action that asks why on a page of its own and is written down."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

MOST = 100  # rows at once: each is a step of its own

# What is done to one row with what was chosen in the form. It gives back whom or what the record
# is to name, or None where there was nothing to do.
Deed = Callable[[Any, HttpRequest, Any, dict[str, Any]], Model | None]


class Why(forms.Form):
    """What every tool asks."""

    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=200,
        help_text=gettext_lazy("For the record of the staff; players do not read it."),
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )


def tool(
    name: Any, *, permission: str, asks: type[Why] = Why, warning: Any = ""
) -> Callable[[Deed], Any]:
    """An admin action called `name`, for whom `has_<permission>_permission` allows it.

    Deed and record are one transaction. `warning` says what cannot be undone.
    """

    def made(deed: Deed) -> Any:
        @admin.action(description=name, permissions=[permission])
        @wraps(deed)
        def action(self: Any, request: HttpRequest, rows: QuerySet[Any]) -> Any:
            if not getattr(self, f"has_{permission}_permission")(request):
                raise PermissionDenied
            if rows.count() > MOST:
                self.message_user(request, _("These are too many at once."), messages.ERROR)
                return None
            form = asks(request.POST if "reason" in request.POST else None)
            if not form.is_valid():
                return _page(self, request, rows, form, name=name, warning=warning)
            done = sum(_do(self, request, row, form.cleaned_data, deed, name) for row in rows)
            _tell(self, request, done=done, left=len(rows) - done)
            return None

        return action

    return made


def _do(
    self: Any, request: HttpRequest, row: Model, chosen: dict[str, Any], deed: Deed, name: Any
) -> bool:
    staff: Any = request.user
    with transaction.atomic():
        whom = deed(self, request, row, chosen)
        if whom is None:
            return False
        record = _record(row, whom, chosen, name)
        LogEntry.objects.log_actions(staff.pk, [whom], CHANGE, record)
    return True


def _record(row: Model, whom: Model, chosen: dict[str, Any], name: Any) -> str:
    """What was done, how and why, in one line."""
    how = [str(value) for key, value in chosen.items() if key != "reason"]
    what = ", ".join([str(name), *how])
    if whom != row:  # a person, from the row of a report
        what += f" ({row._meta.verbose_name} {row.pk})"
    return f"{what}: {chosen['reason']}"


def _tell(self: Any, request: HttpRequest, *, done: int, left: int) -> None:
    if done:
        said = ngettext("Done and written down.", "Done %(count)d times and written down.", done)
        self.message_user(request, said % {"count": done}, messages.SUCCESS)
    if left:
        said = ngettext(
            "Nothing was done to one: there was nothing to do, or you may not.",
            "Nothing was done to %(count)d: there was nothing to do, or you may not.",
            left,
        )
        self.message_user(request, said % {"count": left}, messages.WARNING)


def _page(
    self: Any, request: HttpRequest, rows: QuerySet[Any], form: Why, *, name: Any, warning: Any
) -> TemplateResponse:
    context = {
        **self.admin_site.each_context(request),
        "title": capfirst(str(name)),
        "opts": self.opts,
        "rows": rows,
        "form": form,
        "warning": warning,
        "action": request.POST["action"],
        "checkbox": ACTION_CHECKBOX_NAME,
        "media": self.media,
    }
    return TemplateResponse(request, "admin/why.html", context)
