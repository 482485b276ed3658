"""URLs of the account pages, under allauth's names where it has them; no unused page is listed."""

from __future__ import annotations

from allauth.account import views as allauth_views
from allauth.mfa.base import views as mfa_views
from allauth.mfa.recovery_codes import views as recovery_views
from allauth.mfa.totp import views as totp_views
from django.urls import path, re_path
from django.views.generic import RedirectView

from accounts import email_views, views

urlpatterns = [
    path("", views.account, name="account"),
    path("guest", views.guest, name="guest"),
    path("keep", views.keep_account, name="keep-account"),
    path("welcome", views.welcome, name="welcome"),
    path("email", views.change_email, name="change-email"),
    path("email/confirm", email_views.confirm_my_email, name="confirm-my-email"),
    path("email/confirm/<str:key>/", email_views.confirm_email, name="confirm-email"),
    path("code/", email_views.ask_for_code, name="ask-for-code"),
    path("code/enter/", email_views.enter_mailed_code, name="enter-mailed-code"),
    path("login/", allauth_views.login, name="account_login"),
    path("hand-over/", views.hand_over, name="hand-over"),
    path("logout/", views.sign_out, name="account_logout"),
    path("signup/", views.signup, name="account_signup"),
    path("inactive/", allauth_views.account_inactive, name="account_inactive"),
    path("second-step/", views.moved_two_factor, name="old-two-factor"),
    path("second-step/<path:rest>", views.moved_two_factor, name="old-two-factor-page"),
    path("reauthenticate/", allauth_views.reauthenticate, name="account_reauthenticate"),
]

# Pages whose GET writes to the session (allauth's), or that may take long.
writing_pages = [
    path("two-factor/", mfa_views.index, name="mfa_index"),
    path("two-factor/enter/", views.enter_code, name="mfa_authenticate"),
    path("two-factor/again/", mfa_views.reauthenticate, name="mfa_reauthenticate"),
    path("two-factor/set-up/", views.set_up_app, name="mfa_activate_totp"),
    path("two-factor/turn-off/", totp_views.deactivate_totp, name="mfa_deactivate_totp"),
    path("two-factor/codes/", recovery_views.view_recovery_codes, name="mfa_view_recovery_codes"),
    path(
        "two-factor/codes/download/",
        recovery_views.download_recovery_codes,
        name="mfa_download_recovery_codes",
    ),
    path(
        "two-factor/codes/new/",
        recovery_views.generate_recovery_codes,
        name="mfa_generate_recovery_codes",
    ),
    path("password/change/", views.change_password, name="account_change_password"),
    # allauth redirects users without a password here; only guests have none.
    path(
        "password/set/",
        RedirectView.as_view(pattern_name="keep-account"),
        name="account_set_password",
    ),
    path("password/reset/", views.ask_for_reset, name="account_reset_password"),
    path(
        "password/reset/done/",
        allauth_views.password_reset_done,
        name="account_reset_password_done",
    ),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.reset_password,
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        allauth_views.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
]

urlpatterns += writing_pages
