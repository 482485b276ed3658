"""Admin actions that ask for a reason on a separate page and are logged."""

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

MAX_ROWS = 100  # each row is a separate transaction

FormData = dict[str, Any]  # the cleaned data of a form
# Changes one row with the form's data. Returns the object for the log entry, or None if there was
# nothing to do.
RowAction = Callable[[Any, HttpRequest, Any, FormData], Model | None]


class ReasonForm(forms.Form):
    """Base form of all actions."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=200,
        help_text=gettext_lazy("For the staff log. Players won't see it."),
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )


def logged_action(
    name: Any, *, permission: str, form_class: type[ReasonForm] = ReasonForm, warning: Any = ""
) -> Callable[[RowAction], Any]:
    """Make an admin action called `name`, for users with `has_<permission>_permission`.

    The action on a row and its log entry are one transaction. `warning` warns of what can't be
    undone.
    """

    def decorator(row_action: RowAction) -> Any:
        @admin.action(description=name, permissions=[permission])
        @wraps(row_action)
        def action(self: Any, request: HttpRequest, rows: QuerySet[Any]) -> Any:
            if not getattr(self, f"has_{permission}_permission")(request):
                raise PermissionDenied
            if rows.count() > MAX_ROWS:
                self.message_user(
                    request,
                    _("Too many rows selected. Select fewer and try again."),
                    messages.ERROR,
                )
                return None
            form = form_class(request.POST if "reason" in request.POST else None)
            if not form.is_valid():
                return _form_page(self, request, rows, form, name=name, warning=warning)
            data = form.cleaned_data
            done = sum(_run(self, request, row, data, row_action, name) for row in rows)
            _report(self, request, done=done, skipped=len(rows) - done)
            return None

        return action

    return decorator


def _run(
    self: Any,
    request: HttpRequest,
    row: Model,
    data: FormData,
    row_action: RowAction,
    name: Any,
) -> bool:
    staff: Any = request.user
    with transaction.atomic():
        target = row_action(self, request, row, data)
        if target is None:
            return False
        message = _log_message(row, target, data, name)
        LogEntry.objects.log_actions(staff.pk, [target], CHANGE, message)
    return True


def _log_message(row: Model, target: Model, data: dict[str, object], name: object) -> str:
    """Return the action, its options and the reason, in one line."""
    options = [str(value) for key, value in data.items() if key != "reason"]
    message = ", ".join([str(name), *options])
    if target != row:  # such as an account, from the row of a report
        message += f" ({row._meta.verbose_name} {row.pk})"
    return f"{message}: {data['reason']}"


def _report(self: Any, request: HttpRequest, *, done: int, skipped: int) -> None:
    if done:
        text = ngettext("Done and logged.", "Done and logged (%(count)d).", done)
        self.message_user(request, text % {"count": done}, messages.SUCCESS)
    if skipped:
        text = ngettext(
            "One row wasn't changed: there was nothing to do, or you don't have permission.",
            "%(count)d rows weren't changed: there was nothing to do, or you don't have "
            "permission.",
            skipped,
        )
        self.message_user(request, text % {"count": skipped}, messages.WARNING)


def _form_page(
    self: Any,
    request: HttpRequest,
    rows: QuerySet[Any],
    form: ReasonForm,
    *,
    name: Any,
    warning: object,
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
