"""The fragments and actions of a live table, shared by pages, requests and sockets."""
