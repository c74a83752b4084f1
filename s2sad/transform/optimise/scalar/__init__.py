"""Scalar passes on one thread's code: names, stores, calls."""
