"""The long storm: `python -m tests.faults --minutes 20 --games 300`."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import tempfile
from pathlib import Path

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from games import catalogue  # noqa: E402
from games.forms import PACES  # noqa: E402
from tests.faults.crowd import Crowd  # noqa: E402
from tests.faults.storm import Storm, open_house  # noqa: E402
from tests.live import prepare  # noqa: E402


async def weather(folder: Path, chosen: argparse.Namespace) -> None:
    async with open_house(
        folder, folder / "prepared", grown_up=not chosen.alone, jumping=not chosen.without_jumps
    ) as house:
        # A client that is interrupted thinks again, perhaps several times in one turn.
        pace = next(pace for pace in PACES if pace >= max(30, 7 * chosen.thinking))
        crowd = Crowd(
            house.addresses,
            seed=chosen.seed,
            thinks=lambda luck: luck.uniform(0.5, 1.5) * chosen.thinking,
            pace=pace,
            games=chosen.game,
        )
        storm = Storm(house, crowd, chosen.seed, only=chosen.only)
        try:
            await crowd.fill(chosen.games)
            print(f"{chosen.games} tables are full; the storm begins", flush=True)
            await storm.rage(seconds=chosen.minutes * 60)
            found = await storm.judge()
        except BaseException:
            kept = Path(tempfile.gettempdir()) / "perudo-storm.log"
            kept.write_text(house.log)
            print(f"the log is in {kept}")
            raise
        finally:
            await crowd.go_home()
    print(f"\nseed {chosen.seed}\n")
    for what, count in sorted(storm.survived.items()):
        print(f"{count:6}  {what.replace('_', ' ')}")
    print()
    for what, value in found.items():
        print(f"{what:42} {value}")
    for words, count in crowd.diary.words.most_common():
        print(f"{count:6}  {words}")


def main() -> None:
    wanted = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    wanted.add_argument("--minutes", type=float, default=5)
    wanted.add_argument("--games", type=int, default=50, help="tables at the same time")
    keys = [game.key for game in catalogue.every()]
    wanted.add_argument("--game", nargs="+", choices=keys, default=keys, help="what is played")
    wanted.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    wanted.add_argument(
        "--thinking",
        type=float,
        default=2.0,
        help="seconds before a move; a turn allows some seven times that",
    )
    wanted.add_argument("--alone", action="store_true", help="one process on a SQLite file")
    wanted.add_argument("--without-jumps", action="store_true", help="no libfaketime here")
    wanted.add_argument("--only", nargs="*", default=[], help="names of faults")
    chosen = wanted.parse_args()
    print(f"seed {chosen.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="perudo-storm-") as folder:
        prepared = Path(folder) / "prepared"
        prepared.mkdir()
        prepare(prepared)
        asyncio.run(weather(Path(folder), chosen))


if __name__ == "__main__":
    main()
