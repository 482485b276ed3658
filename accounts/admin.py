"""User admin for staff, who can help users but cannot take over their accounts."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import lifecycle
from accounts.forms import Named
from accounts.models import User

POWERS = ("is_staff", "is_superuser", "groups", "user_permissions")


class PersonChangeForm(Named, UserChangeForm):
    pass


class PersonCreationForm(Named, AdminUserCreationForm):
    pass


@admin.register(User)
class PersonAdmin(UserAdmin):
    """User admin in which only superusers change permissions, passwords and email addresses.

    An email address can reset a password. No account is deleted here, since games refer to
    accounts; see `lifecycle.forget`.
    """

    form = PersonChangeForm
    add_form = PersonCreationForm
    list_display = ("username", "is_guest", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_guest", "is_active", "is_staff")

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        name = ("username", "name_key__contains")
        return (*name, "email") if request.user.is_superuser else name

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        if obj is None:
            return self.add_fieldsets
        seen = ("username", "password", "email") if request.user.is_superuser else ("username",)
        return (
            (None, {"fields": (*seen, "is_guest")}),
            (_("Preferences"), {"fields": ("language", "theme", "animal", "cloth")}),
            (_("Permissions"), {"fields": ("is_active", *POWERS)}),
            (_("Important dates"), {"fields": ("last_login", "date_joined")}),
        )

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        fixed = ("is_guest", "is_active", "last_login", "date_joined")
        return fixed if request.user.is_superuser else (*fixed, *POWERS)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save a user; a new email address is also announced to the previous address."""
        email = obj.email
        if change and "email" in form.changed_data:
            obj.email = form.initial["email"]
            site = request.build_absolute_uri("/").rstrip("/")
            lifecycle.change_email(obj, email, site=site, now=timezone.now())
        super().save_model(request, obj, form, change)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        may = super().has_change_permission(request, obj)
        return may and (obj is None or not obj.is_staff or request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def user_change_password(
        self, request: HttpRequest, id: str, form_url: str = ""
    ) -> HttpResponse:
        if not request.user.is_superuser:
            raise PermissionDenied
        return super().user_change_password(request, id, form_url)


admin.site.unregister(Group)


@admin.register(Group)
class PowersAdmin(GroupAdmin):
    """Group admin for superusers only: through a group, staff could gain every permission."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser

    def has_view_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return request.user.is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return request.user.is_superuser
