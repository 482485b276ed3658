"""Django's admin with a door of ours, and with the tools of the staff inside."""

from __future__ import annotations

from importlib import import_module

from django.contrib.admin.apps import AdminConfig


class StaffDoor(AdminConfig):
    default_site = "perudo_site.staff.door.StaffSite"

    def ready(self) -> None:
        super().ready()
        # Last: what the apps show of their own is taken over here where it needs people and games.
        import_module("perudo_site.staff.rooms")
