"""Command that turns off two-factor authentication for a user.

It is for the host of the site: nobody else could help them after they lose their own phone and
recovery codes.
"""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import two_factor
from accounts.models import User


class Command(BaseCommand):
    help = "Turn a person's two-factor authentication off, so that the password alone will do."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")

    def handle(self, *args: object, name: str, **options: object) -> None:
        person = User.named(name)
        if person is None:
            raise CommandError(f"There is no {name}.")
        if not two_factor.take_away(person):
            raise CommandError(f"{person.username} has no two-factor authentication.")
        self.stdout.write(f"{person.username} signs in with the password alone again.")
