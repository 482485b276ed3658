"""App configuration of Django's admin with our AdminSite and the moderation actions."""

from __future__ import annotations

from importlib import import_module

from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    default_site = "perudo_site.staff.site.StaffSite"

    def ready(self) -> None:
        super().ready()
        # Imported last: it replaces registrations of apps if a page needs both accounts and games.
        import_module("perudo_site.staff.registry")
