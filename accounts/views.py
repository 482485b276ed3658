"""Sign-up, sign-in and settings pages."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from allauth.account import views as allauth_views
from allauth.account.internal.stagekit import LOGIN_SESSION_KEY
from allauth.account.utils import url_str_to_user_pk
from allauth.core import ratelimit
from allauth.mfa.base import views as mfa_views
from allauth.mfa.totp import views as totp_views
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.urls import resolve, reverse
from django.utils import timezone, translation
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views import i18n
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import (
    addresses,
    attempts,
    handover,
    handover_stage,
    known_browsers,
    lifecycle,
    outbox,
    stored_posts,
    two_factor,
)
from accounts.adapter import SENT_TO_CONFIRM
from accounts.forms import EmailForm, KeepForm, SettingsForm
from accounts.models import User
from accounts.old_addresses import sent_on
from accounts.requests import SignedIn

page = require_http_methods(["GET", "HEAD", "POST"])
_AFTER_RESET = "after_reset"  # session key: the URL to open after a password reset


def where_next(request: HttpRequest, *, otherwise: str = settings.LOGIN_REDIRECT_URL) -> str:
    """Return the URL in `next` if it is on this site; else `otherwise`, which may be "".

    Only a path is accepted: `redirect` would take a bare word for the name of a page.
    """
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    ours = wanted.startswith("/") and url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if ours else otherwise and resolve_url(otherwise)


@page
@login_required
def account(request: SignedIn) -> HttpResponse:
    """Settings page: name, language, theme, avatar and privacy."""
    person = User.objects.get(pk=request.user.pk)
    form = SettingsForm(request.POST or None, instance=person)
    if form.is_valid():
        form.save()
        # The confirmation is in the new language.
        with translation.override(person.language or translation.get_language()):
            messages.success(request, _("Settings saved."))
        return redirect("account")
    # On a site without mail no address can be confirmed, so the page doesn't mention it.
    unconfirmed = person.email and outbox.has_mail() and not addresses.confirmed(person)
    return render(request, "accounts/settings.html", {"form": form, "unconfirmed": unconfirmed})


@sensitive_post_parameters("password")
@page
@login_required
def change_email(request: SignedIn) -> HttpResponse:
    """Page to change the email address; a guest is redirected to create an account first."""
    person = request.user
    if person.is_guest:
        return redirect("keep-account")
    if not ratelimit.consume(request, action="reauthenticate"):
        return ratelimit.respond_429(request)
    form = EmailForm(request.POST or None, person=person, initial={"email": person.email})
    if form.is_valid():
        email = form.cleaned_data["email"].lower()
        sends = email not in ("", person.email.lower()) and outbox.has_mail()
        if sends and not ratelimit.consume(request, action="confirm_email"):
            return ratelimit.respond_429(request)
        site = request.build_absolute_uri("/").rstrip("/")
        lifecycle.change_email(person, email, site=site, now=timezone.now())
        messages.success(request, _("Email address saved."))
        if sends:
            messages.info(request, SENT_TO_CONFIRM)
        return redirect("account")
    return render(request, "accounts/email.html", {"form": form})


def _replace(request: HttpRequest, method: str, fields: QueryDict) -> None:
    """Replace `request.GET` or `request.POST` for the views that are called next."""
    setattr(request, method, fields)


@require_safe
def go_on(request: HttpRequest) -> HttpResponseBase:
    """Replay the POST that was stored before signing in, as if it were posted now.

    Only views that stored their own POST are called here, and the POST was checked when it arrived.
    """
    stored = None
    if request.user.is_authenticated and request.method == "GET":
        stored = stored_posts.take(request, now=timezone.now())
    if stored is None:
        return redirect(where_next(request))
    path, form = stored
    match = resolve(path)
    request.method, request.path, request.path_info = "POST", path, path
    _replace(request, "POST", form)
    request.resolver_match = match
    response: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
    return response


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    """Create a guest for a visitor who wants to play at once, and sign them in.

    The rate limit is allauth's, like those of sign-in and sign-up: one counter, one cache, one way
    to find client addresses behind proxies.
    """
    if not request.user.is_authenticated:
        if not ratelimit.consume(request, action="guest"):
            return ratelimit.respond_429(request)
        login(request, lifecycle.guest(), backend=settings.AUTHENTICATION_BACKENDS[0])
    return redirect(where_next(request))


@sensitive_post_parameters("password1")
@page
@login_required
def keep_account(request: SignedIn) -> HttpResponse:
    """Page that turns a guest into an account with name and password; all games are kept."""
    if not request.user.is_guest:
        return redirect("account")
    if not ratelimit.consume(request, action="signup"):
        return ratelimit.respond_429(request)
    # A separate copy: a refused name must not show in the page's header.
    person = User.objects.get(pk=request.user.pk)
    form = KeepForm(request.POST or None, instance=person)
    if form.is_valid():
        lifecycle.keep(
            person,
            name=form.cleaned_data["username"],
            password=form.cleaned_data["password1"],
            email=form.cleaned_data["email"],
            site=request.build_absolute_uri("/").rstrip("/"),
            now=timezone.now(),
        )
        update_session_auth_hash(request, person)
        messages.success(request, _("Account saved. Your games have been kept."))
        if person.email and outbox.has_mail():
            messages.info(request, SENT_TO_CONFIRM)
        response = redirect(_after_sign_up(request))
        known_browsers.remember(request, response, person)
        return response
    return render(request, "accounts/keep.html", {"form": form, "next": where_next(request)})


def _after_sign_up(request: HttpRequest) -> str:
    """The page somebody came from; from the home page, which says little of it, the welcome."""
    wanted = where_next(request)
    return resolve_url("welcome") if wanted == settings.LOGIN_REDIRECT_URL else wanted


@require_safe
@login_required
def welcome(request: SignedIn) -> HttpResponse:
    """Page after sign-up: welcome, and the two ways to go on."""
    return render(request, "accounts/welcome.html")


def is_guest(request: HttpRequest) -> bool:
    return request.user.is_authenticated and request.user.is_guest


def signup(request: HttpRequest, **kwargs: object) -> HttpResponseBase:
    """allauth's sign-up; a guest is redirected to a page that keeps their row."""
    if is_guest(request):
        query = {"next": where_next(request)}
        return redirect(f"{resolve_url('keep-account')}?{urlencode(query)}")
    response = allauth_views.signup(request, **kwargs)
    person, leads_on = request.user, response.status_code == HTTPStatus.FOUND
    if leads_on and person.is_authenticated and response["Location"] != resolve_url("welcome"):
        welcome = _("Welcome, %(name)s! Your account is ready.")
        messages.success(request, welcome % {"name": person.shown_name})
    return response


def sign_out(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
    """allauth's sign-out; guests, who could never return, have to confirm it first.

    The browser becomes known even if the session is older than the known-browser cookie.
    """
    if is_guest(request) and request.method == "POST" and "sure" not in request.POST:
        return render(request, "account/logout.html")
    person: Any = request.user
    was_signed_in = person.is_authenticated
    response = allauth_views.logout(request, **kwargs)
    if was_signed_in and not request.user.is_authenticated:
        known_browsers.remember(request, response, person)
    return response


def change_password(request: HttpRequest, **kwargs: object) -> HttpResponseBase:
    """allauth's password change; the browser stays known under the new password."""
    response = allauth_views.password_change(request, **kwargs)
    if request.method == "POST" and request.user.is_authenticated:
        known_browsers.remember(request, response, request.user)
    return response


def ask_for_reset(request: HttpRequest, **kwargs: object) -> HttpResponseBase:
    """allauth's password reset; the session keeps `next` until the emailed link is used."""
    if request.method == "POST":
        request.session.pop(_AFTER_RESET, None)
        if wanted := where_next(request, otherwise=""):
            request.session[_AFTER_RESET] = wanted
            form = request.POST.copy()
            del form["next"]  # allauth would redirect there at once
            _replace(request, "POST", form)
        typed = request.POST.get("email", "")
        may_ask, asker = attempts.asks_for(request, "reset", typed=typed)
        if not may_ask:
            return ratelimit.respond_429(request)
        setattr(request, "asker", asker)  # noqa: B010  # for the form, which puts the letter
    return allauth_views.password_reset(request, **kwargs)


def reset_password(request: HttpRequest, uidb36: str, **kwargs: object) -> HttpResponseBase:
    """allauth's page for a new password. It signs the user in, after a two-factor code if set up.

    Earlier tries of the old password don't matter: the browser is known from now on.
    """
    wanted = request.session.get(_AFTER_RESET)
    if wanted and request.method == "GET" and "next" not in request.GET:
        # Pass it in the URL from here on: this page ends the session of any other account.
        query = request.GET.copy()
        query["next"] = wanted
        _replace(request, "GET", query)
    if is_guest(request):
        # Signing the guest out would lose the data that they may take along: see `handover`.
        request.user = AnonymousUser()
    if request.method == "POST" and (person := _of_link(uidb36)):
        handover_stage.note_known(request, person)
    response = allauth_views.password_reset_from_key(request, uidb36=uidb36, **kwargs)
    if request.method == "POST" and response.status_code == HTTPStatus.FOUND:
        person = User.objects.get(pk=url_str_to_user_pk(uidb36))
        known_browsers.remember(request, response, person)
        request.session.pop(_AFTER_RESET, None)
        if LOGIN_SESSION_KEY in request.session:  # two-factor authentication comes first
            wanted = where_next(request, otherwise="")
            request.session[LOGIN_SESSION_KEY] |= {"redirect_url": wanted or None}
    return response


def _of_link(uidb36: str) -> User | None:
    """Return the account of a password reset link; None if there is no such account."""
    try:
        return User.objects.filter(pk=url_str_to_user_pk(uidb36)).first()
    except (ValueError, ValidationError):
        return None


@page
def hand_over(request: HttpRequest) -> HttpResponse:
    """Ask whether a guest's data moves to the account that they are about to be signed in to.

    The guest is still signed in here, and may stay a guest.
    """
    stage, guest = handover_stage.current(request), handover.guest_of(request)
    if stage is None or guest is None:
        return redirect("account_login")
    wanted = stage.login.redirect_url or ""
    match request.POST.get("do"):
        case "take" | "leave" as chosen:
            return handover_stage.choose(request, stage, takes_along=chosen == "take")
        case "stay":
            stage.abort()
            return redirect(wanted or where_next(request))
    account: Any = stage.login.user
    found = handover.of_site().look(guest, account)
    context = {"guest": guest, "account": account, "found": found}
    return render(request, "accounts/hand_over.html", context)


def enter_code(request: HttpRequest, **kwargs: object) -> HttpResponseBase:
    """allauth's second step of sign-in.

    Guests count as signed out here, since allauth would treat them as already signed in."""
    if is_guest(request):
        request.user = AnonymousUser()
    return mfa_views.authenticate(request, **kwargs)


def moved_two_factor(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Redirect a former URL of the two-factor pages to the current one."""
    return sent_on(request, reverse("mfa_index") + rest)


def set_up_app(request: HttpRequest, **kwargs: object) -> HttpResponseBase:
    """allauth's two-factor setup; guests, who have no password, create an account first.

    The code given in setup cannot be used again, and counts as given in this session.
    """
    if is_guest(request):
        return redirect("keep-account")
    had_one = request.user.is_authenticated and two_factor.is_set_up(request.user)
    response = totp_views.activate_totp(request, **kwargs)
    if request.method == "POST" and not had_one and request.user.is_authenticated:
        two_factor.use_first_code(request, now=timezone.now())
    return response


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Django's own view, which also saves the language for all devices of a signed-in user."""
    language = request.POST.get("language", "")
    if request.user.is_authenticated and language in dict(settings.LANGUAGES):
        User.objects.filter(pk=request.user.pk).update(language=language)
    return i18n.set_language(request)
