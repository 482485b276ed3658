"""The URLs of the games."""

from __future__ import annotations

from django.urls import include, path

from games.table import at_a_table
from games.views import (
    board,
    cards,
    chat,
    daily,
    find_people,
    friends,
    guess,
    inbox,
    invitations,
    learn,
    lobby,
    matching,
    meeting,
    mistakes,
    notifications,
    players,
    questions,
    replay,
    retry,
    review,
    standing,
    table,
    training,
)
from games.views.actions import posts
from games.views.old_addresses import moved_to

app_name = "games"

# Such a link is all that its page needs, so nobody must guess it: the site limits POSTs here.
standing_tables = path(
    "t/",
    include(
        [
            path("new", standing.keep, name="standing-keep"),
            path("<slug:word>", standing.standing, name="standing"),
            path("<slug:word>/play", standing.play, name="standing-play"),
            path("<slug:word>/rules", standing.rules, name="standing-rules"),
            path("<slug:word>/renew", standing.renew, name="standing-renew"),
            path("<slug:word>/delete", standing.delete, name="standing-delete"),
        ]
    ),
)

urlpatterns = [
    path("", lobby.home, name="home"),
    path("rules", learn.rules, name="rules"),
    path("rules/<slug:kind_key>", learn.rules_of, name="rules-of"),
    path("learn", learn.learn, name="learn"),
    # The URLs of the tutorial from when the site had only one game.
    path("learn/<int:step>", learn.moved, name="old-learn-step"),
    path("learn/finished", learn.moved, name="old-learn-finished"),
    path("learn/<slug:kind_key>", learn.learn_of, name="learn-of"),
    path("learn/<slug:kind_key>/<int:step>", learn.step, name="learn-step"),
    path("learn/<slug:kind_key>/finished", learn.finished, name="learn-finished"),
    path("learn/<slug:kind_key>/odds", training.start, name="odds"),
    path("learn/<slug:kind_key>/odds/<int:seed>", training.questions, name="odds-set"),
    path("bots", lobby.bots, name="bots"),
    path("play-now", lobby.play_now, name="play-now"),
    path("play", matching.play, name="play"),
    path("play/answer", matching.answer, name="play-answer"),
    path("games/new", lobby.new, name="new"),
    path("games/best", players.best, name="best"),
    path("games/mistakes", mistakes.mistakes, name="mistakes"),
    path("games/<slug:code>", table.table, name="table"),
    path("games/<slug:code>/board", board.board, name="board"),
    path("games/<slug:code>/rounds", table.rounds, name="rounds"),
    path("games/<slug:code>/move", posts(at_a_table.MOVE), name="move"),
    path("games/<slug:code>/back", posts(at_a_table.BACK), name="back"),
    path("games/<slug:code>/skip", posts(at_a_table.SKIP), name="skip"),
    path("games/<slug:code>/new-game", posts(at_a_table.NEW_GAME), name="new-game"),
    path("games/<slug:code>/sit", posts(at_a_table.SIT), name="sit"),
    path("games/<slug:code>/sit-as-guest", invitations.sit_as_guest, name="sit-as-guest"),
    path("games/<slug:code>/name", invitations.rename_guest, name="rename-guest"),
    path("games/<slug:code>/stand", posts(at_a_table.STAND), name="stand"),
    path("games/<slug:code>/start", posts(at_a_table.START), name="start"),
    path("games/<slug:code>/close", posts(at_a_table.CLOSE), name="close"),
    path("games/<slug:code>/add-bot", posts(at_a_table.ADD_BOT), name="add-bot"),
    path("games/<slug:code>/remove", posts(at_a_table.REMOVE), name="remove"),
    path("games/<slug:code>/rematch", posts(at_a_table.REMATCH), name="rematch"),
    path("games/<slug:code>/next", invitations.next_as_guest, name="next"),
    path("games/<slug:code>/not-next", posts(at_a_table.NOT_NEXT), name="not-next"),
    path("games/<slug:code>/play-on", posts(at_a_table.PLAY_ON), name="play-on"),
    path("games/<slug:code>/end-here", posts(at_a_table.END_HERE), name="end-here"),
    path("games/<slug:code>/find-people", find_people.find_people, name="find-people"),
    path("games/<slug:code>/say", chat.say, name="say"),
    path("games/<slug:code>/chat", posts(at_a_table.CHAT), name="chat"),
    path("games/<slug:code>/messages/<int:number>", chat.message, name="message"),
    path("games/<slug:code>/replay", replay.replay, name="replay"),
    path("games/<slug:code>/replay/<int:moment>", replay.replay, name="moment"),
    path("games/<slug:code>/replay/<int:seq>/from/<int:first>", replay.moments, name="moments"),
    path("games/<slug:code>/replay/review", review.review, name="review"),
    path("games/<slug:code>/replay/guess", guess.guess, name="guess"),
    path("games/<slug:code>/replay/review/<int:seat>/<slug:sign>", cards.card, name="card"),
    path("games/<slug:code>/replay/<int:moment>/try", retry.try_again, name="try-again"),
    path("games/<slug:code>/ask", questions.ask, name="ask"),
    path("games/<slug:code>/record.txt", replay.record_text, name="record-text"),
    path("games/<slug:code>/record.json", replay.record_json, name="record-json"),
    path("q/<slug:asked>", questions.question, name="question"),
    path("daily", daily.today, name="daily"),
    path("daily/archive", daily.archive, name="days"),
    path("daily/agree", daily.agree, name="daily-agree"),
    path("daily/<slug:day>", daily.of_day, name="day"),
    path("friends", friends.friends, name="friends"),
    path("friends/act", friends.act, name="friend-act"),
    path("f/<slug:word>", friends.link, name="friend-link"),
    path("meeting.ics", meeting.remind, name="meeting"),
    path("t", standing.mine, name="standing-mine"),
    standing_tables,
    path("players/<str:username>", players.profile, name="profile"),
    path("players/<str:username>/mute", chat.person, name="person"),
    path("inbox", inbox.inbox, name="inbox"),
    path("inbox/read", inbox.mark_read, name="inbox-read"),
    path("notifications", notifications.notifications, name="notifications"),
    path("notifications/browser", notifications.browser, name="push-browser"),
    path("muted", chat.muted, name="muted"),
    path("reports", chat.reports, name="reports"),
    # Redirects from former URLs.
    path("games/<slug:code>/sayings/<int:number>", moved_to("games:message"), name="old-message"),
    path("players/<str:username>/company", moved_to("games:person"), name="old-person"),
]
