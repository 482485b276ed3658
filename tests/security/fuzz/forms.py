"""The forms of a page: where they go, and every field with the values it offers."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Form:
    """`fields` names every field with the values that the page offers for it, if any."""

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    whose: int = 0  # the number of the person who was shown it


class Forms(HTMLParser):
    """All forms of a page or fragment."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form" or given.get("hx-post"):
            action = given.get("hx-post") or given.get("action", "")
            method = "post" if given.get("hx-post") else given.get("method", "get").lower()
            self.found.append(Form(action, method))
        elif self.found and tag in ("input", "button", "textarea", "select"):
            name = given.get("name", "")
            values = self.found[-1].fields.setdefault(name, []) if name else []
            if "value" in given:
                values.append(given["value"])
            self._select = name if tag == "select" else ""
        elif self.found and tag == "option" and self._select:
            self.found[-1].fields[self._select].append(given.get("value", ""))
