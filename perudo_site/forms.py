"""The form renderer: every field with its label, help text and errors linked to it."""

from __future__ import annotations

from django.forms.renderers import TemplatesSetting


class SiteFormRenderer(TemplatesSetting):
    form_template_name = "accounts/_form.html"
    field_template_name = "accounts/_field.html"
