"""The pages where people arrive, stay and choose how the site treats them."""

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

from accounts import addresses, errands, known_browsers, lifecycle, outbox, two_factor
from accounts.adapter import SENT_TO_CONFIRM
from accounts.forms import EmailForm, KeepForm, SettingsForm
from accounts.models import User
from accounts.old_addresses import sent_on
from accounts.requests import SignedIn

page = require_http_methods(["GET", "HEAD", "POST"])
_AFTER_RESET = "after_reset"  # in the session: where to go once a new password is chosen


def where_next(request: HttpRequest, *, otherwise: str = settings.LOGIN_REDIRECT_URL) -> str:
    """The page the visitor was going to, if it is on this site; else `otherwise`, which may be "".

    A path, not a bare word: `redirect` would take that for the name of a page.
    """
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    ours = wanted.startswith("/") and url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if ours else otherwise and resolve_url(otherwise)


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
    # On a site without mail nothing can be confirmed, and nothing is said of it.
    unconfirmed = person.email and outbox.has_mail() and not addresses.confirmed(person)
    return render(request, "accounts/settings.html", {"form": form, "unconfirmed": unconfirmed})


@sensitive_post_parameters("password")
@page
@login_required
def change_email(request: SignedIn) -> HttpResponse:
    """The address to sign in with and to reset a password; a guest gets an account first."""
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
    """Let the views that follow find these fields in `request.GET` or `request.POST`."""
    setattr(request, method, fields)


@require_safe
def go_on(request: HttpRequest) -> HttpResponseBase:
    """Do what was posted before signing in, as if it were posted now; see `errands`.

    Only views that have kept their own POST come back here, and it was checked when it came.
    """
    errand = None
    if request.user.is_authenticated and request.method == "GET":
        errand = errands.take(request, now=timezone.now())
    if errand is None:
        return redirect(where_next(request))
    path, form = errand
    match = resolve(path)
    request.method, request.path, request.path_info = "POST", path, path
    _replace(request, "POST", form)
    request.resolver_match = match
    return match.func(request, *match.args, **match.kwargs)


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
            site=request.build_absolute_uri("/").rstrip("/"),
            now=timezone.now(),
        )
        update_session_auth_hash(request, person)
        messages.success(request, _("Account saved. Your games have been kept."))
        if person.email and outbox.has_mail():
            messages.info(request, SENT_TO_CONFIRM)
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


def ask_for_reset(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
    """allauth's; where the visitor was going to waits in the session for the link of the letter."""
    if request.method == "POST":
        request.session.pop(_AFTER_RESET, None)
        if wanted := where_next(request, otherwise=""):
            request.session[_AFTER_RESET] = wanted
            form = request.POST.copy()
            del form["next"]  # allauth would go there at once
            _replace(request, "POST", form)
    return allauth_views.password_reset(request, **kwargs)


def reset_password(request: HttpRequest, uidb36: str, **kwargs: Any) -> HttpResponseBase:
    """allauth's; then you are signed in, after a code of two-factor authentication if you have it.

    However often you have tried the old password: the browser is known from now on.
    """
    wanted = request.session.get(_AFTER_RESET)
    if wanted and request.method == "GET" and "next" not in request.GET:
        # In the address from here on: a guest's session ends on this page.
        query = request.GET.copy()
        query["next"] = wanted
        _replace(request, "GET", query)
    response = allauth_views.password_reset_from_key(request, uidb36=uidb36, **kwargs)
    if request.method == "POST" and response.status_code == HTTPStatus.FOUND:
        person = User.objects.get(pk=url_str_to_user_pk(uidb36))
        known_browsers.remember(request, response, person)
        request.session.pop(_AFTER_RESET, None)
        if LOGIN_SESSION_KEY in request.session:  # two-factor authentication comes first
            wanted = where_next(request, otherwise="")
            request.session[LOGIN_SESSION_KEY] |= {"redirect_url": wanted or None}
    return response


def enter_code(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
    """The second factor of signing in. A guest signing in to an account counts as signed out here:
    allauth would treat the guest as already signed in."""
    if is_guest(request):
        request.user = AnonymousUser()
    return mfa_views.authenticate(request, **kwargs)


def moved_two_factor(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Send an address of two-factor authentication from before it was called so on to today's."""
    return sent_on(request, reverse("mfa_index") + rest)


def set_up_app(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
    """A guest has no password for which a code would be the second step.

    The code that has set it up is used up, and counts as given in this session.
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
    """Django's own view; it also saves the choice for a signed-in user, for all their devices."""
    language = request.POST.get("language", "")
    if request.user.is_authenticated and language in dict(settings.LANGUAGES):
        User.objects.filter(pk=request.user.pk).update(language=language)
    return i18n.set_language(request)
