"""Build the sweeps of an adjoint from facts and decisions, and the declarations around them."""
