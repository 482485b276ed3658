"""The response to a request that is refused before it is processed; rendered once per language.

The language is that of the cookie or the browser, since the user is not known yet.
"""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from io import BytesIO
from typing import Any, Final

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils import translation
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

RETRY_AFTER_SECONDS: Final = 60
_STYLES: Final = ("site/reset.css", "site/tokens.css", "site/base.css", "site/forms.css")
# The entries of settings.MIDDLEWARE that only add headers, the same to every response.
_HEADERS: Final = (
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "perudo_site.middleware.no_store",
)


def messages(scope: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the ASGI messages of the response: a page, or only a notice for htmx."""
    is_htmx = (b"hx-request", b"true") in scope["headers"]
    return _messages(_language_of(scope), is_htmx, scope["method"] == "GET")


def _language_of(scope: dict[str, Any]) -> str:
    wanted = (b"cookie", b"accept-language")
    headers = [(name, value) for name, value in scope["headers"] if name in wanted]
    request = ASGIRequest({**scope, "headers": headers}, BytesIO())
    return translation.get_language_from_request(request)


@cache
def _messages(
    language: str, is_htmx: bool, is_get: bool
) -> tuple[dict[str, object], dict[str, object]]:
    with translation.override(language):
        body = (_notice() if is_htmx else _page()).encode()
    response = HttpResponse(body, status=HTTPStatus.TOO_MANY_REQUESTS)
    response["Content-Language"] = language
    response["Content-Length"] = str(len(body))
    response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    if is_htmx and is_get:
        # Keep the content that was to be updated: it is old, but better than a notice.
        response["HX-Reswap"] = "none"
    response = _with_headers(response)
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    return (
        {"type": "http.response.start", "status": response.status_code, "headers": headers},
        {"type": "http.response.body", "body": body},
    )


def _page() -> str:
    sheets = [static(each) for each in _STYLES]
    return render_to_string("429_early.html", {"sheets": sheets, "SITE_NAME": settings.SITE_NAME})


def _notice() -> str:
    sentence = _("Too many requests. Please wait a minute and try again.")
    return render_to_string("games/_notice.html", {"message": sentence, "tone": "error"})


def _with_headers(response: HttpResponse) -> HttpResponse:
    """Add the headers that the site's middleware adds to all responses."""

    def respond(request: HttpRequest) -> HttpResponse:
        return response

    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "scheme": "https"}
    # Pretend that it came by HTTPS, so that it is not redirected there.
    request = ASGIRequest({**scope, "headers": [(b"x-forwarded-proto", b"https")]}, BytesIO())
    for name in reversed(_HEADERS):
        respond = import_string(name)(respond)
    return respond(request)
