"""Decisions as values: partials, storage, accumulation, signature; no statement is built yet."""
