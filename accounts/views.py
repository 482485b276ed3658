"""The pages where people arrive, stay and choose how the site treats them."""

from __future__ import annotations

from typing import Any

from allauth.account import views as allauth_views
from allauth.account.utils import url_str_to_user_pk
from allauth.core import ratelimit
from allauth.mfa.base import views as step_views
from allauth.mfa.totp import views as totp_views
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone, translation
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts import known_browsers, lifecycle, second_step
from accounts.forms import EmailForm, KeepForm, SettingsForm
from accounts.models import User
from accounts.requests import SignedIn

page = require_http_methods(["GET", "HEAD", "POST"])


def where_next(request: HttpRequest, *, otherwise: str = settings.LOGIN_REDIRECT_URL) -> str:
    """The page the visitor was going to, if it is on this site.

    A path, not a bare word: `redirect` would take that for the name of a page.
    """
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    ours = wanted.startswith("/") and url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if ours else resolve_url(otherwise)


@page
@login_required
def account(request: SignedIn) -> HttpResponse:
    """Name, language and colours."""
    person = User.objects.get(pk=request.user.pk)
    form = SettingsForm(request.POST or None, instance=person)
    if form.is_valid():
        form.save()
        # The page that says so already speaks the new language.
        with translation.override(person.language or translation.get_language()):
            messages.success(request, _("Settings saved."))
        return redirect("account")
    return render(request, "accounts/settings.html", {"form": form})


@sensitive_post_parameters("password")
@page
@login_required
def change_email(request: SignedIn) -> HttpResponse:
    """The address that resets a forgotten password; a guest gets an account first."""
    person = request.user
    if person.is_guest:
        return redirect("keep-account")
    if not ratelimit.consume(request, action="reauthenticate"):
        return ratelimit.respond_429(request)
    form = EmailForm(request.POST or None, person=person, initial={"email": person.email})
    if form.is_valid():
        site = request.build_absolute_uri("/").rstrip("/")
        lifecycle.change_email(person, form.cleaned_data["email"], site=site, now=timezone.now())
        messages.success(request, _("Email address saved."))
        return redirect("account")
    return render(request, "accounts/email.html", {"form": form})


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    """Someone who wants to play at once gets a name and a seat on the cookie, nothing more.

    The limit is allauth's, like those of signing in and up: one counter, one cache, one way to
    tell addresses apart behind proxies.
    """
    if not request.user.is_authenticated:
        if not ratelimit.consume(request, action="guest"):
            return ratelimit.respond_429(request)
        login(request, lifecycle.guest(), backend=settings.AUTHENTICATION_BACKENDS[0])
    return redirect(where_next(request))


@sensitive_post_parameters("password1", "password2")
@page
@login_required
def keep_account(request: SignedIn) -> HttpResponse:
    """A guest chooses a name and a password and keeps every game played so far."""
    if not request.user.is_guest:
        return redirect("account")
    if not ratelimit.consume(request, action="signup"):
        return ratelimit.respond_429(request)
    # A copy of its own: a refused name must not show in the page's header.
    person = User.objects.get(pk=request.user.pk)
    form = KeepForm(request.POST or None, instance=person)
    if form.is_valid():
        lifecycle.keep(
            person,
            name=form.cleaned_data["username"],
            password=form.cleaned_data["password1"],
            email=form.cleaned_data["email"],
            now=timezone.now(),
        )
        update_session_auth_hash(request, person)
        messages.success(request, _("Account saved. Your games have been kept."))
        response = redirect(where_next(request))
        known_browsers.remember(request, response, person)
        return response
    return render(request, "accounts/keep.html", {"form": form, "next": where_next(request)})


def is_guest(request: HttpRequest) -> bool:
    return request.user.is_authenticated and request.user.is_guest


def signup(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
    """A guest who signs up keeps the same row; everyone else gets a new one."""
    if is_guest(request):
        query = {"next": where_next(request)}
        return redirect(f"{resolve_url('keep-account')}?{urlencode(query)}")
    return allauth_views.signup(request, **kwargs)


def sign_out(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
    """allauth's, but a guest, who could never come back, is asked first.

    The browser stays known, also where the session is older than the cookie for that.
    """
    if is_guest(request) and request.method == "POST" and "sure" not in request.POST:
        return render(request, "account/logout.html")
    person: Any = request.user
    was_signed_in = person.is_authenticated
    response = allauth_views.logout(request, **kwargs)
    if was_signed_in and not request.user.is_authenticated:
        known_browsers.remember(request, response, person)
    return response


def change_password(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
    """allauth's; the browser stays known under the new password."""
    response = allauth_views.password_change(request, **kwargs)
    if request.method == "POST" and request.user.is_authenticated:
        known_browsers.remember(request, response, request.user)
    return response


def reset_password(request: HttpRequest, uidb36: str, **kwargs: Any) -> HttpResponseBase:
    """allauth's; after it you can sign in, however often you have tried the old password."""
    response = allauth_views.password_reset_from_key(request, uidb36=uidb36, **kwargs)
    if response.headers.get("Location") == resolve_url("account_reset_password_from_key_done"):
        person = User.objects.get(pk=url_str_to_user_pk(uidb36))
        known_browsers.remember(request, response, person)
    return response


def enter_code(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
    """The second factor of signing in. A guest signing in to an account counts as signed out here:
    allauth would treat the guest as already signed in."""
    if is_guest(request):
        request.user = AnonymousUser()
    return step_views.authenticate(request, **kwargs)


def set_up_step(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
    """A guest has no password for which a code would be the second step.

    The code that has set it up is used up, and counts as given in this session.
    """
    if is_guest(request):
        return redirect("keep-account")
    had_one = request.user.is_authenticated and second_step.is_set_up(request.user)
    response = totp_views.activate_totp(request, **kwargs)
    if request.method == "POST" and not had_one and request.user.is_authenticated:
        second_step.use_first_code(request, now=timezone.now())
    return response
