"""Your mistakes: the reader's own costly decisions as questions, three at a time.

The address contains the results of this time: a digit each, 1 for a right answer. Only the answers
are stored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from allauth.core import ratelimit
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.requests import SignedIn
from games import words
from games.core.numbers import whole_number
from games.models import LONGEST_CODE
from games.play import retry
from games.study.questions import guess_first
from games.study.questions import mistakes as own_mistakes
from games.study.questions.mistakes import Asked, Mistake
from games.study.replay import replay_page

_SAID: Final = re.compile(f"[01]{{0,{own_mistakes.AT_A_TIME}}}")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def mistakes(request: SignedIn) -> HttpResponse:
    """The next mistake as a question, the reply to an answer, or how many were right.

    An answer is posted and stored, and leads to its reply.
    """
    form = request.POST if request.method == "POST" else request.GET
    said = form.get("said", "")
    if not _SAID.fullmatch(said):
        raise Http404
    found = own_mistakes.of_person(request.user)
    if request.method == "POST":
        return _chosen(request, found, said)
    if "of" in form:
        return _told(request, found, said)
    waiting = own_mistakes.waiting(request.user, found, now=timezone.now())
    asks = len(said) < own_mistakes.AT_A_TIME
    asked = own_mistakes.first(waiting) if asks else None
    if asked is None:
        over = {"score": said.count("1"), "most": len(said), "has_more": bool(waiting) and not asks}
        return render(request, "games/mistakes.html", over)
    context = _context(asked, said) | {"number": len(said) + 1, "most": _most(said, waiting)}
    context |= guess_first.asked(asked.game, asked.guess)
    return render(request, "games/mistake.html", context)


def _chosen(request: SignedIn, found: list[Mistake], said: str) -> HttpResponse:
    """Store the posted choice and redirect to the reply."""
    asked, number = _choice(request.POST, found)
    if len(said) >= own_mistakes.AT_A_TIME:
        raise Http404
    if not ratelimit.consume(request, action="mistake_answer"):
        return ratelimit.respond_429(request)
    right = asked.guess.choices[number].is_right
    own_mistakes.answer(request.user, asked.mistake, right=right, now=timezone.now())
    told = {"said": f"{said}{right:d}", "of": asked.game.code}
    told |= {"at": str(asked.mistake.number), "choice": str(number)}
    return redirect(f"{reverse('games:mistakes')}?{urlencode(told)}")


def _told(request: SignedIn, found: list[Mistake], said: str) -> HttpResponse:
    """What the review says of the choice in the address, and what happened."""
    asked, number = _choice(request.GET, found)
    if not said:
        raise Http404
    game, at = asked.game, asked.mistake.number
    waiting = own_mistakes.waiting(request.user, found, now=timezone.now())
    tries = retry.is_offered(game, request.user)
    seat = asked.guess.decision.seat
    context = _context(asked, said) | {"number": len(said), "most": _most(said, waiting)}
    context |= guess_first.answered(game, asked.guess, number, seat, tries=tries)
    context |= {
        "tries": tries,
        "next": f"{reverse('games:mistakes')}?said={said}",
        "replay_url": replay_page.address(game, at),
        "review_url": f"{reverse('games:review', args=[game.code])}?at={at}",
    }
    return render(request, "games/mistake.html", context)


def _choice(form: Mapping[str, str], found: list[Mistake]) -> tuple[Asked, int]:
    """The mistake that a form or an address names, and the place of its choice. Raises Http404."""
    moment = whole_number(form.get("at"), digits=4)
    number = whole_number(form.get("choice"), digits=1)
    code = form.get("of", "")
    if moment is None or number is None or len(code) > LONGEST_CODE:
        raise Http404
    asked = own_mistakes.find(found, code, moment)
    if asked is None or number >= len(asked.guess.choices):
        raise Http404
    return asked, number


def _most(said: str, waiting: list[Mistake]) -> int:
    """How many questions there are this time."""
    return min(own_mistakes.AT_A_TIME, len(said) + len(waiting))


def _context(asked: Asked, said: str) -> dict[str, object]:
    return {
        "SITE_NAME": words.site_name(asked.game.kind_key),
        "code": asked.game.code,
        "at": asked.mistake.number,
        "said": said,
        "is_reader": True,
    }
