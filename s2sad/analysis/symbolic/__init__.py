"""Integers as polynomials: what one thread computes, and how often a loop can run."""
