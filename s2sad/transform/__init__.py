"""From a primal to its adjoint: normalise, plan, build, optimise, report."""
