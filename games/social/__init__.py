"""Social features: friends, chat, the inbox, and web push."""
