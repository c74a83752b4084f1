"""Decisions as values: partials, storage, sums, signature; nothing is built yet."""
