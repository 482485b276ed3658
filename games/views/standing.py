"""Standing tables: the page of the permanent link, joining, and the actions of owners."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any, cast

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.requests import SignedIn
from games import words
from games.contract import catalogue
from games.contract.pages import TableForm
from games.errors import Refused
from games.forms import named_kind
from games.lobby.game_list import games
from games.lobby.standing import ownership
from games.lobby.standing.standing_page import shown
from games.models import Game, StandingTable, TableSettings
from games.play import next_seats, standing_games
from games.views import guests, link_preview
from games.views.actions import changes_tables
from games.views.holder import holder
from games.views.lobby import may_open
from games.views.qr_code import qr_image
from games.views.signing_in import goes_on_after_signing_in, signs_in_first

form_page = require_http_methods(["GET", "HEAD", "POST"])


# --- for everybody who has the link ---------------------------------------------------------------


@require_safe
@never_cache
def standing(request: HttpRequest, word: str) -> HttpResponse:
    """The page of a standing table: who is there, who played last, and joining the next game."""
    table = ownership.find(word)
    return _nothing_there(request, word) if table is None else _page(request, table)


def _page(
    request: HttpRequest, table: StandingTable, *, refused_name: Mapping[str, Any] | None = None
) -> HttpResponse:
    address = _address(request, table)
    found = shown(table, request.user, now=timezone.now())
    context = found | {
        "address": address,
        "qr": qr_image(address),
        "refused_name": refused_name,
        "proposed_name": guests.proposal(request, found["game"]),
    }
    context |= link_preview.of_standing(table).context(request, standing=table)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused_name else HTTPStatus.OK
    return render(request, "games/standing.html", context, status=status)


def _address(request: HttpRequest, table: StandingTable) -> str:
    return request.build_absolute_uri(reverse("games:standing", args=[table.word]))


def _nothing_there(request: HttpRequest, word: str) -> HttpResponse:
    """The page of a link without a table: the link was renewed (410), or nobody has it (404)."""
    former = ownership.renewed(word)
    mine = former is not None and request.user.is_authenticated and former.owner == request.user
    context = {
        "owner": former and former.owner.shown_name,
        "new_link": former if mine else None,
    }
    status = HTTPStatus.NOT_FOUND if former is None else HTTPStatus.GONE
    return render(request, "games/standing_gone.html", context, status=status)


@changes_tables
@require_POST
def play(request: HttpRequest, word: str) -> HttpResponse:
    """Join the open game, or a new one; a visitor becomes a guest or signs in first.

    While a game is being played, this asks for a seat at the next one, and redirects to the running
    game, where the person waits.
    """
    table = ownership.find(word)
    if table is None:
        return _nothing_there(request, word)
    if not request.user.is_authenticated and "sign_in" in request.POST:
        return goes_on_after_signing_in(request, otherwise=reverse("games:standing", args=[word]))
    if not request.user.is_authenticated:
        waits = standing_games.current(table)
        is_open = waits is not None and waits.status == Game.Status.OPEN
        form = guests.form_of(request, waits if is_open else None)
        refused = guests.come_in(request, form)
        if refused is not None:
            return refused
        if form.errors:
            return _page(request, table, refused_name=guests.refused_name(request, form))
    try:
        game = _seated(request, table)
    except Refused as refused_seat:
        return _refuse(request, table, refused_seat)
    return redirect("games:table", game.code)


def _seated(request: HttpRequest, table: StandingTable) -> Game:
    """Join a game, or ask for a seat at the next one; returns the game whose page to show."""
    user, now = cast(User, request.user), timezone.now()
    game = standing_games.current(table)
    if game is None or game.status == Game.Status.FINISHED:
        may_open(request)
    try:
        knowingly = "knowingly" in request.POST
        return standing_games.join(
            table, user, holder=holder(request), now=now, knowingly=knowingly
        )
    except Refused as refused:
        game = standing_games.current(table)
        if refused.code != "table_plays" or game is None:
            raise
    if not ratelimit.consume(request, action="next_table"):
        raise Refused("too_many_rematches")
    next_seats.ask(game.code, user, holder=holder(request), now=now)
    return game


def _refuse(request: HttpRequest, table: StandingTable, refused: Refused) -> HttpResponse:
    messages.error(request, words.reason(refused.code, refused.details))
    return redirect("games:standing", table.word)


# --- for accounts ---------------------------------------------------------------------------------


@require_safe
@login_required
def mine(request: SignedIn) -> HttpResponse:
    """The standing tables of an account."""
    tables = [
        shown(table, request.user, now=timezone.now()) | {"address": _address(request, table)}
        for table in ownership.of(request.user)
    ]
    return render(
        request,
        "games/standing_mine.html",
        {"tables": tables, "full": len(tables) >= ownership.TABLES_EACH},
    )


@changes_tables
@form_page
@login_required
def keep(request: SignedIn) -> HttpResponse:
    """Create a standing table, with the settings of the table `from` or with others.

    A guest is sent to choose a password first, and comes back here.
    """
    if request.user.is_guest:
        query = urlencode({"next": request.get_full_path()})
        return redirect(f"{reverse('keep-account')}?{query}")
    given = request.POST.get("from") or request.GET.get("from")
    like = get_object_or_404(Game, code=given) if given else None
    if like and like.standing:
        return redirect("games:standing", like.standing.word)
    form = None if like else _rules_form(request)
    error = ""
    if request.method == "POST" and (like or (form is not None and form.is_valid())):
        try:
            _may_change(request)
            chosen = TableSettings.of(like) if like else cast(Any, form).table_settings()
            table = ownership.make(request.user, chosen, holder=holder(request), now=timezone.now())
            if like:
                standing_games.adopt(like, table, request.user, now=timezone.now())
            messages.success(request, _("The table is yours. Send its link to your group."))
            return redirect("games:standing", table.word)
        except Refused as refused:
            error = words.reason(refused.code, refused.details)
            if form is not None:
                form.add_error(None, error)
    failed = bool(error or (form is not None and form.errors))
    context: dict[str, object] = {"form": form, "games": games(), "error": error, "like": like}
    if like:
        kind = catalogue.of(like.kind_key)
        context |= {
            "game_name": kind.words.name(),
            "rules": kind.words.options(like),
            "pace": words.pace(like.turn_seconds),
        }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if failed else HTTPStatus.OK
    return render(request, "games/standing_keep.html", context, status=status)


def _owned(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass the standing table to a view for its owner; Http404 for everybody else."""

    @wraps(view)
    def found(request: SignedIn, word: str) -> HttpResponse:
        table = ownership.find(word)
        if table is None or table.owner_id != request.user.pk:
            raise Http404
        return view(request, table)

    return found


@changes_tables
@form_page
@login_required
@_owned
def rules(request: SignedIn, table: StandingTable) -> HttpResponse:
    """Change the rules of a standing table, from its next game on."""
    form = _rules_form(request, table)
    if request.method == "POST" and form.is_valid():
        try:
            _may_change(request)
            ownership.change(table, form.table_settings())
            messages.success(request, _("Rules saved. They apply from the next game."))
            return redirect("games:standing", table.word)
        except Refused as refused:
            form.add_error(None, words.reason(refused.code, refused.details))
    context = {"form": form, "games": games(), "standing": table}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "games/standing_keep.html", context, status=status)


@changes_tables
@require_POST
@signs_in_first("games:standing-mine")
@_owned
def renew(request: SignedIn, table: StandingTable) -> HttpResponse:
    """Give a standing table another link."""
    try:
        _may_change(request)
        ownership.renew(table)
    except Refused as refused:
        return _refuse(request, table, refused)
    messages.success(request, _("The table has a new link. The old one doesn't work anymore."))
    return redirect("games:standing", table.word)


@changes_tables
@require_POST
@signs_in_first("games:standing-mine")
@_owned
def delete(request: SignedIn, table: StandingTable) -> HttpResponse:
    """Delete a standing table; its games stay."""
    ownership.remove(table)
    messages.success(request, _("The standing table was deleted."))
    return redirect("games:standing-mine")


def _may_change(request: HttpRequest) -> None:
    if not ratelimit.consume(request, action="standing"):
        raise Refused("too_many_changes")


def _rules_form(request: HttpRequest, table: StandingTable | None = None) -> TableForm:
    """The form of the game in the request, or else of the table's game, or else of the default."""
    if request.method == "POST":
        try:
            kind = named_kind(request.POST)
        except KeyError:
            kind = catalogue.default()
        return kind.forms.NEW_TABLE(request.POST)
    kept = table and standing_games.settings_of(table)
    key = request.GET.get("game") or (kept.kind_key if kept else "")
    try:
        kind = named_kind({"game": key})
    except KeyError as unknown:
        raise Http404 from unknown
    form = kind.forms.NEW_TABLE(initial={"game": kind.key, "visibility": Game.Visibility.LINK})
    if kept and kept.kind_key == kind.key:
        form.show(kept)
    return form
