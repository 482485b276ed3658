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

from games.contract import catalogue  # noqa: E402
from games.forms import PACES  # noqa: E402
from tests.faults.crowd import Crowd  # noqa: E402
from tests.faults.storm import Storm, open_deployment  # noqa: E402
from tests.support.live_site import prepare  # noqa: E402


async def run_storm(folder: Path, chosen: argparse.Namespace) -> None:
    async with open_deployment(
        folder, folder / "prepared", grown_up=not chosen.alone, jumping=not chosen.without_jumps
    ) as deployment:
        # A client that is interrupted thinks again, perhaps several times in one turn.
        pace = next(pace for pace in PACES if pace >= max(30, 7 * chosen.thinking))
        crowd = Crowd(
            deployment.addresses,
            seed=chosen.seed,
            thinks=lambda rng: rng.uniform(0.5, 1.5) * chosen.thinking,
            pace=pace,
            games=chosen.game,
        )
        storm = Storm(deployment, crowd, chosen.seed, only=chosen.only)
        try:
            await crowd.fill(chosen.games)
            print(f"{chosen.games} tables are full; the storm begins", flush=True)
            await storm.run_faults(seconds=chosen.minutes * 60)
            found = await storm.judge()
        except BaseException:
            kept = Path(tempfile.gettempdir()) / "perudo-storm.log"
            stacks = folder / "stacks"
            slow = stacks.read_text() if stacks.exists() else ""
            kept.write_text("\n".join([*storm.history, deployment.log, slow]))
            print(f"the faults, the log and the stacks of slow shutdowns are in {kept}")
            raise
        finally:
            await crowd.close_sockets()
    print(f"\nseed {chosen.seed}\n")
    for what, count in sorted(storm.survived.items()):
        print(f"{count:6}  {what.replace('_', ' ')}")
    print()
    for what, value in found.items():
        print(f"{what:42} {value}")
    for words, count in crowd.journal.words.most_common():
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
        asyncio.run(run_storm(Path(folder), chosen))


if __name__ == "__main__":
    main()
