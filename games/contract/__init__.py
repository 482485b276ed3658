"""The interface of a game: required and optional parts, and the catalogue of installed games."""
