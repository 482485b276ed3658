"""One form to post, one socket to hear it on."""

from __future__ import annotations

from typing import Any

from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
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
    seen = int(request.POST["seen"])
    with transaction.atomic():
        if not Table.objects.filter(pk=seat.table_id, seq=seen).update(seq=F("seq") + 1):
            return HttpResponse("stale")
        done = {name: request.POST[name] for name in ("do", "quantity", "face")}
        Event.objects.create(table=seat.table, seq=seen + 1, data=done)
    message = {"type": "table.moved", "frame": frame(seen + 1)}
    async_to_sync(get_channel_layer().group_send)(f"table.{code}", message)
    return HttpResponse()


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
    """What is only forwarded has no business with the database's connections."""

    async def dispatch(self, message: dict[str, Any]) -> None:
        if message["type"] == "table.moved":
            await self.base_send({"type": "websocket.send", "text": message["frame"]})
        else:
            await super().dispatch(message)


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
