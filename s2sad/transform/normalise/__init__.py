"""Primal-to-primal rewrites into the forms of control flow and memory that later passes require."""
