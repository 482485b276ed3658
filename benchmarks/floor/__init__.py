"""The floor: the least a Django and Channels site must do to move a table, to measure ours by."""
