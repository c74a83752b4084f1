"""Learn and teach what an adjoint is: realistic faults to find."""
