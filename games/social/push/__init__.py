"""Web push: subscriptions, switches, keys, and the queue of messages to browsers."""
