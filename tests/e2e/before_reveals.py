"""Tables just before the viewer makes a reveal come: of every outcome, and the last of a game."""

from __future__ import annotations

from tests.e2e import arranged

if __name__ == "__main__":
    shown = (arranged.doubt, arranged.too_high)
    last = (arranged.last_doubt_no, arranged.last_doubt_re)
    exact = {arranged.exact: (5, 6)}  # a table can be played on once
    arranged.main(dict.fromkeys(shown, (6,)) | exact | dict.fromkeys(last, (2,)))
