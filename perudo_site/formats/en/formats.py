"""Django's formats for this language, with the time zone added to dates with times."""

from django.conf.locale.en import formats  # type: ignore[import-untyped]

DATETIME_FORMAT = f"{formats.DATETIME_FORMAT} T"
SHORT_DATETIME_FORMAT = f"{formats.SHORT_DATETIME_FORMAT} T"
