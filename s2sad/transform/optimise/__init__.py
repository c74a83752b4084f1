"""Adjoint-to-adjoint passes; each preserves every contribution, which the audit checks."""
