"""The Prometheus endpoint, on a separate port so that metrics are never public."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from django.db import DatabaseError, connection
from prometheus_client import REGISTRY, Info, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from games.store import queries
from perudo_site import VERSION
from perudo_site.env import InvalidSetting


class TablesCollector(Collector):
    """The number of open and running tables, counted at each scrape."""

    def describe(self) -> Iterator[GaugeMetricFamily]:
        yield self._family()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        family = self._family()
        with suppress(DatabaseError):  # without a database, serve the other metrics
            try:
                for status, count in queries.tables_by_status().items():
                    family.add_metric([status], count)
            finally:
                connection.close()  # every scrape runs on a new thread
        yield family

    def _family(self) -> GaugeMetricFamily:
        return GaugeMetricFamily(
            "perudo_tables",
            "Tables open or playing; failing: their last step failed.",
            labels=["status"],
        )


def serve(*, host: str, port: int) -> None:
    """Serve metrics to Prometheus on this port; InvalidSetting when it cannot be used."""
    REGISTRY.register(TablesCollector())
    Info("perudo_build", "The version that runs.").info({"version": VERSION})
    try:
        start_http_server(port, host)
    except OSError as error:
        raise InvalidSetting(
            f"METRICS_PORT {port} on {host} cannot be used: {error.strerror}."
        ) from None
