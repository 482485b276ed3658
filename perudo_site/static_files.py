"""Collected static files: hashed and compressed; a script imports another by its hashed name."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage

# Otherwise the browser would run such a module twice, once by each name. Django's own switch for
# this stumbles over packages that import what they do not bring: only relative paths are ours.
_IMPORT = (r'(?P<matched>from "(?P<url>\.\.?/[^"\n]+)")', 'from "%(url)s"')


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("*.js", (_IMPORT,)))
