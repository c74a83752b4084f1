"""Adjoint to adjoint: each pass keeps every contribution, and says so to the audit."""
