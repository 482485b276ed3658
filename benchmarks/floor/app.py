"""One form to post, one socket to hear it on; the tuned floor also takes moves by the socket."""

from __future__ import annotations

import json
from typing import Any

from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404
from django.urls import path
from django.views.decorators.http import require_POST

from benchmarks.floor.models import Event, Seat, Table

PAGE = """<!doctype html><title>Floor</title><link rel="icon" href="data:,">{frame}
<button value="bid">Move</button>
<script>
const own = () => document.querySelector("#own");
const turn = () => own().classList.toggle("is-turn", own().dataset.seq % 2 === {number});
const socket = new WebSocket("ws://" + location.host + "/ws" + location.pathname);
socket.onmessage = (event) => {{ own().outerHTML = event.data; turn(); }};
turn();
document.querySelector("button").onclick = () => fetch(location.pathname + "/move", {{
  method: "POST",
  headers: {{ "X-CSRFToken": "{token}" }},
  body: new URLSearchParams({{ do: "bid", quantity: 3, face: 5, seen: own().dataset.seq }}),
}});
</script>"""


def frame(seq: int) -> str:
    """As many bytes as a frame of the site's, with the number where the site has it."""
    opening = f'<section id="own" data-seq="{seq}">'
    return opening + "." * (settings.FRAME_BYTES - len(opening) - 10) + "</section>"


def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok")


def page(request: HttpRequest, code: str) -> HttpResponse:
    """A button and what the socket shows, for two who take turns."""
    table = get_object_or_404(Table, code=code)
    number = Seat.objects.get(table=table, user_id=request.user.pk).number
    return HttpResponse(
        PAGE.format(frame=frame(table.seq), token=get_token(request), number=number)
    )


@require_POST
def move(request: HttpRequest, code: str) -> HttpResponse:
    """Who sits here has seen the table at `seen` and puts it one further; all screens are told."""
    if not request.user.is_authenticated:
        return HttpResponse(status=403)
    seat = get_object_or_404(
        Seat.objects.select_related("table"), table__code=code, user=request.user
    )
    seq = stored(seat, request.POST)
    if seq is None:
        return HttpResponse("stale")
    async_to_sync(get_channel_layer().group_send)(f"table.{code}", moved(seq))
    return HttpResponse()


def stored(seat: Seat, form: QueryDict) -> int | None:
    """The number of a move that has just been made; None: it was not up to date."""
    seen = int(form["seen"])
    with transaction.atomic():
        if not Table.objects.filter(pk=seat.table_id, seq=seen).update(seq=F("seq") + 1):
            return None
        done = {name: form[name] for name in ("do", "quantity", "face")}
        Event.objects.create(table_id=seat.table_id, seq=seen + 1, data=done)
    return seen + 1


def moved(seq: int) -> dict[str, Any]:
    """What all screens are told."""
    return {"type": "table.moved", "frame": frame(seq)}


class Screen(AsyncWebsocketConsumer):
    """Shows how the table stands, then forwards every frame."""

    async def connect(self) -> None:
        self.code = self.scope["url_route"]["kwargs"]["code"]
        await self.channel_layer.group_add(f"table.{self.code}", self.channel_name)
        await self.accept()
        await self.send(text_data=frame(await self._stands_at()))

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(f"table.{self.code}", self.channel_name)

    async def table_moved(self, message: dict[str, Any]) -> None:
        await self.send(text_data=message["frame"])

    @database_sync_to_async
    def _stands_at(self) -> int:
        return Table.objects.values_list("seq", flat=True).get(code=self.code)


class LeanScreen(Screen):
    """What is only forwarded has no business with the database's connections.

    Moves may come over the socket: who sits here was found out when it opened.
    """

    async def dispatch(self, message: dict[str, Any]) -> None:
        if message["type"] == "table.moved":
            await self.base_send({"type": "websocket.send", "text": message["frame"]})
        elif message["type"] == "websocket.receive":
            await self.move(QueryDict(message["text"].removeprefix("move ")))
        else:
            await super().dispatch(message)

    async def move(self, form: QueryDict) -> None:
        seq = await self._stored(form)
        if seq is not None:
            await self.channel_layer.group_send(f"table.{self.code}", moved(seq))
        answer = json.dumps({"n": int(form["n"]), "seq": seq})
        await self.base_send({"type": "websocket.send", "text": answer})

    @database_sync_to_async
    def _stored(self, form: QueryDict) -> int | None:
        if not hasattr(self, "seat"):
            self.seat = Seat.objects.get(table__code=self.code, user_id=self.scope["user"].pk)
        return stored(self.seat, form)


class Idle(AsyncWebsocketConsumer):
    """A page that is told nothing: a member of a group of its own (benchmarks/idle_people.py)."""

    async def connect(self) -> None:
        self.group = f"person.{self.scope['url_route']['kwargs']['number']}"
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()
        await self.send(text_data="welcome")

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(self.group, self.channel_name)


urlpatterns = [
    path("healthz", healthz),
    path("games/<slug:code>", page),
    path("games/<slug:code>/move", move),
]
sockets = [
    path("ws/games/<slug:code>", (LeanScreen if settings.TUNED else Screen).as_asgi()),
    path("ws/idle/<int:number>", Idle.as_asgi()),
]
