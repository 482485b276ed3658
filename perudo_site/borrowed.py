"""Sentences of Django and allauth that people read here, to be said in our own voice.

Their own translations speak to a stranger ("vous", "usted"); at a table people are not strangers.
And Italian months begin with a small letter.
Nothing imports this file: whatever stands here is collected into our catalogues, which win over
theirs. A test keeps it to sentences that they still have.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

OF_DJANGO: Final = (
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
    _("Enter the same password as before, for verification."),
    _("The two password fields didn’t match."),
    _("The password is too similar to the %(verbose_name)s."),
    _("Your password can’t be too similar to your other personal information."),
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
        "count",
    ),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        "min_length",
    ),
    _("This password is too common."),
    _("Your password can’t be a commonly used password."),
    _("This password is entirely numeric."),
    _("Your password can’t be entirely numeric."),
)

OF_ALLAUTH: Final = (
    _("Email"),
    _("Password (again)"),
    _("Current Password"),
    _("New Password"),
    _("New Password (again)"),
    _("You must type the same password each time."),
    _("Please type your current password."),
    _("Password successfully changed."),
    _("Successfully signed in as %(name)s."),
    _("You have signed out."),
)
