"""Messages of Django and allauth whose translations we override.

Their translations address the reader formally ("vous", "usted"), ours informally, and Italian
months begin with a lower-case letter. Nothing imports this module: makemessages collects the
messages listed here into our catalogues, which take precedence. A test checks that each message
still exists in Django or allauth.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

DJANGO_MESSAGES: Final = (
    _("This field is required."),
    _("Enter a valid email address."),
    _("Select a valid choice. %(value)s is not one of the available choices."),
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
        "limit_value",
    ),
    *(_("January"), _("February"), _("March"), _("April"), _("May"), _("June")),
    *(_("July"), _("August"), _("September"), _("October"), _("November"), _("December")),
    _("Password"),
    _("Password confirmation"),
    _("The two password fields didn’t match."),
    _("The password is too similar to the %(verbose_name)s."),
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
        "count",
    ),
    _("This password is too common."),
    _("This password is entirely numeric."),
)

ALLAUTH_MESSAGES: Final = (
    _("Email"),
    _("Password (again)"),
    _("Current Password"),
    _("New Password"),
    _("New Password (again)"),
    _("You must type the same password each time."),
    _("Please type your current password."),
    _("Password successfully changed."),
    _("You have signed out."),
)
