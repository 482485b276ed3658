"""Dates and times in the admin site and in letters: see FORMAT_MODULE_PATH of Django."""
