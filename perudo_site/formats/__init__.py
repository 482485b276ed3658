"""Formats of dates and times in the admin site and in emails: Django's FORMAT_MODULE_PATH."""
