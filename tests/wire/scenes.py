"""Positions of a real table, reached by playing, in which somebody can do something wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.games.perudo.robot import Controls
from tests.live import LiveSite
from tests.wire import autopilot
from tests.wire.deployments import Deployment
from tests.wire.people import Person, take_seats, wait_until

Come = Callable[..., Person]


@dataclass
class Scene:
    """A table and who is who there: `speaker`, `next`, `last` by turn; `host`, `guest`, …"""

    deployment: Deployment
    code: str
    cast: dict[str, Person] = field(default_factory=dict)

    def turns(self, people: list[Person]) -> Scene:
        """Names the people by turn, the seat on turn first."""

        def all_see_one_table() -> bool:
            [seq] = self.deployment.ledger.game(self.code, "seq")
            views = [one.sees(self.code) for one in people]
            return all(view.seq == seq for view in views) and any(view.my_turn for view in views)

        wait_until(all_see_one_table, "somebody's turn on every screen")
        first = next(place for place, one in enumerate(people) if one.sees(self.code).my_turn)
        self.cast |= dict(
            zip(("speaker", "next", "last"), people[first:] + people[:first], strict=False)
        )
        return self

    def bids(self, quantity: int, face: int) -> Scene:
        """The seat on turn bids, and the turn goes on."""
        assert self.cast["speaker"].move(self.code, "bid", quantity=quantity, face=face) == ""
        people = [self.cast[name] for name in ("speaker", "next", "last") if name in self.cast]
        return self.turns(people)


def three(deployment: Deployment, come: Come, **settings: object) -> Scene:
    """A running table of three, with an outsider who only knows the address."""
    site: LiveSite = deployment.site
    people = [come(site), come(site), come(site)]
    code = take_seats(people, **settings)
    outsider = come(site).look_at(code)
    for person in people:
        person.look_at(code)
    assert people[0].action(code, "start") == ""
    return Scene(deployment, code, {"outsider": outsider}).turns(people)


def lose_dice(scene: Scene, *, until: Callable[[], bool]) -> Scene:
    """The one to speak now, called `loser` from here on, loses round after round."""
    people = [scene.cast[name] for name in ("speaker", "next", "last")]
    loser = scene.cast["loser"] = scene.cast["speaker"]
    seat = loser.sees(scene.code).seat
    assert seat is not None
    autopilot.play(
        scene.code,
        people,
        until=until,
        choose=autopilot.losing(seat),
        rng=autopilot.seeded(0),
    )
    return scene


# --- the positions -------------------------------------------------------------------------------


def opening(deployment: Deployment, come: Come) -> Scene:
    """Nobody has bid; no calza at this table."""
    return three(deployment, come)


def raised(deployment: Deployment, come: Come) -> Scene:
    """The last bid is four fours, and calza is open to all but the bidder."""
    return three(deployment, come, calza="on").bids(4, 4)


def pacos(deployment: Deployment, come: Come) -> Scene:
    """Four fours, then two pacos."""
    return three(deployment, come).bids(4, 4).bids(2, 1)


def italian(deployment: Deployment, come: Come) -> Scene:
    """Calza for all but the bidder and the player on turn."""
    return three(deployment, come, preset="asmodee_it", calza="on").bids(1, 4)


def own_turn(deployment: Deployment, come: Come) -> Scene:
    """Calza only for the player on turn."""
    return three(deployment, come, preset="web_fr", calza="on", starter="random").bids(1, 4)


def unhurt(deployment: Deployment, come: Come) -> Scene:
    """Calza only for those who have lost a die, and nobody has."""
    return three(deployment, come, calza="on", calza_needs_lost_die="true").bids(1, 4)


def cups_up(deployment: Deployment, come: Come) -> Scene:
    """Dudo was said, and one has looked already: `next`."""
    scene = three(deployment, come, calza="on").bids(2, 4)
    people = [scene.cast[name] for name in ("speaker", "next", "last")]
    assert people[0].move(scene.code, "dudo") == ""
    wait_until(lambda: all(one.sees(scene.code).must_confirm for one in people), "the reveal")
    assert people[1].move(scene.code, "confirm") == ""
    return scene


def palifico(deployment: Deployment, come: Come) -> Scene:
    """A palifico round, opened with two threes; no calza in it."""
    scene = three(deployment, come, preset="asmodee_it", calza="on")
    loser = scene.cast["speaker"]
    lose_dice(
        scene,
        until=lambda: (
            loser.sees(scene.code).my_turn and len(Controls.of(loser.sees(scene.code)).hand) == 1
        ),
    )
    return scene.turns([scene.cast[name] for name in ("speaker", "next", "last")]).bids(2, 3)


def two_left(deployment: Deployment, come: Come) -> Scene:
    """The `loser` is out, two are left, and one of them has bid."""
    scene = three(deployment, come, preset="asmodee_it", calza="on")
    others = [scene.cast["next"], scene.cast["last"]]

    def he_is_out() -> bool:
        views = [one.sees(scene.code) for one in others]
        return any(view.my_turn and "is-out" in view.html for view in views)

    lose_dice(scene, until=he_is_out)
    scene.cast = {"loser": scene.cast["loser"]}
    return scene.turns(others).bids(1, 3)


def left(deployment: Deployment, come: Come) -> Scene:
    """`last` has left the game."""
    scene = three(deployment, come)
    assert scene.cast["last"].move(scene.code, "leave") == ""
    return scene


def over(deployment: Deployment, come: Come) -> Scene:
    """Everybody but `speaker` has left."""
    scene = three(deployment, come)
    for name in ("next", "last"):
        assert scene.cast[name].move(scene.code, "leave") == ""
    # Nothing moves by itself in a scene, and the clock would pack the log ten minutes from now.
    wait_until(lambda: deployment.ledger.game(scene.code, "status") == ("finished",), "the end")
    deployment.ledger.write(
        "UPDATE games_game SET pack_at = '2100-01-01' WHERE code = ?", scene.code
    )
    return scene


def room(deployment: Deployment, come: Come) -> Scene:
    """A full table before the game: `host` and `guest`."""
    host, guest, outsider = (come(deployment.site) for _ in range(3))
    code = host.open_table(size=2)
    assert guest.action(code, "sit") == ""
    cast = {"host": host, "guest": guest, "outsider": outsider}
    for person in cast.values():
        person.look_at(code, listen=False)
    return Scene(deployment, code, cast)


def alone(deployment: Deployment, come: Come) -> Scene:
    """A host at an empty table."""
    host = come(deployment.site)
    return Scene(deployment, host.open_table(size=2), {"host": host})


def closed(deployment: Deployment, come: Come) -> Scene:
    """The host has closed the table."""
    scene = alone(deployment, come)
    assert scene.cast["host"].action(scene.code, "close") == ""
    scene.cast["outsider"] = come(deployment.site)
    return scene
