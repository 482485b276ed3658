"""Pages to confirm an email address and to sign in with an emailed code."""

from __future__ import annotations

from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.models import Login
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from accounts import addresses, attempts, lifecycle, outbox, sign_in_codes
from accounts.adapter import SENT_TO_CONFIRM
from accounts.models import Letter
from accounts.requests import SignedIn
from accounts.sign_in_forms import AskForCodeForm, SentCodeForm
from accounts.views import page, where_next

_CODE = "sign_in_code"  # session key; its value is the key of the code that this browser asked for


@page
@login_required
def confirm_my_email(request: SignedIn) -> HttpResponse:
    """Ask whether the email address is still right, and send it a confirmation link."""
    person = request.user
    if person.is_guest or not person.email or not outbox.has_mail():
        return redirect("account")
    if addresses.confirmed(person):
        messages.info(request, _("Your email address is confirmed."))
        return redirect("account")
    if request.method == "POST":
        if not ratelimit.consume(request, action="confirm_email"):
            return ratelimit.respond_429(request)
        site = request.build_absolute_uri("/").rstrip("/")
        lifecycle.ask_to_confirm(person, site=site, now=timezone.now())
        messages.success(request, SENT_TO_CONFIRM)
        return redirect("account")
    return render(request, "accounts/confirm_my_email.html")


@page
def confirm_email(request: HttpRequest, key: str) -> HttpResponse:
    """Target of a confirmation link, with a button that confirms the address.

    Opening the link confirms nothing, since mail scanners open links too. The link signs nobody in,
    since it stays in the mailbox.
    """
    person = addresses.person_of(key)
    refused = person is None
    if person is not None and request.method == "POST":
        if addresses.confirm(person):
            messages.success(request, _("Your email address is confirmed."))
            return redirect("account")
        refused = True
    context = {"person": person, "refused": refused}
    return render(request, "accounts/confirm_email.html", context)


@page
def ask_for_code(request: HttpRequest) -> HttpResponse:
    """Request a sign-in code by email; the response never reveals whether the account exists."""
    if not outbox.has_mail():
        raise Http404
    wanted = where_next(request, otherwise="")
    form = AskForCodeForm(request.POST or None)
    if not form.is_valid():
        return render(request, "accounts/ask_for_code.html", {"form": form, "next": wanted})
    login = form.cleaned_data["login"]
    may_ask, asker = attempts.asks_for(request, "login_code", typed=login)
    if not may_ask:
        return ratelimit.respond_429(request)
    now = timezone.now()
    code = sign_in_codes.ask(login, now=now)
    site = request.build_absolute_uri("/").rstrip("/")
    kind = Letter.Kind.CODE
    outbox.put(kind, email=login, asker=asker, site=site, now=now, code=code)
    request.session[_CODE] = code.key
    return redirect(_with_next("enter-mailed-code", wanted))


@sensitive_post_parameters("code")
@page
def enter_mailed_code(request: HttpRequest) -> HttpResponse:
    """Enter the emailed code.

    All state is in the session and the URL, so that users may leave the page to read the email.
    """
    wanted = where_next(request, otherwise="")
    key, now = request.session.get(_CODE, ""), timezone.now()
    form = SentCodeForm(request.POST or None)
    if form.is_valid():
        if not ratelimit.consume(request, action="login"):
            return ratelimit.respond_429(request)
        person = sign_in_codes.use(key, form.cleaned_data["code"], now=now)
        if person is not None:
            del request.session[_CODE]
            record_authentication(request, person, method="code")
            return perform_login(request, Login(user=person, redirect_url=wanted or None))
        form.add_error("code", _("Wrong code. Check the digits and try again."))
    code = sign_in_codes.waiting(key, now=now)
    if code is None:
        messages.error(request, _("This code no longer works. Ask for a new one."))
        return redirect(_with_next("ask-for-code", wanted))
    context = {"form": form, "login": code.login, "next": wanted}
    return render(request, "accounts/enter_mailed_code.html", context)


def _with_next(name: str, wanted: str) -> str:
    return f"{reverse(name)}?{urlencode({'next': wanted})}" if wanted else reverse(name)
