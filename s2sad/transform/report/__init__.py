"""Reports on a built adjoint: the plan's rows, the contract, the tables of facts."""
