"""How much processor time the main thread of a page has had, as its browser counts it."""

from __future__ import annotations

from playwright.sync_api import CDPSession, Page


def watched(page: Page) -> CDPSession:
    """A session that counts from now on."""
    protocol = page.context.new_cdp_session(page)
    protocol.send("Performance.enable", {"timeDomain": "threadTicks"})
    return protocol


def spent(protocol: CDPSession) -> float:
    """The seconds so far. Pages of one process share its main thread."""
    metrics = protocol.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))
