"""From a primal to its adjoint: normalised, planned, built, optimised, reported."""
