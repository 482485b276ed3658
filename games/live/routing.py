"""The WebSocket URLs."""

from __future__ import annotations

from django.urls import path

from games.live.consumers import BoardConsumer, GameConsumer
from games.live.lobby_consumer import LobbyConsumer
from games.live.person_consumer import PersonConsumer

websocket_urlpatterns = [
    path("ws/games/<slug:code>", GameConsumer.as_asgi()),
    path("ws/games/<slug:code>/board", BoardConsumer.as_asgi()),
    path("ws/lobby", LobbyConsumer.as_asgi()),
    path("ws/person", PersonConsumer.as_asgi()),
]
