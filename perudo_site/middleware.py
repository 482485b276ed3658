"""What every answer of the site has in common: it is not stored, and in the person's language."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_cache_control

Answer = Callable[[HttpRequest], HttpResponse]


def never_stored(answer: Answer) -> Answer:
    """Pages show what one person may see now, so no cache on the way keeps a copy.

    Static files never come here: WhiteNoise answers them before.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        if "Cache-Control" not in response:
            patch_cache_control(response, private=True, no_store=True)
        return response

    return middleware


def in_the_persons_language(answer: Answer) -> Answer:
    """The language a signed-in person saved wins over the cookie and the browser's wish."""

    def middleware(request: HttpRequest) -> HttpResponse:
        language = getattr(request.user, "language", "")
        if language in dict(settings.LANGUAGES):
            translation.activate(language)
            request.LANGUAGE_CODE = language
        return answer(request)

    return middleware
