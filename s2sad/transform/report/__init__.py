"""Reports on an adjoint: the plan's rows, the contract, the tables of facts."""
