"""Positions of a real table, reached by playing, in which somebody can do something wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from games.perudo.tests.page_player import Controls
from tests.support import autopilot
from tests.support.deployments import Deployment
from tests.support.live_site import LiveSite
from tests.support.players import HttpPlayer, take_seats, wait_for

NewPlayer = Callable[..., HttpPlayer]


@dataclass
class Scene:
    """A table and who is who there: `speaker`, `next`, `last` by turn; `host`, `guest`, …"""

    deployment: Deployment
    code: str
    cast: dict[str, HttpPlayer] = field(default_factory=dict)

    def turns(self, people: list[HttpPlayer]) -> Scene:
        """Names the people by turn, the seat on turn first."""

        def all_see_one_table() -> bool:
            [seq] = self.deployment.database.game(self.code, "seq")
            views = [one.view(self.code) for one in people]
            return all(view.seq == seq for view in views) and any(view.my_turn for view in views)

        wait_for(all_see_one_table, "somebody's turn on every screen")
        first = next(place for place, one in enumerate(people) if one.view(self.code).my_turn)
        self.cast |= dict(
            zip(("speaker", "next", "last"), people[first:] + people[:first], strict=False)
        )
        return self

    def bids(self, quantity: int, face: int) -> Scene:
        """The seat on turn bids, and the turn goes on."""
        assert self.cast["speaker"].move(self.code, "bid", quantity=quantity, face=face) == ""
        people = [self.cast[name] for name in ("speaker", "next", "last") if name in self.cast]
        return self.turns(people)


def table_of_three(deployment: Deployment, new_player: NewPlayer, **settings: object) -> Scene:
    """A running table of three, with an outsider who only knows the address."""
    site: LiveSite = deployment.site
    people = [new_player(site), new_player(site), new_player(site)]
    code = take_seats(people, **settings)
    outsider = new_player(site).open_page(code)
    for person in people:
        person.open_page(code)
    assert people[0].action(code, "start") == ""
    return Scene(deployment, code, {"outsider": outsider}).turns(people)


def lose_dice(scene: Scene, *, until: Callable[[], bool]) -> Scene:
    """The one to speak now, called `loser` from here on, loses round after round."""
    people = [scene.cast[name] for name in ("speaker", "next", "last")]
    loser = scene.cast["loser"] = scene.cast["speaker"]
    seat = loser.view(scene.code).seat
    assert seat is not None
    autopilot.play(
        scene.code,
        people,
        until=until,
        choose=autopilot.lose_every_round(seat),
        rng=autopilot.seeded(0),
    )
    return scene


# --- the positions -------------------------------------------------------------------------------


def opening(deployment: Deployment, new_player: NewPlayer) -> Scene:
    """Nobody has bid; no calza at this table."""
    return table_of_three(deployment, new_player)


def raised(deployment: Deployment, new_player: NewPlayer) -> Scene:
    """The last bid is four fours, and calza is open to all but the bidder."""
    return table_of_three(deployment, new_player, calza="on").bids(4, 4)


def pacos(deployment: Deployment, new_player: NewPlayer) -> Scene:
    """Four fours, then two pacos."""
    return table_of_three(deployment, new_player).bids(4, 4).bids(2, 1)


def italian(deployment: Deployment, new_player: NewPlayer) -> Scene:
    """Calza for all but the bidder and the player on turn."""
    return table_of_three(deployment, new_player, preset="asmodee_it", calza="on").bids(1, 4)


def own_turn(deployment: Deployment, new_player: NewPlayer) -> Scene:
    """Calza only for the player on turn."""
    return table_of_three(
        deployment, new_player, preset="web_fr", calza="on", starter="random"
    ).bids(1, 4)


def unhurt(deployment: Deployment, new_player: NewPlayer) -> Scene:
    """Calza only for those who have lost a die, and nobody has."""
    return table_of_three(deployment, new_player, calza="on", calza_needs_lost_die="true").bids(
        1, 4
    )


def dice_revealed(deployment: Deployment, new_player: NewPlayer) -> Scene:
    """Dudo was said, and one has looked already: `next`."""
    scene = table_of_three(deployment, new_player, calza="on").bids(2, 4)
    people = [scene.cast[name] for name in ("speaker", "next", "last")]
    assert people[0].move(scene.code, "dudo") == ""
    wait_for(lambda: all(one.view(scene.code).must_confirm for one in people), "the reveal")
    assert people[1].move(scene.code, "confirm") == ""
    return scene


def palifico(deployment: Deployment, new_player: NewPlayer) -> Scene:
    """A palifico round, opened with two threes; no calza in it."""
    scene = table_of_three(deployment, new_player, preset="asmodee_it", calza="on")
    loser = scene.cast["speaker"]
    lose_dice(
        scene,
        until=lambda: (
            loser.view(scene.code).my_turn and len(Controls.of(loser.view(scene.code)).hand) == 1
        ),
    )
    return scene.turns([scene.cast[name] for name in ("speaker", "next", "last")]).bids(2, 3)


def two_left(deployment: Deployment, new_player: NewPlayer) -> Scene:
    """The `loser` is out, two are left, and one of them has bid."""
    scene = table_of_three(deployment, new_player, preset="asmodee_it", calza="on")
    others = [scene.cast["next"], scene.cast["last"]]

    def he_is_out() -> bool:
        views = [one.view(scene.code) for one in others]
        return any(view.my_turn and "is-out" in view.html for view in views)

    lose_dice(scene, until=he_is_out)
    scene.cast = {"loser": scene.cast["loser"]}
    return scene.turns(others).bids(1, 3)


def left(deployment: Deployment, new_player: NewPlayer) -> Scene:
    """`last` has left the game."""
    scene = table_of_three(deployment, new_player)
    assert scene.cast["last"].move(scene.code, "leave") == ""
    return scene


def over(deployment: Deployment, new_player: NewPlayer) -> Scene:
    """Everybody but `speaker` has left."""
    scene = table_of_three(deployment, new_player)
    for name in ("next", "last"):
        assert scene.cast[name].move(scene.code, "leave") == ""
    # Nothing moves by itself in a scene, and the clock would pack the log ten minutes from now.
    wait_for(lambda: deployment.database.game(scene.code, "status") == ("finished",), "the end")
    wait_for(
        lambda: deployment.database.game(scene.code, "marks_due_at") == (None,),
        "the marks of the game",
        patience=60,
    )
    deployment.database.write(
        "UPDATE games_game SET pack_at = '2100-01-01' WHERE code = ?", scene.code
    )
    return scene
