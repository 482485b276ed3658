"""How forms look: every field has its label, its help and its errors tied to it."""

from __future__ import annotations

from django.forms.renderers import TemplatesSetting


class SiteFormRenderer(TemplatesSetting):
    form_template_name = "accounts/_form.html"
    field_template_name = "accounts/_field.html"
