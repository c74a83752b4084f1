"""Integers as polynomials: the values one thread computes, and bounds on trip counts."""
