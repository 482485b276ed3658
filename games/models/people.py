"""Foreign key to a user that cascades on deletion, as most such keys do."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models


def person(**options: Any) -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, **options)
