"""A small world to throw things at: people, and tables in every state, kept alive."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from urllib.parse import quote

from django.test import Client
from django.utils import timezone

from accounts import lifecycle
from accounts.models import User
from games.errors import Refused
from games.models import ChatMessage, Game, TableSettings
from games.perudo.rules import KEY
from games.perudo.rules.options import SITE_OPTIONS, SITE_PRESET
from games.play import before_start, commands
from games.store import event_log
from tests.security.addresses import patterns
from tests.security.fuzz.forms import Form, Forms
from tests.security.fuzz.inputs import NASTY
from tests.support.fast_games import finished_game, running_game, seeded
from tests.support.fixtures import PASSWORD

_names = count(1)
_CONVERTER = re.compile(r"<(?:(\w+):)?(\w+)>|\(\?P<(\w+)>[^)]*\)")


class World:
    """People at tables. `renew` makes good what was closed, left, deleted or signed out."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.renew()

    def renew(self) -> None:
        """New people at new tables; what is there from before stays."""
        now = timezone.now()
        dora = User.objects.create_user(f"Dora{next(_names)}", password=PASSWORD)
        emil = User.objects.create_user(f"Emil{next(_names)}", password=PASSWORD)
        clerk = User.objects.create_user(f"Clerk{next(_names)}", password=PASSWORD, is_staff=True)
        fay, guest = lifecycle.guest(), lifecycle.guest()
        self.people = [dora, emil, fay, guest, clerk]
        self.clients = [self._signed_in(one) for one in self.people] + [self._client()]
        self.seed += 1
        self.running = running_game(dora, emil, fay, seed=self.seed, now=now)
        over = finished_game(dora, "sharp", seed=self.seed)
        room = before_start.open_game(
            emil,
            TableSettings(
                kind_key=KEY,
                preset=SITE_PRESET,
                options=SITE_OPTIONS.to_json(),
                size=4,
                turn_seconds=None,
            ),
            now=now,
        )
        before_start.sit(room.code, guest, now=now)
        said = ChatMessage.objects.create(game=self.running, by=dora, phrase="", text="hm", at=now)
        self.codes = [self.running.code, over.code, room.code]
        self.samples: dict[str, list[str]] = {
            "code": [*self.codes, *self.codes, "nosuchtable", "x" * 300],
            "username": [dora.username, fay.username, "nobody", "deleted-1", *NASTY],
            "number": [str(said.pk), "0", "9" * 40, str(2**63), str(2**64)],
            "moment": ["1", "5", "0", "999", "9" * 40],
            "step": ["1", "10", "11", "0", "9" * 40],
            "object_id": ["1", "x", "_5F", "9" * 40],
            "uidb36": ["1", "zzz", "z" * 50],
            "key": ["a-b", "set-password", "\x00"],
            "kind_key": ["perudo", "none", "x" * 300],
            "app_label": ["games", "x"],
            "content_type_id": ["1", "9" * 40],
            "url": ["x", "\x00"],
        }
        ours = sorted(self._addresses())
        admin = [one for one in ours if one.startswith("/admin/")]
        # The admin has most of the addresses; it gets its share and no more.
        self.addresses = [one for one in ours if one not in admin] * 3 + admin

    def let_in(self, who: int) -> None:
        """Who was signed out comes back; the last one is nobody, and who came in goes out."""
        client = self.clients[who]
        if who == len(self.people):
            client.cookies.clear()
        elif "_auth_user_id" not in client.session:
            person = self.people[who]
            if not User.objects.filter(pk=person.pk, is_active=True).exists():
                person = self.people[who] = lifecycle.guest()
            client.force_login(person)

    def _client(self) -> Client:
        return Client(raise_request_exception=False)

    def _signed_in(self, person: User) -> Client:
        client = self._client()
        client.force_login(person)
        return client

    def _addresses(self) -> Iterator[str]:
        for route, _ in patterns():
            for turn in range(4):

                def sample(found: re.Match[str], turn: int = turn) -> str:
                    values = self.samples.get(found[2] or found[3], ["1"])
                    chosen = values[(turn * 7 + self.seed) % len(values)]
                    return quote(chosen.encode("utf-8", "surrogatepass"), safe="")

                plain = _CONVERTER.sub(sample, route).replace("^", "").replace("$", "")
                yield "/" + plain.replace("\\Z", "").replace("\\", "")

    def forms(self) -> list[Form]:
        """The forms of every page that somebody sees now."""
        found: list[Form] = []
        pages = [
            "/",
            "/games/new",
            "/account/",
            "/account/email",
            "/account/delete",
            "/learn/perudo/3",
        ]
        pages += ["/account/login/", "/account/signup/", "/account/keep", "/muted"]
        pages += ["/account/password/change/", "/account/password/reset/", "/account/code/"]
        pages += [f"/games/{code}" for code in self.codes]
        pages += [f"/players/{self.people[0].username}/mute"]
        for who, client in enumerate(self.clients):
            for page in pages:
                answer = client.get(page)
                if answer.status_code == 200:
                    found += self._forms_of(answer.content.decode(), page, who)
        return found

    def table_forms(self) -> list[Form]:
        """The forms at the running table, as the player on turn sees them now."""
        page = f"/games/{self.running.code}"
        state = event_log.public_state(Game.objects.get(pk=self.running.pk))
        who = state.turn if state.turn is not None else self.seed % 3
        html = self.clients[who].get(page).content.decode()
        return [form for form in self._forms_of(html, page, who) if page in form.action]

    def _forms_of(self, html: str, page: str, who: int) -> list[Form]:
        forms: dict[tuple[str, str], Form] = {}
        for form in Forms(html).found:
            form.action, form.whose = form.action or page, who
            # Of many buttons that go the same way, such as phrases, two are enough.
            forms.setdefault((form.action, ""), form)
            forms[form.action, "last"] = form
        return list(forms.values())

    def strike(self) -> None:
        """The clock does whatever is due at the running table; after a game there is another."""
        game = Game.objects.get(pk=self.running.pk)
        if game.status == Game.Status.PLAYING:
            if game.due_at is not None:
                commands.play_due(game.code, now=game.due_at, chance=seeded(self.seed))
        elif all(User.objects.filter(pk=one.pk, is_active=True) for one in self.people[:3]):
            self.seed += 1
            with suppress(Refused):  # the limit of open tables may have been reached
                self.running = running_game(*self.people[:3], seed=self.seed, now=timezone.now())
            self.codes[0] = self.running.code
