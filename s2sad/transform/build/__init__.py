"""From facts and decisions to the sweeps of an adjoint, and what is declared around them."""
