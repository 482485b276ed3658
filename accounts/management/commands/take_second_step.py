"""For the host of the site, whose own phone and recovery codes are gone: nobody else could help."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import second_step
from accounts.models import User


class Command(BaseCommand):
    help = "Take away a person's second step of signing in, so that the password alone will do."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        person = User.named(name)
        if person is None:
            raise CommandError(f"There is no {name}.")
        if not second_step.take_away(person):
            raise CommandError(f"{person.username} has no second step.")
        self.stdout.write(f"{person.username} signs in with the password alone again.")
