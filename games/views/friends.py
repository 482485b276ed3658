"""Friends: their page, friend requests and answers, and the link that makes friends at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, cast

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import names
from accounts.models import User
from accounts.requests import SignedIn
from accounts.views import where_next
from games import words
from games.contract import catalogue
from games.errors import Refused
from games.models import Game
from games.play import before_start
from games.social.friends import invitation_list, invitations, presence, ties
from games.store import queries
from games.table import own_part
from games.table.common import seats_of
from games.views.actions import changes_tables, is_htmx, whole_page
from games.views.holder import holder
from games.views.lobby import may_open
from games.views.qr_code import qr_image
from games.views.signing_in import goes_on_after_signing_in

_RECENT: Final = 8
_SEATS: Final = 6  # the size of a table that is opened to invite somebody


@require_safe
@login_required
def friends(request: SignedIn) -> HttpResponse:
    """The page of friends: requests, friends, one's own link, and ways to find people: by their
    exact name, and recent opponents. For htmx with a `table`, the list of friends to invite there.
    """
    if is_htmx(request) and "table" in request.GET:
        return _whom_to_invite(request)
    me, wanted = request.user, request.GET.get("name", "").strip()[: names.LONGEST_TYPED]
    found = User.named(wanted) if wanted else None
    if found is not None and not found.is_active:
        found = None
    context: dict[str, object] = {
        "asking": ties.who_asks(me),
        "friends": _with_presence(me, list(ties.friends_of(me))),
        "asked": ties.whom_asked(me),
        "recent": ties.recent_opponents(me, most=_RECENT),
        "wanted": wanted,
        "found": found,
        "relation": None if found is None else ties.relation(me, found),
    }
    if word := ties.link_of(me):
        address = request.build_absolute_uri(reverse("games:friend-link", args=[word]))
        context |= {"link": address, "qr": qr_image(address)}
    return render(request, "friends/friends.html", context)


def _whom_to_invite(request: SignedIn) -> HttpResponse:
    game = get_object_or_404(Game, code=request.GET["table"])
    context = invitation_list.context(request.user, game, now=timezone.now())
    if not context:
        raise Http404
    return render(request, "friends/_to_invite.html", context)


def _with_presence(me: User, people: list[User]) -> list[tuple[User, bool]]:
    """Each person with whether they are here now, those who are here first."""
    here = presence.here([each.pk for each in people], to=me, now=timezone.now())
    return sorted(((each, each.pk in here) for each in people), key=lambda pair: not pair[1])


@changes_tables
@require_POST
def act(request: HttpRequest) -> HttpResponse:
    """Ask, accept, decline, remove or invite the person `whom`, or renew the link, as the field
    `do` says. Redirects to the page `next`, or to that of friends.

    At the table with the code `game`, the button is named `ask` or `invite`, and its value is the
    person's name.
    """
    if not request.user.is_authenticated:
        signs_in = goes_on_after_signing_in(request, otherwise=reverse("games:friends"))
        return whole_page(request, signs_in)
    back = where_next(request, otherwise=reverse("games:friends"))
    return _done(request, back, lambda me: _chosen(request, me, back))


def _done(request: HttpRequest, back: str, do: Callable[[User], tuple[str, str]]) -> HttpResponse:
    """Call `do`, which returns a sentence and a path, and show the sentence on the page at the
    path; or the reason of a refusal on the page `back`. For htmx, either is shown beside the
    button. A guest is sent to choose a password first, and comes back then.
    """
    me = cast(User, request.user)
    if me.is_guest:
        messages.info(request, words.reason("guests_have_none"))
        keep = redirect(f"{reverse('keep-account')}?{urlencode({'next': back})}")
        return whole_page(request, keep)
    if not ratelimit.consume(request, action="friend"):
        return ratelimit.respond_429(request)
    try:
        sentence, path = do(me)
    except Refused as refused:
        why = words.reason(refused.code, refused.details)
        if is_htmx(request):
            return _said(request, me, why, tone="error")
        messages.error(request, why)
        return redirect(back)
    if is_htmx(request):
        return _said(request, me, sentence)
    messages.success(request, sentence)
    return redirect(path)


def _said(request: HttpRequest, me: User, sentence: str, *, tone: str = "") -> HttpResponse:
    """A sentence to show beside the button, with the updated list."""
    game = Game.objects.filter(code=request.POST.get("game", "")).first()
    context = {"message": sentence, "tone": tone, "swapped": True}
    if game is not None and game.status == Game.Status.FINISHED:
        context["strangers"] = own_part.strangers(game, seats_of(game), me)
    elif game is not None:
        context |= invitation_list.context(me, game, now=timezone.now())
    return render(request, "friends/_said.html", context)


def _whom(request: HttpRequest, do: str | None) -> User:
    whom = User.named(request.POST.get("whom") or request.POST.get(do or "", ""))
    if whom is None:
        raise Http404
    return whom


def _chosen(request: HttpRequest, me: User, back: str) -> tuple[str, str]:
    """Do what the field `do` says; returns a sentence about it, and the path to go to."""
    buttons = (each for each in ("ask", "invite") if each in request.POST)
    do, now = request.POST.get("do") or next(buttons, None), timezone.now()
    if do == "renew":
        return _renewed(me), back
    whom = _whom(request, do)
    match do:
        case "ask":
            return _answer_to(ties.ask(me, whom, now=now), whom), back
        case "accept":
            return _answer_to(ties.accept(me, whom, now=now), whom), back
        case "decline":
            ties.decline(me, whom, now=now)
            return _("Declined. They aren't told."), back
        case "remove":
            ties.remove(me, whom)
            return _("Done. They aren't told."), back
        case "invite":
            return _invited(request, me, whom)
    raise BadRequest


def _renewed(me: User) -> str:
    had_one = ties.link_of(me)
    ties.renew_link(me)
    if had_one:
        return _("Your link has changed. The old one no longer works.")
    return _("Here's your link. Send it to friends.")


def _answer_to(relation: ties.Relation, other: User) -> str:
    """The new relation to a person after asking or accepting, as a sentence."""
    form = _("%(name)s has been asked.")
    if relation == "friends":
        form = _("You and %(name)s are friends.")
    return form % {"name": other.shown_name}


def _invited(request: HttpRequest, me: User, friend: User) -> tuple[str, str]:
    """Invite a friend to the open table one sits at, or to a new private one."""
    now = timezone.now()
    if not ties.are_friends(me, friend):
        raise Refused("not_friends")
    game = _table_of(request, me)
    if game is None:
        may_open(request)
        kind_key = catalogue.default().key
        usual = before_start.quick_settings(kind_key, bots=_SEATS - 1)
        chosen = replace(usual, chat=True, visibility=Game.Visibility.LINK)
        game = before_start.open_game(me, chosen, holder=holder(request), now=now)
    invitations.invite(me, friend, game, now=now)
    sentence = _("%(name)s has been invited. As soon as they are here, you can start.")
    return sentence % {"name": friend.shown_name}, reverse("games:table", args=[game.code])


def _table_of(request: HttpRequest, me: User) -> Game | None:
    """The table `game` of the request, or else the open table of `me`. Refused: `not_seated`."""
    if "game" not in request.POST:
        return invitations.open_table_of(me)
    game = get_object_or_404(Game, code=request.POST["game"])
    if queries.seat_of(game, me) is None:
        raise Refused("not_seated")
    return game


@require_http_methods(["GET", "HEAD", "POST"])
def link(request: HttpRequest, word: str) -> HttpResponse:
    """The page of a friend link; a POST makes its reader a friend of the owner."""
    owner = ties.owner_of(word)
    if owner is None:
        return render(request, "friends/no_link.html", status=404)
    here = reverse("games:friend-link", args=[word])
    if request.method == "POST":
        if not request.user.is_authenticated:
            return goes_on_after_signing_in(request, otherwise=here)
        return _done(request, here, lambda me: _followed(me, owner))
    context: dict[str, object] = {"owner": owner, "here": here}
    if request.user.is_authenticated:
        context["relation"] = ties.relation(request.user, owner)
    return render(request, "friends/link.html", context)


def _followed(me: User, owner: User) -> tuple[str, str]:
    relation = ties.follow(me, owner, now=timezone.now())
    return _answer_to(relation, owner), reverse("games:friends")
