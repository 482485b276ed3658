"""Chat at a table, mutes and reports to moderators."""
