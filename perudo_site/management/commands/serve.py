"""`manage.py serve`: run one server process of the site; SIGTERM shuts it down gracefully."""

from __future__ import annotations

import logging
from argparse import ArgumentParser

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from perudo_site import VERSION
from perudo_site.copying import progress

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Serves the site until SIGTERM or SIGINT; requests in progress are then finished."
    requires_system_checks = ()  # `manage.py check` runs them; a start should be quick

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on")
        parser.add_argument(
            "--migrate", action="store_true", help="bring the database up to date first"
        )
        parser.add_argument(
            "--metrics-port",
            type=int,
            default=settings.METRICS_PORT,
            help="port for Prometheus, METRICS_PORT by default; 0 for none",
        )

    def handle(
        self,
        *args: object,
        host: str,
        port: int,
        migrate: bool,
        metrics_port: int,
        **options: object,
    ) -> None:
        if migrate:
            call_command("migrate", verbosity=0)
        if progress.is_unfinished():
            raise CommandError(
                "A copy into this database is not finished: run `copy_to` again, with the settings "
                "of the old one."
            )
        from perudo_site.server.daphne import GracefulServer  # isort: skip  the reactor comes first
        from perudo_site.asgi import (
            application,
            bring_names_up_to_date,
            prepare_database,
            shut_executors,
            start,
        )
        from perudo_site.server import descriptors, metrics

        descriptors.raise_limit()
        if metrics_port:
            metrics.serve(host=settings.METRICS_HOST, port=metrics_port)
        logger.info("server started version=%s", VERSION)
        server = GracefulServer(application, on_start=start, host=host, port=port)
        bring_names_up_to_date()
        prepare_database()
        server.run()
        shut_executors()
        if server.abort_start:
            raise SystemExit(1)
