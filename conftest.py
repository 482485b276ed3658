"""Gives every test, those of a game too, the fixtures and the options of tests/support."""

pytest_plugins = [
    "tests.support.fixtures",
    "tests.support.browser_fixtures",
    "tests.support.charges",
    "tests.support.options",
    "tests.support.processor_time",
]
