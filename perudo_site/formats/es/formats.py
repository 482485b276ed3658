"""Django's formats of this language; a time of day says its zone."""

from django.conf.locale.es import formats  # type: ignore[import-untyped]

DATETIME_FORMAT = f"{formats.DATETIME_FORMAT} T"
SHORT_DATETIME_FORMAT = f"{formats.SHORT_DATETIME_FORMAT} T"
