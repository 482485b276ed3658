"""The Django project: the site around the games."""

VERSION = "0.9.0"  # as in pyproject.toml; `make release` writes both
