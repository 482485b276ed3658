"""Standing tables: permanent links at which a group plays one game after the other."""
