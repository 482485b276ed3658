"""Detection of browsers inside chat apps, which do not share cookies with the usual browser.

People who follow a link in a chat play there as guests. Other browsers do not know them, nor does
the app after it has cleared its browser.
"""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext

# A pattern of the User-Agent and the usual name of the app; the first match counts.
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
# Android's WebView does not name the app, but identifies itself.
_WEB_VIEW: Final = re.compile(r"Android[^)]*; wv\)")


def app(user_agent: str) -> str:
    """Return the name of the app whose in-app browser this is; "" for any other browser.

    Programs of these apps that fetch link previews do not identify as a browser.
    """
    if not user_agent.startswith("Mozilla/"):
        return ""
    for mark, name in _MARKS:
        if re.search(mark, user_agent):
            return name
    return gettext("this app") if _WEB_VIEW.search(user_agent) else ""
