"""What people may do at a table, whatever brings the request and carries the answer."""
