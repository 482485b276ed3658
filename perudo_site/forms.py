"""The form renderer: every field with its label, help text and errors linked to it."""

from __future__ import annotations

from typing import Any

from django.forms import BaseForm
from django.forms.renderers import TemplatesSetting
from django.http import HttpRequest


class SiteFormRenderer(TemplatesSetting):
    form_template_name = "accounts/_form.html"
    field_template_name = "accounts/_field.html"

    def render(
        self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None
    ) -> str:
        if template_name == self.form_template_name:
            focus_first_error(context["form"])
        return super().render(template_name, context, request)


def focus_first_error(form: BaseForm) -> None:
    """Set the focus of a refused form on its first field with an error, without a script.

    Errors of the form as a whole come first; the template sets the focus on them.
    """
    if not form.errors:
        return
    for field in form.fields.values():
        field.widget.attrs.pop("autofocus", None)
    if form.non_field_errors():
        return
    wrong = [field for field in form.visible_fields() if field.errors]
    if wrong:
        wrong[0].field.widget.attrs["autofocus"] = True
