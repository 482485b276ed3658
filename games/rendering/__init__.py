"""HTML fragments of lobby and tables, with their caches."""
