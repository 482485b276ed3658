"""People in the admin, for staff: enough to help someone, nothing of their games."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.utils.translation import gettext_lazy as _

from accounts.forms import Named
from accounts.models import User


class PersonChangeForm(Named, UserChangeForm):
    pass


class PersonCreationForm(Named, AdminUserCreationForm):
    pass


@admin.register(User)
class PersonAdmin(UserAdmin):
    form = PersonChangeForm
    add_form = PersonCreationForm
    list_display = ("username", "is_guest", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_guest", "is_active", "is_staff")
    search_fields = ("username", "email")
    fieldsets = (
        (None, {"fields": ("username", "password", "email", "is_guest")}),
        (_("Choices"), {"fields": ("language", "theme")}),
        (
            _("Permissions"),
            {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")},
        ),
        (_("Important dates"), {"fields": ("last_login", "date_joined")}),
    )
