"""The URLs of the games."""

from __future__ import annotations

from django.urls import path

from games.views import chat, learn, lobby, players, replay, table

app_name = "games"

urlpatterns = [
    path("", lobby.home, name="home"),
    path("rules", learn.rules, name="rules"),
    path("rules/<slug:game_key>", learn.rules_of, name="rules-of"),
    path("learn", learn.learn, name="learn"),
    # The addresses of the tutorial when there was one game.
    path("learn/<int:step>", learn.moved, name="old-learn-step"),
    path("learn/finished", learn.moved, name="old-learn-finished"),
    path("learn/<slug:game_key>", learn.learn_of, name="learn-of"),
    path("learn/<slug:game_key>/<int:step>", learn.step, name="learn-step"),
    path("learn/<slug:game_key>/finished", learn.finished, name="learn-finished"),
    path("games/new", lobby.new, name="new"),
    path("games/<slug:code>", table.table, name="table"),
    path("games/<slug:code>/rounds", table.rounds, name="rounds"),
    path("games/<slug:code>/move", table.move, name="move"),
    path("games/<slug:code>/back", table.back, name="back"),
    path("games/<slug:code>/skip", table.skip, name="skip"),
    path("games/<slug:code>/new-game", table.new_game, name="new-game"),
    path("games/<slug:code>/sit", table.sit, name="sit"),
    path("games/<slug:code>/stand", table.stand, name="stand"),
    path("games/<slug:code>/start", table.start, name="start"),
    path("games/<slug:code>/close", table.close, name="close"),
    path("games/<slug:code>/add-bot", table.add_bot, name="add-bot"),
    path("games/<slug:code>/remove", table.remove, name="remove"),
    path("games/<slug:code>/rematch", table.rematch, name="rematch"),
    path("games/<slug:code>/say", chat.say, name="say"),
    path("games/<slug:code>/chat", chat.chat, name="chat"),
    path("games/<slug:code>/sayings/<int:number>", chat.saying, name="saying"),
    path("games/<slug:code>/replay", replay.replay, name="replay"),
    path("games/<slug:code>/replay/<int:moment>", replay.replay, name="moment"),
    path("games/<slug:code>/record.txt", replay.record_text, name="record-text"),
    path("games/<slug:code>/record.json", replay.record_json, name="record-json"),
    path("players/<str:username>", players.profile, name="profile"),
    path("players/<str:username>/company", chat.person, name="person"),
    path("muted", chat.muted, name="muted"),
    path("reports", chat.reports, name="reports"),
]
