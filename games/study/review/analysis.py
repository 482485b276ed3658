"""The worker's part of a review: run the judge, and compress the result for storage.

Nothing here imports Django.
"""

from __future__ import annotations

from base64 import b64encode
from importlib import import_module
from typing import Any

from games.store.review_content import packed
from games.study.review.content import Content


def made(judge: str, record: Content) -> dict[str, Any]:
    """Review a log with the judge's module: its `accounts`, and the whole `packed` in base64.

    Packing it in the worker keeps that work off the games thread.
    """
    content = import_module(judge).analyse(record)
    return {
        "accounts": content["accounts"],
        "packed": b64encode(packed(content)).decode(),
    }
