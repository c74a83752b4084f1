"""What is said of an adjoint that is built: the plan's rows, the contract, the tables of facts."""
