"""The foreign key to a person that goes when the person's row does, as most of them are."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models


def person(**options: Any) -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, **options)
