"""Browsers inside chat apps, which keep their cookies from the one people use: known by their name.

Somebody who follows a link in a chat plays there as a guest, and is a stranger everywhere else, or
after the app has cleared its own browser.
"""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext

# What such a browser has in its User-Agent, and how people call the app; the first that fits.
_MARKS: Final = (
    (r"Instagram", "Instagram"),
    (r"MessengerForiOS|FB_IAB/(Orca|MESSENGER)|Orca-Android|FBAN/Messenger", "Messenger"),
    (r"FBAN|FBAV|FB_IAB", "Facebook"),
    (r"WhatsApp", "WhatsApp"),
    (r"Telegram", "Telegram"),
    (r"\bLine/", "LINE"),
    (r"Snapchat", "Snapchat"),
    (r"MicroMessenger", "WeChat"),
    (r"musical_ly|TikTok|BytedanceWebview", "TikTok"),
)
# Android names no app in its WebView, but says what it is.
_WEB_VIEW: Final = re.compile(r"Android[^)]*; wv\)")


def app(user_agent: str) -> str:
    """The app whose own browser this is, in words; "" for any other browser.

    Programs that fetch previews of links for the same apps do not claim to be a browser.
    """
    if not user_agent.startswith("Mozilla/"):
        return ""
    for mark, name in _MARKS:
        if re.search(mark, user_agent):
            return name
    return gettext("this app") if _WEB_VIEW.search(user_agent) else ""
