"""Storage of collected static files, hashed and compressed.

Scripts import by hashed names. A style sheet that imports others is one file with them, so that a
page asks for one; while DEBUG is on, browsers import them. Comments, a fifth of what a page would
load of our own texts, stay behind.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, Final

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage, Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Otherwise a browser would run an imported module twice, once by each name. Django's own option for
# this fails on packages that import missing files; here only relative paths are replaced.
_IMPORT = (r'(?P<matched>from "(?P<url>\.\.?/[^"\n]+)")', 'from "%(url)s"')
_LATER = (r'(?P<matched>import\("(?P<url>\.\.?/[^"\n]+\.js)"\))', 'import("%(url)s")')
_SHEET = re.compile(r'^@import "([^"]+\.css)";$', flags=re.MULTILINE)

_OURS: Final = ("accounts", "games", "perudo_site")
_QUOTED = r"""(?P<kept>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|"""
_COMMENTS: Final = {
    ".css": re.compile(_QUOTED + r"/\*.*?\*/", flags=re.DOTALL),
    # Of scripts only whole lines: whether // begins a comment elsewhere takes more to tell.
    ".js": re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)$", flags=re.M | re.S),
    ".svg": re.compile(r"<!--.*?-->", flags=re.DOTALL),
}
_INDENTED = re.compile(r"^\s+", flags=re.MULTILINE)

Files = Mapping[str, tuple[Storage, str]]  # by name: where the file is, and how it is called there


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("*.js", (_IMPORT, _LATER)))

    def post_process(self, paths: Files, *args: Any, **options: Any) -> Any:
        memory = InMemoryStorage()
        changed = [name for name in paths if name.endswith(".css") or _is_ours(name, paths)]
        for name in changed:
            text = whole(name, paths)
            memory.save(name, ContentFile(lean(name, text) if _is_ours(name, paths) else text))
        return super().post_process(
            {**paths, **{name: (memory, name) for name in changed}}, *args, **options
        )


def whole(name: str, files: Files) -> str:
    """A file; a style sheet with those that it imports in the place of its imports.

    Their own addresses stay as they are: all folders of sheets are beside each other.
    """
    storage, path = files[name]
    with storage.open(path) as file:
        text: str = file.read().decode()
    if not name.endswith(".css"):
        return text
    return _SHEET.sub(lambda found: whole(normpath(join(dirname(name), found[1])), files), text)


def lean(name: str, text: str) -> str:
    """A text without its comments; a script keeps its lines, so that errors name the right ones."""
    kind = Path(name).suffix
    bare = _COMMENTS[kind].sub(_without, text)
    return bare if kind == ".js" else _INDENTED.sub("", bare)


def _without(found: re.Match[str]) -> str:
    kept = found.groupdict().get("kept")
    return "\n" * found[0].count("\n") if kept is None else kept


def _is_ours(name: str, files: Files) -> bool:
    """Whether it is a text that we wrote: those of packages have their licences in comments."""
    storage, path = files[name]
    places = [Path(settings.BASE_DIR) / each for each in _OURS]
    file = Path(storage.path(path))
    return file.suffix in _COMMENTS and any(map(file.is_relative_to, places))
